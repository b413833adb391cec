//===- StepParts.cpp - The parts of a step on several devices -------------===//

#include "lib/executor/StepParts.h"
#include "lib/trace/TraceRecorder.h"

#include <algorithm>
#include <map>

using namespace jobrt;

static bool isOfHost(const BufferRef &buffer) {
  return buffer.space == Space::kInput || buffer.space == Space::kOutput;
}

bool jobrt::isBetweenDevices(const Command &command) {
  return command.kind == Command::Kind::kCopy && command.args.size() == 2 &&
         !isOfHost(command.args[0]) && !isOfHost(command.args[1]) &&
         command.args[0].device != command.args[1].device;
}

/// Whether the executor makes this copy.
static bool isTransfer(const EntryInfo &entry, const Command &command,
                       std::span<const ArtifactDevice> devices) {
  if (isBetweenDevices(command))
    return true;
  return entry.devices.size() > 1 && command.kind == Command::Kind::kCopy &&
         devices[command.device].kind != DeviceKind::kHost &&
         (isOfHost(command.args[0]) || isOfHost(command.args[1]));
}

bool jobrt::isOnOneDevice(const EntryInfo &entry, const RepeatInfo &repeat,
                          std::span<const ArtifactDevice> devices) {
  const Command *first = entry.commands.data() + repeat.begin;
  return std::none_of(first, entry.commands.data() + repeat.end,
                      [&](const Command &command) {
                        return command.device != first->device ||
                               isTransfer(entry, command, devices);
                      });
}

namespace {
class Splitter {
public:
  Splitter(const EntryInfo &entry, std::span<const ArtifactDevice> devices)
      : entry(entry), devices(devices) {}

  std::vector<StepPart> split();

private:
  void addCheckOfInputs();
  void addRange(size_t begin, size_t end);
  void addRepeat(const RepeatInfo &repeat);
  void addUnrolled(const RepeatInfo &repeat);
  void addTransfer(size_t index);
  void addCommand(const Command &command);
  void count(const Command &command);
  void moveEvent(Command &command);
  BufferRef current(const BufferRef &buffer) const;

  StepPart &makePart(int32_t device);
  EntryInfo &entryOn(int32_t device);

  const EntryInfo &entry;
  const std::span<const ArtifactDevice> devices;
  std::vector<StepPart> parts;
  /// Whether commands may be added to the last part.
  bool isOpen = false;
  /// The numbers that events of the entry have in the last part.
  std::map<int64_t, int64_t> events;
  /// Of the repeat that is unrolled.
  int64_t iteration = 0;
  bool isUnrolled = false;
  int64_t numExecutions = 0, numChunks = 0;
  bool hasWritten = false;
};
} // namespace

std::vector<StepPart> Splitter::split() {
  addCheckOfInputs();
  size_t next = 0;
  for (const RepeatInfo &repeat : entry.repeats) {
    addRange(next, repeat.begin);
    if (isOnOneDevice(entry, repeat, devices))
      addRepeat(repeat);
    else
      addUnrolled(repeat);
    next = repeat.end;
  }
  addRange(next, entry.commands.size());
  if (parts.empty())
    entryOn(entry.devices.front());
  return std::move(parts);
}

/// Inputs are checked before the first command, by the processor if it is one
/// of the devices.
void Splitter::addCheckOfInputs() {
  auto isHost = [&](int32_t device) {
    return devices[device].kind == DeviceKind::kHost;
  };
  auto host = std::find_if(entry.devices.begin(), entry.devices.end(), isHost);
  if (host != entry.devices.end() &&
      std::any_of(entry.inputs.begin(), entry.inputs.end(),
                  [](const PortInfo &input) { return input.isChecked; }))
    entryOn(*host);
}

void Splitter::addRange(size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (isTransfer(entry, entry.commands[i], devices))
      addTransfer(i);
    else
      addCommand(entry.commands[i]);
    hasWritten |= entry.commands[i].writesVariables();
  }
}

void Splitter::addRepeat(const RepeatInfo &repeat) {
  EntryInfo &part = entryOn(entry.commands[repeat.begin].device);
  size_t begin = part.commands.size();
  int64_t executionsBefore = numExecutions, chunksBefore = numChunks;
  addRange(repeat.begin, repeat.end);
  part.repeats.push_back({begin, part.commands.size(), repeat.count});
  // The other iterations.
  int64_t executions = (numExecutions - executionsBefore) * (repeat.count - 1);
  numExecutions += executions;
  parts.back().numExecutions += executions;
  numChunks += (numChunks - chunksBefore) * (repeat.count - 1);
}

