//===- AssignQueues.cpp - Independent commands on two queues --------------===//

#include "ArenaProblem.h"
#include "Launches.h"

#include "JobDialect/Analysis/CommandTime.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/QueueSchedule.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Support/Units.h"

#include "jobrt/abi.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANASSIGNQUEUES
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// The part of its time that a program has to gain.
static constexpr double kMinGain = 0.05;
/// The commands of a program, at most: how long the pass takes grows with their
/// square.
static constexpr size_t kMaxCommands = 4096;
/// A kernel that runs for this many times as long as it takes to start may
/// leave its launch.
static constexpr double kLongWork = 2;
/// The memory that a program may need more: this part of it.
static constexpr int64_t kGrowthDivisor = 8;
/// The queues of all devices, at most, as of the attribute of commands.
static constexpr size_t kMaxQueues = 64;

namespace {

/// What the device starts at once, with its times.
struct Launch {
  SmallVector<PlanCommandOpInterface, 1> commands;
  double launch = 0, work = 0;
};

/// Distributes the commands of one program to two queues, of which it is on the
/// first.
class QueueAssigner {
public:
  QueueAssigner(ProgramOp program, uint64_t firstQueue)
      : program(program), queues{firstQueue, firstQueue + 1} {}

  /// Whether two queues make it faster, by a part of its time. Changes nothing.
  bool findSchedule(double minGain);
  void apply();
  /// Undoes apply().
  void revert();

  /// Microseconds on one queue and on two.
  double getTimeOfOne() const { return timeOfOne; }
  double getTimeOfTwo() const { return schedule.time; }
  int64_t getNumMoved() const;
  int64_t getNumCommands() const { return times.size(); }

private:
  std::vector<Launch> getLaunches(bool splitLong) const;
  std::vector<std::optional<unsigned>> getWaits() const;

  ProgramOp program;
  uint64_t queues[2];
  std::vector<job::CommandTime> times;
  double timeOfOne = 0;
  std::vector<Launch> launches;
  std::vector<job::QueueUnit> units;
  job::QueueSchedule schedule;
  /// What apply() changed.
  SmallVector<Operation *> oldOrder;
  SmallVector<DispatchOp> oldJoined;
  SmallVector<Operation *> events;
};

struct AssignQueuesPass
    : public plan::impl::PlanAssignQueuesBase<AssignQueuesPass> {
  using PlanAssignQueuesBase::PlanAssignQueuesBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (!llvm::is_contained({"auto", "one", "two"}, queues.getValue()))
      return emitError(UnknownLoc::get(context))
             << "expects queues auto, one or two but got '" << queues << "'";
    if (growth < 0)
      return emitError(UnknownLoc::get(context))
             << "expects a growth of 0 bytes or more but got "
             << growth.getValue();
    return success();
  }

  void runOnOperation() override;

private:
  bool isForced() const { return queues == "two"; }
  bool assign(ProgramOp program, uint64_t queue);
};

} // namespace

/// Whether the pass knows all that orders the commands of a program: what they
/// access.
static bool isPlain(PlanCommandOpInterface command) {
  if (!isa<ProgramOp>(command->getParentOp()))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(command)
      .Case([](DispatchOp dispatch) {
        return !dispatch.getChecks() && !dispatch.getEpilogue();
      })
      // Calls with one workspace op would share memory across queues.
      .Case([](CallOp call) {
        Value workspace = call.getWorkspace();
        return !call.getChecked() && (!workspace || workspace.hasOneUse());
      })
      .Case<CopyOp, FillOp>([](Operation *) { return true; })
      .Default(false);
}

/// The queue of all commands, on a device with one queue where kernels take
/// long to start.
static std::optional<uint64_t> findOnlyQueue(ProgramOp program) {
  SmallVector<PlanCommandOpInterface> commands = getCommands(program);
  // The executor makes copies between devices, which divide a step.
  if (commands.empty() || commands.size() > kMaxCommands ||
      !llvm::all_of(commands, isPlain) || !isOnOneDevice(program))
    return std::nullopt;
  PlanCommandOpInterface first = commands.front();
  uint64_t queue = first.getQueue();
  bool isOneQueue = llvm::all_of(commands, [&](PlanCommandOpInterface command) {
    return command.getQueue() == queue;
  });
  if (!isOneQueue || job::getTargetCosts(getTarget(first)).launchBytes == 0)
    return std::nullopt;
  return queue;
}

/// For each launch those before it that it has to follow.
static std::vector<job::QueueUnit> getUnits(ArrayRef<Launch> launches) {
  struct Uses {
    std::optional<unsigned> writer;
    SmallVector<unsigned, 4> readers;
  };
  DenseMap<const void *, Uses> uses;
  std::vector<job::QueueUnit> units;
  for (auto [number, launch] : llvm::enumerate(launches)) {
    job::QueueUnit &unit = units.emplace_back();
    unit.launch = launch.launch;
    unit.work = launch.work;
    auto follow = [&, number = unsigned(number)](unsigned other) {
      if (other != number && !llvm::is_contained(unit.waits, other))
        unit.waits.push_back(other);
    };
    for (PlanCommandOpInterface command : launch.commands) {
      for (OpOperand *operand : command.getReadOperands()) {
        Uses &use = uses[getMemory(operand->get())];
        if (use.writer)
          follow(*use.writer);
        use.readers.push_back(number);
      }
      for (OpOperand *operand : command.getWrittenOperands()) {
        Uses &use = uses[getMemory(operand->get())];
        if (use.writer)
          follow(*use.writer);
        llvm::for_each(use.readers, follow);
        use.readers.clear();
        use.writer = number;
      }
    }
  }
  return units;
}

