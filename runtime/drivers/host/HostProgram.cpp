//===- HostProgram.cpp - Running a command table on the processor ---------===//

#include "drivers/host/HostDriver.h"
#include "lib/base/Threads.h"

#include <cstring>
#include <mutex>

using namespace jobrt;

namespace {
/// A command with its addresses worked out.
struct HostCommand {
  const Command *source;
  /// Set for kCall.
  std::unique_ptr<LibraryCall> call;
  /// One address per buffer.
  void **args;
};

/// An address that is another one in each step.
struct StepAddress {
  void **slot;
  Space space;
  int64_t offset;
};

/// The error of the lowest chunk that failed, so that the same step reports
/// the same error whatever the threads do.
class ChunkErrors {
public:
  void clear() { hasError.store(false, std::memory_order_relaxed); }
  void report(int64_t chunk, Status status) {
    std::lock_guard lock(mutex);
    if (!hasError.load(std::memory_order_relaxed) || chunk < lowest) {
      lowest = chunk;
      error = std::move(status);
      hasError.store(true, std::memory_order_release);
    }
  }
  /// After all chunks.
  Status take() {
    if (!hasError.load(std::memory_order_acquire))
      return {};
    return std::move(error);
  }

private:
  std::mutex mutex;
  std::atomic<bool> hasError{false};
  int64_t lowest = 0;
  Status error;
};

/// What the chunks of a library call share.
struct CallContext {
  HostCommand *command;
  AllocationMeter *meter;
  ChunkErrors *errors;
};

class HostProgram : public Program {
public:
  HostProgram(const EntryInfo &entry, WorkerPool &pool)
      : entry(entry), pool(pool) {}

  Status initialize(const SpaceAddresses &spaces);
  Status run(const StepBuffers &buffers) override;

private:
  Status runCommands(AllocationMeter &meter);
  Status runCall(HostCommand &command, AllocationMeter &meter);
  Status describe(const HostCommand &command, Status error) const;

  const EntryInfo &entry;
  WorkerPool &pool;
  std::vector<HostCommand> commands;
  std::vector<void *> addresses;
  std::vector<StepAddress> stepAddresses;
  ChunkErrors errors;
  /// Some command has several chunks.
  bool usesPool = false;
  bool usesLibrary = false;
};
} // namespace

static std::string describeCommand(const EntryInfo &entry,
                                   const Command &command) {
  std::string text = "job '" + entry.name + "', ";
  if (!command.name.empty())
    text += "'" + command.name + "': ";
  return text + command.callee;
}

Expected<std::unique_ptr<LibraryCall>>
jobrt::createLibraryCall(const EntryInfo &entry, const Command &command) {
  std::optional<LibraryCallEntry> found = findLibraryCall(command.callee);
  if (!found)
    return Status(StatusCode::kUnimplemented,
                  describeCommand(entry, command) +
                      ": this runtime has no such library function",
                  command.location);
  Expected<std::unique_ptr<LibraryCall>> call = found->create(command);
  if (!call.ok())
    return Status(call.status().code(),
                  describeCommand(entry, command) + ": " +
                      call.status().message(),
                  command.location);
  return call;
}

Expected<std::unique_ptr<Program>>
jobrt::createHostProgram(const EntryInfo &entry, const SpaceAddresses &spaces,
                         WorkerPool &pool) {
  auto program = std::make_unique<HostProgram>(entry, pool);
  if (Status status = program->initialize(spaces); !status.ok())
    return status;
  return std::unique_ptr<Program>(std::move(program));
}

