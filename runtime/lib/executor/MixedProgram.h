//===- MixedProgram.h - A step on several devices ---------------*- C++ -*-===//
//
// Runs the parts of a step one after another, each by the driver of its device.
// What goes from one device to another one passes through memory of the host:
//
//   part on cpu0 -> copy to the host -> copy to gpu0 -> part on gpu0 -> ...
//
// Whichever comes last begins the next part: the thread that has submitted a
// part, if the driver has completed it meanwhile, otherwise the thread of the
// stream, to which the completion passes the step. So no thread waits inside a
// driver, and no part runs on a thread of another one's driver.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_MIXEDPROGRAM_H
#define JOBRT_LIB_EXECUTOR_MIXEDPROGRAM_H

#include "lib/executor/Driver.h"
#include "lib/executor/StepParts.h"
#include "lib/executor/Stream.h"
#include "lib/trace/TraceRecorder.h"

namespace jobrt {

/// A device of a session: its driver and all that the session has there.
struct SessionDevice {
  std::unique_ptr<Driver> driver;
  std::unique_ptr<CodeObject> code;
  std::unique_ptr<DriverMemory> arena, bank, workspace;

  SessionMemory memory() const {
    return {arena.get(), bank.get(), workspace.get()};
  }
};

class MixedProgram final : public Program, private Stream::Continuation {
public:
  /// Makes the parts ready to run, which are those of the artifact's `entry`.
  /// All arguments outlive the program. `staging` is memory of the host of at
  /// least stagingBytes(parts), and no other step uses it at the same time.
  static Expected<std::unique_ptr<MixedProgram>>
  create(const Artifact &artifact, const EntryInfo &entry,
         const std::vector<StepPart> &parts,
         const std::vector<SessionDevice> &devices, DriverMemory *staging,
         Stream &stream);

  /// What the transfers of these parts need.
  static int64_t stagingBytes(const std::vector<StepPart> &parts);

  /// In an exclusive task of the stream.
  void submit(const StepBuffers &buffers, Completion &completion) override;
  void report(std::vector<CallReport> &calls) const override;

private:
  struct ConstantCopy {
    const void *from;
    /// Of the output.
    int64_t offset, bytes;
  };

  struct HostPlace {
    /// kInput or kOutput.
    Space space;
    int64_t offset;
  };

  /// One thing that a driver is asked to do, or copies of constants.
  struct Action {
    const StepPart *part;
    /// Null for copies.
    std::unique_ptr<Program> program;
    std::vector<Copy> copies;
    /// That of the copies.
    Driver *driver = nullptr;
    /// Where copies from or to inputs and outputs have their bytes on the host,
    /// which is another place in each step; empty for others.
    std::vector<HostPlace> hostPlaces;
    /// Copies from constants to outputs.
    std::vector<ConstantCopy> constants;
    /// Whether the part ends with it.
    bool isLast = true;
  };

  /// Of the action that a driver has.
  class ActionCompletion final : public Completion {
  public:
    explicit ActionCompletion(MixedProgram &program) : program(program) {}
    void complete(Status status) override { program.end(std::move(status)); }

  private:
    MixedProgram &program;
  };

  MixedProgram(const Artifact &artifact, const EntryInfo &entry, Stream &stream)
      : artifact(artifact), entry(entry), stream(stream), ended(*this) {}

  void addTransfers(const StepPart &part,
                    const std::vector<SessionDevice> &devices,
                    DriverMemory *staging);
  void proceed() override;
  void run();
  void start(Action &action);
  void startCopies(Action &action);
  void end(Status status);
  void finish();
  void record(const Action &action);
  Status describe(const StepPart &part, const Status &error) const;

  const Artifact &artifact;
  const EntryInfo &entry;
  Stream &stream;
  std::vector<Action> actions;
  ActionCompletion ended;

  // Of the step that runs.
  StepBuffers buffers{};
  Completion *completion = nullptr;
  size_t next = 0;
  /// Of the submitting thread and the completion, how many have come past the
  /// action.
  std::atomic<int> arrivals{0};
  Status status;
  /// Where the driver of a part records, in the step's own arrays.
  StepRecord partRecord;
  uint64_t partBegin = 0;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_MIXEDPROGRAM_H
