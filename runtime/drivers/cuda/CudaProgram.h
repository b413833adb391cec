//===- CudaProgram.h - Running a command table on a GPU ---------*- C++ -*-===//
//
// A step has a stream for each queue of its entry; the first one is the
// engine's. A part of a step is what lies between two functions of the host. It
// is captured as a graph when the program is made, once for each slot of inputs
// and outputs, and replayed in each step.
//
// By subject: CudaProgram.cpp (preparation, steps, errors), CudaCommands.cpp
// (commands on streams), CudaGraphs.cpp (parts and their graphs),
// CudaHostCalls.cpp (functions of the host), CudaChecks.cpp (checks for NaN).
//
// A step ends at the first check that fails, as on the host. So the commands of
// an entry with checks are submitted one by one, and waited for.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDAPROGRAM_H
#define JOBRT_DRIVERS_CUDA_CUDAPROGRAM_H

#include "drivers/cuda/CudaCode.h"
#include "drivers/cuda/CudaLanes.h"
#include "drivers/cuda/CudaTimer.h"

namespace jobrt::cuda {

/// A command with what it needs on the device.
struct Launch {
  const Command *source;
  /// Set for kDispatch.
  Function function = nullptr;
  /// Set for kCall.
  std::unique_ptr<Call> call = nullptr;
  /// For kHostCall: what the function gets, and where the mirrors of its
  /// buffers begin.
  std::vector<HostBuffer> buffers = {};
  std::vector<int64_t> mirrors = {};
};

/// The next execution of a command.
struct Position {
  size_t command = 0, repeat = 0;
  int64_t iteration = 0;
  /// Executions before it.
  int64_t execution = 0;
};

/// A part of a step and where it ends.
struct Part {
  /// Null if the part has no commands.
  Owned<GraphExec> graph;
  Position end;
};

/// The parts of a step in a slot, with the times of the commands.
struct TimedReplay {
  int slot;
  std::vector<Part> parts;
  std::unique_ptr<StepTimer> timer;
};

class CudaProgram final : public Program, private StepRunner {
public:
  CudaProgram(Engine &engine, StepLanes &lanes,
              nccl::Communicator *communicator, const EntryInfo &entry)
      : engine(engine), lanes(lanes), context(engine.context()),
        api(context.api()), communicator(communicator), entry(entry),
        clock(context) {}
  ~CudaProgram() override { ending.emplace(context); }

  Status initialize(const DeviceCode &code, Libraries &libraries,
                    const SessionMemory &memory);
  void submit(const StepBuffers &buffers, Completion &completion) override {
    engine.submit(*this, buffers, completion);
  }
  void report(std::vector<CallReport> &calls) const override;

private:
  bool blocks() const override {
    return !entry.hostCalls.empty() || checkMirror;
  }
  bool isMonitored() const override { return entry.hasCollectives; }
  Status run(const StepBuffers &buffers, SubmittedStep &step) override;
  Status finish(const StepBuffers &buffers, const SubmittedStep &step,
                Status status) override;

  // CudaProgram.cpp

  Status prepareLaunches(const DeviceCode &code, Libraries &libraries);
  Status createStreams();
  /// What run() submits, with the parts of a slot, or by commands if it is null;
  /// after an error the device may have some of it.
  Status submit(const StepBuffers &buffers, const std::vector<Part> *parts,
                int slot, SubmittedStep &step);
  Status runParts(const StepBuffers &buffers, const std::vector<Part> *parts);
  /// The first one; null if there is none.
  const Command *findCollective() const;
  /// What an error at `position` says about the variables.
  const char *describeVariables(const Position &position) const;
  /// What an error that is of no command says about finding it.
  const char *describeSearch() const;
  /// The error of a command, or of the part of the step that ends at
  /// `position`.
  Status describe(const Command *command, const Status &status,
                  const Position &position) const;