/// Queues join between iterations, as they do between parts.
void Splitter::addUnrolled(const RepeatInfo &repeat) {
  isUnrolled = true;
  for (iteration = 0; iteration < repeat.count; ++iteration) {
    isOpen = false;
    addRange(repeat.begin, repeat.end);
  }
  isUnrolled = isOpen = false;
  iteration = 0;
}

/// A new part of `device`.
StepPart &Splitter::makePart(int32_t device) {
  StepPart &part = parts.emplace_back();
  part.device = device;
  part.firstExecution = numExecutions;
  part.firstChunk = numChunks;
  part.iteration = iteration;
  part.followsWrites = hasWritten;
  isOpen = true;
  events.clear();
  return part;
}

/// The part for the next command of `device`.
EntryInfo &Splitter::entryOn(int32_t device) {
  if (isOpen && parts.back().entry && parts.back().device == device)
    return *parts.back().entry;
  auto made = std::make_unique<EntryInfo>();
  made->name = entry.name;
  made->kind = entry.kind;
  made->device = devices[device].kind;
  made->inputs = entry.inputs;
  for (PortInfo &input : made->inputs)
    input.isChecked &= parts.empty();
  made->outputs = entry.outputs;
  made->resultStructure = entry.resultStructure;
  // A driver may copy all inputs to its device and all outputs back: not more
  // than is used.
  bool usesHost =
      made->device == DeviceKind::kHost || entry.devices.size() == 1;
  bool isChecked =
      std::any_of(made->inputs.begin(), made->inputs.end(),
                  [](const PortInfo &input) { return input.isChecked; });
  made->inputBytes = usesHost || isChecked ? entry.inputBytes : 0;
  made->outputBytes = usesHost ? entry.outputBytes : 0;
  const EntryMemory &memory = entry.memory[device];
  made->arenaBytes = memory.arenaBytes;
  made->workspaceBytes = memory.workspaceBytes;
  made->arenaLowerBound = memory.arenaLowerBound;
  made->memory = {memory};
  made->peak = entry.peak;
  made->followsWrites = hasWritten;
  StepPart &part = makePart(device);
  part.entry = std::move(made);
  return *part.entry;
}

void Splitter::count(const Command &command) {
  ++numExecutions;
  ++parts.back().numExecutions;
  numChunks += numChunkRecords(command);
}

/// A buffer in this iteration.
BufferRef Splitter::current(const BufferRef &buffer) const {
  BufferRef moved = buffer;
  if (isUnrolled) {
    moved.offset += iteration * buffer.stride;
    moved.stride = 0;
  }
  return moved;
}

void Splitter::addTransfer(size_t index) {
  const Command &command = entry.commands[index];
  BufferRef from = current(command.args[0]), to = current(command.args[1]);
  int32_t fromDevice = isOfHost(from) ? kHostSide : from.device,
          device = isOfHost(to) ? kHostSide : to.device;
  if (!isOpen || parts.back().entry || parts.back().device != device ||
      parts.back().fromDevice != fromDevice)
    makePart(device).fromDevice = fromDevice;
  parts.back().transfers.push_back({from, to, index});
  count(command);
}

/// Gives an event a number of the part. What waits for an event of an earlier
/// part has nothing to wait for: it records an event of its own, so that the
/// part has as many commands as before.
void Splitter::moveEvent(Command &command) {
  bool isRecord = command.kind == Command::Kind::kRecord;
  if (auto known = events.find(command.event);
      !isRecord && known != events.end()) {
    command.event = known->second;
    return;
  }
  int64_t number = parts.back().entry->numEvents++;
  if (isRecord)
    events[command.event] = number;
  command.kind = Command::Kind::kRecord;
  command.event = number;
}

void Splitter::addCommand(const Command &command) {
  EntryInfo &part = entryOn(command.device);
  Command moved = command;
  moved.queue -= devices[command.device].firstQueue;
  moved.device = 0;
  for (BufferRef &buffer : moved.args) {
    buffer = current(buffer);
    buffer.device = 0;
  }
  if (moved.kind == Command::Kind::kRecord ||
      moved.kind == Command::Kind::kWait)
    moveEvent(moved);
  part.numQueues = std::max(part.numQueues, moved.queue + 1);
  part.hasEpilogues |= moved.isEpilogue;
  if (moved.kind == Command::Kind::kHostCall)
    part.hostCalls.push_back(part.commands.size());
  for (const BufferRef &buffer : moved.args)
    if (buffer.space == Space::kInput)
      part.inputBytes = entry.inputBytes;
  part.commands.push_back(std::move(moved));
  count(command);
}

std::vector<StepPart>
jobrt::splitStep(const EntryInfo &entry,
                 std::span<const ArtifactDevice> devices) {
  return Splitter(entry, devices).split();
}