/// The launches in the order of the text. With `splitLong`, commands that run
/// for long have launches of their own.
std::vector<Launch> QueueAssigner::getLaunches(bool splitLong) const {
  std::vector<Launch> launches;
  // The launch that the last head of the text began, without the long ones.
  std::optional<size_t> rest;
  for (const job::CommandTime &time : times) {
    PlanCommandOpInterface command = time.command;
    double launch = job::kH200Rates.launch;
    if (!command.isInLaunchBefore())
      rest.reset();
    bool isLong = splitLong && time.work > kLongWork * launch;
    if (isLong || !rest) {
      if (!isLong)
        rest = launches.size();
      launches.push_back({{command}, launch, time.work});
    } else {
      launches[*rest].commands.push_back(command);
      launches[*rest].work += time.work;
    }
  }
  return launches;
}

bool QueueAssigner::findSchedule(double minGain) {
  double work = 0;
  for (PlanCommandOpInterface command : getCommands(program)) {
    times.push_back(job::estimateTime(command, job::kH200Rates,
                                      /*isOnOneDevice=*/true));
    timeOfOne += times.back().getTotal();
    work += times.back().work;
  }
  double limit = timeOfOne * (1 - minGain);
  // The device works as long on two queues.
  if (work > limit)
    return false;
  schedule.time = std::numeric_limits<double>::infinity();
  // The second time only if there are long ones.
  for (bool splitLong : {false, true}) {
    std::vector<Launch> some = getLaunches(splitLong);
    if (splitLong && some.size() == launches.size())
      break;
    std::vector<job::QueueUnit> ofSome = getUnits(some);
    job::QueueSchedule other = job::planQueues(ofSome, std::size(queues));
    if (other.time >= schedule.time)
      continue;
    launches = std::move(some);
    units = std::move(ofSome);
    schedule = std::move(other);
  }
  return schedule.time <= limit && getNumMoved() > 0;
}

int64_t QueueAssigner::getNumMoved() const {
  int64_t count = 0;
  for (auto [launch, queue] : llvm::zip_equal(launches, schedule.queueOf))
    if (queue > 0)
      count += launch.commands.size();
  return count;
}

/// For each launch the one of the other queue that it waits for by an event: of
/// those that it has to follow the last one, unless its queue has waited for
/// that or a later one before.
std::vector<std::optional<unsigned>> QueueAssigner::getWaits() const {
  std::vector<std::optional<unsigned>> waits(launches.size());
  // For each launch its place in the order, and for each queue the place up to
  // which it has waited.
  std::vector<unsigned> places(launches.size());
  unsigned waitedFor[2] = {0, 0};
  for (auto [index, number] : llvm::enumerate(schedule.order)) {
    places[number] = index + 1;
    unsigned queue = schedule.queueOf[number];
    for (unsigned wait : units[number].waits)
      if (schedule.queueOf[wait] != queue && places[wait] > waitedFor[queue]) {
        waitedFor[queue] = places[wait];
        waits[number] = wait;
      }
  }
  return waits;
}

void QueueAssigner::apply() {
  Block &block = program.getBody().front();
  for (Operation &op : block)
    oldOrder.push_back(&op);
  Operation *end = block.getTerminator();
  // What defines buffers comes before the first command that uses it.
  DenseSet<Operation *> placed;
  auto place = [&](Operation *op, auto &&place) -> void {
    if (!op || op->getBlock() != &block || !placed.insert(op).second)
      return;
    for (Value operand : op->getOperands())
      place(operand.getDefiningOp(), place);
    op->moveBefore(end);
  };

  std::vector<std::optional<unsigned>> waits = getWaits();
  std::vector<bool> isAwaited(launches.size(), false);
  for (std::optional<unsigned> wait : waits)
    if (wait)
      isAwaited[*wait] = true;
  // For each launch its event.
  std::vector<Value> recorded(launches.size());
  OpBuilder builder(end);
  // Events have no op of the user's, whose name would stand for their time.
  Location loc = program.getLoc();
  for (unsigned number : schedule.order) {
    uint64_t queue = queues[schedule.queueOf[number]];
    Launch &launch = launches[number];
    if (std::optional<unsigned> wait = waits[number])
      events.push_back(WaitOp::create(builder, loc, recorded[*wait], queue));
    // All buffers before the first command: a launch is without gaps.
    for (PlanCommandOpInterface command : launch.commands)
      for (Value operand : command->getOperands())
        place(operand.getDefiningOp(), place);
    for (auto [index, command] : llvm::enumerate(launch.commands)) {
      command.setQueue(queue);
      place(command, place);
      // The one that it had joined has another launch now.
      if (index == 0 && command.isInLaunchBefore()) {
        oldJoined.push_back(cast<DispatchOp>(*command));
        oldJoined.back().setJoined(false);
      }
    }
    if (isAwaited[number]) {
      auto record = RecordOp::create(
          builder, loc, EventType::get(program.getContext()), queue);
      recorded[number] = record.getEvent();
      events.push_back(record);
    }
  }
  // What no command uses, such as views.
  for (Operation *op : oldOrder)
    if (op != end)
      place(op, place);
}

