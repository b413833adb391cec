//===- Schedule.cpp - Order ops so that less memory is alive --------------===//
//
// Moves the ops as lib/Support/Schedule.h says.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/BlobPlaces.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Units.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBSCHEDULE
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

struct SchedulePass : public job::impl::JobScheduleBase<SchedulePass> {
  using JobScheduleBase::JobScheduleBase;

  void runOnOperation() override;
};

} // namespace

/// Orders the ops of a block of the job; returns the peaks before and after.
static std::pair<int64_t, int64_t> orderBlock(FuncOp func, Block &block,
                                              BlobPlacesOptions options) {
  BlobPlaces places(block, options);
  const ScheduleProblem &problem = places.getGraph();
  SmallVector<unsigned> before = getGivenOrder(problem);
  SmallVector<unsigned> order = findOrder(problem);
  int64_t peak = getPeakBytes(problem, before);
  if (order == before)
    return {peak, peak};
  int64_t newPeak = getPeakBytes(problem, order);
  unsigned changes = countGroupChanges(problem, before);
  unsigned newChanges = countGroupChanges(problem, order);
  if (newPeak < peak)
    if (auto remark = explainDone(func.getLoc(), ExplainCategory::Memory,
                                  func.getSymName()))
      remark << "another order of the ops has a peak of "
             << formatDigits(newPeak) << " live bytes instead of "
             << formatDigits(peak);
  if (newChanges < changes)
    if (auto remark = explainDone(func.getLoc(), ExplainCategory::Memory,
                                  func.getSymName()))
      remark << "another order of the ops has "
             << std::to_string(newChanges + 1)
             << " runs of commands on one device or between two instead of "
             << std::to_string(changes + 1);
  SmallVector<Operation *> ops =
      llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (unsigned op : order)
    ops[op]->moveBefore(&block, block.end());
  return {peak, newPeak};
}

void SchedulePass::runOnOperation() {
  FuncOp func = getOperation();
  Block &block = func.getBody().front();
  // Loops first: the job's order depends on what they need.
  for (auto loop : block.getOps<MicroStepsOp>())
    orderBlock(func, loop.getBody().front(), {inPlace, checkNumerics});
  auto [before, after] = orderBlock(func, block, {inPlace, checkNumerics});
  peakBytesBefore += before;
  peakBytesAfter += after;
}
