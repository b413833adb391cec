//===- CudaProgram.cpp - Running a command table on a GPU -----------------===//
//
// A step has a stream for each queue of its entry; the first one is the
// engine's. A part of a step is what lies between two functions of the host. It
// is captured when buffers come for the first time, and replayed afterwards.
//
//===----------------------------------------------------------------------===//

#include "drivers/cuda/CudaCode.h"
#include "lib/executor/HostFunctions.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::cuda;

/// Buffers whose graphs are kept. A session has as many as steps in flight.
static constexpr size_t kMaxSlots = 256;
/// An entry that executes more commands in a step is submitted command by
/// command: instantiating so large a graph takes seconds.
static constexpr int64_t kMaxNodes = 1 << 16;

namespace {
/// A kernel with the addresses of its buffers.
struct Launch {
  const Command *source;
  /// Set for kDispatch.
  Function function = nullptr;
  /// Set for kCall.
  std::unique_ptr<Call> call = nullptr;
  /// For kHostCall: what the function gets, and where the mirrors of those of
  /// its buffers begin that are in the device's memory; -1 for others.
  std::vector<HostBuffer> buffers = {};
  std::vector<int64_t> mirrors = {};
};

/// The next execution of a command.
struct Position {
  size_t command = 0, repeat = 0;
  int64_t iteration = 0;
};

/// A part of a step and where it ends.
struct Part {
  /// Null if the part has no commands.
  Owned<GraphExec> graph;
  Position end;
};

/// The parts for two buffers.
struct Slot {
  std::byte *input, *output;
  std::vector<Part> parts;
};

class CudaProgram final : public Program, private StepRunner {
public:
  CudaProgram(Engine &engine, const EntryInfo &entry)
      : engine(engine), context(engine.context()), api(context.api()),
        entry(entry) {}
  ~CudaProgram() override { (void)context.enter(); }

  Status initialize(const DeviceCode &code, Libraries &libraries,
                    const SessionMemory &memory);
  void submit(const StepBuffers &buffers, Completion &completion) override {
    engine.submit(*this, buffers, completion);
  }
  void report(std::vector<CallReport> &calls) const override;

private:
  bool blocks() const override { return !entry.hostCalls.empty(); }
  Status run(const StepBuffers &buffers) override;
  Status describeFailure(Status status, int64_t number) const override;
  int64_t stepNumber() const override { return numSteps; }

  bool isEnd(const Position &position) const {
    return position.command == entry.commands.size();
  }
  bool isInside(const Position &position) const {
    return position.repeat < entry.repeats.size() &&
           position.command >= entry.repeats[position.repeat].begin;
  }
  int64_t iterationOf(const Position &position) const {
    return isInside(position) ? position.iteration : 0;
  }
  bool advance(Position &position) const;

  Slot &findSlot(const StepBuffers &buffers);
  Expected<Part> capture(Position position);
  Status endCapture(Part &part, Status status);
  Status enqueuePart(Position &position);
  Status enqueue(const Position &position);
  Status enqueueDispatch(const Launch &launch, int64_t iteration,
                         Stream stream);
  Status enqueueCall(const Launch &launch, int64_t iteration, Stream stream);
  Status enqueueCopy(const Launch &launch, int64_t iteration, Stream stream);
  Status fork();
  Status join();
  Status callHost(const StepBuffers &buffers, const Position &position);
  Status describe(const Command *command, const Status &status,
                  const Position &position) const;

  Stream streamOf(int32_t queue) const {
    return queue == 0 ? engine.stream() : streams[queue - 1].get();
  }
  static bool isStaging(Space space) {
    return space == Space::kInput || space == Space::kOutput;
  }
  DevicePointer deviceAddress(const BufferRef &buffer,
                              int64_t iteration) const {
    return bases[static_cast<int>(buffer.space)] + buffer.offset +
           iteration * buffer.stride;
  }
  std::byte *hostAddress(const BufferRef &buffer, int64_t iteration) const {
    return (buffer.space == Space::kInput ? input : output) + buffer.offset +
           iteration * buffer.stride;
  }

