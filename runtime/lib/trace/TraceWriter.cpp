//===- TraceWriter.cpp - A recorded trace as JSON -------------------------===//

#include "lib/trace/TraceWriter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

using namespace jobrt;

/// Text is handed to the file in pieces of about this size.
static constexpr size_t kPieceBytes = size_t(1) << 20;

// Tracks: the thread that runs the steps, the workers, the completions of
// futures, the callbacks, and then one for each thread that called.
static constexpr int64_t kStepTrack = 1;
static int64_t workerTrack(int worker) { return kStepTrack + worker; }

/// As a JSON string; bytes that are no UTF-8 are replaced.
static std::string quote(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

static std::string member(const char *name, const std::string &value) {
  return "\"" + std::string(name) + "\":" + value;
}

static std::string member(const char *name, int64_t value) {
  return member(name, std::to_string(value));
}

/// A rate in units of 10^9 a second, which is one a nanosecond.
static std::string rate(const char *name, int64_t amount, int64_t nanoseconds) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.3f",
                nanoseconds > 0 ? static_cast<double>(amount) /
                                      static_cast<double>(nanoseconds)
                                : 0.0);
  return member(name, std::string(buffer));
}

bool TraceWriter::hasQueueTracks(const EntryInfo &entry) const {
  return entry.numQueues > 1 || entry.hasEpilogues || numDeviceTracks > 0 ||
         entry.device != DeviceKind::kHost;
}

TraceWriter::TraceWriter(TraceRecorder &recorder)
    : recorder(recorder), process(static_cast<int>(::getpid())) {
  ClockPair end = ClockPair::now();
  auto elapsed =
      std::chrono::duration<double, std::nano>(end.time - recorder.start.time);
  nanosecondsPerTick =
      elapsed.count() / static_cast<double>(std::max<uint64_t>(
                            end.ticks - recorder.start.ticks, 1));
  if (size_t count = recorder.artifact->devices().size(); count > 1)
    numDeviceTracks = static_cast<int64_t>(count);
  for (const EntryInfo &entry : recorder.artifact->entries())
    if (hasQueueTracks(entry))
      numQueueTracks = std::max<int64_t>(numQueueTracks, entry.numQueues);
  for (const EntryInfo &entry : recorder.artifact->entries())
    hasCopyTracks |= entry.device != DeviceKind::kHost;
  size_t capacity = recorder.steps.size();
  uint64_t kept = std::min<uint64_t>(recorder.numSteps, recorder.numKept);
  for (uint64_t i = recorder.numSteps - kept; i < recorder.numSteps; ++i)
    steps.push_back(&recorder.steps[i % capacity]);
}

int64_t TraceWriter::nanoseconds(uint64_t ticks) const {
  return std::llround(static_cast<double>(ticks - recorder.start.ticks) *
                      nanosecondsPerTick);
}

std::string TraceWriter::microseconds(int64_t nanoseconds) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%lld.%03d",
                static_cast<long long>(nanoseconds / 1000),
                static_cast<int>(nanoseconds % 1000));
  return buffer;
}

void TraceWriter::flush() {
  if (status.ok())
    status =
        recorder.file.write(text.data(), static_cast<int64_t>(text.size()));
  text.clear();
}

