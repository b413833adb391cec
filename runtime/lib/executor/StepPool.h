//===- StepPool.h - Credits, staging slots and futures ----------*- C++ -*-===//
//
// Everything that a step needs besides a program is made with the session and
// used again: a staging slot for inputs (the credit), and a state with the
// outputs, which the futures of the call share. The pool outlives the session
// when futures or callbacks do: each state in use holds a reference on it, and
// so does the callback thread.
//
// One lock covers credits, completion and callbacks. It is held for moments,
// never while a step or a callback runs. In a forked child it is never taken:
// another thread of the parent may have held it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_STEPPOOL_H
#define JOBRT_LIB_EXECUTOR_STEPPOOL_H

#include "lib/base/Fork.h"
#include "lib/executor/Driver.h"
#include "lib/executor/Interrupt.h"
#include "lib/executor/Stream.h"
#include "lib/trace/TraceRecorder.h"

#include <condition_variable>
#include <mutex>

namespace jobrt {

class StepPool;

/// One step: a task of the stream first, then the state that its
/// futures read.
struct Future::State final : Stream::Task {
  State(StepPool &pool, std::unique_ptr<DriverMemory> outputs)
      : Task(/*lane=*/0), pool(pool), outputs(std::move(outputs)) {}
  ~State() = default;

  void begin() override;
  void retire(Status status) override;

  /// Reads the counts of bounded outputs from the outputs of a step that has
  /// succeeded, and packs their elements. Fails if one is outside of its bound;
  /// the step may then have written its variables.
  Status readCounts();
  /// The shape of an output, with its count as the extent that is bounded.
  const int64_t *outputShape(size_t index) const;

  StepPool &pool;
  std::unique_ptr<DriverMemory> outputs;

  /// Futures, and one for the stream while the step is in flight.
  std::atomic<int> references{0};
  /// Set while there are references, so that the pool stays as long.
  std::shared_ptr<StepPool> keepAlive;

  // Written before the step is queued.
  const EntryInfo *entry = nullptr;
  Program *program = nullptr;
  const HostFunctions *functions = nullptr;
  DriverMemory *inputs = nullptr;
  uint64_t number = 0;
  SubmitRecord submit;
  AllocationMeter meter;

  /// The shapes of bounded outputs one after another, with room for those of
  /// any entry. Written when the step completes.
  std::vector<int64_t> boundedShapes;

  /// While the step is in flight and traced.
  StepRecord *trace = nullptr;

  /// Set last when the step completes, under the pool's lock.
  std::atomic<bool> done{false};

  // Under the pool's lock.
  Status status;
  std::vector<std::function<void(const Future &)>> callbacks;
  /// Waiting for the callback thread.
  bool inCallbackQueue = false;
  State *nextCallback = nullptr;
};

class StepPool : public std::enable_shared_from_this<StepPool> {
public:
  using State = Future::State;
  using Callback = std::function<void(const Future &)>;

  /// Slots for `credits` steps with that many bytes of inputs and outputs.
  static Expected<std::shared_ptr<StepPool>>
  create(std::shared_ptr<const Artifact> artifact, Driver &driver, int credits,
         int64_t inputBytes, int64_t outputBytes);
  ~StepPool();

  /// Takes a credit and a state with two references: the caller's and the
  /// stream's. While all credits are taken it blocks, or returns null if
  /// `blocks` is false. Fails (kResourceExhausted) when the outputs of one more
  /// kept future do not fit into memory, and (kCancelled) after cancel() or if
  /// the wait is interrupted. Only while the driver is there.
  Expected<State *> acquire(const EntryInfo &entry, bool blocks);

  /// Blocks while all credits are taken.
  Status waitForCredit();

  /// SessionOptions::interrupted. Before the first step.
  void setInterrupt(Interrupt interrupt) { interrupted = std::move(interrupt); }

  /// From here on steps that have not begun complete with kCancelled, and none
  /// can be acquired.
  void cancel();
  bool isCancelled() const { return cancelled.load(); }

  /// Whether this process is a fork of the one that made the pool.
  bool isForked() const { return generation != forkGeneration(); }

  /// The stream retires a step: wakes waiting threads, hands the state to the
  /// callback thread, gives the credit and the stream's reference back.
  void complete(State &state, Status status);

  /// The future for the caller's reference.
  static Future makeFuture(State *state) { return Future(state); }
  /// The inverse: the caller gets the future's reference.
  static State *takeState(Future future) {
    return std::exchange(future.state, nullptr);
  }
  /// The state of a future that keeps its reference.
  static State *stateOf(const Future &future) { return future.state; }

  // Behind the methods of Future.
  void retain(State &state) { state.references.fetch_add(1); }
  void release(State &state);
  Status wait(State &state);
  /// wait() that leaves an error unseen. Fails only if it is interrupted.
  Status waitUntilDone(State &state);
  void onDone(State &state, Callback callback);

  /// Starts the callback thread.
  Status startCallbacks();
  /// Ends the callback thread once it has run what is queued. Blocks until
  /// then, except inside a callback, which the thread would wait for.
  void stopCallbacks();
  /// Blocks until the callbacks of all steps completed so far have returned.
  /// Fails only if it is interrupted.
  Status drainCallbacks();
  /// Blocks until no step is in flight and no callback is waiting or running,
  /// those that callbacks begin meanwhile included.
  void waitUntilIdle();
  /// Whether this thread is inside a callback of this pool.
  bool inCallback() const;