Status HostProgram::initialize(const SpaceAddresses &spaces) {
  size_t numArgs = 0;
  for (const Command &command : entry.commands)
    numArgs += command.args.size();
  addresses.resize(numArgs);
  commands.reserve(entry.commands.size());

  void **next = addresses.data();
  for (const Command &command : entry.commands) {
    HostCommand &prepared = commands.emplace_back();
    prepared.source = &command;
    prepared.args = next;
    for (const BufferRef &buffer : command.args) {
      if (buffer.space == Space::kInput || buffer.space == Space::kOutput)
        stepAddresses.push_back({next, buffer.space, buffer.offset});
      else
        *next = spaces[static_cast<int>(buffer.space)] + buffer.offset;
      ++next;
    }
    usesPool |= command.chunks > 1;
    if (command.kind != Command::Kind::kCall)
      continue;
    Expected<std::unique_ptr<LibraryCall>> call =
        createLibraryCall(entry, command);
    if (!call.ok())
      return call.status();
    prepared.call = std::move(*call);
    usesLibrary = true;
  }
  return {};
}

Status HostProgram::run(const StepBuffers &buffers) {
  for (const StepAddress &address : stepAddresses)
    *address.slot =
        (address.space == Space::kInput ? buffers.input : buffers.output) +
        address.offset;
  FloatEnvironmentScope floats;
  std::optional<LibraryThreadScope> libraryThread;
  if (usesLibrary) {
    // The library makes a record of each thread it has not seen before.
    AllocationScope scope(buffers.meter->library, &buffers.meter->ours);
    libraryThread.emplace();
  }
  if (usesPool)
    pool.beginStep();
  Status status = runCommands(*buffers.meter);
  if (usesPool)
    pool.endStep();
  return status;
}

Status HostProgram::runCommands(AllocationMeter &meter) {
  for (HostCommand &command : commands) {
    const Command &source = *command.source;
    switch (source.kind) {
    case Command::Kind::kDispatch:
      if (source.chunks == 1)
        source.kernel(command.args, 0);
      else
        pool.run(
            source.chunks,
            [](void *context, int64_t chunk, bool) {
              auto *command = static_cast<HostCommand *>(context);
              command->source->kernel(command->args, chunk);
            },
            &command);
      break;
    case Command::Kind::kCall:
      if (Status status = runCall(command, meter); !status.ok())
        return describe(command, std::move(status));
      break;
    case Command::Kind::kCopy:
      std::memcpy(command.args[1], command.args[0], source.args[0].bytes);
      break;
    case Command::Kind::kFill:
      std::memset(command.args[0], source.fillValue, source.args[0].bytes);
      break;
    }
  }
  return {};
}

Status HostProgram::runCall(HostCommand &command, AllocationMeter &meter) {
  errors.clear();
  CallContext context{&command, &meter, &errors};
  pool.run(
      command.source->chunks,
      [](void *opaque, int64_t chunk, bool isWorker) {
        auto &context = *static_cast<CallContext *>(opaque);
        // The submitting thread is inside the scope of the whole step.
        AllocationScope scope(context.meter->library,
                              isWorker ? nullptr : &context.meter->ours);
        Status status =
            context.command->call->execute(context.command->args, chunk);
        if (!status.ok())
          context.errors->report(chunk, std::move(status));
      },
      &context);
  if (Status status = errors.take(); !status.ok())
    return status;
  AllocationScope scope(meter.library, &meter.ours);
  return command.call->finish(command.args);
}

/// Whether a command may have written a variable. A kernel's buffers do not
/// say which of them it writes; a library call writes the last one that is not
/// its workspace.
static bool mayWriteBank(const Command &command) {
  bool isCall = command.kind == Command::Kind::kCall;
  for (size_t i = command.args.size(); i-- > 0;) {
    Space space = command.args[i].space;
    if (space == Space::kBank)
      return true;
    bool isOnlyOutput = command.kind == Command::Kind::kCopy ||
                        (isCall && space != Space::kWorkspace);
    if (isOnlyOutput)
      return false;
  }
  return false;
}

Status HostProgram::describe(const HostCommand &failed, Status error) const {
  bool mayHaveWritten = false;
  for (const HostCommand &command : commands) {
    mayHaveWritten |= mayWriteBank(*command.source);
    if (&command == &failed)
      break;
  }
  return Status(
      error.code(),
      describeCommand(entry, *failed.source) + ": " + error.message() +
          (mayHaveWritten ? "; variables may have been changed by this step"
                          : "; variables are as they were before this step"),
      failed.source->location);
}
