//===- TraceWriter.h - A recorded trace as JSON -----------------*- C++ -*-===//
//
// The trace-event format of Chrome, which ui.perfetto.dev and chrome://tracing
// read. docs/tracing.md says what the rows are.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_TRACE_TRACEWRITER_H
#define JOBRT_LIB_TRACE_TRACEWRITER_H

#include "lib/trace/TraceRecorder.h"

#include <map>

namespace jobrt {

class TraceWriter {
public:
  explicit TraceWriter(TraceRecorder &recorder);
  Status write();

private:
  /// What every row of a command says, as JSON text.
  struct CommandText {
    std::string name;
    std::string category;
    std::string args;
    int64_t bytes, flops;
  };

  void findCallers();
  void addTracks();
  std::string queueOwner(int64_t queue) const;
  void addStep(const StepRecord &step);
  void addSubmit(const StepRecord &step);
  void addPart(const StepRecord &step, const PartRecord &part);
  /// The command `index`, which was executed as number `execution` of the step,
  /// in iteration `iteration` of its repeat (-1: it is in none).
  void addCommand(const StepRecord &step, size_t index, int64_t execution,
                  int64_t iteration, ChunkRecord *&chunks);
  /// The copy of all inputs or outputs of a step, if a device made one.
  void addCopy(int64_t track, TraceSpan span, const char *name, int64_t bytes,
               uint64_t step);
  void addEvents();
  /// A row from `span.begin` to `span.end`. `name` is JSON text, `args` that of
  /// an object's members.
  void addRow(int64_t track, TraceSpan span, const std::string &name,
              const char *category, const std::string &args);
  void addTrack(int64_t track, const std::string &name);
  void addQueueEnd(const char *phase, int64_t track, uint64_t step,
                   uint64_t ticks);
  const std::vector<CommandText> &textOf(const EntryInfo &entry);

  bool hasQueueTracks(const EntryInfo &entry) const;
  int64_t commandTrack(const EntryInfo &entry, size_t index) const;
  int64_t queueTrack(int64_t queue) const {
    return recorder.threads + 1 + queue;
  }
  int64_t uploadTrack() const { return queueTrack(numQueueTracks); }
  int64_t downloadTrack() const { return uploadTrack() + 1; }
  int64_t deviceTrack(int64_t device) const {
    return queueTrack(numQueueTracks) + (hasCopyTracks ? 2 : 0) + device;
  }
  // Steps of a device may overlap with the completion of earlier ones, so this
  // has a track of its own.
  int64_t completionTrack() const { return deviceTrack(numDeviceTracks); }
  int64_t callbackTrack() const { return completionTrack() + 1; }
  /// Starts the text of an event.
  void begin(const char *phase, int64_t track);
  /// Nanoseconds since the recorder's start.
  int64_t nanoseconds(uint64_t ticks) const;
  /// "12.345", in microseconds.
  static std::string microseconds(int64_t nanoseconds);
  void flushWhenLarge();
  void flush();

  TraceRecorder &recorder;
  double nanosecondsPerTick;
  int process;
  /// 0 if all jobs have one queue of the host.
  int64_t numQueueTracks = 0;
  /// Whether steps have copies of inputs and outputs.
  bool hasCopyTracks = false;
  /// 0 if the artifact has one device.
  int64_t numDeviceTracks = 0;
  /// Steps in the file: the newest ones, from the oldest to the newest.
  std::vector<const StepRecord *> steps;
  std::map<const EntryInfo *, std::vector<CommandText>> texts;
  /// The tracks of threads that called, by the thread's number.
  std::map<int, int64_t> callers;
  std::string text;
  bool isFirst = true;
  Status status;
};

} // namespace jobrt

#endif // JOBRT_LIB_TRACE_TRACEWRITER_H
