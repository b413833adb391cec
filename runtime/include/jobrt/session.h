//===- session.h - Variables and steps --------------------------*- C++ -*-===//
//
// A session owns what an artifact needs to run: for each of its devices a bank
// of variables, one arena and workspace (the jobs of a session never run
// concurrently), staging slots, the worker pool, one stream and one callback
// thread. Steps on one device may overlap on it; a step on several devices, or
// on another one than the step before, begins when all earlier ones have ended.
//
// A call takes a credit (credits bound the number of steps in flight; the call
// blocks until one is free), copies its inputs into a staging slot, is queued
// in call order and completes a Future. If no step waits to be begun and the
// caller blocks on the result (`run`), the calling thread begins the step, and
// on the host it computes it. Drivers of other devices complete steps later:
// several may be on the device, and futures still complete in call order.
//
// A step is in flight from its call until it has completed and the callbacks
// registered before its completion have returned, so a caller that is faster
// than the steps or the callbacks has to wait. A call inside a callback waits
// for steps only, since its own callback cannot return before it.
//
// A future that outlives its step holds the outputs, not a credit: any number
// of futures may be kept. The outputs of the first `credits` futures are in
// slots that are allocated with the session; further slots are allocated on
// demand, and MemoryReport counts them while they exist. Apart from these, the
// runtime allocates nothing between submit and completion of a step.
//
// All sessions of a process share one pool of worker threads, so that they do
// not compete for cores. It has as many threads as this process has cores:
// those of its affinity mask, but no more than its cgroup's quota of processor
// time; a session that requests more threads adds them. It ends with the last
// session. Steps of several sessions run at the same time and use the workers
// that are free; a step without workers runs on its own thread alone.
//
// Each session has two threads of its own, for its steps and its callbacks,
// which sleep while they have no work.
//
// Several sessions may be the ranks of one group (SessionOptions::ranks), which
// run the same jobs in the same order: each on its device, in one process or in
// several. A step with collectives completes when all ranks have submitted it.
// A step that fails on one rank ends the group: the steps in flight of the
// other ranks fail, and so do later steps with collectives. Destroy the
// sessions of a group on different threads, or after all their steps.
//
// A session and its futures belong to the process that created them. In a
// forked child, which has none of the threads, every call on the session and
// every wait for a step that was in flight fails (kInvalidArgument) instead of
// blocking. A new session in the child works.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SESSION_H
#define JOBRT_SESSION_H

#include "jobrt/artifact.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>