void QueueAssigner::revert() {
  for (Operation *event : llvm::reverse(events))
    event->erase();
  for (Launch &launch : launches)
    for (PlanCommandOpInterface command : launch.commands)
      command.setQueue(queues[0]);
  for (DispatchOp dispatch : oldJoined)
    dispatch.setJoined(true);
  Block &block = program.getBody().front();
  for (Operation *op : oldOrder)
    op->moveBefore(&block, block.end());
}

/// Bytes of the arena, with little effort, and of the workspaces of all queues.
static std::optional<int64_t> getMemory(ProgramOp program) {
  ArenaProblem problem =
      getArenaProblem(getOpsOfProgram<AllocOp>(program), Lifetimes(program));
  std::optional<job::MemoryPlan> plan =
      job::planMemory(problem.intervals, job::PackingStrategy::Size,
                      JOBRT_ALIGNMENT, /*effort=*/0, problem.unordered);
  if (!plan)
    return std::nullopt;
  int64_t bytes = plan->totalBytes;
  DenseMap<uint64_t, int64_t> workspaces;
  for (auto call : getOpsOfProgram<CallOp>(program))
    if (Value workspace = call.getWorkspace()) {
      int64_t &largest = workspaces[call.getQueue()];
      largest = std::max(largest,
                         getBufferBytes(cast<MemRefType>(workspace.getType())));
    }
  for (int64_t workspace : llvm::make_second_range(workspaces))
    bytes += workspace;
  return bytes;
}

/// Gives a device another queue, or takes its last one; the commands of the
/// devices behind it change their queues.
static void changeQueues(ModuleOp module, uint64_t lastQueue, int64_t added) {
  uint64_t first = 0;
  for (auto device : module.getOps<DeviceOp>()) {
    uint64_t next = first + device.getQueues();
    if (lastQueue >= first && lastQueue < next)
      device.setQueues(device.getQueues() + added);
    first = next;
  }
  module.walk([&](PlanCommandOpInterface command) {
    if (command.getQueue() > lastQueue)
      command.setQueue(command.getQueue() + added);
  });
}

/// Whether the program now runs on its queue and the one behind it.
bool AssignQueuesPass::assign(ProgramOp program, uint64_t queue) {
  QueueAssigner assigner(program, queue);
  if (!assigner.findSchedule(isForced() ? 0 : kMinGain))
    return false;
  std::optional<int64_t> before = getMemory(program);
  if (!before)
    return false;
  assigner.apply();
  std::optional<int64_t> after = getMemory(program);
  int64_t limit = std::max<int64_t>(*before / kGrowthDivisor, growth);
  bool fits = after && (isForced() || *after - *before <= limit);
  if (!fits)
    assigner.revert();
  else
    numMoved += assigner.getNumMoved();
  auto explain = fits ? job::explainDone : job::explainMissed;
  if (auto remark = explain(program.getLoc(), job::ExplainCategory::Kernels,
                            program.getSymName())) {
    std::string times =
        llvm::formatv("an estimate of {0:f1} microseconds in place of {1:f1}",
                      assigner.getTimeOfTwo(), assigner.getTimeOfOne());
    std::string growth = job::formatDigits(after.value_or(0) - *before);
    remark << (fits ? "runs " : "does not run ")
           << std::to_string(assigner.getNumMoved()) << " of "
           << std::to_string(assigner.getNumCommands())
           << " commands on a second queue: " << times << ", for " << growth
           << " bytes more";
  }
  return fits;
}

void AssignQueuesPass::runOnOperation() {
  if (queues == "one")
    return markAllAnalysesPreserved();
  ModuleOp module = getOperation();
  // By the queue of a device, which others may move.
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  size_t numQueues = getDevicesOfQueues(module).size();
  for (auto device : llvm::to_vector(module.getOps<DeviceOp>())) {
    if (device.getQueues() != 1 || numQueues == kMaxQueues)
      continue;
    uint64_t queue = 0;
    for (auto other : module.getOps<DeviceOp>()) {
      if (other == device)
        break;
      queue += other.getQueues();
    }
    bool isUsed = false, isAdded = false;
    for (ProgramOp program : programs) {
      // An initializer runs once.
      if (program.getKind() == job::JobKind::Init ||
          findOnlyQueue(program) != queue)
        continue;
      if (!isAdded)
        changeQueues(module, queue, 1);
      isAdded = true;
      isUsed |= assign(program, queue);
    }
    if (isAdded && !isUsed)
      changeQueues(module, queue + 1, -1);
    numQueues += isUsed;
  }
}
