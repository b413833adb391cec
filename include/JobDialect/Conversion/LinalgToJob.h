//===- LinalgToJob.h - Kernels that users write as ops ----------*- C++ -*-===//
//
// A kernel of the user's is a func.func on tensors of static shape, in one
// block of
//
// - structured operations of linalg whose indexing maps have dimensions as
//   results (no sums such as the window of a convolution), whose body is
//   elementwise, and whose reductions are sums, products, maxima or minima;
// - elementwise operations of arith and math, on tensors or in such a body;
// - arith.constant, tensor.empty, and tensor.collapse_shape, expand_shape and
//   extract_slice with static bounds.
//
// Each becomes ops of the job dialect with the same meaning, so that the
// kernel is fused, differentiated, and compiled for each target as all others
// are. An operation that no op has the meaning of is an error at its place.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CONVERSION_LINALGTOJOB_H
#define JOBDIALECT_CONVERSION_LINALGTOJOB_H

#include "JobDialect/IR/JobOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::job {

/// The blob of a tensor: one without dimensions has the shape `1`. Null after
/// an error where no blob has its shape or its elements.
BlobType getBlobType(RankedTensorType type,
                     function_ref<InFlightDiagnostic()> emitError);

/// The blobs of the arguments and of the results of a kernel.
LogicalResult getKernelTypes(func::FuncOp kernel, SmallVectorImpl<Type> &inputs,
                             SmallVectorImpl<Type> &outputs);

/// Builds the ops of `kernel` on blobs of the types of its inputs; appends the
/// blobs of its outputs to `results`. The kernel is not usable afterwards. Ops
/// are at `loc`, or without it where the operations of the kernel are.
LogicalResult importKernel(OpBuilder &builder, func::FuncOp kernel,
                           ValueRange operands, std::optional<Location> loc,
                           SmallVectorImpl<Value> &results);

} // namespace mlir::job

#endif // JOBDIALECT_CONVERSION_LINALGTOJOB_H
