//===- StoredVariables.cpp - Values in the order of a variable ------------===//

#include "StoredVariables.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::job;

static ReferenceTensor reshape(const ReferenceTensor &value,
                               ArrayRef<int64_t> shape) {
  return value.reshape(BlobType::get(shape, value.getType().getElementType()));
}

ReferenceTensor job::toStored(const ReferenceTensor &value,
                              VariableOp variable) {
  std::optional<ArrayRef<int64_t>> permutation = variable.getPermutation();
  if (!permutation)
    return value;
  auto expandedShape = variable.getExpandedShape();
  if (!expandedShape)
    return value.permute(*permutation);
  return reshape(value, *expandedShape)
      .permute(*permutation)
      .reshape(value.getType());
}

ReferenceTensor job::toDeclared(const ReferenceTensor &value,
                                VariableOp variable) {
  std::optional<ArrayRef<int64_t>> permutation = variable.getPermutation();
  if (!permutation)
    return value;
  SmallVector<int64_t> inverse = invertPermutationVector(*permutation);
  auto expandedShape = variable.getExpandedShape();
  if (!expandedShape)
    return value.permute(inverse);
  return reshape(value, applyPermutation(*expandedShape, *permutation))
      .permute(inverse)
      .reshape(value.getType());
}
