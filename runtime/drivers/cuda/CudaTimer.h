//===- CudaTimer.h - When commands ran on a device --------------*- C++ -*-===//
//
// The device notes the time of an event when it gets there. A traced step has
// an event behind each command, as nodes of its graph, so that the commands run
// as they do in other steps.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDATIMER_H
#define JOBRT_DRIVERS_CUDA_CUDATIMER_H

#include "drivers/cuda/CudaContext.h"
#include "lib/trace/TraceRecorder.h"

#include <array>
#include <atomic>

namespace jobrt::cuda {

/// The clock of a device beside that of traces.
class DeviceClock {
public:
  /// A moment on both clocks.
  struct Base {
    Owned<Event> event;
    uint64_t ticks;
  };

  explicit DeviceClock(const DeviceContext &context)
      : context(context), start(ClockPair::now()) {}

  /// A recent moment. One thread at a time. Waits for the device for some
  /// microseconds, not for work, if the last one is old.
  Expected<std::shared_ptr<const Base>> now();
  /// By traceClock().
  double ticksPerMillisecond() const;

private:
  const DeviceContext &context;
  ClockPair start;
  Owned<Stream> stream;
  std::shared_ptr<const Base> last;
};

/// The events of one step in flight.
class StepTimer {
public:
  static Expected<std::unique_ptr<StepTimer>>
  create(const DeviceContext &context, int32_t numQueues);

  /// Before the events of a step are recorded. `keepsMarks`: those of its
  /// commands are in graphs.
  void start(std::shared_ptr<const DeviceClock::Base> moment, bool keepsMarks);

  /// Later commands of a queue begin now; `inGraph`: its stream is captured.
  Status recordBegin(int32_t queue, Stream stream, bool inGraph) {
    return record(-1, queue, stream, inGraph);
  }
  /// The command that is number `execution` of the step has ended.
  Status recordCommand(int64_t execution, int32_t queue, Stream stream,
                       bool inGraph) {
    return record(execution, queue, stream, inGraph);
  }
  /// The beginning of the copy, then its end.
  Status recordUpload(Stream stream) { return record(upload, stream); }
  Status recordDownload(Stream stream) { return record(download, stream); }

  /// When the step has ended on the device: the times of its commands and
  /// copies, and from them that of the step. Those of functions of the host are
  /// there already.
  Status read(const DeviceClock &clock, int64_t numExecutions,
              StepRecord &record);

  /// From the submission of a step to its completion.
  std::atomic<bool> isBusy{false};

private:
  struct Mark {
    int64_t execution;
    int32_t queue;
    Owned<Event> event;
  };
  struct Lane {
    std::array<Owned<Event>, 2> events;
    int count = 0;
  };

  explicit StepTimer(const DeviceContext &context) : context(context) {}
  Status record(int64_t execution, int32_t queue, Stream stream, bool inGraph);
  Status record(Lane &lane, Stream stream);

  const DeviceContext &context;
  std::shared_ptr<const DeviceClock::Base> base;
  /// In the order of the submission; the first `numMarks` are of this step.
  std::vector<Mark> marks;
  size_t numMarks = 0;
  Lane upload, download;
  /// By queue: the end of its last command.
  std::vector<uint64_t> ends;
};

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDATIMER_H
