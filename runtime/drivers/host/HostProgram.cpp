//===- HostProgram.cpp - Running a command table on the processor ---------===//

#include "drivers/common/HostMemory.h"
#include "drivers/host/FiniteChecks.h"
#include "drivers/host/HostDriver.h"
#include "drivers/host/QueueScheduler.h"
#include "lib/base/Guard.h"
#include "lib/base/Threads.h"
#include "lib/executor/HostFunctions.h"
#include "lib/trace/TraceRecorder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

using namespace jobrt;

namespace {
/// A command with its addresses worked out.
struct HostCommand {
  const Command *source;
  /// Set for kDispatch.
  jobrt_kernel_fn kernel = nullptr;
  /// Set for kCall.
  std::unique_ptr<LibraryCall> call;
  /// Set for a kCall whose results are checked: the checks, and the status
  /// words of its chunks and of LibraryCall::finish().
  std::unique_ptr<ResultChecks> resultChecks;
  std::vector<uint32_t> words;
  /// For kHostCall.
  std::vector<HostBuffer> buffers;
  /// One address per buffer.
  void **args;
  /// The end of the commands that run with this one: its epilogues.
  size_t groupEnd = 0;
};

/// Start of the memory behind each Space; those of a step change.
using SpaceAddresses = std::array<std::byte *, kNumSpaces>;

/// An address that is another one in each step.
struct StepAddress {
  void **slot;
  Space space;
  int64_t offset;
};

/// An address that is another one in each iteration of a repeat.
struct MovingAddress {
  void **slot;
  Space space;
  int64_t offset, stride;
};

/// A repeat, and where its commands and addresses begin and end.
struct HostRepeat {
  RepeatInfo commands;
  size_t firstAddress, endAddress;
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

/// A part of a checked input.
struct InputCheck {
  const PortInfo *input;
  /// Its offset in the staging slot, and its elements.
  int64_t offset, count;
};

/// What the chunks of a command share.
struct ChunkContext {
  WorkerPool::Team *team;
  HostCommand *command;
  const StepBuffers *step;
  ChunkErrors *errors;
  /// One per chunk, null if the step is not traced or the command is the chunk.
  ChunkRecord *records;
};

/// What the threads share that run the commands of several queues.
struct QueueContext;

/// Notes when a chunk ran and where.
class ChunkTimer {
public:
  ChunkTimer(const ChunkContext &context, int64_t chunk, int worker)
      : record(context.records ? context.records + chunk : nullptr) {
    if (record) {
      record->worker = worker;
      record->span.begin = traceClock();
    }
  }
  ~ChunkTimer() {
    if (record)
      record->span.end = traceClock();
  }
  ChunkTimer(const ChunkTimer &) = delete;
  ChunkTimer &operator=(const ChunkTimer &) = delete;

private:
  ChunkRecord *record;
};

/// Where the next records of a traced step go.
struct TraceCursor {
  StepRecord *step;
  ChunkRecord *chunks;
  uint64_t now;
};

class HostProgram : public Program {
public:
  HostProgram(const EntryInfo &entry, WorkerPool &pool, int threads)
      : entry(entry), pool(pool), numThreads(threads), errors(entry.numQueues) {
  }

  Status initialize(const HostCode &code, const SessionMemory &memory);
  void submit(const StepBuffers &buffers, Completion &completion) override;

private:
  std::byte *&space(Space space) { return spaces[static_cast<int>(space)]; }
  Status run(const StepBuffers &buffers);
  Status checkInputs(WorkerPool::Team &team);
  Status runCommands(const StepBuffers &buffers, WorkerPool::Team &team);
  Status runRange(const StepBuffers &buffers, WorkerPool::Team &team,
                  size_t begin, size_t end, TraceCursor &trace);
  Status runGroup(const StepBuffers &buffers, WorkerPool::Team &team,
                  size_t begin, size_t end, TraceCursor &trace);
  Status runQueues(const StepBuffers &buffers, WorkerPool::Team &team,
                   size_t begin, size_t end, TraceCursor &trace);
  void runQueueChunk(QueueContext &context, int worker);
  Status runCommand(ChunkContext &context);
  void runDispatch(ChunkContext &context);
  Status runCall(ChunkContext &context);
  Status describe(const HostCommand &command, Status error) const;
  Status describeCheck(const HostCommand &command, uint32_t word) const;
  Status describeCheck(const CheckedOp &op, uint32_t word,
                       const char *variables) const;
  const char *describeVariables(const HostCommand &failed) const;

