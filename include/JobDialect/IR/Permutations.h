//===- Permutations.h - Blobs with permuted dimensions ----------*- C++ -*-===//
//
// Dimension `i` of a permuted blob is dimension `permutation[i]` of the blob.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_PERMUTATIONS_H
#define JOBDIALECT_IR_PERMUTATIONS_H

#include "JobDialect/IR/JobDialect.h"

namespace mlir::job {

/// Emits an error unless each dimension below `rank` is there once.
LogicalResult verifyPermutation(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> permutation, int64_t rank);

/// Emits an error unless the variable of that shape can be stored like that:
/// permuted, and reshaped to `expandedShape` before, if there is one.
LogicalResult
verifyStoredOrder(function_ref<InFlightDiagnostic()> emitError,
                  ArrayRef<int64_t> shape,
                  std::optional<ArrayRef<int64_t>> permutation,
                  std::optional<ArrayRef<int64_t>> expandedShape);

/// The type of the permuted blob.
BlobType getPermutedType(BlobType type, ArrayRef<int64_t> permutation);

/// Where dimensions of a blob are in the permuted one, in the order of `dims`.
SmallVector<int64_t> permuteDims(ArrayRef<int64_t> dims,
                                 ArrayRef<int64_t> permutation);

/// Builds the permuted blob. If only dimensions of extent 1 change places, the
/// elements stay where they are, and it is a reshape.
Value buildPermutation(OpBuilder &builder, Location loc, Value blob,
                       ArrayRef<int64_t> permutation);

/// Builds the blob of the same type whose elements have the order of the blob
/// that is reshaped to `expandedShape` and permuted.
Value buildExpandedPermutation(OpBuilder &builder, Location loc, Value blob,
                               ArrayRef<int64_t> expandedShape,
                               ArrayRef<int64_t> permutation);

/// Whether the elements of the permuted blob are where those of the blob are.
bool movesNoElement(BlobType type, ArrayRef<int64_t> permutation);

} // namespace mlir::job

#endif // JOBDIALECT_IR_PERMUTATIONS_H
