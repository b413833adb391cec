//===- TraceRecorder.cpp - What happened in the last steps ----------------===//

#include "lib/trace/TraceRecorder.h"
#include "lib/trace/TraceWriter.h"

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>

using namespace jobrt;

/// Far above what can be viewed; a larger number is a mistake.
static constexpr int64_t kMaxSteps = 1'000'000;
/// What records may take. Memory is given out lazily, so that a larger wish
/// would end the process and not be refused.
static constexpr int64_t kMaxBytes = int64_t(4) << 30;
/// Waits and callbacks that are kept for each step that is kept.
static constexpr size_t kEventsPerStep = 4;

int jobrt::currentThreadNumber() {
  static thread_local const int number =
      static_cast<int>(::syscall(SYS_gettid));
  return number;
}

ClockPair ClockPair::now() {
  ClockPair best{};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    uint64_t before = traceClock();
    auto time = std::chrono::steady_clock::now();
    uint64_t after = traceClock();
    if (after - before < least) {
      least = after - before;
      best = {before + least / 2, time};
    }
  }
  return best;
}

TraceRecorder::TraceRecorder(std::shared_ptr<const Artifact> artifact,
                             File file, size_t numKept, size_t numRecords,
                             size_t maxCommands, size_t maxChunks,
                             size_t maxParts, int threads)
    : artifact(std::move(artifact)), file(std::move(file)), threads(threads),
      numKept(numKept), steps(numRecords), commands(numRecords * maxCommands),
      chunks(numRecords * maxChunks), parts(numRecords * maxParts),
      waits(kEventsPerStep * numRecords),
      callbacks(kEventsPerStep * numRecords), start(ClockPair::now()) {
  for (size_t i = 0; i < numRecords; ++i) {
    steps[i].commands = commands.data() + i * maxCommands;
    steps[i].chunks = chunks.data() + i * maxChunks;
    steps[i].parts = parts.data() + i * maxParts;
  }
}

/// Adds `count * times`. What is too large anyway ends at kMaxBytes: artifacts
/// may name counts whose sum no integer holds.
static void addRecords(int64_t &sum, int64_t count, int64_t times) {
  if (count > (kMaxBytes - sum) / times)
    sum = kMaxBytes;
  else
    sum += count * times;
}

Expected<std::unique_ptr<TraceRecorder>>
TraceRecorder::create(std::shared_ptr<const Artifact> artifact,
                      const TraceOptions &options, int threads, int maxInFlight,
                      size_t maxParts) {
  if (options.steps < 1 || options.steps > kMaxSteps)
    return Status(StatusCode::kInvalidArgument,
                  "expects a number of steps to keep from 1 to " +
                      std::to_string(kMaxSteps) + " but got " +
                      std::to_string(options.steps));
  int64_t maxCommands = 0, maxChunks = 0;
  for (const EntryInfo &entry : artifact->entries()) {
    int64_t chunks = 0, executions = 0;
    auto addRange = [&](size_t begin, size_t end, int64_t times) {
      for (size_t i = begin; i < end; ++i) {
        addRecords(chunks, numChunkRecords(entry.commands[i]), times);
        addRecords(executions, 1, times);
      }
    };
    size_t done = 0;
    for (const RepeatInfo &repeat : entry.repeats) {
      addRange(done, repeat.begin, 1);
      addRange(repeat.begin, repeat.end, repeat.count);
      done = repeat.end;
    }
    addRange(done, entry.commands.size(), 1);
    maxCommands = std::max(maxCommands, executions);
    maxChunks = std::max(maxChunks, chunks);
  }
  int64_t stepBytes = static_cast<int64_t>(
      sizeof(StepRecord) + 2 * kEventsPerStep * sizeof(StepEvent) +
      maxCommands * sizeof(TraceSpan) + maxChunks * sizeof(ChunkRecord) +
      maxParts * sizeof(PartRecord));
  int64_t numRecords = options.steps + maxInFlight;
  if (stepBytes > kMaxBytes / numRecords)
    return Status(
        StatusCode::kResourceExhausted,
        "expects at most " +
            std::to_string(
                std::max<int64_t>(kMaxBytes / stepBytes - maxInFlight, 0)) +
            " steps to keep, of " +
            (stepBytes > kMaxBytes ? "more than " + std::to_string(kMaxBytes)
                                   : std::to_string(stepBytes)) +
            " bytes each, but got " + std::to_string(options.steps));
  Expected<File> file = File::stage(options.path);
  if (!file.ok())
    return file.status();
  return std::unique_ptr<TraceRecorder>(
      new TraceRecorder(std::move(artifact), std::move(*file), options.steps,
                        numRecords, maxCommands, maxChunks, maxParts, threads));
}

StepRecord &TraceRecorder::beginStep(uint64_t number, const EntryInfo &entry,
                                     const SubmitRecord &submit) {
  StepRecord &step = steps[numSteps++ % steps.size()];
  step.number = number;
  step.entry = &entry;
  step.submit = submit.begin >= start.ticks ? submit : SubmitRecord();
  step.completion = {};
  step.failed = false;
  step.numCommands = 0;
  step.numParts = 0;
  step.run = step.upload = step.download = {};
  return step;
}

Status TraceRecorder::write() {
  TraceWriter writer(*this);
  Status status = writer.write();
  return status.ok() ? file.publish() : status;
}