namespace jobrt {

/// What the ranks of one group share: createCommunicatorId().
using CommunicatorId = std::array<std::byte, 128>;

struct SessionOptions {
  /// The most threads that compute a step, the one that runs it included; 0
  /// takes the number of cores that this process may use. Results do not depend
  /// on it.
  int threads = 0;
  /// Maximum number of steps in flight per session, at least 1.
  int credits = 4;
  /// One of driverNames(): "host", "null", which completes every step without
  /// computing it, or "cuda", the first GPU; "cuda:1" is the second one. For an
  /// artifact of several devices one for each, with commas between them. If it
  /// is empty, Artifact::driver().
  std::string driver;
  /// The library of CUDA. If it is empty, what the environment variable
  /// JOBMLIR_CUDA_LIBRARY names, otherwise libcuda.so.1.
  std::string cudaLibrary;
  /// Of an artifact that several ranks run together: their number, which is
  /// Artifact::ranks(), and which of them this session is. Each rank has a
  /// device of its own. Session::create() blocks until the sessions of all
  /// ranks are being created, so that ranks of one process need a thread each.
  /// If one of them fails before that, the others wait for it.
  int ranks = 1, rank = 0;
  /// The same for all ranks of a group and for no other group. Needed if there
  /// are several ranks.
  std::optional<CommunicatorId> communicatorId;
  /// Called every 50 ms, without locks, on a thread that is blocked in
  /// submit(), run(), waitForCredit(), synchronize() or Future::wait(). If it
  /// returns true, that call stops waiting and fails with kCancelled; the steps
  /// go on. An interpreter serves its signals here. Empty: these calls wait to
  /// the end.
  std::function<bool()> interrupted;
};

/// The drivers of this build.
JOBRT_API std::vector<std::string> driverNames();

/// A device of this machine.
struct DeviceInfo {
  /// As SessionOptions::driver names it: "cuda:1".
  std::string driver;
  /// "NVIDIA H200".
  std::string name;
  /// The code that it runs, as CodeBlob::target; empty for code of the host.
  std::string target;
};

/// The devices of the driver `options.driver`, by index. A driver without an
/// index has one device, of its own name. "cuda" has none on a machine without
/// CUDA; a library that the user has named and that cannot be opened is an
/// error (kNotFound), and so is one that is too old (kUnimplemented).
JOBRT_API Expected<std::vector<DeviceInfo>>
listDevices(const SessionOptions &options);

/// The target of the code that sessions with these options run, as
/// CodeBlob::target: that of the GPU, or what the simulated CUDA runs, such as
/// "simulated". Empty for code of the host. Fails as Session::create does if
/// there is no such device. The options have a driver.
JOBRT_API Expected<std::string> codeTarget(const SessionOptions &options);

/// A new id for a group of ranks, which one of them makes and the others get by
/// any means, such as MPI. `options` name the driver and its library; an empty
/// driver is "cuda". Any thread may call it. Errors: kUnimplemented (the driver
/// has no collectives), those of opening the library (kNotFound).
JOBRT_API Expected<CommunicatorId>
createCommunicatorId(const SessionOptions &options = {});

/// The file of a trace and the number of steps in it.
struct TraceOptions {
  /// The file. A temporary one beside it is created at the start and takes its
  /// place when the trace is written, with its owner and mode; a device, pipe,
  /// link or file of several names is written in place, and so is a file where
  /// no other one can be created.
  std::string path;
  /// The last `steps` steps are kept; the file has the number of dropped steps.
  int64_t steps = 100;
};

/// All memory of a session in bytes, by kind.
struct MemoryReport {
  int64_t arena = 0, bank = 0, staging = 0, workspace = 0, constants = 0;
  int64_t total() const {
    return arena + bank + staging + workspace + constants;
  }
};

/// Heap allocations between submit and completion of the last step, by all
/// threads that worked on it. -1 if no counter is installed: counting requires
/// replacing malloc, which only an executable should do. An executable that
/// links `jobrt_allocation_counter` (runtime/lib/base/AllocationCounter.cpp)
/// does so.
struct AllocationReport {
  int64_t ours = 0;    ///< by the runtime itself: 0
  int64_t library = 0; ///< inside library calls
};

/// What a library has selected at load to compute a call with.
struct CallReport {
  /// The job, and the user's name and line of the op, which may be empty.
  std::string entry, name, location;
  /// The function, and the library's own words for the algorithm.
  std::string callee, algorithm;
};

/// Returns the number of heap allocations of the calling thread so far.
using AllocationSource = int64_t (*)();

/// Installs (or with null removes) the counter for the whole process. Steps
/// in flight at that time report an unspecified number.
JOBRT_API void setAllocationSource(AllocationSource source);

class Session;

/// The result of one call. Thread-safe; copies share one state. A future may
/// outlive the session: outputs and status stay valid.
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
  /// cancelled before the step ran. Not for a default-constructed future.
  Status wait() const;
  bool done() const;
  /// The output `index`, after a successful wait(). An output with a count
  /// (PortInfo) has that extent. The view is valid until the last copy of the
  /// future is destroyed.
  TensorView output(int index) const;
  /// Pointer to its first element; does not allocate. Behind the elements of an
  /// output with a count, up to those of the bound, there are zeros.
  void *outputData(int index) const;
  int numOutputs() const;
  /// Calls `callback` once. Callbacks of a session never run at the same time
  /// and run in the order of the steps on the session's callback thread. When
  /// the step is done already and no callback is waiting or running, the
  /// callback runs at once on this thread. An exception that leaves it is
  /// reported by Session::synchronize(). It may destroy the session and this
  /// future. In a forked child it runs at once: wait() reports whether the step
  /// was done.
  void onDone(std::function<void(const Future &)> callback) const;
  /// False for a default-constructed future.
  bool valid() const { return state != nullptr; }

private:
  friend class StepPool;
  struct State;
  /// Takes ownership of one reference.
  explicit Future(State *state) : state(state) {}
  /// One reference to an intrusively reference-counted state. States are
  /// allocated with the session and reused, so that a call does not allocate.
  State *state = nullptr;
};

/// An input of a call. The caller keeps the array and the shape.
struct InputView {
  DType dtype = DType::kF32;
  const int64_t *shape = nullptr;
  size_t rank = 0;
  const void *data = nullptr;
};

/// The inputs of a call, borrowed for its duration. It refers to an array of
/// any type and makes the views one by one, so that a call needs no memory for
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

/// A buffer of a host call, in memory of the host, valid during the call.
struct HostBuffer {
  DType dtype = DType::kF32;
  const int64_t *shape = nullptr;
  size_t rank = 0;
  int64_t bytes = 0;
  /// Dense and row-major. Only a buffer that is written may be changed.
  void *data = nullptr;
  bool isRead = false, isWritten = false;
};

