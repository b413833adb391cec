//===- JoinLaunches.cpp - Small kernels in one launch ---------------------===//

#include "Epilogues.h"
#include "Launches.h"

#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/Targets.h"

#include "jobrt/abi.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANJOINLAUNCHES
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// A kernel moves to the launch of another one if it runs for up to this many
/// times as long as it takes to start. Longer ones would gain little.
static constexpr int64_t kMaxStarts = 8;

namespace {

/// Joins the dispatches of one program.
class LaunchJoiner {
public:
  LaunchJoiner(ProgramOp program, SymbolTableCollection &symbols)
      : program(program), symbols(symbols), conflicts(symbols) {}

  /// Returns the number of dispatches that joined others.
  int64_t run();

private:
  CUDAScheduleAttr getSchedule(DispatchOp dispatch);
  bool canJoin(DispatchOp dispatch);
  bool isSmall(DispatchOp dispatch);
  bool fits(ArrayRef<DispatchOp> moved, ArrayRef<DispatchOp> launch);
  DispatchOp findLaunchAfter(ArrayRef<DispatchOp> moved);
  DispatchOp findLaunchBefore(ArrayRef<DispatchOp> moved);
  bool mayPass(ArrayRef<DispatchOp> moved, PlanCommandOpInterface command);
  bool isIndependent(ArrayRef<DispatchOp> moved, ArrayRef<DispatchOp> launch);

  ProgramOp program;
  SymbolTableCollection &symbols;
  CommandConflicts conflicts;
};

} // namespace

CUDAScheduleAttr LaunchJoiner::getSchedule(DispatchOp dispatch) {
  auto executable = symbols.lookupNearestSymbolFrom<ExecutableOp>(
      dispatch->getParentOp(), dispatch.getKernelAttr());
  // The loops of a body with loops of its own are for few threads.
  if (func::FuncOp body = executable.getBody();
      !body || ItemLoop::isFormOf(body))
    return {};
  VariantOp variant = executable.getVariant(getTarget(dispatch));
  return variant
             ? dyn_cast_if_present<CUDAScheduleAttr>(variant.getScheduleAttr())
             : CUDAScheduleAttr();
}

/// The dispatch directly after another one in the text, or null.
static DispatchOp getNextDispatch(Operation *dispatch) {
  Operation *next = dispatch->getNextNode();
  while (next && !isa<PlanCommandOpInterface, RepeatOp>(next))
    next = next->getNextNode();
  return dyn_cast_if_present<DispatchOp>(next);
}

bool LaunchJoiner::canJoin(DispatchOp dispatch) {
  DispatchOp next = getNextDispatch(dispatch);
  return !dispatch.getEpilogue() && !dispatch.getChecks() &&
         !(next && next.getEpilogue()) && getSchedule(dispatch);
}

/// Whether the start is a large part of the time of the kernel. Its operands
/// stay live for longer, which the models of docs/performance.md hardly notice:
/// the arena of the MLP grows by 1.2 %, the others by 0.1 % at most.
bool LaunchJoiner::isSmall(DispatchOp dispatch) {
  int64_t limit =
      kMaxStarts * job::getTargetCosts(getTarget(dispatch)).launchBytes;
  job::OpCost cost = job::getOpCost(dispatch);
  return cost.bytesRead + cost.bytesWritten <= limit && cost.flops <= limit;
}

/// The dispatches of the launch that begins with `head`.
static SmallVector<DispatchOp> getLaunchOf(DispatchOp head) {
  SmallVector<DispatchOp> launch{head};
  for (DispatchOp member = getNextDispatch(head); member && member.getJoined();
       member = getNextDispatch(member))
    launch.push_back(member);
  return launch;
}

/// Whether one block can run any of the kernels, and one call have all
/// parameters.
bool LaunchJoiner::fits(ArrayRef<DispatchOp> moved,
                        ArrayRef<DispatchOp> launch) {
  int64_t parameters = 0, threads = 0;
  SmallVector<CUDAScheduleAttr> schedules;
  for (DispatchOp member : llvm::concat<const DispatchOp>(moved, launch)) {
    parameters += getNumParameters(member);
    schedules.push_back(getSchedule(member));
    threads = std::max(threads, schedules.back().getThreads());
  }
  if (parameters > JOBRT_MAX_KERNEL_PARAMETERS)
    return false;
  // Threads that compute an item or a tile together wait for each other: all
  // threads of the block have to.
  return llvm::all_of(schedules, [&](CUDAScheduleAttr schedule) {
    return schedule.getThreads() == threads ||
           (schedule.getLanes() == 1 && !schedule.getTranspose());
  });
}

