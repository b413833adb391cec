//===- Permutations.cpp - Blobs with permuted dimensions ------------------===//

#include "JobDialect/IR/Permutations.h"

#include "JobDialect/IR/JobOps.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult
job::verifyPermutation(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> permutation, int64_t rank) {
  if (static_cast<int64_t>(permutation.size()) != rank)
    return emitError() << "expects " << rank
                       << " dimensions in the permutation, all there are, but "
                          "got "
                       << permutation.size();
  for (auto [index, dim] : llvm::enumerate(permutation)) {
    if (dim < 0 || dim >= rank)
      return emitError() << "expects dimensions in [0, " << rank << ") but got "
                         << dim;
    if (llvm::is_contained(permutation.take_front(index), dim))
      return emitError() << "expects each dimension once but got " << dim
                         << " twice";
  }
  return success();
}

LogicalResult
job::verifyStoredOrder(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape,
                       std::optional<ArrayRef<int64_t>> permutation,
                       std::optional<ArrayRef<int64_t>> expandedShape) {
  if (!permutation) {
    if (expandedShape)
      return emitError() << "expects a permutation of the expanded shape but "
                            "got none";
    return success();
  }
  if (!expandedShape)
    return verifyPermutation(emitError, *permutation, shape.size());
  // No type has more than 2^48 elements.
  int64_t left = ShapedType::getNumElements(shape);
  bool divides = llvm::all_of(*expandedShape, [&](int64_t extent) {
    if (extent < 1 || left % extent != 0)
      return false;
    left /= extent;
    return true;
  });
  if (expandedShape->empty() || !divides || left != 1)
    return emitError() << "expects an expanded shape of "
                       << ShapedType::getNumElements(shape)
                       << " elements but got [" << *expandedShape << "]";
  return verifyPermutation(emitError, *permutation, expandedShape->size());
}

BlobType job::getPermutedType(BlobType type, ArrayRef<int64_t> permutation) {
  return BlobType::get(applyPermutation(type.getShape(), permutation),
                       type.getElementType());
}

SmallVector<int64_t> job::permuteDims(ArrayRef<int64_t> dims,
                                      ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> places = invertPermutationVector(permutation);
  return llvm::map_to_vector(dims, [&](int64_t dim) { return places[dim]; });
}

bool job::movesNoElement(BlobType type, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> large = llvm::filter_to_vector(
      permutation, [&](int64_t dim) { return type.getDimSize(dim) != 1; });
  return llvm::is_sorted(large);
}

Value job::buildPermutation(OpBuilder &builder, Location loc, Value blob,
                            ArrayRef<int64_t> permutation) {
  auto type = cast<BlobType>(blob.getType());
  if (movesNoElement(type, permutation))
    return builder.createOrFold<ReshapeOp>(
        loc, getPermutedType(type, permutation), blob);
  return builder.createOrFold<TransposeOp>(loc, blob, permutation);
}

Value job::buildExpandedPermutation(OpBuilder &builder, Location loc,
                                    Value blob, ArrayRef<int64_t> expandedShape,
                                    ArrayRef<int64_t> permutation) {
  auto type = cast<BlobType>(blob.getType());
  Value expanded = builder.createOrFold<ReshapeOp>(
      loc, BlobType::get(expandedShape, type.getElementType()), blob);
  Value permuted = buildPermutation(builder, loc, expanded, permutation);
  return builder.createOrFold<ReshapeOp>(loc, type, permuted);
}

//===----------------------------------------------------------------------===//
// LayoutOpInterface
//===----------------------------------------------------------------------===//

bool job::hasRankOf(Type type, ArrayRef<int64_t> permutation) {
  auto blob = dyn_cast<BlobType>(type);
  return blob && !blob.isBounded() &&
         blob.getRank() == static_cast<int64_t>(permutation.size());
}

SmallVector<Value> job::clonePermuted(Operation *op, OpBuilder &builder,
                                      ValueRange operands,
                                      ArrayRef<int64_t> permutation) {
  auto layoutOp = cast<LayoutOpInterface>(op);
  Operation *copy = op->clone();
  copy->setOperands(operands);
  for (auto [result, copied] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    if (layoutOp.isResultPermuted(result, permutation))
      copied.setType(
          getPermutedType(cast<BlobType>(result.getType()), permutation));
  builder.insert(copy);
  return SmallVector<Value>(copy->getResults());
}
