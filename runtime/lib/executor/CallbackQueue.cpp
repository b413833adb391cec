//===- CallbackQueue.cpp - Callbacks in step order ------------------------===//
//
// The part of StepPool that serves Future::onDone(). Callbacks run one at a
// time: on the callback thread, or on the thread that gives a callback to a
// step that is done when no other callback is waiting or running.
//
//===----------------------------------------------------------------------===//

#include "lib/base/Threads.h"
#include "lib/executor/StepPool.h"

#include <exception>

using namespace jobrt;

/// Number for errors that belong to no step.
static constexpr uint64_t kCallbackError = 0;

/// The pool whose callback this thread is inside of.
static thread_local const StepPool *callbackOwner = nullptr;

bool StepPool::inCallback() const { return callbackOwner == this; }

Status StepPool::startCallbacks() {
  Expected<std::thread> started =
      startThread("jobrt-callback", [this] { callbackMain(); });
  if (!started.ok())
    return started.status();
  callbackThread = std::move(*started);
  return {};
}

void StepPool::stopCallbacks() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
    callbackReady.notify_one();
  }
  if (callbackThread.joinable())
    callbackThread.join();
}

void StepPool::drainCallbacks() {
  std::unique_lock lock(mutex);
  uint64_t target = callbacksIssued;
  changed.wait(lock, [&] { return callbacksReturned >= target; });
}

void StepPool::waitUntilIdle() {
  // In one look under the lock: between two looks, a callback moves on from its
  // own step to the next.
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] {
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
  const StepPool *outer = std::exchange(callbackOwner, this);
  std::string problem;
  uint64_t begin = trace() ? traceClock() : 0;
  lock.unlock();
  try {
    retain(state);
    callback(Future(&state));
  } catch (...) {
    problem = describeException();
  }
  // What it holds goes before the next callback comes.
  callback = nullptr;
  lock.lock();
  callbackOwner = outer;
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
  // More may come while they run.
  for (size_t i = 0; i < state.callbacks.size(); ++i) {
    Callback callback = std::move(state.callbacks[i]);
    invoke(lock, state, callback);
  }
  state.callbacks.clear();
  state.inCallbackQueue = false;
  firstCallback = state.nextCallback;
  callbackRunning = false;
  --numQueued;
  ++callbacksReturned;
  changed.notify_all();
  lock.unlock();
  release(state);
  lock.lock();
}

void StepPool::onDone(State &state, Callback callback) {
  std::unique_lock lock(mutex);
  if (!state.done.load() || callbackRunning || firstCallback) {
    state.callbacks.push_back(std::move(callback));
    if (state.done.load() && !state.inCallbackQueue)
      queueCallbacks(state);
    return;
  }
  callbackRunning = true;
  ++callbacksIssued;
  invoke(lock, state, callback);
  callbackRunning = false;
  ++callbacksReturned;
  changed.notify_all();
  callbackReady.notify_one();
  // After the session's end there is no thread to do it.
  while (stopping && !callbackThread.joinable() && firstCallback &&
         !callbackRunning)
    serveFirst(lock);
}

void StepPool::callbackMain() {
  std::unique_lock lock(mutex);
  while (true) {
    callbackReady.wait(
        lock, [&] { return !callbackRunning && (firstCallback || stopping); });
    if (!firstCallback)
      return;
    serveFirst(lock);
  }
}
