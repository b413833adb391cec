//===- JobReduceOps.cpp - Reductions --------------------------------------===//

#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/IR/Permutations.h"

#include "Inference.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::job;

static LogicalResult verifyAxes(function_ref<InFlightDiagnostic()> emitError,
                                BlobType type, ArrayRef<int64_t> axes) {
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (axis < 0 || axis >= type.getRank())
      return emitError() << "expects axes in [0, " << type.getRank()
                         << ") but got " << axis;
    if (index && axes[index - 1] >= axis)
      return emitError() << "expects axes to increase but got "
                         << axes[index - 1] << " before " << axis;
  }
  return success();
}

/// The operand's type without the reduced dimensions, or with extent 1 there.
static BlobType getReducedType(BlobType type, ArrayRef<int64_t> axes,
                               bool keepdims) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      shape.push_back(extent);
    else if (keepdims)
      shape.push_back(1);
  }
  if (shape.empty())
    shape.push_back(1);
  return BlobType::get(shape, type.getElementType());
}

static SmallVector<int64_t> getOtherAxes(BlobType type,
                                         ArrayRef<int64_t> axes) {
  SmallVector<int64_t> kept;
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim)
    if (!llvm::is_contained(axes, dim))
      kept.push_back(dim);
  return kept;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename OpTy>
static LogicalResult
inferReduction(MLIRContext *context, std::optional<Location> location,
               typename OpTy::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  if (failed(verifyAxes(inferenceError<OpTy>(context, location), type,
                        adaptor.getAxes())))
    return failure();
  types.push_back(
      getReducedType(type, adaptor.getAxes(), adaptor.getKeepdims()));
  return success();
}

/// A reduction over nothing.
template <typename OpTy> static OpFoldResult foldReduction(OpTy op) {
  if (op.getAxes().empty())
    return op.getOperand();
  return {};
}

LogicalResult
ReduceSumOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferReduction<ReduceSumOp>(context, location, adaptor,
                                     inferredReturnTypes);
}

SmallVector<int64_t> ReduceSumOp::getKeptAxes() {
  return getOtherAxes(getOperand().getType(), getAxes());
}

OpFoldResult ReduceSumOp::fold(FoldAdaptor) { return foldReduction(*this); }

/// The gradient of a maximum pooling has each element of the gradient of its
/// result at one place of the image, and zeros: sums over whole images are sums
/// of that smaller gradient.
LogicalResult ReduceSumOp::canonicalize(ReduceSumOp op,
                                        PatternRewriter &rewriter) {
  auto cast = op.getOperand().getDefiningOp<CastOp>();
  Value operand = cast ? cast.getOperand() : Value(op.getOperand());
  auto pool = operand.getDefiningOp<MaxPool2DGradOp>();
  if (!pool)
    return rewriter.notifyMatchFailure(op, "no gradient of a pooling");
  ImageDims<int64_t> dims = getImageDims(pool.getLayout(), {0, 1, 2, 3});
  if (!llvm::is_contained(op.getAxes(), dims.h) ||
      !llvm::is_contained(op.getAxes(), dims.w))
    return rewriter.notifyMatchFailure(op, "no sum over whole images");
  Value grad = pool.getGrad();
  if (cast) {
    BlobType type = pool.getGrad().getType();
    auto from = llvm::cast<FloatType>(type.getElementType());
    auto to = dyn_cast<FloatType>(cast.getType().getElementType());
    // Elements that meet in one place are added before they are rounded.
    if (!to || to.getWidth() <= from.getWidth())
      return rewriter.notifyMatchFailure(op, "a conversion that rounds");
    IRMapping mapping;
    mapping.map(cast.getOperand(), grad);
    Operation *copy = rewriter.clone(*cast, mapping);
    copy->getResult(0).setType(type.withElementType(to));
    grad = copy->getResult(0);
  }
  rewriter.modifyOpInPlace(op, [&] { op.getOperandMutable().assign(grad); });
  return success();
}

LogicalResult ReduceProdOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferReduction<ReduceProdOp>(context, location, adaptor,
                                      inferredReturnTypes);
}

SmallVector<int64_t> ReduceProdOp::getKeptAxes() {
  return getOtherAxes(getOperand().getType(), getAxes());
}

OpFoldResult ReduceProdOp::fold(FoldAdaptor) { return foldReduction(*this); }

LogicalResult
ReduceMaxOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferReduction<ReduceMaxOp>(context, location, adaptor,
                                     inferredReturnTypes);
}

SmallVector<int64_t> ReduceMaxOp::getKeptAxes() {
  return getOtherAxes(getOperand().getType(), getAxes());
}

OpFoldResult ReduceMaxOp::fold(FoldAdaptor) { return foldReduction(*this); }

LogicalResult
ReduceMinOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferReduction<ReduceMinOp>(context, location, adaptor,
                                     inferredReturnTypes);
}

SmallVector<int64_t> ReduceMinOp::getKeptAxes() {
  return getOtherAxes(getOperand().getType(), getAxes());
}

