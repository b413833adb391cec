//===- Schedule.cpp - Schedules of kernels for any target -----------------===//

#include "JobDialect/Codegen/Schedule.h"

#include "../CPU/CPUSchedule.h"
#include "../CUDA/CUDASchedule.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::plan;

int64_t plan::getNumChunks(const KernelNest &nest,
                           ArrayRef<DistributedDim> distribute) {
  int64_t chunks = 1;
  for (auto [dim, size] : distribute)
    if (llvm::MulOverflow(
            chunks,
            std::max<int64_t>(1, llvm::divideCeil(nest.extents[dim], size)),
            chunks))
      return std::numeric_limits<int64_t>::max();
  return chunks;
}

int64_t plan::getNumChunks(const ItemLoop &loop,
                           ArrayRef<DistributedDim> distribute) {
  return distribute.empty()
             ? 1
             : llvm::divideCeil(loop.items, distribute.front().size);
}

LogicalResult plan::verifyTarget(VariantOp variant) {
  StringRef target = variant.getScheduleAttr().getTarget();
  if (target == variant.getSymName())
    return success();
  return variant.emitOpError()
         << "expects a schedule for " << variant.getSymName()
         << " but got one for " << target;
}

void plan::registerScheduleModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PlanDialect *) {
    attachCPUScheduleModel(*context);
    attachCUDAScheduleModel(*context);
  });
}
