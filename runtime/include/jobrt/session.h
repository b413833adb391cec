//===- session.h - Variables and steps --------------------------*- C++ -*-===//
//
// A session owns what an artifact needs to run: the bank of variables, one
// arena and workspace (jobs of a session never run at once), staging slots,
// the worker pool, one stream and one callback thread.
//
// A call takes a credit (a bounded number of steps is in flight; without a
// free one it blocks), copies its inputs into a staging slot, is queued in
// call order and completes a Future. When the stream is idle and the caller
// waits at once (`run`), the step runs inline on the calling thread.
//
// A step is in flight from its call until it has completed and the callbacks
// given to its future by then have returned. So a caller that is faster than
// the steps or than the callbacks is held back. A call from inside a callback
// is held back by steps only, since its own callback cannot return before it.
//
// A future that is kept after its step holds the outputs, not a credit: any
// number may be kept. The outputs of the first `credits` futures lie in slots
// made with the session, further ones in slots that are made when needed and
// that MemoryReport counts as long as they are there. Apart from that, nothing
// between submit and completion of a step allocates in code of ours.
//
// All sessions of a process share one pool of worker threads, so that they do
// not compete for cores. It has as many threads as this process has cores:
// those of its affinity mask, but no more than its cgroup's quota of processor
// time; a session that asks for more threads adds them. It ends with the last
// session. Steps of several sessions run at the same time and take the workers
// that are free; each goes on without any, on the thread that runs it.
//
// Each session has two threads of its own, for its steps and its callbacks,
// which sleep while there is nothing to do.
//
// A session and its futures belong to the process that made them. In a forked
// child, which has none of the threads, every call on the session and every
// wait for a step that was in flight fails (kInvalidArgument) instead of
// blocking. A new session in the child works.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SESSION_H
#define JOBRT_SESSION_H

#include "jobrt/artifact.h"

#include <functional>
#include <initializer_list>

namespace jobrt {

struct SessionOptions {
  /// The most threads that compute a step, the one that runs it included; 0
  /// takes the number of cores that this process may use. Results do not depend
  /// on it.
  int threads = 0;
  /// Steps in flight per session, at least 1.
  int credits = 4;
  /// "host", or "null": checks and completes every step but computes nothing.
  std::string driver = "host";
};

/// What a trace keeps, and where it goes.
struct TraceOptions {
  /// The file, made or emptied at the start.
  std::string path;
  /// Steps that are kept, the newest ones; the file says how many were dropped.
  int64_t steps = 100;
};

/// Bytes of a session by kind; nothing is left out.
struct MemoryReport {
  int64_t arena = 0, bank = 0, staging = 0, workspace = 0, constants = 0;
  int64_t total() const {
    return arena + bank + staging + workspace + constants;
  }
};

/// Heap allocations between submit and completion of the last step, by all
/// threads that worked on it. -1 when nobody counts: counting means replacing
/// malloc, which only an executable may decide to do. One that links
/// `jobrt_allocation_counter` (runtime/lib/base/AllocationCounter.cpp) does.
struct AllocationReport {
  int64_t ours = 0;    ///< by the runtime itself: 0
  int64_t library = 0; ///< inside library calls
};

/// Returns how many heap allocations the calling thread has made so far.
using AllocationSource = int64_t (*)();

/// Installs (or with null removes) the counter for the whole process. Steps
/// that are in flight meanwhile report an arbitrary number.
JOBRT_API void setAllocationSource(AllocationSource source);

class Session;

/// The result of one call. Any thread; copies share one state. It may outlive
/// the session: outputs and status stay as they are.
class JOBRT_API Future {
public:
  Future() = default;
  Future(const Future &other);
  Future(Future &&other) noexcept : state(other.state) {
    other.state = nullptr;
  }
  Future &operator=(const Future &other);
  Future &operator=(Future &&other) noexcept;
  ~Future();