  Engine &engine;
  const DeviceContext &context;
  const Api &api;
  const EntryInfo &entry;
  std::vector<Launch> launches;
  /// Events that the commands before each one record.
  std::vector<int64_t> eventsBefore;
  /// By Space; not those of the staging memory.
  std::array<DevicePointer, kNumSpaces> bases{};
  /// Those of the step that is submitted.
  std::byte *input = nullptr, *output = nullptr;
  /// Of queues from 1 on.
  std::vector<Owned<Stream>> streams;
  /// Those of the plan; then one per queue, for joining them.
  std::vector<Owned<Event>> events;
  /// Buffers of the device that functions of the host use.
  std::unique_ptr<CudaMemory> mirror;
  /// Room for the parameters of a kernel.
  std::vector<DevicePointer> values;
  std::vector<void *> params;
  std::vector<Slot> slots;
  /// Of the slots, which one goes next.
  size_t nextSlot = 0;
  bool usesGraphs = true;
  int64_t numSteps = 0;
};
} // namespace

Expected<std::unique_ptr<Program>>
cuda::createCudaProgram(Engine &engine, const DeviceCode &code,
                        Libraries &libraries, const EntryInfo &entry,
                        const SessionMemory &memory) {
  auto program = std::make_unique<CudaProgram>(engine, entry);
  if (Status status = program->initialize(code, libraries, memory);
      !status.ok())
    return Status(status.code(),
                  "job '" + entry.name + "': " + status.message(),
                  status.location());
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
  if (Status status = context.enter(); !status.ok())
    return status;
  auto pointer = [](const DriverMemory &memory) {
    return static_cast<const CudaMemory &>(memory).pointer();
  };
  bases[static_cast<int>(Space::kArena)] = pointer(*memory.arena);
  bases[static_cast<int>(Space::kBank)] = pointer(*memory.bank);
  bases[static_cast<int>(Space::kWorkspace)] = pointer(*memory.workspace);
  if (code.constants)
    bases[static_cast<int>(Space::kConstant)] = code.constants->pointer();
  size_t numParams = 0;
  int64_t mirrorBytes = 0;
  for (const Command &command : entry.commands) {
    Launch &launch = launches.emplace_back(Launch{&command});
    numParams =
        std::max(numParams, command.args.size() + command.scalars.size());
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
      launch.mirrors.push_back(isStaging(buffer.space) ? -1 : mirrorBytes);
      if (!isStaging(buffer.space))
        mirrorBytes += (buffer.bytes + JOBRT_ALIGNMENT - 1) / JOBRT_ALIGNMENT *
                       JOBRT_ALIGNMENT;
    }
  }
  values.resize(numParams);
  params.resize(numParams);
  eventsBefore.push_back(0);
  for (const Command &command : entry.commands)
    eventsBefore.push_back(eventsBefore.back() +
                           (command.kind == Command::Kind::kRecord));
  auto executions = static_cast<int64_t>(entry.commands.size());
  for (const RepeatInfo &repeat : entry.repeats)
    executions +=
        static_cast<int64_t>(repeat.end - repeat.begin) * (repeat.count - 1);
  usesGraphs = executions <= kMaxNodes;
  if (mirrorBytes > 0) {
    Expected<std::unique_ptr<CudaMemory>> made =
        CudaMemory::create(engine.sharedContext(), MemoryKind::kStaging,
                           mirrorBytes, "buffers of functions of the host");
    if (!made.ok())
      return made.status();
    mirror = std::move(*made);
  }
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

