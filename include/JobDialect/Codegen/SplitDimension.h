//===- SplitDimension.h - Two dimensions in place of one --------*- C++ -*-===//

#ifndef JOBDIALECT_CODEGEN_SPLITDIMENSION_H
#define JOBDIALECT_CODEGEN_SPLITDIMENSION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::plan {

/// Replaces dimension `dim` of an operation of a kernel's body by dimensions of
/// these extents, outermost first, whose product is its extent: the inverse of
/// collapsing them. Fails, and changes nothing, if the operation uses indices,
/// starts from a linalg.fill (as reductions do) or has no input along the
/// dimension.
LogicalResult splitDimension(linalg::GenericOp op, unsigned dim,
                             ArrayRef<int64_t> extents);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_SPLITDIMENSION_H