void TraceWriter::flushWhenLarge() {
  if (text.size() >= kPieceBytes)
    flush();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void TraceWriter::begin(const char *phase, int64_t track) {
  flushWhenLarge();
  text += isFirst ? "\n{" : ",\n{";
  isFirst = false;
  text += member("ph", quote(phase)) + "," + member("pid", process) + "," +
          member("tid", track);
}

void TraceWriter::addRow(int64_t track, TraceSpan span, const std::string &name,
                         const char *category, const std::string &args) {
  int64_t from = nanoseconds(span.begin);
  begin("X", track);
  text += "," + member("ts", microseconds(from)) + "," +
          member("dur", microseconds(nanoseconds(span.end) - from)) + "," +
          member("name", name) + "," + member("cat", quote(category)) +
          ",\"args\":{" + args + "}}";
}

void TraceWriter::addTrack(int64_t track, const std::string &name) {
  begin("M", track);
  text += ",\"name\":\"thread_name\",\"args\":{" + member("name", quote(name)) +
          "}}";
  begin("M", track);
  text += ",\"name\":\"thread_sort_index\",\"args\":{" +
          member("sort_index", track) + "}}";
}

void TraceWriter::addQueueEnd(const char *phase, int64_t track, uint64_t step,
                              uint64_t ticks) {
  begin(phase, track);
  text += "," + member("ts", microseconds(nanoseconds(ticks))) + "," +
          member("id", static_cast<int64_t>(step)) +
          ",\"name\":\"queued\",\"cat\":\"queue\",\"args\":{" +
          member("step", static_cast<int64_t>(step)) + "}}";
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static const char *kindName(Command::Kind kind) {
  switch (kind) {
  case Command::Kind::kDispatch:
    return "dispatch";
  case Command::Kind::kCall:
    return "call";
  case Command::Kind::kCopy:
    return "copy";
  case Command::Kind::kFill:
    return "fill";
  case Command::Kind::kRecord:
    return "record";
  case Command::Kind::kWait:
    return "wait";
  case Command::Kind::kHostCall:
    return "host_call";
  case Command::Kind::kCollective:
    return "collective";
  }
  return "";
}

/// What the command runs, under its name in the artifact.
static std::string functionName(const Command &command) {
  if (command.kind == Command::Kind::kDispatch)
    return command.kernelName.empty()
               ? JOBRT_KERNEL_PREFIX + std::to_string(command.kernelIndex)
               : command.kernelName;
  if (!command.callee.empty())
    return command.callee;
  return kindName(command.kind);
}

const std::vector<TraceWriter::CommandText> &
TraceWriter::textOf(const EntryInfo &entry) {
  std::vector<CommandText> &all = texts[&entry];
  if (!all.empty())
    return all;
  for (const Command &command : entry.commands) {
    int64_t read = 0, written = 0;
    for (const BufferRef &buffer : command.args) {
      read += buffer.isRead ? buffer.bytes : 0;
      written += buffer.isWritten ? buffer.bytes : 0;
    }
    std::string function = functionName(command);
    CommandText row;
    row.name = quote(command.name.empty() ? function : command.name);
    row.category = kindName(command.kind);
    row.args = member("op", quote(command.name)) + "," +
               member("kernel", quote(function)) + "," +
               member("line", quote(command.location)) + "," +
               member("bytes_read", read) + "," +
               member("bytes_written", written) + "," +
               member("flops", command.flops) + "," +
               member("chunks", command.chunks);
    row.bytes = read + written;
    row.flops = command.flops;
    all.push_back(std::move(row));
  }
  return all;
}

/// With several queues each has a track, since their commands overlap. So has
/// that of a device, on which no thread of the host computes. Chunks of
/// epilogues are inside of other commands, so commands have a track beside
/// them.
int64_t TraceWriter::commandTrack(const EntryInfo &entry, size_t index) const {
  return hasQueueTracks(entry) ? queueTrack(entry.commands[index].queue)
                               : kStepTrack;
}

void TraceWriter::addCommand(const StepRecord &step, size_t index,
                             int64_t execution, int64_t iteration,
                             ChunkRecord *&chunks) {
  const CommandText &row = textOf(*step.entry)[index];
  TraceSpan span = step.commands[execution];
  int64_t count = numChunkRecords(step.entry->commands[index]);
  // A failed step leaves out commands of other queues.
  if (span.end == 0) {
    chunks += count;
    return;
  }
  int64_t duration = nanoseconds(span.end) - nanoseconds(span.begin);
  std::string where =
      member("command", static_cast<int64_t>(index)) + "," +
      member("step", static_cast<int64_t>(step.number)) +
      (iteration < 0 ? std::string() : "," + member("micro_step", iteration));
  addRow(commandTrack(*step.entry, index), span, row.name, row.category.c_str(),
         row.args + "," + rate("GB/s", row.bytes, duration) + "," +
             rate("GFLOP/s", row.flops, duration) + "," + where);
  for (int64_t i = 0; i < count; ++i)
    addRow(workerTrack(chunks[i].worker), chunks[i].span, row.name, "chunk",
           member("chunk", i) + "," + where);
  chunks += count;
}

void TraceWriter::addSubmit(const StepRecord &step) {
  const SubmitRecord &submit = step.submit;
  if (submit.begin == 0)
    return;
  int64_t track = callers.at(submit.thread);
  std::string number = member("step", static_cast<int64_t>(step.number));
  addRow(track, {submit.begin, submit.copied},
         quote("submit " + step.entry->name), "call", number);
  addRow(track, {submit.begin, submit.credit}, quote("take a credit"), "wait",
         number);
  addRow(track, {submit.credit, submit.copied}, quote("copy inputs"), "copy",
         member("bytes_written", step.entry->inputBytes) + "," + number);
  addQueueEnd("b", track, step.number, submit.copied);
  addQueueEnd("e", track, step.number, step.run.begin);
}

void TraceWriter::addCopy(int64_t track, TraceSpan span, const char *name,
                          int64_t bytes, uint64_t step) {
  if (span.end == 0)
    return;
  int64_t duration = nanoseconds(span.end) - nanoseconds(span.begin);
  addRow(track, span, quote(name), "copy",
         member("bytes_written", bytes) + "," + rate("GB/s", bytes, duration) +
             "," + member("step", static_cast<int64_t>(step)));
}

void TraceWriter::addPart(const StepRecord &step, const PartRecord &part) {
  const std::vector<ArtifactDevice> &devices = recorder.artifact->devices();
  bool isCopy = part.fromDevice != part.device;
  std::string name = step.entry->name;
  if (part.fromDevice < 0)
    name = "copy inputs";
  else if (part.device < 0)
    name = "copy outputs";
  else if (isCopy)
    name = "copy from " + devices[part.fromDevice].name;
  int32_t device = part.device < 0 ? part.fromDevice : part.device;
  addRow(deviceTrack(device), part.span, quote(name),
         isCopy ? "transfer" : "part",
         member("device", quote(devices[device].name)) + "," +
             member("step", static_cast<int64_t>(step.number)));
}

void TraceWriter::addStep(const StepRecord &step) {
  const EntryInfo &entry = *step.entry;
  addSubmit(step);
  for (int64_t i = 0; i < step.numParts; ++i)
    addPart(step, step.parts[i]);
  // What is on one device is one part.
  if (numDeviceTracks > 0 && entry.devices.size() == 1)
    addPart(step, {step.run, entry.devices.front(), entry.devices.front()});
  int64_t flops = 0, executions = 0, executed = 0;
  entry.forEachExecution([&](size_t index, int64_t) {
    if (executions >= step.numCommands || step.commands[executions++].end == 0)
      return;
    ++executed;
    // A count that does not fit is the largest number.
    if (__builtin_add_overflow(flops, entry.commands[index].flops, &flops))
      flops = INT64_MAX;
  });
  int64_t duration = nanoseconds(step.run.end) - nanoseconds(step.run.begin);
  std::string number = member("step", static_cast<int64_t>(step.number));
  addRow(kStepTrack, step.run, quote(entry.name), "step",
         member("kind", quote(jobKindName(entry.kind))) + "," +
             member("commands", executed) + "," + member("flops", flops) + "," +
             rate("GFLOP/s", flops, duration) + "," +
             member("failed", step.failed ? "true" : "false") + "," + number);
  addCopy(uploadTrack(), step.upload, "copy inputs to the device",
          entry.inputBytes, step.number);
  addCopy(downloadTrack(), step.download, "copy outputs to the host",
          entry.outputBytes, step.number);
  addRow(completionTrack(), step.completion, quote("complete " + entry.name),
         "completion", member("bytes", entry.outputBytes) + "," + number);
  ChunkRecord *chunks = step.chunks;
  executions = 0;
  entry.forEachExecution([&](size_t index, int64_t iteration) {
    if (executions < step.numCommands)
      addCommand(step, index, executions, iteration, chunks);
    ++executions;
  });
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

void TraceWriter::findCallers() {
  std::set<int> threads;
  for (const StepRecord *step : steps)
    if (step->submit.begin != 0)
      threads.insert(step->submit.thread);
  recorder.waits.forEach(
      [&](const StepEvent &event) { threads.insert(event.thread); });
  int64_t track = callbackTrack();
  for (int thread : threads)
    callers[thread] = ++track;
}

/// " of cpu0", where there are several devices.
std::string TraceWriter::queueOwner(int64_t queue) const {
  if (numDeviceTracks == 0)
    return "";
  std::string name;
  for (const ArtifactDevice &device : recorder.artifact->devices())
    if (device.firstQueue <= queue)
      name = device.name;
  return " of " + name;
}

void TraceWriter::addTracks() {
  const std::string &path = recorder.artifact->path();
  begin("M", 0);
  text += ",\"name\":\"process_name\",\"args\":{" +
          member("name", quote("jobmlir " + path.substr(path.rfind('/') + 1))) +
          "}}";
  addTrack(kStepTrack, "steps and worker 0");
  for (int worker = 1; worker < recorder.threads; ++worker)
    addTrack(workerTrack(worker), "worker " + std::to_string(worker));
  for (int64_t queue = 0; queue < numQueueTracks; ++queue)
    addTrack(queueTrack(queue),
             "queue " + std::to_string(queue) + queueOwner(queue));
  if (hasCopyTracks) {
    addTrack(uploadTrack(), "copies of inputs to the device");
    addTrack(downloadTrack(), "copies of outputs to the host");
  }
  for (int64_t device = 0; device < numDeviceTracks; ++device)
    addTrack(deviceTrack(device),
             "device " + recorder.artifact->devices()[device].name);
  addTrack(completionTrack(), "completions");
  addTrack(callbackTrack(), "callbacks");
  for (auto [thread, track] : callers)
    addTrack(track, "caller, thread " + std::to_string(thread));
}

/// Events of steps that are no longer there are left out.
void TraceWriter::addEvents() {
  uint64_t oldest = steps.empty() ? UINT64_MAX : steps.front()->number;
  auto addAll = [&](const EventRing &ring, auto trackOf, const char *name,
                    const char *category) {
    ring.forEach([&](const StepEvent &event) {
      if (event.step >= oldest)
        addRow(trackOf(event), event.span, quote(name), category,
               member("step", static_cast<int64_t>(event.step)));
    });
  };
  addAll(
      recorder.waits,
      [&](const StepEvent &event) { return callers.at(event.thread); },
      "wait for a step", "wait");
  addAll(
      recorder.callbacks, [&](const StepEvent &) { return callbackTrack(); },
      "callback", "callback");
}

Status TraceWriter::write() {
  findCallers();
  uint64_t kept = steps.size();
  // Where another recorder's times, by the same clock, are in this trace.
  auto start = std::chrono::duration_cast<std::chrono::nanoseconds>(
      recorder.start.time.time_since_epoch());
  text =
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{" +
      member("artifact", quote(recorder.artifact->path())) + "," +
      member("compiler", quote(recorder.artifact->compiler())) + "," +
      member("threads", recorder.threads) + "," +
      member("steps", static_cast<int64_t>(kept)) + "," +
      member("dropped_steps", static_cast<int64_t>(recorder.numSteps - kept)) +
      "," + member("monotonic_start_ns", static_cast<int64_t>(start.count())) +
      "},\"traceEvents\":[";
  addTracks();
  for (const StepRecord *step : steps)
    addStep(*step);
  addEvents();
  text += "\n]}\n";
  flush();
  return status;
}