/// Goes to the next execution. Returns whether all queues join before it.
bool CudaProgram::advance(Position &position) const {
  bool wasInside = isInside(position);
  ++position.command;
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
// Submitting commands to streams, captured or not
//===----------------------------------------------------------------------===//

/// Later commands of all queues start after the earlier ones of the first one.
Status CudaProgram::fork() {
  if (entry.numQueues == 1)
    return {};
  Event event = events[entry.numEvents].get();
  Status status = api.check(api.eventRecord(event, engine.stream()),
                            "cuEventRecord", "the start of the queues");
  for (const Owned<Stream> &stream : streams)
    if (status.ok())
      status = api.check(api.streamWaitEvent(stream.get(), event, 0),
                         "cuStreamWaitEvent", "the start of a queue");
  return status;
}

/// Later commands of the first queue start after the earlier ones of all.
Status CudaProgram::join() {
  Status status;
  for (size_t i = 0; i < streams.size() && status.ok(); ++i) {
    Event event = events[entry.numEvents + 1 + i].get();
    status = api.check(api.eventRecord(event, streams[i].get()),
                       "cuEventRecord", "the end of a queue");
    if (status.ok())
      status = api.check(api.streamWaitEvent(engine.stream(), event, 0),
                         "cuStreamWaitEvent", "the end of a queue");
  }
  return status;
}

Status CudaProgram::enqueueDispatch(const Launch &launch, int64_t iteration,
                                    Stream stream) {
  const Command &command = *launch.source;
  size_t count = 0;
  for (const BufferRef &buffer : command.args) {
    values[count] = deviceAddress(buffer, iteration);
    params[count] = &values[count];
    ++count;
  }
  for (const ScalarArg &scalar : command.scalars)
    params[count++] = const_cast<std::byte *>(scalar.value.data());
  Result result =
      api.launchKernel(launch.function, static_cast<unsigned>(command.chunks),
                       1, 1, static_cast<unsigned>(command.threads), 1, 1,
                       /*shared bytes=*/0, stream, params.data(), nullptr);
  return result == kSuccess ? Status()
                            : api.check(result, "cuLaunchKernel",
                                        "kernel '" + command.kernelName + "'");
}

Status CudaProgram::enqueueCall(const Launch &launch, int64_t iteration,
                                Stream stream) {
  size_t count = 0;
  for (const BufferRef &buffer : launch.source->args)
    values[count++] = deviceAddress(buffer, iteration);
  return launch.call->enqueue(values.data(), stream);
}

Status CudaProgram::enqueueCopy(const Launch &launch, int64_t iteration,
                                Stream stream) {
  const BufferRef &from = launch.source->args[0], &to = launch.source->args[1];
  size_t bytes = from.bytes;
  Result result;
  const char *function;
  if (isStaging(from.space)) {
    function = "cuMemcpyHtoDAsync";
    result = api.memcpyHtoDAsync(deviceAddress(to, iteration),
                                 hostAddress(from, iteration), bytes, stream);
  } else if (isStaging(to.space)) {
    function = "cuMemcpyDtoHAsync";
    result = api.memcpyDtoHAsync(hostAddress(to, iteration),
                                 deviceAddress(from, iteration), bytes, stream);
  } else {
    function = "cuMemcpyDtoDAsync";
    result = api.memcpyDtoDAsync(deviceAddress(to, iteration),
                                 deviceAddress(from, iteration), bytes, stream);
  }
  return result == kSuccess
             ? Status()
             : api.check(result, function,
                         "a copy of " + std::to_string(bytes) + " bytes");
}

Status CudaProgram::enqueue(const Position &position) {
  const Launch &launch = launches[position.command];
  const Command &command = *launch.source;
  int64_t iteration = iterationOf(position);
  Stream stream = streamOf(command.queue);
  switch (command.kind) {
  case Command::Kind::kDispatch:
    return enqueueDispatch(launch, iteration, stream);
  case Command::Kind::kCall:
    return enqueueCall(launch, iteration, stream);
  case Command::Kind::kCopy:
    return command.args[0].bytes == 0 ? Status()
                                      : enqueueCopy(launch, iteration, stream);
  case Command::Kind::kFill: {
    const BufferRef &buffer = command.args[0];
    if (buffer.bytes == 0)
      return {};
    Result result = api.memsetD8Async(deviceAddress(buffer, iteration),
                                      command.fillValue, buffer.bytes, stream);
    return result == kSuccess ? Status()
                              : api.check(result, "cuMemsetD8Async", "a fill");
  }
  case Command::Kind::kRecord:
    return api.check(api.eventRecord(events[command.event].get(), stream),
                     "cuEventRecord", "an event of the plan");
  case Command::Kind::kWait:
    return api.check(
        api.streamWaitEvent(stream, events[command.event].get(), 0),
        "cuStreamWaitEvent", "an event of the plan");
  case Command::Kind::kHostCall:
    break;
  }
  return {};
}

/// Submits commands up to the next function of the host or the end, where
/// `position` is afterwards.
Status CudaProgram::enqueuePart(Position &position) {
  Status status = fork();
  // Those before it are complete where all queues join. A capture must not wait
  // for them: they may have been recorded outside of it.
  int64_t firstEvent = eventsBefore[position.command];
  while (status.ok() && !isEnd(position)) {
    const Command &command = entry.commands[position.command];
    if (command.kind == Command::Kind::kHostCall)
      break;
    bool isPast =
        command.kind == Command::Kind::kWait && command.event < firstEvent;
    if (!isPast) {
      status = enqueue(position);
      if (!status.ok())
        return describe(&command, status, position);
    }
    if (!advance(position))
      continue;
    // Iterations begin when all commands before them have ended.
    status = join();
    if (status.ok())
      status = fork();
    firstEvent = eventsBefore[position.command];
  }
  if (status.ok())
    status = join();
  return status.ok() ? status : describe(nullptr, status, position);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Slot &CudaProgram::findSlot(const StepBuffers &buffers) {
  for (Slot &slot : slots)
    if (slot.input == input && slot.output == output)
      return slot;
  if (slots.size() < kMaxSlots)
    return slots.emplace_back(Slot{input, output, {}});
  Slot &slot = slots[nextSlot++ % kMaxSlots];
  slot.parts.clear();
  slot.input = input;
  slot.output = output;
  return slot;
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
  if (Status status = endCapture(part, enqueuePart(part.end)); !status.ok())
    return status;
  return part;
}

/// Ends the capture that has the commands of `part`, or failed with `status`.
Status CudaProgram::endCapture(Part &part, Status status) {
  Graph graph = nullptr;
  Result result = api.streamEndCapture(engine.stream(), &graph);
  Owned<Graph> owner(context, &Api::graphDestroy, graph);
  if (!status.ok())
    return status;
  status = api.check(result, "cuStreamEndCapture", "the graph of a step");
  GraphExec exec = nullptr;
  if (status.ok())
    status = api.check(api.graphInstantiate(&exec, graph, 0),
                       "cuGraphInstantiateWithFlags", "the graph of a step");
  if (!status.ok())
    return describe(nullptr, status, {});
  part.graph = Owned<GraphExec>(context, &Api::graphExecDestroy, exec);
  return {};
}

Status CudaProgram::run(const StepBuffers &buffers) {
  ++numSteps;
  input = buffers.input->hostAddress();
  output = buffers.output->hostAddress();
  Slot *slot = usesGraphs ? &findSlot(buffers) : nullptr;
  Position position;
  for (size_t number = 0;; ++number) {
    if (!slot) {
      if (Status status = enqueuePart(position); !status.ok())
        return status;
    } else {
      if (number == slot->parts.size()) {
        Expected<Part> part = capture(position);
        if (!part.ok())
          return part.status();
        slot->parts.push_back(std::move(*part));
      }
      const Part &part = slot->parts[number];
      if (part.graph)
        if (Result result = api.graphLaunch(part.graph.get(), engine.stream()))
          return describe(
              nullptr,
              api.check(result, "cuGraphLaunch", "the graph of the step"),
              part.end);
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

//===----------------------------------------------------------------------===//
// Functions of the host
//===----------------------------------------------------------------------===//

static Status callFunction(const StepBuffers &step, Launch &launch) {
  AllocationScope scope(step.meter->library, &step.meter->ours);
  try {
    return (*step.functions->find(launch.source->callee))(launch.buffers);
  } catch (const std::exception &error) {
    return Status(StatusCode::kInternal, error.what());
  } catch (...) {
    return Status(StatusCode::kInternal, "an exception of unknown type");
  }
}

Status CudaProgram::callHost(const StepBuffers &step,
                             const Position &position) {
  Launch &launch = launches[position.command];
  const std::vector<BufferRef> &args = launch.source->args;
  int64_t iteration = iterationOf(position);
  Stream stream = engine.stream();
  for (size_t i = 0; i < args.size(); ++i) {
    if (launch.mirrors[i] < 0) {
      launch.buffers[i].data = hostAddress(args[i], iteration);
      continue;
    }
    std::byte *data = mirror->hostAddress() + launch.mirrors[i];
    launch.buffers[i].data = data;
    if (args[i].bytes == 0)
      continue;
    // What is written as well: the function need not write all of it.
    if (Status status = api.check(
            api.memcpyDtoHAsync(data, deviceAddress(args[i], iteration),
                                args[i].bytes, stream),
            "cuMemcpyDtoHAsync", "a buffer of a function of the host");
        !status.ok())
      return status;
  }
  if (Status status =
          api.check(api.streamSynchronize(stream), "cuStreamSynchronize",
                    "the commands before a function of the host");
      !status.ok())
    return status;
  if (Status status = callFunction(step, launch); !status.ok())
    return status;
  // The function may have used CUDA on this thread.
  if (Status status = context.enter(); !status.ok())
    return status;
  for (size_t i = 0; i < args.size(); ++i) {
    if (launch.mirrors[i] < 0 || !args[i].isWritten || args[i].bytes == 0)
      continue;
    if (Status status = api.check(
            api.memcpyHtoDAsync(deviceAddress(args[i], iteration),
                                launch.buffers[i].data, args[i].bytes, stream),
            "cuMemcpyHtoDAsync", "a result of a function of the host");
        !status.ok())
      return status;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string describeVariables(bool mayHaveChanged) {
  return mayHaveChanged ? "; variables may have been changed by this step"
                        : "; variables are as they were before this step";
}

/// The error of a command, or of the part of the step that ends at `position`.
Status CudaProgram::describe(const Command *command, const Status &status,
                             const Position &position) const {
  std::string text = "job '" + entry.name + "', ";
  std::string location;
  if (command) {
    if (!command->name.empty())
      text += "'" + command->name + "': ";
    if (!command->callee.empty())
      text += command->callee + ": ";
    location = command->location;
  } else {
    text += "step " + std::to_string(numSteps) + ": ";
  }
  // Earlier parts have run; in a repeat, so have all its commands.
  size_t end = std::min(position.command + 1, entry.commands.size());
  if (!entry.repeats.empty() || entry.numQueues > 1)
    end = entry.commands.size();
  bool changed = std::any_of(
      entry.commands.begin(), entry.commands.begin() + end,
      [](const Command &command) { return command.writesVariables(); });
  return Status(status.code(),
                text + status.message() + describeVariables(changed), location);
}

Status CudaProgram::describeFailure(Status status, int64_t number) const {
  bool changed = std::any_of(
      entry.commands.begin(), entry.commands.end(),
      [](const Command &command) { return command.writesVariables(); });
  return Status(status.code(),
                "job '" + entry.name + "', step " + std::to_string(number) +
                    ": " + status.message() + describeVariables(changed));
}
