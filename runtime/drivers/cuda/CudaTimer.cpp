//===- CudaTimer.cpp - When commands ran on a device ----------------------===//

#include "drivers/cuda/CudaTimer.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::cuda;

/// CUDA tells the time between two events in milliseconds, as a float: less
/// than a tenth of a microsecond is lost within this time.
static constexpr double kMaxMilliseconds = 1000;
/// The one in which least time passed is kept.
static constexpr int kTries = 5;

static Expected<Owned<Event>> createTimedEvent(const DeviceContext &context) {
  const Api &api = context.api();
  Event event = nullptr;
  if (Status status = api.check(api.eventCreate(&event, /*flags=*/0),
                                "cuEventCreate", "an event of a trace");
      !status.ok())
    return status;
  return Owned<Event>(context, &Api::eventDestroy, event);
}

//===----------------------------------------------------------------------===//
// DeviceClock
//===----------------------------------------------------------------------===//

double DeviceClock::ticksPerMillisecond() const {
  ClockPair now = ClockPair::now();
  std::chrono::duration<double, std::milli> elapsed = now.time - start.time;
  return static_cast<double>(now.ticks - start.ticks) / elapsed.count();
}

Expected<std::shared_ptr<const DeviceClock::Base>> DeviceClock::now() {
  if (last && static_cast<double>(traceClock() - last->ticks) <
                  kMaxMilliseconds * ticksPerMillisecond())
    return last;
  const Api &api = context.api();
  if (!stream) {
    Expected<Owned<Stream>> created = createStream(context);
    if (!created.ok())
      return created.status();
    stream = std::move(*created);
  }
  auto best = std::make_shared<Base>();
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    Expected<Owned<Event>> event = createTimedEvent(context);
    if (!event.ok())
      return event.status();
    uint64_t before = traceClock();
    Status status = api.check(api.eventRecord(event->get(), stream.get()),
                              "cuEventRecord", "the time of the device");
    if (status.ok())
      status = api.check(api.eventSynchronize(event->get()),
                         "cuEventSynchronize", "the time of the device");
    if (!status.ok())
      return status;
    uint64_t passed = traceClock() - before;
    if (passed >= least)
      continue;
    least = passed;
    best->event = std::move(*event);
    best->ticks = before + passed / 2;
  }
  last = std::move(best);
  return last;
}

//===----------------------------------------------------------------------===//
// StepTimer
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<StepTimer>>
StepTimer::create(const DeviceContext &context, int32_t numQueues) {
  std::unique_ptr<StepTimer> timer(new StepTimer(context));
  timer->ends.resize(numQueues);
  for (Lane *lane : {&timer->upload, &timer->download})
    for (Owned<Event> &event : lane->events) {
      Expected<Owned<Event>> created = createTimedEvent(context);
      if (!created.ok())
        return created.status();
      event = std::move(*created);
    }
  return timer;
}

void StepTimer::start(std::shared_ptr<const DeviceClock::Base> moment,
                      bool keepsMarks) {
  base = std::move(moment);
  numMarks = keepsMarks ? numMarks : 0;
  upload.count = download.count = 0;
}

Status StepTimer::record(int64_t execution, int32_t queue, Stream stream,
                         bool inGraph) {
  if (numMarks == marks.size()) {
    Expected<Owned<Event>> event = createTimedEvent(context);
    if (!event.ok())
      return event.status();
    marks.push_back({execution, queue, std::move(*event)});
  }
  Mark &mark = marks[numMarks++];
  mark.execution = execution;
  mark.queue = queue;
  const Api &api = context.api();
  if (inGraph)
    return api.check(api.eventRecordWithFlags(mark.event.get(), stream,
                                              kEventRecordExternal),
                     "cuEventRecordWithFlags", "the end of a traced command");
  return api.check(api.eventRecord(mark.event.get(), stream), "cuEventRecord",
                   "the end of a traced command");
}

Status StepTimer::record(Lane &lane, Stream stream) {
  const Api &api = context.api();
  return api.check(api.eventRecord(lane.events[lane.count++].get(), stream),
                   "cuEventRecord", "a traced copy");
}

Status StepTimer::read(const DeviceClock &clock, int64_t numExecutions,
                       StepRecord &record) {
  const Api &api = context.api();
  // The two clocks are compared with an error of some microseconds.
  uint64_t earliest = record.run.begin, latest = traceClock();
  double ticksPerMillisecond = clock.ticksPerMillisecond();
  Status status;
  auto timeOf = [&](const Owned<Event> &event) {
    float milliseconds = 0;
    if (status.ok())
      status = api.check(
          api.eventElapsedTime(&milliseconds, base->event.get(), event.get()),
          "cuEventElapsedTime", "the time of a traced command");
    double ticks =
        static_cast<double>(base->ticks) + milliseconds * ticksPerMillisecond;
    return std::clamp(static_cast<uint64_t>(std::max(ticks, 0.0)), earliest,
                      latest);
  };
  auto spanOf = [&](const Lane &lane) {
    if (lane.count < 2)
      return TraceSpan();
    uint64_t begin = timeOf(lane.events[0]);
    return TraceSpan{begin, std::max(begin, timeOf(lane.events[1]))};
  };
  record.upload = spanOf(upload);
  record.download = spanOf(download);
  for (size_t i = 0; i < numMarks; ++i) {
    const Mark &mark = marks[i];
    uint64_t time = timeOf(mark.event);
    if (mark.execution >= 0) {
      uint64_t begin = ends[mark.queue];
      time = std::max(time, begin);
      record.commands[mark.execution] = {begin, time};
    }
    ends[mark.queue] = time;
  }
  if (!status.ok() || numExecutions == 0)
    return status;
  record.numCommands = numExecutions;
  record.run = record.commands[0];
  for (int64_t i = 0; i < numExecutions; ++i) {
    record.run.begin = std::min(record.run.begin, record.commands[i].begin);
    record.run.end = std::max(record.run.end, record.commands[i].end);
  }
  return status;
}
