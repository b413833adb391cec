//===- CudaEngine.h - Work of a device in order -----------------*- C++ -*-===//
//
// Steps and copies of a session are submitted to one stream, in order. A thread
// waits for their ends and completes them; it never holds the lock in a
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

/// A step of an entry, on the engine's stream.
class StepRunner {
public:
  /// Whether run() has to be called by the engine's thread.
  virtual bool blocks() const = 0;
  /// Submits the step `number`; may wait for the device if blocks(). After an
  /// error nothing of the step is in flight unless the device has failed.
  virtual Status run(const StepBuffers &buffers) = 0;
  /// The error of a step that the device has reported after run().
  virtual Status describeFailure(Status status, int64_t number) const = 0;
  /// Steps that were run.
  virtual int64_t stepNumber() const = 0;

protected:
  ~StepRunner() = default;
};

class Engine {
public:
  static Expected<std::unique_ptr<Engine>>
  create(std::shared_ptr<DeviceContext> context);
  /// Returns when the thread has ended.
  ~Engine();

  /// One thread at a time, without waiting for the device. Does not allocate
  /// when no more work is in flight than ever before, unless it fails.
  void submit(StepRunner &runner, const StepBuffers &buffers,
              Completion &completion);
  void submit(std::span<const Copy> copies, Completion &completion);

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
    /// Its end on the stream; null while it is deferred.
    Event event = nullptr;
    int64_t stepNumber = 0;
  };

  explicit Engine(std::shared_ptr<DeviceContext> context)
      : device(std::move(context)) {}
  void submit(Work work);
  /// Submits the work to the stream and records its event. Blocks only if its
  /// runner does.
  Status launch(Work &work);
  Status runCopies(std::span<const Copy> copies);
  /// Blocks until the work has ended on the device.
  Status finish(Work &work);
  static void complete(Work &work, Status status);
  Expected<Event> takeEvent();
  void threadMain();

  std::shared_ptr<DeviceContext> device;
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
