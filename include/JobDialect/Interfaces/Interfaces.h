//===- Interfaces.h - Op and attribute interfaces ---------------*- C++ -*-===//
//
// The interfaces of the job dialect and the plain types in their signatures.
// Their models are external (MLIR's attachInterface), so that an op's gradient,
// kernel and reference are in the library that uses them.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_INTERFACES_INTERFACES_H
#define JOBDIALECT_INTERFACES_INTERFACES_H

#include "JobDialect/Support/Duplication.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::job {

class BlobType;
class ReferenceTensor;
class UpdateContext;
struct TargetCosts;

/// Builds the position of an element in its blob, as an `i64`.
struct ElementIndices {
  /// Its row-major index.
  function_ref<Value()> linear;
  /// Its index along a dimension.
  function_ref<Value(unsigned)> dim;
};

/// A map from the elements of a result to the elements of the operand that they
/// are read from (StridedReadOpInterface).
struct StridedRead {
  /// A dimension of the operand: the index along it is
  /// `offset + step * i`, where `i` is the index along dimension `resultDim` of
  /// the result, or `offset` without one.
  struct Dim {
    std::optional<unsigned> resultDim;
    int64_t offset = 0, step = 1;
  };
  /// One for each dimension of the operand; no two have the same dimension of
  /// the result.
  SmallVector<Dim> dims;
};

// The defaults of LayoutOpInterface (lib/IR/Permutations.cpp).
/// Whether a type is a blob with the rank of a permutation.
bool hasRankOf(Type type, ArrayRef<int64_t> permutation);
/// Builds a copy of the op for these operands, with permuted results.
SmallVector<Value> clonePermuted(Operation *op, OpBuilder &builder,
                                 ValueRange operands,
                                 ArrayRef<int64_t> permutation);

} // namespace mlir::job

#include "JobDialect/Interfaces/InitializerAttrInterface.h.inc"
#include "JobDialect/Interfaces/OptimizerAttrInterfaces.h.inc"

#include "JobDialect/Interfaces/BoundedResultOpInterface.h.inc"
#include "JobDialect/Interfaces/DecomposableOpInterface.h.inc"
#include "JobDialect/Interfaces/DifferentiableOpInterface.h.inc"
#include "JobDialect/Interfaces/KernelOpInterfaces.h.inc"
#include "JobDialect/Interfaces/LayoutOpInterface.h.inc"
#include "JobDialect/Interfaces/MovedElementsOpInterface.h.inc"
#include "JobDialect/Interfaces/RandomOpInterface.h.inc"
#include "JobDialect/Interfaces/ReferenceOpInterface.h.inc"
#include "JobDialect/Interfaces/StridedReadOpInterface.h.inc"

#endif // JOBDIALECT_INTERFACES_INTERFACES_H
