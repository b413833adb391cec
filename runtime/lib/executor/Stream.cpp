//===- Stream.cpp - Work in call order ------------------------------------===//

#include "lib/executor/Stream.h"
#include "lib/base/Threads.h"

using namespace jobrt;

Status Stream::start() {
  Expected<std::thread> started =
      startThread("jobrt-stream", [this] { threadMain(); });
  if (!started.ok())
    return started.status();
  thread = std::move(*started);
  return {};
}

Stream::~Stream() {
  if (!thread.joinable())
    return;
  drain();
  {
    std::lock_guard lock(mutex);
    stopping = true;
    ready.notify_one();
  }
  thread.join();
}

uint64_t Stream::append(Task &task) {
  task.next = nullptr;
  task.ended = false;
  task.stream = this;
  (first ? last->next : first) = &task;
  last = &task;
  if (!waiting)
    waiting = &task;
  return ++issued;
}

void Stream::beginNext(std::unique_lock<std::mutex> &lock) {
  Task &task = *waiting;
  waiting = task.next;
  lastLane = task.lane;
  beginning = true;
  lock.unlock();
  // The task may be gone when this returns.
  task.begin();
  lock.lock();
  beginning = false;
  ++begun;
  advanced.notify_all();
}

bool Stream::beginOrAppend(std::unique_lock<std::mutex> &lock, Task &task) {
  bool isNext = !waiting;
  append(task);
  bool begins = isNext && canBegin();
  if (begins)
    beginNext(lock);
  if (canBegin())
    ready.notify_one();
  return begins;
}

void Stream::enqueue(Task &task) {
  std::lock_guard lock(mutex);
  append(task);
  if (canBegin())
    ready.notify_one();
}

void Stream::post(Continuation &continuation) {
  std::lock_guard lock(mutex);
  posted = &continuation;
  ready.notify_one();
}

bool Stream::beginOrEnqueue(Task &task) {
  std::unique_lock lock(mutex);
  return beginOrAppend(lock, task);
}

bool Stream::waitFor(std::unique_lock<std::mutex> &lock, uint64_t number,
                     const Interrupt &interrupt) {
  return interrupt.wait(advanced, lock,
                        [&] { return retired >= number && begun >= number; });
}

void Stream::runAndWait(Task &task) {
  std::unique_lock lock(mutex);
  uint64_t number = issued + 1;
  beginOrAppend(lock, task);
  waitFor(lock, number);
}

bool Stream::drain(const Interrupt &interrupt) {
  std::unique_lock lock(mutex);
  return waitFor(lock, issued, interrupt);
}

void Stream::Task::complete(Status status) {
  stream->end(*this, std::move(status));
}

void Stream::end(Task &task, Status status) {
  std::unique_lock lock(mutex);
  task.result = std::move(status);
  task.ended = true;
  // The thread that retires tasks looks again before it stops.
  if (retiring)
    return;
  retiring = true;
  while (first && first->ended) {
    Task &done = *first;
    first = done.next;
    lock.unlock();
    done.retire(std::move(done.result));
    lock.lock();
    ++retired;
    advanced.notify_all();
  }
  retiring = false;
  if (canBegin())
    ready.notify_one();
}

void Stream::threadMain() {
  std::unique_lock lock(mutex);
  while (true) {
    ready.wait(lock, [&] { return stopping || posted || canBegin(); });
    if (Continuation *next = std::exchange(posted, nullptr)) {
      lock.unlock();
      // The task may be gone when this returns.
      next->proceed();
      lock.lock();
      continue;
    }
    if (!canBegin())
      return;
    beginNext(lock);
  }
}