  const EntryInfo &entry;
  WorkerPool &pool;
  const int numThreads;
  std::vector<HostCommand> commands;
  std::vector<void *> addresses;
  std::vector<StepAddress> stepAddresses;
  std::vector<MovingAddress> movingAddresses;
  std::vector<HostRepeat> repeats;
  std::vector<InputCheck> inputChecks;
  /// The status words of each.
  std::vector<uint32_t> inputWords;
  SpaceAddresses spaces{};
  /// By queue.
  std::vector<ChunkErrors> errors;
  /// Null if all commands are on one queue.
  std::unique_ptr<QueueScheduler> scheduler;
  /// With several queues, how many chunk records the commands before each one
  /// have.
  std::vector<int64_t> firstRecords;
  /// For a command and its epilogues.
  std::vector<ChunkContext> group;
  /// Some command has several chunks.
  bool usesPool = false;
  bool usesLibrary = false;
  /// Steps that were run, the one that runs included.
  int64_t numSteps = 0;
};
} // namespace

/// Seeds of the order of queues, 0 for none.
static std::atomic<uint64_t> queueSeed{0};

void jobrt::randomizeQueues(uint64_t seed) { queueSeed.store(seed); }

static std::optional<uint64_t> nextQueueSeed() {
  uint64_t seed = queueSeed.load(std::memory_order_relaxed);
  if (seed == 0)
    return std::nullopt;
  queueSeed.store(seed + 1, std::memory_order_relaxed);
  return seed;
}

static constexpr char kVariablesKept[] =
    "; variables are as they were before this step";
static constexpr char kVariablesChanged[] =
    "; variables may have been changed by this step";

/// Bytes of a part of a checked input: some microseconds of work.
static constexpr int64_t kCheckedBytes = 1 << 16;

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
jobrt::createHostProgram(const EntryInfo &entry, const HostCode &code,
                         const SessionMemory &memory, WorkerPool &pool,
                         int threads) {
  auto program = std::make_unique<HostProgram>(entry, pool, threads);
  if (Status status = program->initialize(code, memory); !status.ok())
    return status;
  return std::unique_ptr<Program>(std::move(program));
}

Status HostProgram::initialize(const HostCode &code,
                               const SessionMemory &memory) {
  space(Space::kArena) = HostMemory::addressOf(*memory.arena);
  space(Space::kBank) = HostMemory::addressOf(*memory.bank);
  space(Space::kWorkspace) = HostMemory::addressOf(*memory.workspace);
  space(Space::kConstant) = code.constants;
  size_t numArgs = 0;
  for (const Command &command : entry.commands)
    numArgs += command.args.size();
  addresses.resize(numArgs);
  commands.reserve(entry.commands.size());

  void **next = addresses.data();
  auto repeat = entry.repeats.begin();
  for (const Command &command : entry.commands) {
    size_t index = commands.size();
    if (repeat != entry.repeats.end() && index == repeat->end)
      ++repeat;
    if (repeat != entry.repeats.end() && index == repeat->begin)
      repeats.push_back(
          {*repeat, movingAddresses.size(), movingAddresses.size()});
    HostCommand &prepared = commands.emplace_back();
    prepared.source = &command;
    prepared.args = next;
    for (const BufferRef &buffer : command.args) {
      if (buffer.stride != 0)
        movingAddresses.push_back(
            {next, buffer.space, buffer.offset, buffer.stride});
      else if (buffer.space == Space::kInput || buffer.space == Space::kOutput)
        stepAddresses.push_back({next, buffer.space, buffer.offset});
      else
        *next = space(buffer.space) + buffer.offset;
      ++next;
    }
    if (!repeats.empty())
      repeats.back().endAddress = movingAddresses.size();
    usesPool |= command.chunks > 1;
    if (command.kind == Command::Kind::kDispatch)
      prepared.kernel = code.kernels.at(command.kernelIndex);
    for (size_t i = 0; i < command.types.size(); ++i) {
      const BufferRef &buffer = command.args[i];
      const BufferType &type = command.types[i];
      prepared.buffers.push_back(
          {type.dtype, type.shape.data(), type.shape.size(), buffer.bytes,
           /*data=*/nullptr, buffer.isRead, buffer.isWritten});
    }
    if (command.kind != Command::Kind::kCall)
      continue;
    Expected<std::unique_ptr<LibraryCall>> call =
        createLibraryCall(entry, command);
    if (!call.ok())
      return call.status();
    prepared.call = std::move(*call);
    usesLibrary = true;
    if (command.checks.empty())
      continue;
    prepared.resultChecks =
        std::make_unique<ResultChecks>(command, *prepared.call);
    prepared.words.resize(command.chunks + 1);
  }
  for (const PortInfo &input : entry.inputs) {
    if (!input.isChecked)
      continue;
    int64_t element = dtypeBytes(input.dtype);
    for (int64_t begin = 0; begin < input.bytes; begin += kCheckedBytes)
      inputChecks.push_back(
          {&input, input.offset + begin,
           std::min(kCheckedBytes, input.bytes - begin) / element});
  }
  inputWords.resize(inputChecks.size());
  usesPool |= inputChecks.size() > 1;
  size_t largestGroup = 0, end = commands.size();
  for (size_t i = commands.size(); i-- > 0;) {
    commands[i].groupEnd = end;
    largestGroup = std::max(largestGroup, end - i);
    if (!commands[i].source->isEpilogue)
      end = i;
  }
  group.reserve(largestGroup);
  if (entry.numQueues == 1)
    return {};
  usesPool = true;
  scheduler = std::make_unique<QueueScheduler>(entry);
  int64_t records = 0;
  for (const Command &command : entry.commands) {
    firstRecords.push_back(records);
    records += numChunkRecords(command);
  }
  firstRecords.push_back(records);
  return {};
}

void HostProgram::submit(const StepBuffers &buffers, Completion &completion) {
  Status status;
  if (buffers.trace)
    buffers.trace->run.begin = traceClock();
  {
    AllocationScope scope(buffers.meter->ours);
    status = withoutThrowing("describe the error of a step",
                             [&] { return run(buffers); });
  }
  if (buffers.trace)
    buffers.trace->run.end = traceClock();
  completion.complete(std::move(status));
}

Status HostProgram::run(const StepBuffers &buffers) {
  ++numSteps;
  // Of another device's driver, in a session of several devices.
  space(Space::kInput) = buffers.input->hostAddress();
  space(Space::kOutput) = buffers.output->hostAddress();
  for (const StepAddress &address : stepAddresses)
    *address.slot = space(address.space) + address.offset;
  FloatEnvironmentScope floats;
  std::optional<LibraryThreadScope> libraryThread;
  if (usesLibrary) {
    // The library makes a record of each thread it has not seen before.
    AllocationScope scope(buffers.meter->library, &buffers.meter->ours);
    libraryThread.emplace();
  }
  WorkerPool::Team team(pool, usesPool ? numThreads : 1);
  if (Status status = checkInputs(team); !status.ok())
    return status;
  return runCommands(buffers, team);
}

Status HostProgram::checkInputs(WorkerPool::Team &team) {
  if (inputChecks.empty())
    return {};
  team.run(
      static_cast<int64_t>(inputChecks.size()),
      [](void *opaque, int64_t part, int) {
        auto &program = *static_cast<HostProgram *>(opaque);
        const InputCheck &check = program.inputChecks[part];
        program.inputWords[part] =
            checkFinite(program.space(Space::kInput) + check.offset,
                        check.count, check.input->dtype);
      },
      this);
  const PortInfo *failed = nullptr;
  uint32_t word = 0;
  for (size_t i = 0; i < inputChecks.size(); ++i) {
    if (inputWords[i] < JOBRT_CHECK_FAILED ||
        (failed && failed != inputChecks[i].input))
      continue;
    failed = inputChecks[i].input;
    word = std::max(word, inputWords[i]);
  }
  if (!failed)
    return {};
  return describeCheck({"input " + failed->name, failed->location}, word,
                       kVariablesKept);
}

Status HostProgram::runCommands(const StepBuffers &buffers,
                                WorkerPool::Team &team) {
  StepRecord *step = buffers.trace;
  TraceCursor trace{step, step ? step->chunks : nullptr,
                    step ? traceClock() : 0};
  size_t next = 0;
  for (const HostRepeat &repeat : repeats) {
    Status status = runRange(buffers, team, next, repeat.commands.begin, trace);
    for (int64_t i = 0; i < repeat.commands.count && status.ok(); ++i) {
      for (size_t a = repeat.firstAddress; a < repeat.endAddress; ++a) {
        const MovingAddress &address = movingAddresses[a];
        *address.slot =
            space(address.space) + address.offset + i * address.stride;
      }
      status = runRange(buffers, team, repeat.commands.begin,
                        repeat.commands.end, trace);
    }
    if (!status.ok())
      return status;
    next = repeat.commands.end;
  }
  return runRange(buffers, team, next, commands.size(), trace);
}

/// The status words of the chunks of a command that checks ops.
static const uint32_t *getWords(const HostCommand &command) {
  if (command.call)
    return command.words.data();
  return static_cast<const uint32_t *>(
      command.args[command.source->args.size() - 1]);
}

/// The status word of the first op, of those that a command checks, that made
/// what is not finite; less than JOBRT_CHECK_FAILED when there is none.
static uint32_t findLargestWord(const HostCommand &command) {
  if (command.source->checks.empty())
    return 0;
  const uint32_t *words = getWords(command);
  // That of finish() comes after those of the chunks.
  int64_t count = command.source->chunks + (command.call ? 1 : 0);
  return *std::max_element(words, words + count);
}

/// Runs the commands [begin, end).
Status HostProgram::runRange(const StepBuffers &buffers, WorkerPool::Team &team,
                             size_t begin, size_t end, TraceCursor &trace) {
  if (scheduler)
    return runQueues(buffers, team, begin, end, trace);
  for (size_t i = begin; i < end; ++i) {
    HostCommand &command = commands[i];
    // What is one chunk has nothing to run beside.
    if (command.groupEnd > i + 1 && command.source->chunks > 1) {
      if (Status status = runGroup(buffers, team, i, command.groupEnd, trace);
          !status.ok())
        return status;
      i = command.groupEnd - 1;
      continue;
    }
    int64_t records = trace.step ? numChunkRecords(*command.source) : 0;
    ChunkContext context{&team, &command, &buffers, errors.data(),
                         records > 0 ? trace.chunks : nullptr};
    Status status = runCommand(context);
    if (trace.step) {
      trace.chunks += records;
      uint64_t start = std::exchange(trace.now, traceClock());
      trace.step->addCommand({start, trace.now});
    }
    if (!status.ok())
      return describe(command, std::move(status));
    if (uint32_t word = findLargestWord(command); word >= JOBRT_CHECK_FAILED)
      return describeCheck(command, word);
  }
  return {};
}

/// Calls a function of the user on the team's thread of that number.
static Status runHostCall(ChunkContext &context, int worker) {
  AllocationMeter &meter = *context.step->meter;
  AllocationScope scope(meter.library, worker == 0 ? &meter.ours : nullptr);
  HostCommand &command = *context.command;
  for (size_t i = 0; i < command.buffers.size(); ++i)
    command.buffers[i].data = command.args[i];
  try {
    return (*context.step->functions->find(command.source->callee))(
        command.buffers);
  } catch (const std::exception &error) {
    return Status(StatusCode::kInternal, error.what());
  } catch (...) {
    return Status(StatusCode::kInternal, "an exception of unknown type");
  }
}

Status HostProgram::runCommand(ChunkContext &context) {
  const HostCommand &command = *context.command;
  const Command &source = *command.source;
  switch (source.kind) {
  case Command::Kind::kDispatch:
    runDispatch(context);
    return {};
  case Command::Kind::kCall:
    return runCall(context);
  case Command::Kind::kCopy:
    std::memcpy(command.args[1], command.args[0], source.args[0].bytes);
    return {};
  case Command::Kind::kFill:
    std::memset(command.args[0], source.fillValue, source.args[0].bytes);
    return {};
  case Command::Kind::kRecord:
  case Command::Kind::kWait:
    // Commands run in order here.
    return {};
  case Command::Kind::kHostCall:
    return runHostCall(context, /*worker=*/0);
  case Command::Kind::kCollective:
    // loadHostCode() has refused it.
    break;
  }
  return {};
}

void HostProgram::runDispatch(ChunkContext &context) {
  const Command &source = *context.command->source;
  if (source.chunks == 1) {
    context.command->kernel(context.command->args, 0);
    return;
  }
  context.team->run(
      source.chunks,
      [](void *opaque, int64_t chunk, int worker) {
        auto &context = *static_cast<ChunkContext *>(opaque);
        ChunkTimer timer(context, chunk, worker);
        context.command->kernel(context.command->args, chunk);
      },
      &context);
}

/// Runs a chunk of a call as the team's thread of that number. Returns whether
/// it succeeded.
static bool runCallChunk(ChunkContext &context, int64_t chunk, int worker) {
  // The submitting thread is inside the scope of the whole step.
  AllocationMeter &meter = *context.step->meter;
  AllocationScope scope(meter.library, worker == 0 ? &meter.ours : nullptr);
  Status status = context.command->call->execute(context.command->args, chunk);
  bool succeeded = status.ok();
  if (!succeeded)
    context.errors->report(chunk, std::move(status));
  else if (HostCommand &command = *context.command; command.resultChecks)
    command.words[chunk] =
        command.resultChecks->checkChunk(command.args, chunk);
  return succeeded;
}

/// Ends a call after all chunks.
static Status finishCall(ChunkContext &context, int worker) {
  if (Status status = context.errors->take(); !status.ok())
    return status;
  AllocationMeter &meter = *context.step->meter;
  AllocationScope scope(meter.library, worker == 0 ? &meter.ours : nullptr);
  HostCommand &command = *context.command;
  if (Status status = command.call->finish(command.args); !status.ok())
    return status;
  if (command.resultChecks)
    command.words.back() = command.resultChecks->checkRest(command.args);
  return {};
}

Status HostProgram::runCall(ChunkContext &context) {
  context.errors->clear();
  context.team->run(
      context.command->source->chunks,
      [](void *opaque, int64_t chunk, int worker) {
        auto &context = *static_cast<ChunkContext *>(opaque);
        ChunkTimer timer(context, chunk, worker);
        runCallChunk(context, chunk, worker);
      },
      &context);
  return finishCall(context, /*worker=*/0);
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Runs a chunk of a command, then that of each of its epilogues, up to one
/// that fails or finds a value that is not finite: nothing is computed from it,
/// and no variable is updated with it.
static void runGroupChunk(std::vector<ChunkContext> &group, int64_t chunk,
                          int worker) {
  for (ChunkContext &context : group) {
    ChunkTimer timer(context, chunk, worker);
    HostCommand &command = *context.command;
    if (command.kernel)
      command.kernel(command.args, chunk);
    else if (!runCallChunk(context, chunk, worker))
      return;
    if (!command.source->checks.empty() &&
        getWords(command)[chunk] >= JOBRT_CHECK_FAILED)
      return;
  }
}

/// The time that threads spent in the chunks of a command, in ticks.
static uint64_t sumChunks(const ChunkContext &context) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < context.command->source->chunks; ++i)
    sum += context.records[i].span.end - context.records[i].span.begin;
  return sum;
}

