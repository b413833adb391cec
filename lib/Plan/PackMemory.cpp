//===- PackMemory.cpp - Give every buffer of the arena its place ----------===//

#include "JobDialect/Plan/Passes.h"

#include "JobDialect/Analysis/Lifetimes.h"
#include "JobDialect/Support/MemoryPlanner.h"
#include "jobrt/abi.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANPACKMEMORY
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Buffers that the report of a too large arena names.
static constexpr size_t kMaxReported = 5;

namespace {

struct PlanPackMemory : public plan::impl::PlanPackMemoryBase<PlanPackMemory> {
  using PlanPackMemoryBase::PlanPackMemoryBase;

  void runOnOperation() override;

private:
  void reportTooLarge(const std::optional<job::MemoryPlan> &plan);

  /// The buffers that commands touch, and what the planner sees of them.
  SmallVector<AllocOp> buffers;
  SmallVector<job::BufferInterval> intervals;
};

} // namespace

/// Emits the error and the largest buffers of the command where most bytes are
/// live, at the lines that the user wrote. Without `plan` the sum of all sizes
/// was beyond counting.
void PlanPackMemory::reportTooLarge(
    const std::optional<job::MemoryPlan> &plan) {
  InFlightDiagnostic error = getOperation().emitOpError()
                             << "expects an arena of at most "
                             << budget.getValue() << " bytes but needs ";
  if (!plan) {
    error << "more than can be counted";
    return;
  }
  error << plan->totalBytes << ", of which " << plan->lowerBoundBytes
        << " are live at command " << plan->peakCommand;
  SmallVector<size_t> live;
  for (auto [index, interval] : llvm::enumerate(intervals))
    if (interval.first <= plan->peakCommand &&
        plan->peakCommand <= interval.last)
      live.push_back(index);
  llvm::sort(live, [&](size_t a, size_t b) {
    return std::pair(-intervals[a].bytes, a) <
           std::pair(-intervals[b].bytes, b);
  });
  live.resize(std::min(live.size(), kMaxReported));
  for (size_t index : live)
    error.attachNote(buffers[index].getLoc())
        << intervals[index].bytes << " bytes, "
        << buffers[index].getResult().getType() << ", are live there";
}

void PlanPackMemory::runOnOperation() {
  ProgramOp program = getOperation();
  std::optional<job::PackingStrategy> packing =
      job::symbolizePackingStrategy(strategy);
  if (!packing) {
    program.emitOpError() << "expects strategy best, size, conflicts, time or "
                             "none but got '"
                          << strategy << "'";
    return signalPassFailure();
  }

  buffers.clear();
  intervals.clear();
  const auto &lifetimes = getAnalysis<Lifetimes>();
  for (auto buffer : program.getBody().getOps<AllocOp>()) {
    auto type = cast<MemRefType>(buffer.getResult().getType());
    if (std::optional<Lifetime> lifetime = lifetimes.lookup(buffer)) {
      buffers.push_back(buffer);
      intervals.push_back(
          {lifetime->first, lifetime->last, getBufferBytes(type)});
    } else {
      buffer.setOffset(0);
    }
  }

  std::optional<job::MemoryPlan> plan =
      job::planMemory(intervals, *packing, JOBRT_ALIGNMENT);
  if (!plan || plan->totalBytes > budget) {
    reportTooLarge(plan);
    return signalPassFailure();
  }
  for (auto [buffer, offset] : llvm::zip_equal(buffers, plan->offsets))
    buffer.setOffset(offset);
  program.setArenaBytes(plan->totalBytes);
  program.setArenaLowerBound(plan->lowerBoundBytes);
  arenaBytes += plan->totalBytes;
  lowerBoundBytes += plan->lowerBoundBytes;
}
