//===- TraceRecorder.h - What happened in the last steps --------*- C++ -*-===//
//
// Memory for the records of a bounded number of steps, all of it made at the
// start: recording reads the clock and stores. The oldest step makes
// room for the newest one; there is room besides for those that are in flight.
//
// Who writes what: the driver writes when a step and its commands ran, into the
// record that it was given with the step, until it completes the step; workers
// write their chunks in it, each in a place of its own. The rest of the record
// belongs to the session. Waits and callbacks are written under the lock of the
// StepPool. No thread records when the file is written.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_TRACE_TRACERECORDER_H
#define JOBRT_LIB_TRACE_TRACERECORDER_H

#include "jobrt/session.h"
#include "lib/io/File.h"
#include "lib/trace/TraceClock.h"

namespace jobrt {

/// From one moment to another, in ticks.
struct TraceSpan {
  uint64_t begin = 0, end = 0;
};

/// How a call came in. All 0 if the call was not recorded.
struct SubmitRecord {
  /// The call, the credit taken, the inputs copied.
  uint64_t begin = 0, credit = 0, copied = 0;
  /// The calling thread's number in the system.
  int thread = 0;
};

struct ChunkRecord {
  TraceSpan span;
  /// Number of the pool's thread.
  int worker = 0;
};

/// What ran on one device, or a copy to it from another one.
struct PartRecord {
  TraceSpan span;
  /// Indices into Artifact::devices(); equal unless it is a copy. One of a copy
  /// may be -1, for inputs or outputs.
  int32_t fromDevice = 0, device = 0;
};

/// One step. The arrays belong to the recorder.
struct StepRecord {
  uint64_t number = 0;
  const EntryInfo *entry = nullptr;
  SubmitRecord submit;
  /// When the driver ran the step, whether it failed or not.
  TraceSpan run;
  /// Copies of all inputs to a device before the step, and of all outputs from
  /// it after the step; 0 if the driver makes none.
  TraceSpan upload, download;
  /// The completion of the future.
  TraceSpan completion;
  bool failed = false;
  /// Commands that were executed, in the order of
  /// EntryInfo::forEachExecution(), from the first one on.
  int64_t numCommands = 0;
  TraceSpan *commands = nullptr;
  /// For the executions of commands of several chunks, one after the other.
  ChunkRecord *chunks = nullptr;
  /// Of a step on several devices, those that were executed.
  int64_t numParts = 0;
  PartRecord *parts = nullptr;

  void addCommand(TraceSpan span) { commands[numCommands++] = span; }
};

/// Number of chunk records of a command: one that has a single chunk is its
/// chunk, and the blocks of a GPU have no times of their own.
inline int64_t numChunkRecords(const Command &command) {
  return command.chunks > 1 && command.threads == 0 ? command.chunks : 0;
}

/// Something that a thread did for a step.
struct StepEvent {
  uint64_t step = 0;
  TraceSpan span;
  int thread = 0;
};

/// The last events of a kind.
class EventRing {
public:
  explicit EventRing(size_t capacity) : events(capacity) {}
  void add(const StepEvent &event) { events[count++ % events.size()] = event; }
  /// Calls `visit` with each one that is still there, the oldest first.
  template <typename Visit> void forEach(Visit visit) const {
    uint64_t first = count > events.size() ? count - events.size() : 0;
    for (uint64_t i = first; i < count; ++i)
      visit(events[i % events.size()]);
  }

private:
  std::vector<StepEvent> events;
  uint64_t count = 0;
};

class TraceRecorder {
public:
  /// Opens the file and makes the memory, for at most `maxInFlight` steps at
  /// one time between beginStep() and the last store into the record, each of
  /// at most `maxParts` parts. Errors: kInvalidArgument, and what the file
  /// system says.
  static Expected<std::unique_ptr<TraceRecorder>>
  create(std::shared_ptr<const Artifact> artifact, const TraceOptions &options,
         int threads, int maxInFlight, size_t maxParts);

  /// The record of a step that begins now. One thread at a time.
  StepRecord &beginStep(uint64_t number, const EntryInfo &entry,
                        const SubmitRecord &submit);

  /// A thread blocked until a step was done; or a callback ran. What began
  /// before the recorder did is left out.
  void addWait(const StepEvent &event) { addTo(waits, event); }
  void addCallback(const StepEvent &event) { addTo(callbacks, event); }

  /// Writes and closes the file. Once, after the last record.
  Status write();

  const std::string &path() const { return file.path(); }

private:
  friend class TraceWriter;
  TraceRecorder(std::shared_ptr<const Artifact> artifact, File file,
                size_t numKept, size_t numRecords, size_t maxCommands,
                size_t maxChunks, size_t maxParts, int threads);
  void addTo(EventRing &ring, const StepEvent &event) {
    if (event.span.begin >= start.ticks)
      ring.add(event);
  }

  std::shared_ptr<const Artifact> artifact;
  File file;
  int threads;
  /// Steps that go into the file, the last ones.
  size_t numKept;
  std::vector<StepRecord> steps;
  std::vector<TraceSpan> commands;
  std::vector<ChunkRecord> chunks;
  std::vector<PartRecord> parts;
  EventRing waits, callbacks;
  /// Steps recorded; the newest of them are in `steps`.
  uint64_t numSteps = 0;
  ClockPair start;
};

/// The calling thread's number in the system.
int currentThreadNumber();

} // namespace jobrt

#endif // JOBRT_LIB_TRACE_TRACERECORDER_H
