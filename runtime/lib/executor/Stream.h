//===- Stream.h - Work in call order ----------------------------*- C++ -*-===//
//
// Begins tasks in the order of the calls and retires them in this order. What a
// task begins may be completed later, by a thread of a driver and in any order,
// so several tasks may be in flight:
//
//   append      begin()                complete()              retire()
//   waiting ------------> in flight ---------------> ended --------------->
//   gone
//             in order,              in any order,          in order,
//             one thread at a time   any thread             one thread at a
//             time
//
// Tasks are begun by a thread of the stream or, if nothing waits and the caller
// of a task is about to block on it, by the calling thread: passing a task to
// another thread takes longer than a small step. No thread of the stream waits
// for a task that is in flight.
//
// Any thread may call. Nothing allocates after start().
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_STREAM_H
#define JOBRT_LIB_EXECUTOR_STREAM_H

#include "lib/executor/Driver.h"
#include "lib/executor/Interrupt.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace jobrt {

class Stream {
public:
  /// What a task begins: work of the driver of one device, by its index, which
  /// keeps the order; or other work.
  using Lane = int32_t;
  /// Begins when all earlier tasks have retired, and no later task begins
  /// before it has retired: for work of the host between two steps, and of
  /// several devices. Tasks on the lane of a device begin when all earlier ones
  /// have begun, if those in flight are on the same lane.
  static constexpr Lane kExclusive = -1;

  /// Work, linked into the stream's list by itself. The stream calls begin()
  /// and retire() without holding its lock.
  class Task : public Completion {
  public:
    explicit Task(Lane lane) : lane(lane) {}
    /// Called once per begin(): inside it, or later by any thread.
    void complete(Status status) final;

    /// Before the task is passed to a stream.
    void setLane(Lane newLane) { lane = newLane; }

  protected:
    ~Task() = default;

  private:
    friend class Stream;
    /// Starts the work and returns without waiting for it.
    virtual void begin() = 0;
    /// The task and all earlier ones have ended. May give the task's own memory
    /// away: the stream does not touch it afterwards. Does not block on other
    /// tasks.
    virtual void retire(Status status) = 0;

    Lane lane;
    bool ended = false;
    Task *next = nullptr;
    Stream *stream = nullptr;
    Status result;
  };

  /// What an exclusive task in flight has to do next, when something has ended
  /// that it has begun.
  class Continuation {
  public:
    /// Returns without waiting for what it begins.
    virtual void proceed() = 0;

  protected:
    ~Continuation() = default;
  };

  Stream() = default;
  /// Begins what waits, and returns when all tasks have retired.
  ~Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  Status start();

  /// Queues a task. Does not block.
  void enqueue(Task &task);

  /// Begins the task on this thread and returns true if no task waits and its
  /// order allows it; otherwise queues it and returns false. Does not block on
  /// other tasks.
  bool beginOrEnqueue(Task &task);

  /// Calls proceed() on the thread of the stream. Only for the exclusive task
  /// that is in flight, once at a time. Does not block.
  void post(Continuation &continuation);

  /// Blocks until the task has retired.
  void runAndWait(Task &task);

  /// Blocks until all tasks so far have retired and no thread is inside one of
  /// them. False if it was interrupted.
  bool drain(const Interrupt &interrupt = {});

private:
  void threadMain();
  // With the lock held.
  uint64_t append(Task &task);
  bool beginOrAppend(std::unique_lock<std::mutex> &lock, Task &task);
  bool canBegin() const {
    return waiting && !beginning &&
           (retired == begun ||
            (waiting->lane == lastLane && lastLane != kExclusive));
  }
  /// Begins the first waiting task. Releases the lock meanwhile.
  void beginNext(std::unique_lock<std::mutex> &lock);
  bool waitFor(std::unique_lock<std::mutex> &lock, uint64_t number,
               const Interrupt &interrupt = {});

  void end(Task &task, Status status);

  std::mutex mutex;
  /// For the thread: canBegin() may have become true, or something was posted.
  std::condition_variable ready;
  /// For callers: a task has retired, or begin() has returned.
  std::condition_variable advanced;
  /// All tasks that have not retired, in order, and the first one of them that
  /// has not begun.
  Task *first = nullptr, *last = nullptr, *waiting = nullptr;
  /// Numbers of tasks that were passed in, whose begin() has returned, and that
  /// have retired.
  uint64_t issued = 0, begun = 0, retired = 0;
  /// A thread is inside begin().
  bool beginning = false;
  /// Of the task that has begun last, and so of all that are in flight.
  Lane lastLane = kExclusive;
  /// Null if nothing was posted.
  Continuation *posted = nullptr;
  /// A thread retires tasks.
  bool retiring = false;
  bool stopping = false;
  std::thread thread;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_STREAM_H
