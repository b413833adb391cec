//===- FuseEpilogues.cpp - Kernels on what a cache still holds ------------===//

#include "Epilogues.h"

#include "JobDialect/Codegen/CPUSchedule.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSEEPILOGUES
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// The dimensions of a kernel that cut an argument into `blocks`, and the
/// iterations of their chunks; std::nullopt if no dimensions do.
static std::optional<SmallVector<DistributedDim>>
findDistribution(const KernelNest &nest, unsigned argument,
                 const Blocks &blocks) {
  const KernelAccess *access = nullptr;
  for (const KernelPass &pass : nest.passes)
    for (const KernelInput &input : pass.inputs)
      if (!input.item && input.access.argument == argument)
        access = &input.access;
  if (!access)
    return std::nullopt;
  int64_t bytes =
      getBufferBytes(nest.arguments[argument].clone(ArrayRef<int64_t>{1}));
  SmallVector<DistributedDim> distribute;
  for (const BlockLevel &level : blocks) {
    auto dims = nest.isItem.set_bits();
    auto dim = llvm::find_if(dims, [&](unsigned dim) {
      int64_t stride = access->strides[dim] * bytes;
      return stride > 0 && stride * nest.extents[dim] == level.period &&
             level.size % stride == 0;
    });
    if (dim == dims.end())
      return std::nullopt;
    distribute.push_back({*dim, level.size / (access->strides[*dim] * bytes)});
  }
  return distribute;
}

namespace {
class EpilogueFuser {
public:
  explicit EpilogueFuser(ModuleOp module) : module(module), nests(symbols) {}

  /// Returns the number of epilogues.
  int64_t run();

private:
  CPUScheduleAttr findSchedule(DispatchOp dispatch,
                               PlanCommandOpInterface before);
  bool fuse(DispatchOp dispatch);
  ExecutableOp getCopy(DispatchOp dispatch, CPUScheduleAttr schedule);
  void removeUnused();

  ModuleOp module;
  SymbolTableCollection symbols;
  KernelNests nests;
  /// By kernel: copies of it with other schedules.
  llvm::MapVector<Operation *, SmallVector<std::pair<Attribute, ExecutableOp>>>
      copies;
};

struct PlanFuseEpilogues
    : public plan::impl::PlanFuseEpiloguesBase<PlanFuseEpilogues> {
  void runOnOperation() override {
    numEpilogues += EpilogueFuser(getOperation()).run();
  }
};
} // namespace

/// A kernel that alone would have more chunks than the command before it may
/// become an epilogue if it has so many times fewer operations.
static constexpr int64_t kMinRatio = 8;

/// Commands of a group at most: each is compared with all others.
static constexpr int64_t kMaxGroup = 16;

/// Whether the group that ends with a command takes no other one.
static bool isFull(PlanCommandOpInterface command) {
  int64_t size = 0;
  for (; command; command = getPredecessorInGroup(command))
    ++size;
  return size >= kMaxGroup;
}

/// Whether a dispatch may have as few chunks as the command before it: then the
/// step is no longer on any number of cores.
static bool isWorthIt(DispatchOp dispatch, PlanCommandOpInterface before) {
  int64_t chunks = before.getChunkCount().value_or(1);
  if (chunks == 1)
    return false;
  return dispatch.getChunkCount().value_or(1) <= chunks ||
         dispatch.getOperationCount() <= before.getOperationCount() / kMinRatio;
}

/// The schedule with which the chunks of a dispatch have the blocks that those
/// of the command before it write, or null if there is none.
CPUScheduleAttr EpilogueFuser::findSchedule(DispatchOp dispatch,
                                            PlanCommandOpInterface before) {
  const KernelNest *nest = nests.lookup(dispatch);
  CPUScheduleAttr schedule = nest ? nests.getSchedule(dispatch) : nullptr;
  // One that a person wrote is obeyed.
  if (!schedule || schedule != chooseSchedule(dispatch.getContext(), *nest))
    return {};
  for (OpOperand *written : before.getWrittenOperands()) {
    std::optional<Blocks> blocks = nests.getBlocks(*written);
    if (!blocks || blocks->empty())
      continue;
    BufferPlace place = getBufferPlace(written->get(), symbols);
    for (OpOperand *read : dispatch.getReadOperands()) {
      if (!areSame(getBufferPlace(read->get(), symbols), place))
        continue;
      std::optional<SmallVector<DistributedDim>> distribute =
          findDistribution(*nest, read->getOperandNumber(), *blocks);
      if (distribute)
        return withDistribution(*nest, schedule, *distribute);
    }
  }
  return {};
}

/// A copy of the kernel with this schedule.
ExecutableOp EpilogueFuser::getCopy(DispatchOp dispatch,
                                    CPUScheduleAttr schedule) {
  ExecutableOp executable = nests.getExecutable(dispatch);
  for (auto [attr, copy] : copies[executable])
    if (attr == schedule)
      return copy;
  ExecutableOp copy = executable.clone();
  VariantOp variant = copy.getVariant(kCPUName);
  variant.setScheduleAttr(schedule);
  variant.setChunks(getNumChunks(*nests.lookup(dispatch), schedule));
  symbols.getSymbolTable(module).insert(copy,
                                        std::next(executable->getIterator()));
  copies[executable].emplace_back(schedule, copy);
  return copy;
}

/// Makes a dispatch an epilogue, if it can be one.
bool EpilogueFuser::fuse(DispatchOp dispatch) {
  if (dispatch.getEpilogue())
    return false;
  PlanCommandOpInterface before = getPredecessor(dispatch);
  if (!before || isFull(before) || !isWorthIt(dispatch, before))
    return false;
  CPUScheduleAttr schedule = findSchedule(dispatch, before);
  if (!schedule)
    return false;
  StringRef program = dispatch->getParentOfType<ProgramOp>().getSymName();
  if (std::optional<EpilogueObstacle> obstacle =
          findObstacle(dispatch, schedule, nests)) {
    if (auto remark = job::explainMissed(
            dispatch.getLoc(), job::ExplainCategory::Kernels, program))
      remark << "is no epilogue of " << before.getTitle() << ", since a chunk "
             << obstacle->reason;
    return false;
  }
  dispatch.setKernel(getCopy(dispatch, schedule).getSymName());
  dispatch.setEpilogue(true);
  if (auto remark = job::explainDone(dispatch.getLoc(),
                                     job::ExplainCategory::Kernels, program))
    remark << "is an epilogue of " << before.getTitle() << ": each of its "
           << std::to_string(*dispatch.getChunkCount())
           << " chunks runs after the same chunk of it";
  return true;
}

/// Removes kernels that all dispatches have left. The first copy of one takes
/// its name.
void EpilogueFuser::removeUnused() {
  SymbolUserMap users(symbols, module);
  for (auto &[op, ofKernel] : copies) {
    if (!users.useEmpty(op))
      continue;
    auto executable = cast<ExecutableOp>(op);
    ExecutableOp copy = ofKernel.front().second;
    StringAttr name = executable.getSymNameAttr();
    symbols.getSymbolTable(module).erase(executable);
    for (Operation *user : users.getUsers(copy))
      cast<DispatchOp>(user).setKernel(name);
    copy.setSymNameAttr(name);
  }
}

int64_t EpilogueFuser::run() {
  int64_t count = 0;
  for (auto program : module.getOps<ProgramOp>())
    for (PlanCommandOpInterface command : getCommands(program))
      if (auto dispatch = dyn_cast<DispatchOp>(*command))
        count += fuse(dispatch);
  removeUnused();
  return count;
}