/// Runs a command and its epilogues [begin, end), chunk by chunk.
Status HostProgram::runGroup(const StepBuffers &buffers, WorkerPool::Team &team,
                             size_t begin, size_t end, TraceCursor &trace) {
  group.clear();
  for (size_t i = begin; i < end; ++i) {
    group.push_back(
        {&team, &commands[i], &buffers, errors.data(), trace.chunks});
    if (trace.chunks)
      trace.chunks += numChunkRecords(*commands[i].source);
  }
  errors.front().clear();
  team.run(
      commands[begin].source->chunks,
      [](void *opaque, int64_t chunk, int worker) {
        runGroupChunk(*static_cast<std::vector<ChunkContext> *>(opaque), chunk,
                      worker);
      },
      &group);
  Status status =
      commands[begin].call ? finishCall(group.front(), /*worker=*/0) : Status();
  if (!status.ok())
    status = describe(commands[begin], std::move(status));
  // Where a command's check failed, those of its epilogues have not run.
  for (size_t i = begin; i < end && status.ok(); ++i)
    if (uint32_t word = findLargestWord(commands[i]);
        word >= JOBRT_CHECK_FAILED)
      status = describeCheck(commands[i], word);
  if (trace.step && !status.ok()) {
    // Chunks that failed have no epilogues.
    uint64_t start = std::exchange(trace.now, traceClock());
    trace.step->addCommand({start, trace.now});
  } else if (trace.step) {
    // They ran at once: each has its share of the time.
    uint64_t start = std::exchange(trace.now, traceClock());
    double total = 0, before = 0;
    for (const ChunkContext &context : group)
      total += static_cast<double>(sumChunks(context));
    auto at = [&](double ticks) {
      return start + static_cast<uint64_t>(
                         total > 0 ? ticks / total * (trace.now - start) : 0);
    };
    for (const ChunkContext &context : group) {
      double after = before + static_cast<double>(sumChunks(context));
      trace.step->addCommand({at(before), at(after)});
      before = after;
    }
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Several queues
//===----------------------------------------------------------------------===//

namespace {
struct QueueContext {
  HostProgram *program;
  const StepBuffers *buffers;
  WorkerPool::Team *team;
  size_t begin;
  /// Null if the step is not traced.
  ChunkRecord *chunks;
  /// The error of the first command of the list that failed.
  std::mutex mutex;
  size_t firstFailed;
  Status error;
};
} // namespace

/// Runs a chunk of any queue, and ends its command with the last one.
void HostProgram::runQueueChunk(QueueContext &queues, int worker) {
  std::optional<QueueScheduler::Chunk> chunk = scheduler->take(worker);
  if (!chunk)
    return;
  HostCommand &command = commands[chunk->command];
  const Command &source = *command.source;
  int64_t record = firstRecords[chunk->command] - firstRecords[queues.begin];
  ChunkContext context{
      queues.team, &command, queues.buffers, &errors[source.queue],
      queues.chunks && numChunkRecords(source) > 0 ? queues.chunks + record
                                                   : nullptr};
  Status status;
  {
    ChunkTimer timer(context, chunk->number, worker);
    if (source.kind == Command::Kind::kDispatch)
      command.kernel(command.args, chunk->number);
    else if (source.kind == Command::Kind::kCall)
      runCallChunk(context, chunk->number, worker);
    else if (source.kind == Command::Kind::kHostCall)
      status = runHostCall(context, worker);
    else
      status = runCommand(context);
  }
  if (!scheduler->finish(*chunk))
    return;
  if (source.kind == Command::Kind::kCall) {
    status = finishCall(context, worker);
    errors[source.queue].clear();
  }
  uint32_t word = status.ok() ? findLargestWord(command) : 0;
  if (status.ok() && word < JOBRT_CHECK_FAILED)
    return scheduler->complete(chunk->command);
  status = withoutThrowing("describe the error of a step", [&] {
    return status.ok() ? describeCheck(command, word)
                       : describe(command, std::move(status));
  });
  {
    std::lock_guard lock(queues.mutex);
    if (chunk->command < queues.firstFailed) {
      queues.firstFailed = chunk->command;
      queues.error = std::move(status);
    }
  }
  scheduler->fail(chunk->command);
}

/// Runs the commands [begin, end) of several queues.
Status HostProgram::runQueues(const StepBuffers &buffers,
                              WorkerPool::Team &team, size_t begin, size_t end,
                              TraceCursor &trace) {
  TraceSpan *spans = nullptr;
  if (trace.step) {
    // Commands that do not run leave an empty span.
    spans = trace.step->commands + trace.step->numCommands;
    for (size_t i = begin; i < end; ++i)
      trace.step->addCommand({});
  }
  scheduler->start(begin, end, spans, nextQueueSeed());
  QueueContext context{this, &buffers, &team, begin, trace.chunks, {}, end, {}};
  team.run(
      scheduler->numChunks(),
      [](void *opaque, int64_t, int worker) {
        auto &context = *static_cast<QueueContext *>(opaque);
        context.program->runQueueChunk(context, worker);
      },
      &context);
  if (trace.step)
    trace.chunks += firstRecords[end] - firstRecords[begin];
  return std::move(context.error);
}

/// What became of the variables when `failed` was the last command.
const char *HostProgram::describeVariables(const HostCommand &failed) const {
  // The failed command and its epilogues may have written some of their
  // results, in a repeat an earlier iteration those of later commands, and
  // other queues may have gone on.
  const HostCommand *end =
      commands.data() + (scheduler ? commands.size() : failed.groupEnd);
  for (const HostRepeat &repeat : repeats)
    if (&failed >= commands.data() + repeat.commands.begin &&
        &failed < commands.data() + repeat.commands.end)
      end = commands.data() + repeat.commands.end;
  bool mayHaveWritten =
      entry.followsWrites ||
      std::any_of(commands.data(), end, [](const HostCommand &command) {
        return command.source->writesVariables();
      });
  return mayHaveWritten ? kVariablesChanged : kVariablesKept;
}

Status HostProgram::describe(const HostCommand &failed, Status error) const {
  return Status(error.code(),
                describeCommand(entry, *failed.source) + ": " +
                    error.message() + describeVariables(failed),
                failed.source->location);
}

Status HostProgram::describeCheck(const CheckedOp &op, uint32_t word,
                                  const char *variables) const {
  return describeNonFinite(entry, op, word, numSteps, variables);
}

/// The error of a command whose largest status word is `word`.
Status HostProgram::describeCheck(const HostCommand &failed,
                                  uint32_t word) const {
  const std::vector<CheckedOp> &checks = failed.source->checks;
  return describeCheck(
      checks[jobrt_check_index(word, static_cast<int64_t>(checks.size()))],
      word, describeVariables(failed));
}