  bool isEnd(const Position &position) const {
    return position.command == entry.commands.size();
  }
  bool isInside(const Position &position) const {
    return position.repeat < entry.repeats.size() &&
           position.command >= entry.repeats[position.repeat].begin;
  }
  int64_t iterationOf(const Position &position) const {
    return isInside(position) ? position.iteration : 0;
  }
  /// Goes to the next execution. Returns whether all queues join before it.
  bool advance(Position &position) const;

  // CudaCommands.cpp

  /// Submits commands up to the next function of the host or the end, where
  /// `position` is afterwards.
  Status enqueuePart(Position &position);
  Status enqueue(const Position &position);
  Status enqueueDispatch(const Launch &launch, int64_t iteration,
                         Stream stream);
  Status enqueueCall(const Launch &launch, int64_t iteration, Stream stream);
  Status enqueueCopy(const Launch &launch, int64_t iteration, Stream stream);
  Status enqueueCollective(size_t command, int64_t iteration, Stream stream);
  /// Later commands of all queues start after the earlier ones of the first
  /// one.
  Status fork();
  /// Later commands of the first queue start after the earlier ones of all.
  Status join();
  Status timeBegin();
  Status timeCommand(const Position &position);

  // CudaGraphs.cpp

  /// Uses each function of a library once, before any capture of a part.
  Status warmUp();
  Status captureParts(int slot, std::vector<Part> &parts);
  Expected<Part> capture(Position position);
  /// Ends the capture, whose commands have been submitted with `status`.
  Expected<Owned<Graph>> endCapture(Status status);
  /// One for a traced step in a slot, which is its own until finish().
  Expected<TimedReplay *> takeTimed(int slot);

  // CudaHostCalls.cpp

  Status callHost(const StepBuffers &buffers, const Position &position);

  // CudaChecks.cpp

  Status prepareChecks();
  Status checkInputs(const std::byte *inputs) const;
  Status clearWord(const Command &command, int64_t iteration, Stream stream);
  /// Waits for a command with checks. An error names the op.
  Status waitFor(const Command &command, const Position &position);
  Status checkResults(const Position &position);

  Stream streamOf(int32_t queue) const {
    return queue == 0 ? engine.stream() : streams[queue - 1].get();
  }
  /// Inputs and outputs are those of the slot in use.
  DevicePointer deviceAddress(const BufferRef &buffer,
                              int64_t iteration) const {
    return bases[static_cast<int>(buffer.space)] + buffer.offset +
           iteration * buffer.stride;
  }
  void useSlot(int slot) {
    bases[static_cast<int>(Space::kInput)] = lanes.input(slot);
    bases[static_cast<int>(Space::kOutput)] = lanes.output(slot);
  }

  /// Of the destructor: the other members are destroyed in the context.
  std::optional<ContextScope> ending;
  Engine &engine;
  StepLanes &lanes;
  const DeviceContext &context;
  const Api &api;
  /// Null if the artifact has no collectives.
  nccl::Communicator *communicator;
  const EntryInfo &entry;
  std::vector<Launch> launches;
  /// Events that the commands before each one record.
  std::vector<int64_t> eventsBefore;
  /// By Space.
  std::array<DevicePointer, kNumSpaces> bases{};
  /// Of queues from 1 on.
  std::vector<Owned<Stream>> streams;
  /// Those of the plan; then one per queue, for joining them.
  std::vector<Owned<Event>> events;
  /// Buffers of functions of the host.
  std::unique_ptr<CudaMemory> mirror;
  /// Results of a command with checks; null without any.
  std::unique_ptr<CudaMemory> checkMirror;
  /// Room for the parameters of a kernel.
  std::vector<DevicePointer> values;
  std::vector<void *> params;
  bool usesGraphs = true;
  /// By slot.
  std::array<std::vector<Part>, StepLanes::kSlots> replays;
  std::vector<std::unique_ptr<TimedReplay>> timedReplays;
  DeviceClock clock;
  /// While commands of a traced step are submitted: its timer, and whether they
  /// are captured.
  StepTimer *timer = nullptr;
  bool isCapturing = false;
  int64_t numExecutions = 0;
  int64_t numSteps = 0;
};

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDAPROGRAM_H
