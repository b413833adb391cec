//===- CPUSchedule.cpp - What a schedule for the CPU means ----------------===//

#include "JobDialect/Codegen/CPUSchedule.h"

#include "LoopEmitter.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::plan;

int64_t plan::getNumChunks(const KernelNest &nest, CPUScheduleAttr schedule) {
  int64_t chunks = 1;
  for (auto [dim, size] : schedule.getDistribute())
    if (llvm::MulOverflow(
            chunks,
            std::max<int64_t>(1, llvm::divideCeil(nest.extents[dim], size)),
            chunks))
      return std::numeric_limits<int64_t>::max();
  return chunks;
}

int64_t plan::getNumChunks(const ItemLoop &loop, CPUScheduleAttr schedule) {
  ArrayRef<DistributedDim> distribute = schedule.getDistribute();
  return distribute.empty()
             ? 1
             : llvm::divideCeil(loop.items, distribute.front().size);
}

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
  return verifyNumChunks(op, getNumChunks(nest, schedule));
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
  return verifyNumChunks(op, getNumChunks(loop, schedule));
}
