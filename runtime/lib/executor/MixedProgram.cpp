//===- MixedProgram.cpp - A step on several devices -----------------------===//

#include "lib/executor/MixedProgram.h"
#include "lib/base/Guard.h"

#include <algorithm>
#include <cstring>

using namespace jobrt;

static int64_t roundUp(int64_t bytes) {
  return (bytes + JOBRT_ALIGNMENT - 1) / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
}

int64_t MixedProgram::stagingBytes(const std::vector<StepPart> &parts) {
  int64_t largest = 0;
  for (const StepPart &part : parts) {
    int64_t bytes = 0;
    for (const Transfer &transfer : part.transfers)
      bytes += roundUp(transfer.from.bytes);
    largest = std::max(largest, bytes);
  }
  return largest;
}

Expected<std::unique_ptr<MixedProgram>>
MixedProgram::create(const Artifact &artifact, const EntryInfo &entry,
                     const std::vector<StepPart> &parts,
                     const std::vector<SessionDevice> &devices,
                     DriverMemory *staging, Stream &stream) {
  std::unique_ptr<MixedProgram> program(
      new MixedProgram(artifact, entry, stream));
  for (const StepPart &part : parts) {
    if (!part.entry) {
      program->addTransfers(part, devices, staging);
      continue;
    }
    const SessionDevice &device = devices[part.device];
    Expected<std::unique_ptr<Program>> prepared =
        device.code->prepare(*part.entry, device.memory());
    if (!prepared.ok())
      return prepared.status();
    Action &action = program->actions.emplace_back();
    action.part = &part;
    action.program = std::move(*prepared);
  }
  return program;
}

static DriverMemory *memoryOf(const SessionDevice &device, Space space) {
  switch (space) {
  case Space::kArena:
    return device.arena.get();
  case Space::kBank:
    return device.bank.get();
  case Space::kWorkspace:
    return device.workspace.get();
  default:
    return nullptr;
  }
}

/// From device to host, then from host to device. All results are read before
/// any is written: they are in different places.
void MixedProgram::addTransfers(const StepPart &part,
                                const std::vector<SessionDevice> &devices,
                                DriverMemory *staging) {
  Action read, write;
  read.part = write.part = &part;
  bool reads = part.fromDevice != kHostSide, writes = part.device != kHostSide;
  read.isLast = !writes;
  int64_t offset = 0;
  for (const Transfer &transfer : part.transfers) {
    const BufferRef &from = transfer.from, &to = transfer.to;
    void *host = nullptr;
    if (reads && writes)
      host = staging->hostAddress() + offset;
    // Constants are in the artifact, too.
    bool isConstant = from.space == Space::kConstant;
    if (isConstant)
      host =
          static_cast<std::byte *>(const_cast<void *>(artifact.constants())) +
          from.offset;
    if (isConstant && !writes)
      read.constants.push_back({host, to.offset, to.bytes});
    if (reads && !isConstant) {
      read.driver = devices[part.fromDevice].driver.get();
      read.copies.push_back({Copy::Direction::kToHost,
                             memoryOf(devices[part.fromDevice], from.space),
                             from.offset, from.bytes, host});
      if (!writes)
        read.hostPlaces.push_back({to.space, to.offset});
    }
    if (writes) {
      write.driver = devices[part.device].driver.get();
      write.copies.push_back({Copy::Direction::kToDevice,
                              memoryOf(devices[part.device], to.space),
                              to.offset, to.bytes, host});
      if (!reads)
        write.hostPlaces.push_back({from.space, from.offset});
    }
    offset += roundUp(from.bytes);
  }
  for (Action *action : {&read, &write})
    if (!action->copies.empty() || !action->constants.empty())
      actions.push_back(std::move(*action));
}

void MixedProgram::report(std::vector<CallReport> &calls) const {
  for (const Action &action : actions)
    if (action.program && action.part->iteration == 0)
      action.program->report(calls);
}

void MixedProgram::submit(const StepBuffers &newBuffers,
                          Completion &newCompletion) {
  buffers = newBuffers;
  completion = &newCompletion;
  next = 0;
  if (buffers.trace)
    buffers.trace->run.begin = traceClock();
  run();
}