  /// The recorder of the trace that is on, else null. Tasks of the stream may
  /// write to it until they have retired; others only while they hold the lock.
  TraceRecorder *trace() const { return recorder.load(); }
  /// Puts another recorder in place, null for none; the one before. Only in an
  /// exclusive task of the stream, or when there is none.
  std::unique_ptr<TraceRecorder>
  exchangeTrace(std::unique_ptr<TraceRecorder> next);

  /// The most steps that may have begun and not retired: those with a credit,
  /// and one that has just given its credit back.
  int maxInFlight() const { return credits + 1; }

  /// First error that no wait() has returned; clears all of them.
  Status takeUnseenError();

  int64_t stagingBytes();
  AllocationReport lastAllocations();

private:
  StepPool(std::shared_ptr<const Artifact> artifact, Driver &driver,
           int credits, int64_t outputBytes)
      : artifact(std::move(artifact)), driver(driver), credits(credits),
        outputBytes(outputBytes) {}

  /// Who calls the callbacks of the queue:
  ///
  ///   kCaller --startCallbacks()--> kThread --stopCallbacks()--> kEndingThread
  ///      ^-------- the thread, when it finds the queue empty ---------'
  ///
  /// All transitions and all additions to the queue are under the lock, so a
  /// callback finds either a thread that will read the queue again or none.
  enum class CallbackServer {
    kCaller, ///< no thread: the thread that adds a callback, or waits for one
    kThread,
    kEndingThread,
  };

  /// What is left of a state without references, freed without the lock. The
  /// state may have been the last owner of the pool.
  struct Released {
    std::shared_ptr<StepPool> pool;
    std::unique_ptr<State> state;
  };

  Expected<std::unique_ptr<State>> makeState();
  /// Drops a reference. With the lock held, so that a credit and the state that
  /// it stands for are free at the same time.
  [[nodiscard]] Released releaseLocked(State &state);
  void callbackMain();
  /// With the lock held, which it releases meanwhile.
  void invoke(std::unique_lock<std::mutex> &lock, State &state,
              Callback &callback);
  /// Serves the first state of the queue. As above.
  void serveFirst(std::unique_lock<std::mutex> &lock);
  /// Whether this thread is to call serveFirst(). With the lock held.
  bool isServer() const {
    return server == CallbackServer::kCaller && firstCallback &&
           !callbackRunning;
  }
  /// Blocks until `condition` holds; serves the queue if no thread does. With
  /// the lock held, which it releases meanwhile. False if it was interrupted.
  template <typename Condition>
  bool waitServing(std::unique_lock<std::mutex> &lock,
                   const Interrupt &interrupt, Condition condition) {
    while (!condition()) {
      if (isServer())
        serveFirst(lock);
      else if (!interrupt.wait(changed, lock,
                               [&] { return condition() || isServer(); }))
        return false;
    }
    return true;
  }
  /// Whether a step may begin to be in flight. With the lock held.
  bool hasCredit() const;
  /// With the lock held; callbackReady is the caller's to notify.
  void queueCallbacks(State &state);
  /// No callback runs from here on. With the lock held.
  void endTurn();
  void keepError(uint64_t number, Status status);
  /// With the lock held, which it releases meanwhile. False if it was
  /// interrupted.
  bool blockUntilDone(std::unique_lock<std::mutex> &lock, State &state);

  /// Keeps the entries that states point at.
  std::shared_ptr<const Artifact> artifact;
  /// Used by acquire() only: it may have been destroyed before the last future.
  Driver &driver;
  const int credits;
  const int64_t outputBytes;
  /// The most dimensions that the bounded outputs of an entry have together.
  size_t boundedRanks = 0;
  std::vector<std::unique_ptr<DriverMemory>> inputSlots;

  std::mutex mutex;
  /// A credit was given back, a step completed or a callback returned.
  std::condition_variable changed;
  /// For the callback thread.
  std::condition_variable callbackReady;

  const uint64_t generation = forkGeneration();
  Interrupt interrupted;
  std::atomic<bool> cancelled{false};
  std::vector<DriverMemory *> freeInputs;
  std::vector<std::unique_ptr<State>> freeStates;
  /// States that are in use or free. Written under the lock.
  std::atomic<int64_t> numStates{0};
  uint64_t lastNumber = 0;
  AllocationReport lastReport;
  /// Errors of steps that have not been waited for, with the number of the
  /// step.
  std::vector<std::pair<uint64_t, Status>> unseenErrors;

  State *firstCallback = nullptr, *lastCallback = nullptr;
  /// States in the callback queue, the one being served included.
  int numQueued = 0;
  CallbackServer server = CallbackServer::kCaller;
  bool callbackRunning = false;
  std::unique_ptr<TraceRecorder> ownedRecorder;
  std::atomic<TraceRecorder *> recorder{nullptr};
  uint64_t callbacksIssued = 0, callbacksReturned = 0;
  std::thread callbackThread;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_STEPPOOL_H
