//===- Stream.h - Work in call order ----------------------------*- C++ -*-===//
//
// Runs tasks one after the other in the order of the calls, on one thread of
// its own or, when there is nothing before it and its caller waits anyway, on
// the calling thread: handing over to a parked thread takes longer than a
// small step. Any thread may call. Nothing allocates after start().
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_STREAM_H
#define JOBRT_LIB_EXECUTOR_STREAM_H

#include "jobrt/status.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace jobrt {

class Stream {
public:
  /// Something to run, linked into the queue by itself.
  class Task {
  public:
    /// May give the task's own memory away: the stream does not touch it
    /// afterwards.
    virtual void run() = 0;

  protected:
    ~Task() = default;

  private:
    friend class Stream;
    Task *next = nullptr;
  };

  Stream() = default;
  /// Runs what is queued, then stops.
  ~Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  Status start();

  /// Queues a task.
  void enqueue(Task &task);

  /// Runs the task on this thread and returns true if the stream is idle;
  /// otherwise queues it and returns false.
  bool runOrEnqueue(Task &task);

  /// Blocks until the task has run.
  void runAndWait(Task &task);

  /// Blocks until everything queued so far has run.
  void drain();

private:
  void threadMain();
  /// Both with the lock held.
  void append(Task &task);
  void finishOne();

  std::mutex mutex;
  /// For the thread: there may be something to run.
  std::condition_variable ready;
  /// For callers: something has run.
  std::condition_variable advanced;
  Task *first = nullptr, *last = nullptr;
  /// Numbers of tasks handed in and completed; in order.
  uint64_t issued = 0, completed = 0;
  /// Somebody is running a task.
  bool busy = false;
  bool stopping = false;
  std::thread thread;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_STREAM_H