/// A function of the session, which commands call by name (`plan.host_call`).
/// It gets the buffers in the order of the command and writes all of each one
/// that is written and not read, which holds arbitrary bytes before. An error
/// ends the step; its message reaches the future with job, name and the user's
/// line, and so does the text of an exception. The calls on one queue of
/// commands are in order; those on different queues may run on several threads
/// at once. It must not call the session, whose step waits for it: on its own
/// thread such a call fails (kInvalidArgument).
using HostFunction = std::function<Status(std::span<const HostBuffer>)>;

/// Thread-safe: calls from several threads are put in one order.
class JOBRT_API Session {
public:
  /// Loads the artifact's code with the driver and allocates all memory.
  /// Blocks. Errors: kInvalidArgument (options), kResourceExhausted,
  /// kUnimplemented (the artifact needs a processor feature or library function
  /// that is missing here), kDataLoss (it lacks a kernel).
  static Expected<std::unique_ptr<Session>>
  create(std::shared_ptr<const Artifact> artifact, SessionOptions options = {});
  /// Waits for the steps in flight, their callbacks, and the steps that these
  /// callbacks begin; cancel() shortens this. Inside a callback of the session
  /// it waits for the steps alone: their callbacks run after the present one
  /// and must not use the session.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const Artifact &artifact() const;
  int threads() const;

  /// Registers a function for the commands that call `name`, until the end of
  /// the session. A call of a job with such a command fails (kNotFound) before
  /// the function is registered. Errors: kAlreadyExists if a function of that
  /// name is registered, kInvalidArgument for an empty name or function.
  Status registerFunction(std::string name, HostFunction function);

  /// Runs the artifact's init entry, which sets all variables from `seed`. Does
  /// nothing without an init entry (no variables). Blocks.
  Status initialize(int64_t seed);

  /// Queues one step. Blocks only while `credits` steps are in flight. Inputs
  /// are copied before it returns. Errors of the arguments (count, shape,
  /// dtype; kInvalidArgument, naming job, argument, expected and given) are
  /// returned at once, all others through the future. `onDone` is as if
  /// given to Future::onDone() before the step can complete: such callbacks run
  /// in the order of the steps, whichever threads submit them.
  Expected<Future> submit(std::string_view entry, InputList inputs,
                          std::function<void(const Future &)> onDone = {});

  /// submit() that does not block: the future is not valid(), and nothing was
  /// queued, while `credits` steps are in flight.
  Expected<Future> trySubmit(std::string_view entry, InputList inputs,
                             std::function<void(const Future &)> onDone = {});
  /// Blocks while `credits` steps are in flight. Another thread may take the
  /// credit before this one does.
  Status waitForCredit();

  /// submit and wait, inline on this thread when no step is in flight.
  Expected<Future> run(std::string_view entry, InputList inputs);

  /// Drops all work that has not begun: steps that are queued complete with
  /// kCancelled, in order and with their callbacks, without running; steps that
  /// the driver has begun are completed. Every later call of a job fails with
  /// kCancelled. Variables can be read, written and saved as before. Does not
  /// block; synchronize() waits for the steps and does not report that they
  /// were cancelled.
  void cancel();

  /// Blocks until all steps queued so far and their callbacks are done. Returns
  /// the first error since the last call that no wait() has returned. Fails in
  /// a callback, which would wait for itself (kInvalidArgument).
  Status synchronize();

  /// Reads or writes a variable, in order with the steps. Blocks.
  Expected<Tensor> readVariable(std::string_view name);
  /// Reads several variables between the same two steps.
  Expected<std::vector<Tensor>>
  readVariables(const std::vector<std::string> &names);
  Status writeVariable(std::string_view name, const TensorView &value);
  /// Writes several variables between the same two steps: all, or none if one
  /// does not fit.
  Status
  writeVariables(const std::vector<std::pair<std::string, TensorView>> &values);

  MemoryReport memory() const;
  /// That on one of Artifact::devices(), without staging memory of the host.
  MemoryReport memory(size_t device) const;
  AllocationReport lastAllocations() const;
  /// The calls of libraries that select an algorithm at load, in the order of
  /// the commands.
  std::vector<CallReport> calls() const;

  /// Starts a trace: when each command and each chunk ran and on which thread,
  /// with the user's op and line, bytes and operations (docs/tracing.md). Opens
  /// the file and allocates memory for all records, so that steps still do not
  /// allocate. Errors: a trace is active (kInvalidArgument), invalid options,
  /// or an error of the file system. Blocks until the steps queued so far are
  /// done.
  Status startTrace(const TraceOptions &options);
  /// Writes the file after the steps queued so far and (outside of a callback)
  /// their callbacks are done. Without an active trace it is an error
  /// (kInvalidArgument). A trace that is active when the session ends is
  /// written then.
  Status finishTrace();

private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace jobrt

#endif // JOBRT_SESSION_H
