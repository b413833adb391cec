//===- CallbackQueue.cpp - Callbacks in step order ------------------------===//
//
// The part of StepPool that serves Future::onDone(). Callbacks run one at a
// time: on the callback thread, or on the thread that gives a callback to a
// step that is done when no other callback is waiting or running.
//
//===----------------------------------------------------------------------===//

#include "lib/base/Threads.h"
#include "lib/executor/StepPool.h"
#include "lib/executor/UserCallScope.h"

#include <cxxabi.h>
#include <exception>

using namespace jobrt;

/// Number for errors that belong to no step.
static constexpr uint64_t kCallbackError = 0;

bool StepPool::inCallback() const {
  return UserCallScope<StepPool>::isInside(*this);
}

Status StepPool::startCallbacks() {
  server = CallbackServer::kThread;
  // The thread may be the last to know the pool.
  Expected<std::thread> started = startThread(
      "jobrt-callback", [self = shared_from_this()] { self->callbackMain(); });
  if (!started.ok()) {
    server = CallbackServer::kCaller;
    return started.status();
  }
  callbackThread = std::move(*started);
  return {};
}

void StepPool::stopCallbacks() {
  {
    std::lock_guard lock(mutex);
    if (server == CallbackServer::kThread)
      server = CallbackServer::kEndingThread;
    callbackReady.notify_one();
  }
  if (!callbackThread.joinable())
    return;
  if (inCallback())
    callbackThread.detach();
  else
    callbackThread.join();
}

Status StepPool::drainCallbacks() {
  std::unique_lock lock(mutex);
  uint64_t target = callbacksIssued;
  bool isDone = waitServing(lock, interrupted,
                            [&] { return callbacksReturned >= target; });
  return isDone ? Status() : Interrupt::status();
}

void StepPool::waitUntilIdle() {
  // In one look under the lock: between two looks, a callback moves on from its
  // own step to the next.
  std::unique_lock lock(mutex);
  waitServing(lock, Interrupt(), [&] {
    return freeInputs.size() == inputSlots.size() && !firstCallback &&
           !callbackRunning;
  });
}

void StepPool::queueCallbacks(State &state) {
  retain(state);
  state.inCallbackQueue = true;
  state.nextCallback = nullptr;
  (firstCallback ? lastCallback->nextCallback : firstCallback) = &state;
  lastCallback = &state;
  ++numQueued;
  ++callbacksIssued;
}

void StepPool::endTurn() {
  callbackRunning = false;
  changed.notify_all();
  callbackReady.notify_one();
}

/// What an exception says; it must not leave the runtime.
static std::string describeException() {
  try {
    throw;
  } catch (const std::exception &exception) {
    return exception.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

void StepPool::invoke(std::unique_lock<std::mutex> &lock, State &state,
                      Callback &callback) {
  UserCallScope<StepPool> scope(*this);
  std::string problem;
  uint64_t begin = trace() ? traceClock() : 0;
  lock.unlock();
  try {
    retain(state);
    callback(Future(&state));
  } catch (abi::__forced_unwind &) {
    // pthread_exit() in the callback, which Python calls on threads that
    // outlive the interpreter. It cannot be stopped. The state stays first in
    // the queue, and the next thread that serves it goes on.
    callback = nullptr;
    lock.lock();
    endTurn();
    throw;
  } catch (...) {
    problem = describeException();
  }
  // What it holds goes before the next callback comes.
  callback = nullptr;
  lock.lock();
  if (TraceRecorder *current = trace())
    current->addCallback({state.number, {begin, traceClock()}, 0});
  if (!problem.empty())
    keepError(kCallbackError, Status(StatusCode::kInternal,
                                     "job '" + state.entry->name +
                                         "': a callback threw: " + problem));
}

void StepPool::serveFirst(std::unique_lock<std::mutex> &lock) {
  State &state = *firstCallback;
  callbackRunning = true;
  // More may be added while they run. Those that are empty were called before
  // their thread ended.
  for (size_t i = 0; i < state.callbacks.size(); ++i)
    if (Callback callback = std::exchange(state.callbacks[i], nullptr))
      invoke(lock, state, callback);
  state.callbacks.clear();
  state.inCallbackQueue = false;
  firstCallback = state.nextCallback;
  --numQueued;
  ++callbacksReturned;
  endTurn();
  Released released = releaseLocked(state);
  lock.unlock();
  released = {};
  lock.lock();
}

void StepPool::onDone(State &state, Callback callback) {
  if (isForked()) {
    // The step is done, or never will be: wait() tells which.
    retain(state);
    callback(Future(&state));
    return;
  }
  std::unique_lock lock(mutex);
  bool isNext = state.done.load() && !callbackRunning && !firstCallback;
  state.callbacks.push_back(std::move(callback));
  if (state.done.load() && !state.inCallbackQueue)
    queueCallbacks(state);
  if (isNext)
    serveFirst(lock);
  else if (state.inCallbackQueue)
    callbackReady.notify_one();
  while (isServer())
    serveFirst(lock);
}

void StepPool::callbackMain() {
  std::unique_lock lock(mutex);
  try {
    while (true) {
      callbackReady.wait(lock, [&] {
        return !callbackRunning &&
               (firstCallback || server == CallbackServer::kEndingThread);
      });
      if (!firstCallback)
        break;
      serveFirst(lock);
    }
  } catch (abi::__forced_unwind &) {
    server = CallbackServer::kCaller;
    throw;
  }
  server = CallbackServer::kCaller;
}
