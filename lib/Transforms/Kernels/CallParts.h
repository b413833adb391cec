//===- CallParts.h - Ops that functions of libraries compute ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_KERNELS_CALLPARTS_H
#define JOBDIALECT_LIB_TRANSFORMS_KERNELS_CALLPARTS_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Ops that the function of a library computes with a product, each with a
/// number of the call.
using CallParts = DenseMap<Operation *, unsigned>;

/// Finds the additions of a bias to the products of a block that are calls on a
/// device whose functions have such an epilogue, with the relu or gelu after
/// them, the gradients of gelus, and the additions of other blobs. A kernel of
/// these ops alone is what plan-fuse-call-epilogues makes a part of the call. A
/// bias that is rounded to the type of the product is rounded before it is
/// broadcast: the function reads it from memory. It is not rounded where the
/// sum with another blob is in f32.
CallParts takeCallParts(Block &block, PlacementAttr device);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_KERNELS_CALLPARTS_H
