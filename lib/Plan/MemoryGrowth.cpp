//===- MemoryGrowth.cpp - Whether a change needs more memory --------------===//

#include "MemoryGrowth.h"

#include "ArenaProblem.h"

#include "JobDialect/Support/Explain.h"

#include "jobrt/abi.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::plan;

std::optional<int64_t> plan::predictMemory(ProgramOp program) {
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

/// Bytes of what has a place of its own, as plan-assign-offsets lays it out, of
/// all devices together.
static int64_t getOwnBytes(ProgramOp program) {
  uint64_t bytes = 0;
  auto add = [&](int64_t more) {
    bytes = llvm::SaturatingAdd<uint64_t>(bytes,
                                          llvm::alignTo(more, JOBRT_ALIGNMENT));
  };
  auto module = program->getParentOfType<ModuleOp>();
  for (auto variable : module.getOps<VariableOp>())
    add(getBufferBytes(cast<MemRefType>(variable.getType())));
  for (auto constant : module.getOps<ConstantOp>())
    add(getBufferBytes(constant.getValue().getShapedType()));
  for (Operation &op : program.getBody().getOps())
    if (isa<InputOp, OutputOp>(op))
      add(getBufferBytes(cast<MemRefType>(op.getResult(0).getType())));
  return std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max());
}

/// The names of the programs that the change makes too large, tried on a copy.
static llvm::SmallDenseSet<StringAttr>
findTooLarge(ModuleOp module, int64_t budget, ProgramChange change) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto getPrograms = [&] { return copy->getOps<ProgramOp>(); };
  SmallVector<std::optional<int64_t>> before =
      llvm::map_to_vector(getPrograms(), predictMemory);
  {
    job::ExplanationSilencer silencer;
    change(*copy, [](ProgramOp) { return true; });
  }
  llvm::SmallDenseSet<StringAttr> tooLarge;
  for (auto [program, bytes] : llvm::zip_equal(getPrograms(), before)) {
    std::optional<int64_t> after = predictMemory(program);
    bool fits =
        after && (after <= bytes || *after <= budget - getOwnBytes(program));
    if (!fits)
      tooLarge.insert(program.getSymNameAttr());
  }
  return tooLarge;
}

FailureOr<int64_t> plan::changeWithinBudget(ModuleOp module, int64_t budget,
                                            ProgramChange change) {
  if (budget < 0)
    return module.emitError("expects a budget of at least 0 bytes but got ")
           << budget;
  llvm::SmallDenseSet<StringAttr> tooLarge;
  if (budget > 0)
    tooLarge = findTooLarge(module, budget, change);
  return change(module, [&](ProgramOp program) {
    return !tooLarge.contains(program.getSymNameAttr());
  });
}
