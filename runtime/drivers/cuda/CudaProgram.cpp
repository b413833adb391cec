//===- CudaProgram.cpp - Running a command table on a GPU -----------------===//

#include "drivers/cuda/CudaProgram.h"
#include "drivers/cuda/nccl/Communicator.h"
#include "lib/base/Guard.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::cuda;

/// An entry that executes more commands in a step is submitted command by
/// command: instantiating so large a graph takes seconds.
static constexpr int64_t kMaxNodes = 1 << 16;

Expected<std::unique_ptr<Program>>
cuda::createCudaProgram(Engine &engine, StepLanes &lanes,
                        const DeviceCode &code, Libraries &libraries,
                        nccl::Communicator *communicator,
                        const EntryInfo &entry, const SessionMemory &memory) {
  auto program =
      std::make_unique<CudaProgram>(engine, lanes, communicator, entry);
  if (Status status = program->initialize(code, libraries, memory);
      !status.ok())
    return status;
  return std::unique_ptr<Program>(std::move(program));
}

/// Prepares a library call.
static Status prepareCall(Libraries &libraries, Launch &launch) {
  const Command &command = *launch.source;
  Expected<std::unique_ptr<Call>> call = libraries.prepare(command);
  if (!call.ok())
    return Status(call.status().code(),
                  (command.name.empty() ? "" : "'" + command.name + "': ") +
                      command.callee + ": " + call.status().message(),
                  command.location);
  launch.call = std::move(*call);
  return {};
}

Status CudaProgram::initialize(const DeviceCode &code, Libraries &libraries,
                               const SessionMemory &memory) {
  ContextScope scope(context);
  if (!scope.status().ok())
    return scope.status();
  auto pointer = [](const DriverMemory &memory) {
    return static_cast<const CudaMemory &>(memory).pointer();
  };
  bases[static_cast<int>(Space::kArena)] = pointer(*memory.arena);
  bases[static_cast<int>(Space::kBank)] = pointer(*memory.bank);
  bases[static_cast<int>(Space::kWorkspace)] = pointer(*memory.workspace);
  if (code.constants)
    bases[static_cast<int>(Space::kConstant)] = code.constants->pointer();
  entry.forEachExecution([&](size_t, int64_t) { ++numExecutions; });
  Status status = prepareLaunches(code, libraries);
  if (status.ok())
    status = prepareChecks();
  if (status.ok())
    status = createStreams();
  if (!status.ok())
    return Status(status.code(),
                  "job '" + entry.name + "': " + status.message(),
                  status.location());
  usesGraphs = numExecutions <= kMaxNodes && !checkMirror;
  if (usesGraphs)
    if (status = warmUp(); !status.ok())
      return status;
  for (int slot = 0; usesGraphs && slot < StepLanes::kSlots; ++slot)
    if (status = captureParts(slot, replays[slot]); !status.ok())
      return status;
  return {};
}

Status CudaProgram::prepareLaunches(const DeviceCode &code,
                                    Libraries &libraries) {
  size_t numParams = 0;
  int64_t mirrorBytes = 0;
  eventsBefore.push_back(0);
  for (const Command &command : entry.commands) {
    Launch &launch = launches.emplace_back(Launch{&command});
    numParams =
        std::max(numParams, command.args.size() + command.scalars.size());
    eventsBefore.push_back(eventsBefore.back() +
                           (command.kind == Command::Kind::kRecord));
    if (command.kind == Command::Kind::kDispatch)
      launch.function = code.functions.at(command.kernelName);
    if (command.kind == Command::Kind::kCall)
      if (Status status = prepareCall(libraries, launch); !status.ok())
        return status;
    for (size_t i = 0; i < command.types.size(); ++i) {
      const BufferRef &buffer = command.args[i];
      const BufferType &type = command.types[i];
      launch.buffers.push_back(
          {type.dtype, type.shape.data(), type.shape.size(), buffer.bytes,
           /*data=*/nullptr, buffer.isRead, buffer.isWritten});
      launch.mirrors.push_back(mirrorBytes);
      mirrorBytes += (buffer.bytes + JOBRT_ALIGNMENT - 1) / JOBRT_ALIGNMENT *
                     JOBRT_ALIGNMENT;
    }
  }
  values.resize(numParams);
  params.resize(numParams);
  if (entry.hostCalls.empty())
    return {};
  Expected<std::unique_ptr<CudaMemory>> made =
      CudaMemory::create(engine.sharedContext(), MemoryKind::kStaging,
                         mirrorBytes, "buffers of functions of the host");
  if (!made.ok())
    return made.status();
  mirror = std::move(*made);
  return {};
}

Status CudaProgram::createStreams() {
  for (int32_t queue = 1; queue < entry.numQueues; ++queue) {
    Expected<Owned<Stream>> stream = createStream(context);
    if (!stream.ok())
      return stream.status();
    streams.push_back(std::move(*stream));
  }
  int64_t numEvents =
      entry.numEvents + (entry.numQueues > 1 ? entry.numQueues : 0);
  for (int64_t i = 0; i < numEvents; ++i) {
    Expected<Owned<Event>> event = createEvent(context);
    if (!event.ok())
      return event.status();
    events.push_back(std::move(*event));
  }
  return {};
}

void CudaProgram::report(std::vector<CallReport> &calls) const {
  for (const Launch &launch : launches)
    if (launch.call)
      calls.push_back({entry.name, launch.source->name, launch.source->location,
                       launch.source->callee, launch.call->algorithm()});
}