/// Whether dispatches may move to the other side of a command. Events, calls of
/// the host and repeats stay where they are.
bool LaunchJoiner::mayPass(ArrayRef<DispatchOp> moved,
                           PlanCommandOpInterface command) {
  DispatchOp first = moved.front();
  return command && isa<DispatchOp, CallOp, CopyOp, FillOp>(*command) &&
         command.getQueue() == first.getQueue() &&
         llvm::none_of(moved, [&](DispatchOp dispatch) {
           return conflicts.mayConflict(dispatch, command);
         });
}

bool LaunchJoiner::isIndependent(ArrayRef<DispatchOp> moved,
                                 ArrayRef<DispatchOp> launch) {
  return llvm::all_of(moved, [&](DispatchOp dispatch) {
    return llvm::none_of(launch, [&](DispatchOp member) {
      return conflicts.mayConflict(dispatch, member);
    });
  });
}

/// The first dispatch of the nearest launch after another launch that may have
/// its dispatches as well: no command between them may depend on one. Null if
/// there is none.
DispatchOp LaunchJoiner::findLaunchAfter(ArrayRef<DispatchOp> moved) {
  for (Operation *op = moved.back()->getNextNode(); op;
       op = op->getNextNode()) {
    auto command = dyn_cast<PlanCommandOpInterface>(op);
    if (!command && op->getNumRegions() == 0)
      continue;
    if (!mayPass(moved, command))
      return {};
    auto head = dyn_cast<DispatchOp>(op);
    if (!head || head.getJoined())
      continue;
    SmallVector<DispatchOp> launch = getLaunchOf(head);
    if (canJoin(head) && isIndependent(moved, launch) && fits(moved, launch))
      return head;
  }
  return {};
}

/// The same before a launch: the last dispatch of the nearest one. What is
/// recomputed stays where it is needed, since it would be kept otherwise.
DispatchOp LaunchJoiner::findLaunchBefore(ArrayRef<DispatchOp> moved) {
  if (llvm::any_of(moved, [](DispatchOp dispatch) {
        return job::isRecomputation(dispatch.getLoc());
      }))
    return {};
  for (Operation *op = moved.front()->getPrevNode(); op;
       op = op->getPrevNode()) {
    auto command = dyn_cast<PlanCommandOpInterface>(op);
    if (!command && op->getNumRegions() == 0)
      continue;
    if (!mayPass(moved, command))
      return {};
    auto last = dyn_cast<DispatchOp>(op);
    DispatchOp next = last ? getNextDispatch(last) : DispatchOp();
    if (!last || (next && next.getJoined()) || !canJoin(last))
      continue;
    SmallVector<DispatchOp> launch = getLaunch(last);
    if (isIndependent(moved, launch) && fits(moved, launch))
      return last;
  }
  return {};
}

/// Makes dispatches the end of the launch before them that `last` ends.
static void moveBehind(ArrayRef<DispatchOp> moved, DispatchOp last) {
  DispatchOp first = getLaunch(last).front();
  SmallVector<Value> buffers;
  for (DispatchOp member : moved)
    llvm::append_range(buffers, member->getOperands());
  defineBefore(buffers, first, moved.back());
  for (DispatchOp member : moved) {
    member->moveAfter(last);
    member.setJoined(true);
    last = member;
  }
}

int64_t LaunchJoiner::run() {
  SmallVector<DispatchOp> dispatches;
  for (PlanCommandOpInterface command : getCommands(program))
    if (auto dispatch = dyn_cast<DispatchOp>(*command))
      dispatches.push_back(dispatch);
  int64_t count = 0;
  // From the last one, so that updates meet behind all gradients.
  for (DispatchOp dispatch : llvm::reverse(dispatches)) {
    // Those that were joined move with the first of their launch.
    if (dispatch.getJoined())
      continue;
    SmallVector<DispatchOp> launch = getLaunchOf(dispatch);
    if (!llvm::all_of(launch, [&](DispatchOp member) {
          return canJoin(member) && isSmall(member);
        }))
      continue;
    if (DispatchOp head = findLaunchAfter(launch)) {
      for (DispatchOp member : launch)
        member->moveBefore(head);
      head.setJoined(true);
    } else if (DispatchOp last = findLaunchBefore(launch)) {
      moveBehind(launch, last);
    } else {
      continue;
    }
    ++count;
  }
  return count;
}

namespace {
struct JoinLaunchesPass
    : public plan::impl::PlanJoinLaunchesBase<JoinLaunchesPass> {
  using PlanJoinLaunchesBase::PlanJoinLaunchesBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto program : getOperation().getOps<ProgramOp>())
      numJoined += LaunchJoiner(program, symbols).run();
  }
};
} // namespace
