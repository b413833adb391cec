//===- PackMemory.cpp - Give every buffer of the arena its place ----------===//

#include "ArenaProblem.h"

#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Units.h"
#include "jobrt/abi.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANPACKMEMORY
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Days.
static constexpr int64_t kMaxEffort = 1'000'000'000;

namespace {

struct PlanPackMemory : public plan::impl::PlanPackMemoryBase<PlanPackMemory> {
  using PlanPackMemoryBase::PlanPackMemoryBase;

  void runOnOperation() override;

private:
  FailureOr<SpaceSize> pack(SpaceAttr space, ArrayRef<AllocOp> allocated,
                            const Lifetimes &lifetimes);
  std::optional<job::MemoryPlan> planSmallest();
  void reportTooLarge(const std::optional<job::MemoryPlan> &plan);
  void explain(const job::MemoryPlan &plan);

  ArenaProblem problem;
  /// The names of the strategies that are tried.
  SmallVector<StringRef> strategies;
};

} // namespace

/// Without `plan` the sum of all sizes was beyond counting.
void PlanPackMemory::reportTooLarge(
    const std::optional<job::MemoryPlan> &plan) {
  InFlightDiagnostic error = getOperation().emitOpError()
                             << "expects an arena of at most " << kMaxSpaceBytes
                             << " bytes but needs ";
  if (plan)
    error << plan->totalBytes;
  else
    error << "more than can be counted";
}

/// Says what each order would have needed, and what is alive at the peak.
void PlanPackMemory::explain(const job::MemoryPlan &plan) {
  ProgramOp program = getOperation();
  if (auto remark =
          job::explainDone(program.getLoc(), job::ExplainCategory::Memory,
                           program.getSymName())) {
    remark << "the arena has " << job::formatDigits(plan.totalBytes)
           << " bytes for " << std::to_string(problem.buffers.size())
           << " buffers, "
           << job::formatDigits(plan.totalBytes - plan.lowerBoundBytes)
           << " above the lower bound of "
           << job::formatDigits(plan.lowerBoundBytes) << ", by strategy "
           << llvm::join(strategies, ", ") << "; by others:";
    for (StringRef name : {"size", "conflicts", "time", "none"}) {
      std::optional<job::MemoryPlan> other = job::planMemory(
          problem.intervals, *job::symbolizePackingStrategy(name),
          JOBRT_ALIGNMENT, job::kDefaultPackingEffort, problem.unordered);
      remark << " " << name << " "
             << (other ? job::formatDigits(other->totalBytes) : "too many");
    }
  }
  for (auto [buffer, interval, offset] :
       llvm::zip_equal(problem.buffers, problem.intervals, plan.offsets)) {
    if (plan.peakCommand < interval.first || interval.last < plan.peakCommand)
      continue;
    if (auto remark =
            job::explainDone(buffer.getLoc(), job::ExplainCategory::Memory,
                             program.getSymName()))
      remark << job::formatDigits(interval.bytes)
             << " bytes are live at the peak, command "
             << std::to_string(plan.peakCommand) << ", from command "
             << std::to_string(interval.first) << " to "
             << std::to_string(interval.last);
  }
}

/// The smallest plan of all strategies, of equal ones the first; nothing if no
/// plan can be counted.
std::optional<job::MemoryPlan> PlanPackMemory::planSmallest() {
  std::optional<job::MemoryPlan> smallest;
  for (StringRef name : strategies) {
    std::optional<job::MemoryPlan> plan =
        job::planMemory(problem.intervals, *job::symbolizePackingStrategy(name),
                        JOBRT_ALIGNMENT, effort, problem.unordered);
    if (plan && (!smallest || plan->totalBytes < smallest->totalBytes))
      smallest = std::move(plan);
  }
  return smallest;
}

void PlanPackMemory::runOnOperation() {
  ProgramOp program = getOperation();
  strategies = {strategy};
  if (ArrayAttr packing = program.getPackingAttr())
    strategies = llvm::map_to_vector<1>(packing.getAsValueRange<StringAttr>(),
                                        [](StringRef name) { return name; });
  if (!job::symbolizePackingStrategy(strategy)) {
    program.emitOpError() << "expects strategy best, size, conflicts, time or "
                             "none but got '"
                          << strategy << "'";
    return signalPassFailure();
  }

  if (effort < 0 || effort > kMaxEffort) {
    program.emitOpError() << "expects an effort from 0 to " << kMaxEffort
                          << " but got " << effort.getValue();
    return signalPassFailure();
  }

  const auto &lifetimes = getAnalysis<Lifetimes>();
  SpaceAttr first = SpaceAttr::get(&getContext(), SpaceRole::Arena);
  llvm::MapVector<SpaceAttr, SmallVector<AllocOp>> arenas;
  arenas.try_emplace(first);
  for (auto buffer : getOpsOfProgram<AllocOp>(program))
    arenas[getSpace(buffer.getType())].push_back(buffer);
  SmallVector<SpaceSize> sizes;
  for (auto &[space, allocated] : arenas) {
    FailureOr<SpaceSize> size = pack(space, allocated, lifetimes);
    if (failed(size))
      return signalPassFailure();
    sizes.push_back(*size);
  }
  program.updateSizes(sizes);
}

/// Packs the arena of one device.
FailureOr<SpaceSize> PlanPackMemory::pack(SpaceAttr space,
                                          ArrayRef<AllocOp> allocated,
                                          const Lifetimes &lifetimes) {
  problem = getArenaProblem(allocated, lifetimes);
  for (AllocOp buffer : allocated)
    if (!lifetimes.lookup(buffer))
      buffer.setOffset(0);

  std::optional<job::MemoryPlan> plan = planSmallest();
  if (!plan || plan->totalBytes > kMaxSpaceBytes) {
    reportTooLarge(plan);
    return failure();
  }
  for (auto [buffer, offset] : llvm::zip_equal(problem.buffers, plan->offsets))
    buffer.setOffset(offset);
  explain(*plan);
  arenaBytes += plan->totalBytes;
  lowerBoundBytes += plan->lowerBoundBytes;
  return SpaceSize{space, plan->totalBytes, plan->lowerBoundBytes};
}