  /// Blocks until the step is done; its status: kCancelled when the session was
  /// cancelled before the step ran. Not for a default-made future.
  Status wait() const;
  bool done() const;
  /// After a successful wait(): the i-th output. The views stay valid until
  /// the last copy of the future is gone.
  TensorView output(int index) const;
  /// Its first element; allocates nothing.
  void *outputData(int index) const;
  int numOutputs() const;
  /// Calls `callback` once. Callbacks of a session never run at the same time
  /// and run in the order of the steps on the session's callback thread. When
  /// the step is done already and no callback is waiting or running, the
  /// callback runs at once on this thread. An exception that leaves it is
  /// reported by Session::synchronize(). It may end the session and free this
  /// future. In a forked child it runs at once: wait() tells whether the step
  /// was done.
  void onDone(std::function<void(const Future &)> callback) const;
  /// False for a default-made future.
  bool valid() const { return state != nullptr; }

private:
  friend class StepPool;
  struct State;
  /// Takes over one reference.
  explicit Future(State *state) : state(state) {}
  /// One reference on a state that counts its references itself: states are
  /// made with the session and used again, so that a call allocates nothing.
  State *state = nullptr;
};

/// An input of a call. The caller keeps the array and the shape.
struct InputView {
  DType dtype = DType::kF32;
  const int64_t *shape = nullptr;
  size_t rank = 0;
  const void *data = nullptr;
};

/// The inputs of a call, borrowed for its length. It refers to an array of any
/// type and makes the views one by one, so that a call needs no memory for
/// them.
class InputList {
public:
  InputList() = default;
  InputList(const std::vector<TensorView> &views)
      : InputList(views.data(), views.size(), viewOf) {}
  InputList(std::initializer_list<TensorView> views)
      : InputList(views.begin(), views.size(), viewOf) {}
  /// `Convert` is a function from a `const T &` to an InputView.
  template <typename T, typename Convert>
  InputList(const T *array, size_t count, Convert)
      : array(array), count(count), convert([](const void *array, size_t i) {
          return Convert()(static_cast<const T *>(array)[i]);
        }) {}

  size_t size() const { return count; }
  InputView operator[](size_t i) const { return convert(array, i); }

private:
  static constexpr auto viewOf = [](const TensorView &view) {
    return InputView{view.dtype, view.shape.data(), view.shape.size(),
                     view.data};
  };
  const void *array = nullptr;
  size_t count = 0;
  InputView (*convert)(const void *array, size_t i) = nullptr;
};

/// Thread-safe: calls from several threads are put in one order.
class JOBRT_API Session {
public:
  static Expected<std::unique_ptr<Session>>
  create(std::shared_ptr<const Artifact> artifact, SessionOptions options = {});
  /// Waits for the steps in flight, their callbacks, and the steps that those
  /// begin; cancel() makes that short. Inside a callback of the session it
  /// waits for the steps alone: their callbacks follow the present one, and
  /// none of them may use the session any more.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const Artifact &artifact() const;
  int threads() const;

  /// Runs the artifact's init entry: all variables from `seed`. Without an
  /// init entry (no variables) there is nothing to do. Blocks.
  Status initialize(int64_t seed);

  /// Queues one step. Blocks while `credits` steps are in flight. Inputs are
  /// copied before it returns. Errors of the arguments (count, shape, dtype;
  /// kInvalidArgument, naming job, argument, expected and given) come back at
  /// once, all others through the future.
  Expected<Future> submit(std::string_view entry, InputList inputs);

  /// submit and wait, inline on this thread when nothing is in flight.
  Expected<Future> run(std::string_view entry, InputList inputs);

  /// Gives up all work that has not begun: steps that are queued complete with
  /// kCancelled, in order and with their callbacks, without running; the step
  /// that is running is completed. Every later call of a job fails with
  /// kCancelled. Variables can be read, written and saved as before. Does not
  /// block; synchronize() waits for the steps and does not report that they
  /// were cancelled.
  void cancel();

  /// Blocks until every step queued so far and its callbacks are done. Returns
  /// the first error since the last call that no one has seen: by wait() on
  /// its future. From inside a callback, which it would wait for, it is an
  /// error (kInvalidArgument).
  Status synchronize();

  /// Copies a variable out or in, in order with the steps. Blocks.
  Expected<Tensor> readVariable(std::string_view name);
  /// Copies several out, as they were between the same two steps.
  Expected<std::vector<Tensor>>
  readVariables(const std::vector<std::string> &names);
  Status writeVariable(std::string_view name, const TensorView &value);
  /// Writes several at once: all, or none when one does not fit.
  Status
  writeVariables(const std::vector<std::pair<std::string, TensorView>> &values);

  MemoryReport memory() const;
  AllocationReport lastAllocations() const;

  /// Records the steps from here on: when each command and each chunk ran and
  /// on which thread, with the user's op and line, bytes and operations
  /// (docs/tracing.md). Opens the file and makes the memory for all records, so
  /// that steps allocate nothing still. One trace at a time (kInvalidArgument);
  /// other errors are those of the options and of the file system. Blocks until
  /// the steps queued so far are done.
  Status startTrace(const TraceOptions &options);
  /// Writes the file, once the steps queued so far and (outside of a callback)
  /// their callbacks are done. Without a trace an error (kInvalidArgument). A
  /// trace that is still on when the session ends is written then.
  Status finishTrace();

private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace jobrt

#endif // JOBRT_SESSION_H
