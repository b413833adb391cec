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
  {
    std::lock_guard lock(mutex);
    stopping = true;
    ready.notify_one();
  }
  if (thread.joinable())
    thread.join();
}

void Stream::append(Task &task) {
  task.next = nullptr;
  (first ? last->next : first) = &task;
  last = &task;
  ++issued;
  if (!busy)
    ready.notify_one();
}

void Stream::finishOne() {
  ++completed;
  busy = false;
  advanced.notify_all();
}

void Stream::enqueue(Task &task) {
  std::lock_guard lock(mutex);
  append(task);
}

bool Stream::runOrEnqueue(Task &task) {
  std::unique_lock lock(mutex);
  if (busy || first) {
    append(task);
    return false;
  }
  ++issued;
  busy = true;
  lock.unlock();
  task.run();
  lock.lock();
  finishOne();
  if (first)
    ready.notify_one();
  return true;
}

void Stream::runAndWait(Task &task) {
  if (!runOrEnqueue(task))
    drain();
}

void Stream::drain() {
  std::unique_lock lock(mutex);
  uint64_t target = issued;
  advanced.wait(lock, [&] { return completed >= target; });
}

void Stream::threadMain() {
  std::unique_lock lock(mutex);
  while (true) {
    ready.wait(lock, [&] { return !busy && (first || stopping); });
    if (!first)
      return;
    Task *task = first;
    first = task->next;
    busy = true;
    lock.unlock();
    task->run();
    lock.lock();
    finishOne();
  }
}
