//===- Manifest.cpp - Fuzzes the reader of an artifact's manifest ---------===//
//
// The executor trusts what comes out: everything lies in its space, in every
// iteration, variables and ports lie apart, and constants are never written.
// Library calls are made of what the manifest says, but not run.
//
//===----------------------------------------------------------------------===//

#include "lib/executor/Manifest.h"
#include "drivers/host/CpuFeatures.h"
#include "drivers/host/LibraryCall.h"
#include "fuzz/Require.h"
#include "lib/executor/StepParts.h"

using namespace jobrt;

static int32_t deviceOf(const PortInfo &) { return 0; }
static int32_t deviceOf(const VariableInfo &variable) {
  return variable.device;
}

/// `spaceBytes` are by device.
template <typename Slot>
static void checkSlots(const std::vector<Slot> &slots,
                       const std::vector<int64_t> &spaceBytes) {
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot &slot = slots[i];
    REQUIRE(slot.offset >= 0 && slot.offset % JOBRT_ALIGNMENT == 0);
    REQUIRE(slot.bytes ==
            numElements(slot.shape).value() * dtypeBytes(slot.dtype));
    REQUIRE(slot.offset + slot.bytes <= spaceBytes.at(deviceOf(slot)));
    for (size_t j = 0; j < i; ++j)
      REQUIRE(slot.bytes == 0 || slots[j].bytes == 0 ||
              deviceOf(slot) != deviceOf(slots[j]) ||
              slot.offset >= slots[j].offset + slots[j].bytes ||
              slots[j].offset >= slot.offset + slot.bytes);
  }
}

static int64_t spaceBytes(const Manifest &manifest, const EntryInfo &entry,
                          const BufferRef &buffer) {
  const EntryMemory &memory = entry.memory.at(buffer.device);
  switch (buffer.space) {
  case Space::kArena:
    return memory.arenaBytes;
  case Space::kBank:
    return manifest.devices.at(buffer.device).bankBytes;
  case Space::kInput:
    return entry.inputBytes;
  case Space::kOutput:
    return entry.outputBytes;
  case Space::kConstant:
    return manifest.constantsBytes;
  case Space::kWorkspace:
    return memory.workspaceBytes;
  }
  REQUIRE(!"a space");
  return 0;
}

static void checkCall(const Command &command) {
  std::optional<LibraryCallEntry> entry = findLibraryCall(command.callee);
  if (!entry)
    return;
  Expected<std::unique_ptr<LibraryCall>> call = entry->create(command);
  REQUIRE(call.ok() || !call.status().message().empty());
}

static void checkCommand(const Manifest &manifest, const EntryInfo &entry,
                         const Command &command, int64_t iterations) {
  REQUIRE(command.chunks >= 1);
  REQUIRE(command.queue >= 0 && command.queue < entry.numQueues);
  for (const BufferRef &buffer : command.args) {
    REQUIRE(buffer.offset >= 0 && buffer.bytes >= 0 && buffer.stride >= 0 &&
            buffer.offset % JOBRT_ALIGNMENT == 0);
    REQUIRE(buffer.offset + buffer.bytes + buffer.stride * (iterations - 1) <=
            spaceBytes(manifest, entry, buffer));
    REQUIRE(!buffer.isWritten || buffer.space != Space::kConstant);
  }
  switch (command.kind) {
  case Command::Kind::kDispatch:
    REQUIRE(command.kernelIndex >= 0 || !command.kernelName.empty());
    break;
  case Command::Kind::kCall:
    checkCall(command);
    break;
  case Command::Kind::kCopy:
    REQUIRE(command.args.size() == 2 &&
            command.args[0].bytes == command.args[1].bytes);
    break;
  case Command::Kind::kFill:
    REQUIRE(command.args.size() == 1);
    break;
  case Command::Kind::kHostCall:
    REQUIRE(command.types.size() == command.args.size());
    for (size_t i = 0; i < command.args.size(); ++i)
      REQUIRE(numElements(command.types[i].shape).value() *
                  dtypeBytes(command.types[i].dtype) ==
              command.args[i].bytes);
    break;
  case Command::Kind::kCollective:
    REQUIRE(manifest.ranks && command.collective.peer >= 0 &&
            command.collective.peer < *manifest.ranks);
    REQUIRE(command.args.size() == 1 || command.args.size() == 2);
    for (const BufferRef &buffer : command.args)
      REQUIRE(buffer.bytes % dtypeBytes(command.collective.dtype) == 0);
    break;
  case Command::Kind::kRecord:
  case Command::Kind::kWait:
    REQUIRE(command.args.empty() && command.event >= 0 &&
            command.event < entry.numEvents);
    break;
  }
}

/// The parts of an entry that is not too long have all its executions, and
/// their buffers lie in the memory of their devices.
static void checkParts(const Manifest &manifest, const EntryInfo &entry) {
  int64_t executions = 0;
  for (const RepeatInfo &repeat : entry.repeats)
    executions +=
        static_cast<int64_t>(repeat.end - repeat.begin) * (repeat.count - 1);
  executions += static_cast<int64_t>(entry.commands.size());
  int64_t next = 0;
  for (const StepPart &part : splitStep(entry, manifest.devices)) {
    REQUIRE(part.firstExecution == next);
    next += part.numExecutions;
    if (!part.entry) {
      REQUIRE(!part.transfers.empty() && part.device != part.fromDevice);
      continue;
    }
    for (const Command &command : part.entry->commands) {
      REQUIRE(command.queue >= 0 && command.queue < part.entry->numQueues);
      REQUIRE(command.event < part.entry->numEvents);
      for (const BufferRef &buffer : command.args)
        REQUIRE(buffer.device == 0);
    }
  }
  REQUIRE(next == executions);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Expected<Manifest> manifest = parseManifest(
      std::string_view(reinterpret_cast<const char *>(data), size));
  if (!manifest.ok()) {
    REQUIRE(!manifest.status().message().empty());
    return 0;
  }
  (void)checkCpuFeatures(manifest->features);
  std::vector<int64_t> banks;
  for (const ArtifactDevice &device : manifest->devices)
    banks.push_back(device.bankBytes);
  checkSlots(manifest->variables, banks);
  for (const VariableInfo &variable : manifest->variables) {
    if (variable.permutation.empty())
      continue;
    REQUIRE(variable.permutation.size() == variable.shape.size());
    Shape inverse = invertPermutation(variable.permutation);
    REQUIRE(invertPermutation(inverse) == variable.permutation);
  }
  for (const EntryInfo &entry : manifest->entries) {
    checkSlots(entry.inputs, {entry.inputBytes});
    checkSlots(entry.outputs, {entry.outputBytes});
    std::vector<int64_t> iterations(entry.commands.size(), 1);
    for (const RepeatInfo &repeat : entry.repeats)
      for (size_t i = repeat.begin; i < repeat.end; ++i)
        iterations[i] = repeat.count;
    const ArtifactDevice &last = manifest->devices.back();
    REQUIRE(entry.numQueues <= last.firstQueue + last.numQueues);
    int64_t numEvents = 0;
    for (size_t i = 0; i < entry.commands.size(); ++i) {
      const Command &command = entry.commands[i];
      checkCommand(*manifest, entry, command, iterations[i]);
      // Events are recorded before they are waited for.
      if (command.kind == Command::Kind::kRecord)
        REQUIRE(command.event == numEvents++);
      REQUIRE(command.event < numEvents);
    }
    checkParts(*manifest, entry);
  }
  return 0;
}