bool CudaProgram::advance(Position &position) const {
  bool wasInside = isInside(position);
  ++position.command;
  ++position.execution;
  if (position.repeat == entry.repeats.size())
    return false;
  const RepeatInfo &repeat = entry.repeats[position.repeat];
  if (!wasInside)
    return position.command == repeat.begin;
  if (position.command < repeat.end)
    return false;
  if (++position.iteration < repeat.count) {
    position.command = repeat.begin;
    return true;
  }
  position.iteration = 0;
  ++position.repeat;
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Status CudaProgram::run(const StepBuffers &buffers, SubmittedStep &step) {
  step.number = ++numSteps;
  if (Status status = checkInputs(buffers.input->hostAddress()); !status.ok())
    return status;
  // The graphs have operations of a communicator that may have ended.
  if (entry.hasCollectives)
    if (Status status = communicator->begin(); !status.ok())
      return describe(findCollective(), status, {});
  int slot = lanes.nextSlot();
  TimedReplay *timed = nullptr;
  if (buffers.trace) {
    Expected<TimedReplay *> taken = takeTimed(slot);
    if (!taken.ok())
      return taken.status();
    timed = *taken;
    step.timer = timed->timer.get();
  }
  useSlot(slot);
  const std::vector<Part> &parts = timed ? timed->parts : replays[slot];
  timer = step.timer;
  Status status = withoutThrowing("submit a step", [&] {
    return submit(buffers, usesGraphs ? &parts : nullptr, slot, step);
  });
  timer = nullptr;
  if (status.ok())
    return {};
  // The other ranks wait for what this one has not submitted, and it for them.
  if (communicator)
    communicator->abort();
  lanes.synchronize();
  for (const Owned<Stream> &stream : streams)
    (void)api.streamSynchronize(stream.get());
  if (step.timer)
    step.timer->isBusy = false;
  return status;
}

Status CudaProgram::submit(const StepBuffers &buffers,
                           const std::vector<Part> *parts, int slot,
                           SubmittedStep &step) {
  if (Status status =
          lanes.begin(entry, buffers.input->hostAddress(), step.timer);
      !status.ok())
    return describe(nullptr, status, {});
  if (Status status = runParts(buffers, parts); !status.ok())
    return status;
  if (Status status = lanes.end(entry, buffers.output->hostAddress(), slot,
                                step.timer, step.last);
      !status.ok())
    return describe(nullptr, status, {entry.commands.size()});
  return {};
}

/// Replays the graphs of `parts`, or submits their commands if it is null.
Status CudaProgram::runParts(const StepBuffers &buffers,
                             const std::vector<Part> *parts) {
  Position position;
  for (size_t number = 0;; ++number) {
    if (!parts) {
      if (Status status = enqueuePart(position); !status.ok())
        return status;
    } else {
      const Part &part = (*parts)[number];
      if (part.graph)
        if (Result result =
                api.graphLaunch(part.graph.get(), engine.stream())) {
          Status status = describe(
              nullptr,
              api.check(result, "cuGraphLaunch", "the graph of the step"),
              part.end);
          return Status(status.code(), status.message() + describeSearch());
        }
      position = part.end;
    }
    if (isEnd(position))
      return {};
    Status status = callHost(buffers, position);
    if (!status.ok())
      return describe(&entry.commands[position.command], status, position);
    advance(position);
  }
}

Status CudaProgram::finish(const StepBuffers &buffers,
                           const SubmittedStep &step, Status status) {
  if (step.timer) {
    if (status.ok())
      status = step.timer->read(clock, numExecutions, *buffers.trace);
    step.timer->isBusy = false;
  }
  if (status.ok())
    return status;
  std::string text =
      "job '" + entry.name + "', step " + std::to_string(step.number) + ": ";
  // NCCL does not say which operation has failed.
  const Command *collective =
      step.isErrorOfMonitor ? findCollective() : nullptr;
  if (collective)
    text += (collective->name.empty() ? "" : "'" + collective->name + "': ") +
            collective->callee + " or a later collective: ";
  return Status(status.code(),
                text + status.message() +
                    describeVariables({entry.commands.size()}) +
                    (collective ? "" : describeSearch()),
                collective ? collective->location : std::string());
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

const Command *CudaProgram::findCollective() const {
  auto found = std::find_if(entry.commands.begin(), entry.commands.end(),
                            [](const Command &command) {
                              return command.kind == Command::Kind::kCollective;
                            });
  return found == entry.commands.end() ? nullptr : &*found;
}

const char *CudaProgram::describeVariables(const Position &position) const {
  // Earlier parts have run; in a repeat, so have all its commands.
  size_t end = std::min(position.command + 1, entry.commands.size());
  for (const RepeatInfo &repeat : entry.repeats)
    if (repeat.begin < end)
      end = std::max(end, repeat.end);
  if (entry.numQueues > 1)
    end = entry.commands.size();
  bool changed =
      entry.followsWrites ||
      std::any_of(
          entry.commands.begin(), entry.commands.begin() + end,
          [](const Command &command) { return command.writesVariables(); });
  return changed ? "; variables may have been changed by this step"
                 : "; variables are as they were before this step";
}

const char *CudaProgram::describeSearch() const {
  // With checks the host waits for each command.
  return checkMirror || entry.kind == JobKind::kInit
             ? ""
             : "; with check-numerics the error names the op";
}

Status CudaProgram::describe(const Command *command, const Status &status,
                             const Position &position) const {
  std::string text = "job '" + entry.name + "'";
  std::string location;
  if (command) {
    if (!command->name.empty())
      text += ", '" + command->name + "'";
    if (!command->callee.empty())
      text += ": " + command->callee;
    location = command->location;
  } else if (numSteps > 0) {
    text += ", step " + std::to_string(numSteps);
  }
  text += ": ";
  // While the program is made.
  if (numSteps == 0)
    return Status(status.code(), text + status.message(), location);
  return Status(status.code(),
                text + status.message() + describeVariables(position),
                location);
}