/// After the completion of an action that the driver has not completed at once.
void MixedProgram::proceed() {
  finish();
  run();
}

/// Begins actions up to one that is not completed at once.
void MixedProgram::run() {
  while (next < actions.size() && status.ok()) {
    arrivals.store(0);
    start(actions[next]);
    // If the driver has not completed it, end() goes on.
    if (arrivals.fetch_add(1) == 0)
      return;
    finish();
  }
  if (buffers.trace)
    buffers.trace->run.end = traceClock();
  // The program may run its next step when this has been called.
  completion->complete(std::exchange(status, Status()));
}

void MixedProgram::end(Status newStatus) {
  status = std::move(newStatus);
  if (arrivals.fetch_add(1) == 1)
    stream.post(*this);
}

void MixedProgram::start(Action &action) {
  const StepPart &part = *action.part;
  if (!action.program) {
    if (buffers.trace && (next == 0 || actions[next - 1].part != &part))
      partBegin = traceClock();
    return startCopies(action);
  }
  StepBuffers own = buffers;
  if (buffers.trace) {
    partBegin = traceClock();
    partRecord = {};
    partRecord.number = buffers.trace->number;
    partRecord.entry = buffers.trace->entry;
    partRecord.commands = buffers.trace->commands + part.firstExecution;
    partRecord.chunks = buffers.trace->chunks + part.firstChunk;
    own.trace = &partRecord;
  }
  action.program->submit(own, ended);
}

void MixedProgram::startCopies(Action &action) {
  for (size_t i = 0; i < action.hostPlaces.size(); ++i) {
    const auto &[space, offset] = action.hostPlaces[i];
    DriverMemory &memory =
        space == Space::kInput ? *buffers.input : *buffers.output;
    action.copies[i].host = memory.hostAddress() + offset;
  }
  for (const ConstantCopy &copy : action.constants)
    std::memcpy(buffers.output->hostAddress() + copy.offset, copy.from,
                copy.bytes);
  if (!action.driver)
    return ended.complete({});
  action.driver->copy(action.copies, ended);
}

/// Takes notice of the end of the action, and goes to the next one.
void MixedProgram::finish() {
  const Action &action = actions[next++];
  bool succeeded = status.ok();
  if (!succeeded && !action.program)
    status = withoutThrowing("describe the error of a step",
                             [&] { return describe(*action.part, status); });
  if (buffers.trace && (action.isLast || !succeeded))
    record(action);
}

/// Records a part that has ended, or failed.
void MixedProgram::record(const Action &action) {
  const StepPart &part = *action.part;
  StepRecord &step = *buffers.trace;
  TraceSpan span{partBegin, traceClock()};
  step.parts[step.numParts++] = {
      span, part.entry ? part.device : part.fromDevice, part.device};
  int64_t recorded = part.entry ? partRecord.numCommands : 0;
  step.numCommands = part.firstExecution + recorded;
  if (!status.ok() && part.entry)
    return;
  // Copies run as one; a driver may record none of its commands.
  while (step.numCommands < part.firstExecution + part.numExecutions)
    step.addCommand(part.entry ? TraceSpan() : span);
}

/// The error of copies.
Status MixedProgram::describe(const StepPart &part, const Status &error) const {
  const Command &command = entry.commands[part.transfers.front().command];
  bool changed = part.followsWrites ||
                 std::any_of(part.transfers.begin(), part.transfers.end(),
                             [](const Transfer &transfer) {
                               return transfer.to.space == Space::kBank;
                             });
  std::string text = "job '" + entry.name + "', ";
  if (!command.name.empty())
    text += "'" + command.name + "': ";
  auto place = [&](int32_t device, const char *host) {
    return device == kHostSide ? host : artifact.devices()[device].name;
  };
  const char *source = part.transfers.front().from.space == Space::kOutput
                           ? "the outputs"
                           : "the inputs";
  return Status(error.code(),
                text + "copy from " + place(part.fromDevice, source) + " to " +
                    place(part.device, "the outputs") + ": " + error.message() +
                    (changed ? "; variables may have been changed by this step"
                             : "; variables are as they were before this step"),
                command.location);
}
