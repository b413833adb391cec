//===- CudaEngine.h - Work of a device in order -----------------*- C++ -*-===//
//
// Steps and copies of a session are submitted in order: to one stream, beside
// which only the inputs and outputs of steps have streams (CudaLanes.h). A
// thread waits for their ends and completes them; it never holds the lock in a
// completion. A step that calls functions of the host needs this thread between
// its parts, so it is submitted by it, and so is what comes after such a step
// until it has ended:
//
//   caller's thread          engine's thread
//   launch, record event --> wait for the event, complete
//   defer                --> launch, host call, launch, wait, complete
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDAENGINE_H
#define JOBRT_DRIVERS_CUDA_CUDAENGINE_H

#include "drivers/cuda/CudaContext.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace jobrt::cuda {

class StepTimer;

/// A step that was submitted.
struct SubmittedStep {
  /// Its number among those of its runner.
  int64_t number = 0;
  /// The stream that ends with the step.
  Stream last = nullptr;
  /// What has its times; null unless it is traced.
  StepTimer *timer = nullptr;
  /// Whether the error that finish() gets is one of the engine's monitor.
  bool isErrorOfMonitor = false;
};

/// An entry, whose steps are submitted to the engine's stream and others that
/// are in order with it.
class StepRunner {
public:
  /// Whether run() has to be called by the engine's thread.
  virtual bool blocks() const = 0;
  /// Whether errors of the engine's monitor are errors of the step.
  virtual bool isMonitored() const = 0;
  /// Submits a step; may wait for the device if blocks(). After an error
  /// nothing of the step is in flight outside of the engine's stream unless the
  /// device has failed.
  virtual Status run(const StepBuffers &buffers, SubmittedStep &step) = 0;
  /// What became of the step, of which the device has reported `status` after
  /// run(). By one thread at a time, which may be another one than that of
  /// run().
  virtual Status finish(const StepBuffers &buffers, const SubmittedStep &step,
                        Status status) = 0;

protected:
  ~StepRunner() = default;
};

/// What work of the engine waits for beside its device: other ranks.
class WorkMonitor {
public:
  virtual ~WorkMonitor();
  /// Whether work may wait for ever, so that check() has to be called while it
  /// is in flight.
  virtual bool watches() const = 0;
  /// An error that ends the work in flight and all later work. Any thread.
  virtual Status check() = 0;
  /// Ends what other ranks and the work in flight wait for, after an error.
  /// Does not block. Any thread.
  virtual void abort() = 0;
};

class Engine {
public:
  /// In the calling thread's context.
  static Expected<std::unique_ptr<Engine>>
  create(std::shared_ptr<DeviceContext> context);
  /// Returns when the thread has ended.
  ~Engine();

  /// One thread at a time, without waiting for the device. Does not allocate
  /// when no more work is in flight than ever before, unless it fails.
  void submit(StepRunner &runner, const StepBuffers &buffers,
              Completion &completion);
  void submit(std::span<const Copy> copies, Completion &completion);

  /// Sets what is watched while work is in flight. It outlives the engine's
  /// work. Before any.
  void setMonitor(WorkMonitor *newMonitor) { monitor = newMonitor; }

  const DeviceContext &context() const { return *device; }
  const std::shared_ptr<DeviceContext> &sharedContext() const { return device; }
  Stream stream() const { return main.get(); }

private:
  struct Work {
    /// Null for copies.
    StepRunner *runner = nullptr;
    StepBuffers buffers{};
    std::span<const Copy> copies;
    Completion *completion = nullptr;
    /// Its end on the device; null while it is deferred.
    Event event = nullptr;
    SubmittedStep step;
  };

  explicit Engine(std::shared_ptr<DeviceContext> context)
      : device(std::move(context)) {}
  void submit(Work work);
  /// Submits the work to the stream and records its event. Blocks only if its
  /// runner does. After an error none of it is on the device.
  Status launch(Work &work);
  /// The same in the context; after an error the device may still have a part.
  Status enqueue(Work &work);
  /// The other ranks wait for what this one has not submitted, and it for them.
  void abort();
  Status runCopies(std::span<const Copy> copies);
  /// Blocks until the work has ended on the device.
  Status finish(Work &work);
  /// `isOfMonitor`: whether the error is one of the monitor.
  Status waitFor(const Work &work, bool &isOfMonitor);
  Status pollFor(Event event, bool &isOfMonitor);
  static void complete(Work &work, Status status);
  Expected<Event> takeEvent();
  void threadMain();

  std::shared_ptr<DeviceContext> device;
  WorkMonitor *monitor = nullptr;
  Owned<Stream> main;
  std::mutex mutex;
  std::condition_variable changed;
  /// A ring: `count` elements from `first` on.
  std::vector<Work> ring;
  size_t first = 0, count = 0;
  /// Work that the thread has to submit, the one that it submits included.
  size_t numDeferred = 0;
  bool stopping = false;
  std::vector<Owned<Event>> events;
  std::vector<Event> freeEvents;
  std::thread thread;
};

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDAENGINE_H
