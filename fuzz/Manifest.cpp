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

using namespace jobrt;

template <typename Slot>
static void checkSlots(const std::vector<Slot> &slots, int64_t spaceBytes) {
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot &slot = slots[i];
    REQUIRE(slot.offset >= 0 && slot.offset % JOBRT_ALIGNMENT == 0);
    REQUIRE(slot.bytes ==
            numElements(slot.shape).value() * dtypeBytes(slot.dtype));
    REQUIRE(slot.offset + slot.bytes <= spaceBytes);
    for (size_t j = 0; j < i; ++j)
      REQUIRE(slot.bytes == 0 || slots[j].bytes == 0 ||
              slot.offset >= slots[j].offset + slots[j].bytes ||
              slots[j].offset >= slot.offset + slot.bytes);
  }
}

static int64_t spaceBytes(const Manifest &manifest, const EntryInfo &entry,
                          Space space) {
  switch (space) {
  case Space::kArena:
    return entry.arenaBytes;
  case Space::kBank:
    return manifest.bankBytes;
  case Space::kInput:
    return entry.inputBytes;
  case Space::kOutput:
    return entry.outputBytes;
  case Space::kConstant:
    return manifest.constantsBytes;
  case Space::kWorkspace:
    return entry.workspaceBytes;
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
            spaceBytes(manifest, entry, buffer.space));
    REQUIRE(!buffer.isWritten || buffer.space != Space::kConstant);
  }
  switch (command.kind) {
  case Command::Kind::kDispatch:
    REQUIRE(command.kernelIndex >= 0);
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
  case Command::Kind::kRecord:
  case Command::Kind::kWait:
    REQUIRE(command.args.empty() && command.event >= 0 &&
            command.event < entry.numEvents);
    break;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Expected<Manifest> manifest = parseManifest(
      std::string_view(reinterpret_cast<const char *>(data), size));
  if (!manifest.ok()) {
    REQUIRE(!manifest.status().message().empty());
    return 0;
  }
  (void)checkCpuFeatures(manifest->features);
  checkSlots(manifest->variables, manifest->bankBytes);
  for (const EntryInfo &entry : manifest->entries) {
    checkSlots(entry.inputs, entry.inputBytes);
    checkSlots(entry.outputs, entry.outputBytes);
    std::vector<int64_t> iterations(entry.commands.size(), 1);
    for (const RepeatInfo &repeat : entry.repeats)
      for (size_t i = repeat.begin; i < repeat.end; ++i)
        iterations[i] = repeat.count;
    REQUIRE(entry.numQueues <= manifest->numQueues);
    int64_t numEvents = 0;
    for (size_t i = 0; i < entry.commands.size(); ++i) {
      const Command &command = entry.commands[i];
      checkCommand(*manifest, entry, command, iterations[i]);
      // Events are recorded before they are waited for.
      if (command.kind == Command::Kind::kRecord)
        REQUIRE(command.event == numEvents++);
      REQUIRE(command.event < numEvents);
    }
  }
  return 0;
}
