//===- CPUSchedule.cpp - What a schedule for the CPU means ----------------===//

#include "CPUSchedule.h"
#include "LoopEmitter.h"

#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Support/Targets.h"

using namespace mlir;
using namespace mlir::plan;

int64_t plan::getInterleave(CPUScheduleAttr schedule, int64_t extent) {
  ArrayRef<int64_t> vectorize = schedule.getVectorize();
  int64_t numLanes = vectorize.empty() ? 1 : vectorize[1];
  int64_t groups = schedule.getInterleave();
  while (groups > 1 && groups * numLanes > extent)
    groups /= 2;
  return groups;
}

static LogicalResult verifyNumChunks(Operation *op, int64_t chunks) {
  if (chunks <= kMaxChunks)
    return success();
  return op->emitOpError() << "expects at most " << kMaxChunks
                           << " chunks but got " << chunks;
}

LogicalResult plan::verifySchedule(Operation *op, const KernelNest &nest,
                                   CPUScheduleAttr schedule) {
  if (nest.rowDim)
    return op->emitOpError("expects no sums of columns beside reductions of "
                           "rows in a kernel for the CPU");
  if (nest.keepsInnerDims())
    return op->emitOpError("expects reductions to keep no dimension that "
                           "another one reduces in a kernel for the CPU");
  auto rank = static_cast<int64_t>(nest.getRank());
  auto checkDim = [&](StringRef name, int64_t dim) -> LogicalResult {
    if (dim < rank)
      return success();
    return op->emitOpError()
           << "expects " << name << " to name one of the " << rank
           << " dimensions of the kernel but got " << dim;
  };
  if (ArrayRef<int64_t> vectorize = schedule.getVectorize(); !vectorize.empty())
    if (failed(checkDim("vectorize", vectorize[0])))
      return failure();
  if (ArrayRef<int64_t> tile = schedule.getTile(); !tile.empty()) {
    if (failed(checkDim("tile", tile[0])))
      return failure();
    if (!nest.isItem.test(tile[0]))
      return op->emitOpError() << "expects tile to name a dimension that is "
                                  "parallel in every operation of the body "
                                  "but got "
                               << tile[0];
  }
  for (auto [dim, size] : schedule.getDistribute()) {
    if (failed(checkDim("distribute", dim)))
      return failure();
    if (!nest.isItem.test(dim))
      return op->emitOpError() << "expects distribute to name a dimension that "
                                  "is parallel in every "
                                  "operation of the body but got "
                               << dim;
  }
  return verifyNumChunks(op, getNumChunks(nest, schedule.getDistribute()));
}

LogicalResult plan::verifySchedule(Operation *op, const ItemLoop &loop,
                                   CPUScheduleAttr schedule) {
  if (!schedule.getVectorize().empty())
    return op->emitOpError("expects no vectorize for a loop over items");
  if (!schedule.getTile().empty())
    return op->emitOpError("expects no tile for a loop over items");
  for (auto [dim, size] : schedule.getDistribute())
    if (dim != 0)
      return op->emitOpError() << "expects distribute to name the loop over "
                                  "items, 0, but got "
                               << dim;
  return verifyNumChunks(op, getNumChunks(loop, schedule.getDistribute()));
}

namespace {
struct CPUScheduleModel
    : ScheduleAttrInterface::ExternalModel<CPUScheduleModel, CPUScheduleAttr> {
  StringRef getTarget(Attribute) const { return job::kCPUTarget; }
  ArrayRef<DistributedDim> getDistribution(Attribute schedule) const {
    return cast<CPUScheduleAttr>(schedule).getDistribute();
  }
  int64_t getNumKernelChunks(Attribute schedule, const KernelNest &nest) const {
    return getNumChunks(nest, cast<CPUScheduleAttr>(schedule).getDistribute());
  }
  int64_t getNumItemLoopChunks(Attribute schedule, const ItemLoop &loop) const {
    return getNumChunks(loop, cast<CPUScheduleAttr>(schedule).getDistribute());
  }
  LogicalResult verifyKernel(Attribute schedule, Operation *op,
                             const KernelNest &nest) const {
    return verifySchedule(op, nest, cast<CPUScheduleAttr>(schedule));
  }
  LogicalResult verifyItemLoop(Attribute schedule, Operation *op,
                               const ItemLoop &loop) const {
    return verifySchedule(op, loop, cast<CPUScheduleAttr>(schedule));
  }
  ScheduleAttrInterface getDefault(Attribute schedule,
                                   const KernelNest &nest) const {
    return cast<ScheduleAttrInterface>(
        chooseSchedule(schedule.getContext(), nest));
  }
  ScheduleAttrInterface
  withDistribution(Attribute schedule, const KernelNest &nest,
                   ArrayRef<DistributedDim> distribution) const {
    return cast<ScheduleAttrInterface>(plan::withDistribution(
        nest, cast<CPUScheduleAttr>(schedule), distribution));
  }
};
} // namespace

void plan::attachCPUScheduleModel(MLIRContext &context) {
  CPUScheduleAttr::attachInterface<CPUScheduleModel>(context);
}
