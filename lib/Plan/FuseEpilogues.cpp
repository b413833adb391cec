//===- FuseEpilogues.cpp - Kernels on what a cache still holds ------------===//

#include "Epilogues.h"

#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Codegen/SplitDimension.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANFUSEEPILOGUES
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// How a kernel reads an argument; null if it does not read it from memory.
static const KernelAccess *findAccess(const KernelNest &nest,
                                      unsigned argument) {
  const KernelAccess *access = nullptr;
  for (const KernelPass &pass : nest.passes)
    for (const KernelInput &input : pass.inputs)
      if (!input.item && input.access.argument == argument)
        access = &input.access;
  return access;
}

/// The dimensions of a kernel that cut an argument into `blocks`, and the
/// iterations of their chunks; std::nullopt if no dimensions do.
static std::optional<SmallVector<DistributedDim>>
findDistribution(const KernelNest &nest, unsigned argument,
                 const Blocks &blocks) {
  const KernelAccess *access = findAccess(nest, argument);
  if (!access)
    return std::nullopt;
  int64_t bytes = getElementBytes(nest.arguments[argument]);
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

/// A dimension of a kernel, and those to put in its place.
struct DimensionSplit {
  unsigned dim;
  SmallVector<int64_t> extents;
};

/// What gives a kernel whose dimensions were collapsed those along which
/// `blocks` cut an argument; std::nullopt if nothing does.
static std::optional<DimensionSplit>
findSplit(const KernelNest &nest, unsigned argument, const Blocks &blocks) {
  const KernelAccess *access = findAccess(nest, argument);
  if (!access || nest.passes.size() != 1)
    return std::nullopt;
  // The kernel would go along the rows of other buffers in pieces of this size.
  if (blocks.back().size < job::kCPUCosts.pieceBytes)
    return std::nullopt;
  int64_t bytes = getElementBytes(nest.arguments[argument]);
  for (unsigned dim : nest.isItem.set_bits()) {
    int64_t stride = access->strides[dim] * bytes;
    DimensionSplit split{dim, {}};
    int64_t outer = stride * nest.extents[dim];
    for (const BlockLevel &level : blocks) {
      // Of the others, some other dimension may be.
      if (stride == 0 || level.period >= outer || level.period <= stride ||
          outer % level.period != 0 || level.period % stride != 0)
        continue;
      split.extents.push_back(outer / level.period);
      outer = level.period;
    }
    if (split.extents.empty())
      continue;
    split.extents.push_back(outer / stride);
    return split;
  }
  return std::nullopt;
}

namespace {
class EpilogueFuser {
public:
  explicit EpilogueFuser(ModuleOp module) : module(module), nests(symbols) {}

  void run();
  /// Dispatches that are epilogues.
  int64_t numEpilogues = 0;

private:
  /// A kernel whose chunks have the blocks that those of the command before it
  /// write.
  struct Candidate {
    /// What has its body: the kernel of the dispatch or one of `splits`.
    ExecutableOp executable;
    const KernelNest *nest;
    ScheduleAttrInterface schedule;
  };
  std::optional<Candidate> findCandidate(DispatchOp dispatch,
                                         bool &readsBlocks);
  std::optional<Candidate> findCandidate(DispatchOp dispatch, unsigned argument,
                                         const Blocks &blocks);
  ExecutableOp getSplit(ExecutableOp executable, const DimensionSplit &split);
  bool fuse(DispatchOp dispatch);
  ExecutableOp getCopy(DispatchOp dispatch, const Candidate &candidate);
  void removeUnused();

  ModuleOp module;
  SymbolTableCollection symbols;
  KernelNests nests;
  /// Kernels with other dimensions, which are not in the module; null for
  /// those that cannot have them.
  DenseMap<std::tuple<Operation *, unsigned, Attribute>,
           OwningOpRef<ExecutableOp>>
      splits;
  struct Copy {
    ExecutableOp body;
    ScheduleAttrInterface schedule;
    ExecutableOp executable;
  };
  /// By kernel: copies of it in the module, with other bodies and schedules.
  llvm::MapVector<Operation *, SmallVector<Copy>> copies;
};

struct PlanFuseEpilogues
    : public plan::impl::PlanFuseEpiloguesBase<PlanFuseEpilogues> {
  void runOnOperation() override {
    EpilogueFuser fuser(getOperation());
    fuser.run();
    numEpilogues += fuser.numEpilogues;
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

/// The kernel with other dimensions, or null if it cannot have them.
ExecutableOp EpilogueFuser::getSplit(ExecutableOp executable,
                                     const DimensionSplit &split) {
  auto [it, isNew] = splits.try_emplace(
      {executable, split.dim,
       Builder(executable).getDenseI64ArrayAttr(split.extents)});
  OwningOpRef<ExecutableOp> &copy = it->second;
  if (isNew) {
    copy = executable.clone();
    auto op = *copy->getBody().getOps<linalg::GenericOp>().begin();
    if (failed(splitDimension(op, split.dim, split.extents)))
      copy = nullptr;
  }
  return copy ? *copy : ExecutableOp();
}

std::optional<EpilogueFuser::Candidate>
EpilogueFuser::findCandidate(DispatchOp dispatch, unsigned argument,
                             const Blocks &blocks) {
  Candidate candidate{nests.getExecutable(dispatch), nests.lookup(dispatch),
                      nests.getSchedule(dispatch)};
  std::optional<SmallVector<DistributedDim>> distribute =
      findDistribution(*candidate.nest, argument, blocks);
  if (!distribute) {
    std::optional<DimensionSplit> split =
        findSplit(*candidate.nest, argument, blocks);
    if (!split)
      return std::nullopt;
    candidate.executable = getSplit(candidate.executable, *split);
    if (!candidate.executable)
      return std::nullopt;
    candidate.nest = nests.lookup(candidate.executable);
    distribute = findDistribution(*candidate.nest, argument, blocks);
    if (!distribute)
      return std::nullopt;
    candidate.schedule = candidate.schedule.getDefault(*candidate.nest);
  }
  candidate.schedule =
      candidate.schedule.withDistribution(*candidate.nest, *distribute);
  return candidate;
}

/// Says whether the dispatch reads blocks that the command before it writes.
std::optional<EpilogueFuser::Candidate>
EpilogueFuser::findCandidate(DispatchOp dispatch, bool &readsBlocks) {
  // One that a person wrote is obeyed.
  if (!nests.getSchedule(dispatch) || !nests.hasDefaultSchedule(dispatch))
    return std::nullopt;
  for (OpOperand *written : getPredecessor(dispatch).getWrittenOperands()) {
    std::optional<Blocks> blocks = nests.getBlocks(*written);
    if (!blocks || blocks->empty())
      continue;
    BufferPlace place = getBufferPlace(written->get(), symbols);
    for (OpOperand *read : dispatch.getReadOperands()) {
      if (!areSame(getBufferPlace(read->get(), symbols), place))
        continue;
      readsBlocks = true;
      if (std::optional<Candidate> candidate =
              findCandidate(dispatch, read->getOperandNumber(), *blocks))
        return candidate;
    }
  }
  return std::nullopt;
}

/// A copy of the kernel with the body and the schedule of the candidate.
ExecutableOp EpilogueFuser::getCopy(DispatchOp dispatch,
                                    const Candidate &candidate) {
  ExecutableOp executable = nests.getExecutable(dispatch);
  for (const Copy &copy : copies[executable])
    if (copy.body == candidate.executable &&
        copy.schedule == candidate.schedule)
      return copy.executable;
  auto copy = cast<ExecutableOp>(candidate.executable->clone());
  VariantOp variant = copy.getVariant(getTarget(dispatch));
  variant.setScheduleAttr(candidate.schedule);
  variant.setChunks(candidate.schedule.getNumKernelChunks(*candidate.nest));
  // Other devices run the kernel as it was.
  for (VariantOp other : llvm::make_early_inc_range(copy.getVariants()))
    if (other != variant)
      other.erase();
  symbols.getSymbolTable(module).insert(copy,
                                        std::next(executable->getIterator()));
  copies[executable].push_back(
      {candidate.executable, candidate.schedule, copy});
  return copy;
}

/// Makes a dispatch an epilogue, if it can be one.
bool EpilogueFuser::fuse(DispatchOp dispatch) {
  if (dispatch.getEpilogue())
    return false;
  PlanCommandOpInterface before = getPredecessor(dispatch);
  if (!before || isFull(before) || !isWorthIt(dispatch, before))
    return false;
  StringRef program = dispatch->getParentOfType<ProgramOp>().getSymName();
  auto explainMissed = [&](const Twine &reason) {
    if (auto remark = job::explainMissed(
            dispatch.getLoc(), job::ExplainCategory::Kernels, program))
      remark << "is no epilogue of " << before.getTitle() << ", since "
             << reason.str();
    return false;
  };
  bool readsBlocks = false;
  std::optional<Candidate> candidate = findCandidate(dispatch, readsBlocks);
  if (!candidate)
    return readsBlocks &&
           explainMissed("no dimensions of it cut that result into the same "
                         "blocks");
  if (std::optional<EpilogueObstacle> obstacle =
          findObstacle(dispatch, *candidate->nest, candidate->schedule, nests))
    return explainMissed("a chunk " + obstacle->reason);
  dispatch.setKernel(getCopy(dispatch, *candidate).getSymName());
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
    ExecutableOp copy = ofKernel.front().executable;
    StringAttr name = executable.getSymNameAttr();
    symbols.getSymbolTable(module).erase(executable);
    for (Operation *user : users.getUsers(copy))
      cast<DispatchOp>(user).setKernel(name);
    copy.setSymNameAttr(name);
  }
}

void EpilogueFuser::run() {
  for (auto program : module.getOps<ProgramOp>())
    for (PlanCommandOpInterface command : getCommands(program))
      if (auto dispatch = dyn_cast<DispatchOp>(*command))
        numEpilogues += fuse(dispatch);
  removeUnused();
}
