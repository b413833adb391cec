//===- CudaGraphs.cpp - The graphs of a step ------------------------------===//

#include "drivers/cuda/CudaProgram.h"
#include "lib/base/Guard.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::cuda;

/// The first use of a function of a library may load its kernels, which a
/// capture does not allow unless it is a relaxed one. So one is made of all
/// calls and thrown away.
Status CudaProgram::warmUp() {
  bool hasCalls =
      std::any_of(launches.begin(), launches.end(),
                  [](const Launch &launch) { return launch.call != nullptr; });
  if (!hasCalls)
    return {};
  useSlot(0);
  if (Status status =
          api.check(api.streamBeginCapture(engine.stream(), kCaptureRelaxed),
                    "cuStreamBeginCapture", "the first use of libraries");
      !status.ok())
    return describe(nullptr, status, {});
  // Each on its stream: a library may prepare itself for that, too.
  Status status = withoutThrowing("capture calls", [&]() -> Status {
    if (Status forked = fork(); !forked.ok())
      return forked;
    for (const Launch &launch : launches)
      if (launch.call)
        if (Status called =
                enqueueCall(launch, 0, streamOf(launch.source->queue));
            !called.ok())
          return describe(launch.source, called, {});
    return join();
  });
  return endCapture(std::move(status)).status();
}

/// Captures all parts of a step in a slot.
Status CudaProgram::captureParts(int slot, std::vector<Part> &parts) {
  useSlot(slot);
  Position position;
  while (true) {
    Expected<Part> part = capture(position);
    if (!part.ok())
      return part.status();
    position = part->end;
    parts.push_back(std::move(*part));
    if (isEnd(position))
      return {};
    advance(position);
  }
}

Expected<Part> CudaProgram::capture(Position position) {
  Part part;
  part.end = position;
  if (isEnd(position) ||
      entry.commands[position.command].kind == Command::Kind::kHostCall)
    return part;
  if (Status status = api.check(
          api.streamBeginCapture(engine.stream(), kCaptureThreadLocal),
          "cuStreamBeginCapture", "the graph of a step");
      !status.ok())
    return describe(nullptr, status, position);
  isCapturing = true;
  Status status =
      withoutThrowing("capture a step", [&] { return enqueuePart(part.end); });
  isCapturing = false;
  Expected<Owned<Graph>> graph = endCapture(std::move(status));
  if (!graph.ok())
    return graph.status();
  GraphExec exec = nullptr;
  if (status = api.check(api.graphInstantiate(&exec, graph->get(), 0),
                         "cuGraphInstantiateWithFlags", "the graph of a step");
      !status.ok())
    return describe(nullptr, status, {});
  part.graph = Owned<GraphExec>(context, &Api::graphExecDestroy, exec);
  return part;
}

Expected<Owned<Graph>> CudaProgram::endCapture(Status status) {
  Graph graph = nullptr;
  Result result = api.streamEndCapture(engine.stream(), &graph);
  Owned<Graph> owner(context, &Api::graphDestroy, graph);
  if (!status.ok())
    return status;
  status = api.check(result, "cuStreamEndCapture", "the graph of a step");
  if (!status.ok())
    return describe(nullptr, status, {});
  return owner;
}

Expected<TimedReplay *> CudaProgram::takeTimed(int slot) {
  Expected<std::shared_ptr<const DeviceClock::Base>> moment = clock.now();
  if (!moment.ok())
    return describe(nullptr, moment.status(), {});
  TimedReplay *free = nullptr;
  for (const std::unique_ptr<TimedReplay> &replay : timedReplays)
    if (replay->slot == slot && !replay->timer->isBusy)
      free = replay.get();
  if (!free) {
    Expected<std::unique_ptr<StepTimer>> made =
        StepTimer::create(context, entry.numQueues);
    if (!made.ok())
      return describe(nullptr, made.status(), {});
    auto replay = std::make_unique<TimedReplay>();
    replay->slot = slot;
    replay->timer = std::move(*made);
    timer = replay->timer.get();
    Status status = usesGraphs ? captureParts(slot, replay->parts) : Status();
    timer = nullptr;
    if (!status.ok())
      return status;
    free = timedReplays.emplace_back(std::move(replay)).get();
  }
  free->timer->start(std::move(*moment), usesGraphs);
  free->timer->isBusy = true;
  return free;
}