OpFoldResult ReduceMinOp::fold(FoldAdaptor) { return foldReduction(*this); }

/// Reduces the same elements of the permuted operand. A result without kept
/// dimensions is not permuted.
template <typename OpTy>
static SmallVector<Value>
buildPermutedReduction(OpTy op, OpBuilder &builder, ValueRange operands,
                       ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> axes = permuteDims(op.getAxes(), permutation);
  llvm::sort(axes);
  Value result = builder.createOrFold<OpTy>(op.getLoc(), operands.front(), axes,
                                            op.getKeepdims());
  SmallVector<int64_t> kept = op.getKeptAxes();
  if (op.getKeepdims() || kept.empty())
    return {result};
  // The dimensions of the result are in the order of the permutation.
  SmallVector<int64_t> places = permuteDims(kept, permutation);
  SmallVector<int64_t> sorted = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(places.size())));
  llvm::sort(sorted,
             [&](int64_t a, int64_t b) { return places[a] < places[b]; });
  return {buildPermutation(builder, op.getLoc(), result,
                           invertPermutationVector(sorted))};
}

bool ReduceSumOp::isOperandPermuted(OpOperand &operand,
                                    ArrayRef<int64_t> permutation) {
  return hasRankOf(operand.get().getType(), permutation);
}

bool ReduceSumOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return getKeepdims() && hasRankOf(getOperand().getType(), permutation);
}

SmallVector<Value> ReduceSumOp::buildPermuted(OpBuilder &builder,
                                              ValueRange operands,
                                              ArrayRef<int64_t> permutation) {
  return buildPermutedReduction(*this, builder, operands, permutation);
}

bool ReduceProdOp::isOperandPermuted(OpOperand &operand,
                                     ArrayRef<int64_t> permutation) {
  return hasRankOf(operand.get().getType(), permutation);
}

bool ReduceProdOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return getKeepdims() && hasRankOf(getOperand().getType(), permutation);
}

SmallVector<Value> ReduceProdOp::buildPermuted(OpBuilder &builder,
                                               ValueRange operands,
                                               ArrayRef<int64_t> permutation) {
  return buildPermutedReduction(*this, builder, operands, permutation);
}

bool ReduceMaxOp::isOperandPermuted(OpOperand &operand,
                                    ArrayRef<int64_t> permutation) {
  return hasRankOf(operand.get().getType(), permutation);
}

bool ReduceMaxOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return getKeepdims() && hasRankOf(getOperand().getType(), permutation);
}

SmallVector<Value> ReduceMaxOp::buildPermuted(OpBuilder &builder,
                                              ValueRange operands,
                                              ArrayRef<int64_t> permutation) {
  return buildPermutedReduction(*this, builder, operands, permutation);
}

bool ReduceMinOp::isOperandPermuted(OpOperand &operand,
                                    ArrayRef<int64_t> permutation) {
  return hasRankOf(operand.get().getType(), permutation);
}

bool ReduceMinOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return getKeepdims() && hasRankOf(getOperand().getType(), permutation);
}

SmallVector<Value> ReduceMinOp::buildPermuted(OpBuilder &builder,
                                              ValueRange operands,
                                              ArrayRef<int64_t> permutation) {
  return buildPermutedReduction(*this, builder, operands, permutation);
}

//===----------------------------------------------------------------------===//
// Their gradients
//===----------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult verifyReductionGradient(OpTy op) {
  BlobType type = op.getOperand().getType();
  auto emitError = [&] { return op.emitOpError(); };
  if (failed(verifyAxes(emitError, type, op.getAxes())))
    return failure();
  BlobType dropped = getReducedType(type, op.getAxes(), /*keepdims=*/false);
  BlobType kept = getReducedType(type, op.getAxes(), /*keepdims=*/true);
  BlobType got = op.getGrad().getType();
  if (got != dropped && got != kept)
    return op.emitOpError() << "expects a gradient of type " << dropped
                            << " or " << kept << " but got " << got;
  return success();
}

LogicalResult ReduceExtremumGradOp::verify() {
  return verifyReductionGradient(*this);
}

SmallVector<int64_t> ReduceExtremumGradOp::getKeptAxes() {
  return getOtherAxes(getOperand().getType(), getAxes());
}

LogicalResult ReduceProdGradOp::verify() {
  return verifyReductionGradient(*this);
}

SmallVector<int64_t> ReduceProdGradOp::getKeptAxes() {
  return getOtherAxes(getOperand().getType(), getAxes());
}

//===----------------------------------------------------------------------===//
// ArgMaxOp
//===----------------------------------------------------------------------===//

LogicalResult
ArgMaxOp::inferReturnTypes(MLIRContext *context,
                           std::optional<Location> location, Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= type.getRank())
    return inferenceError<ArgMaxOp>(context, location)()
           << "expects an axis in [0, " << type.getRank() << ") but got "
           << axis;
  inferredReturnTypes.push_back(
      getReducedType(type, axis, /*keepdims=*/false)
          .withElementType(IntegerType::get(context, 64)));
  return success();
}
