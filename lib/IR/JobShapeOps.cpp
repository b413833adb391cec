//===- JobShapeOps.cpp - Shapes -------------------------------------------===//

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/IR/Permutations.h"

#include "Inference.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

static LogicalResult verifyCount(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef what, ArrayRef<int64_t> list,
                                 BlobType type) {
  if (static_cast<int64_t>(list.size()) == type.getRank())
    return success();
  return emitError() << "expects " << type.getRank() << " " << what
                     << ", one for each dimension of the operand, but got "
                     << list.size();
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  BlobType from = getOperand().getType(), to = getResult().getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expects equal element types but got " << from
                         << " and " << to;
  if (from.getNumElements() != to.getNumElements())
    return emitOpError() << "expects a result of " << from.getNumElements()
                         << " elements but got " << to.getNumElements();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  if (auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOperand()))
    return value.reshape(getResult().getType().getTensorType());
  return {};
}

//===----------------------------------------------------------------------===//
// BroadcastInDimOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastInDimOp::verify() {
  BlobType from = getOperand().getType(), to = getResult().getType();
  ArrayRef<int64_t> dims = getDims();
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "expects equal element types but got " << from
                         << " and " << to;
  if (static_cast<int64_t>(dims.size()) != from.getRank())
    return emitOpError() << "expects " << from.getRank()
                         << " dims, one for each dimension of the operand, but "
                            "got "
                         << dims.size();
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= to.getRank())
      return emitOpError() << "expects dims in [0, " << to.getRank()
                           << ") but got " << dim;
    if (index && dims[index - 1] >= dim)
      return emitOpError() << "expects dims to increase but got "
                           << dims[index - 1] << " before " << dim;
    int64_t extent = from.getDimSize(index);
    if (extent != 1 && extent != to.getDimSize(dim))
      return emitOpError() << "expects extent 1 or " << to.getDimSize(dim)
                           << " in dimension " << index
                           << " of the operand but got " << extent;
  }
  return success();
}

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOperand());
  if (value && value.isSplat())
    return value.resizeSplat(getResult().getType().getTensorType());
  return {};
}

StridedRead BroadcastInDimOp::getStridedRead() {
  BlobType from = getOperand().getType();
  StridedRead read;
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    StridedRead::Dim &place = read.dims.emplace_back();
    if (from.getDimSize(index) != 1)
      place.resultDim = dim;
  }
  return read;
}

bool BroadcastInDimOp::isOperandPermuted(OpOperand &operand,
                                         ArrayRef<int64_t> permutation) {
  return hasRankOf(operand.get().getType(), permutation) &&
         hasRankOf(getType(), permutation);
}

bool BroadcastInDimOp::isResultPermuted(OpResult,
                                        ArrayRef<int64_t> permutation) {
  return hasRankOf(getType(), permutation);
}

SmallVector<Value>
BroadcastInDimOp::buildPermuted(OpBuilder &builder, ValueRange operands,
                                ArrayRef<int64_t> permutation) {
  Value operand = operands.front();
  SmallVector<int64_t> dims(getDims());
  // The operand, of a lower rank, has its dimensions in the result's order.
  if (dims.size() < permutation.size()) {
    dims = permuteDims(dims, permutation);
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
    llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
    operand = buildPermutation(builder, getLoc(), operand, order);
    llvm::sort(dims);
  }
  return {builder.createOrFold<BroadcastInDimOp>(
      getLoc(), getPermutedType(getType(), permutation), operand, dims)};
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  auto emitError = inferenceError<TransposeOp>(context, location);
  if (failed(verifyPermutation(emitError, permutation, type.getRank())))
    return failure();
  inferredReturnTypes.push_back(getPermutedType(type, permutation));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return getOperand();
  auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOperand());
  if (value && value.isSplat())
    return value.resizeSplat(getResult().getType().getTensorType());
  if (auto inner = getOperand().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t dim : permutation)
      composed.push_back(inner.getPermutation()[dim]);
    setPermutation(composed);
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return {};
}

StridedRead TransposeOp::getStridedRead() {
  StridedRead read;
  read.dims.resize(getPermutation().size());
  for (auto [resultDim, dim] : llvm::enumerate(getPermutation()))
    read.dims[dim].resultDim = resultDim;
  return read;
}

/// A transpose to the permuted layout reads blobs that are permuted already.
bool TransposeOp::isOperandPermuted(OpOperand &,
                                    ArrayRef<int64_t> permutation) {
  return getPermutation() == permutation;
}

/// The result of a transpose from the permuted layout is permuted already.
bool TransposeOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return getPermutation() != permutation &&
         getPermutation() ==
             ArrayRef<int64_t>(invertPermutationVector(permutation));
}

SmallVector<Value> TransposeOp::buildPermuted(OpBuilder &, ValueRange operands,
                                              ArrayRef<int64_t>) {
  return {operands.front()};
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

LogicalResult
SliceOp::inferReturnTypes(MLIRContext *context,
                          std::optional<Location> location, Adaptor adaptor,
                          SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> offsets = adaptor.getOffsets(), sizes = adaptor.getSizes(),
                    strides = adaptor.getStrides();
  auto emitError = inferenceError<SliceOp>(context, location);
  if (failed(verifyCount(emitError, "offsets", offsets, type)) ||
      failed(verifyCount(emitError, "sizes", sizes, type)) ||
      failed(verifyCount(emitError, "strides", strides, type)))
    return failure();
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim) {
    if (sizes[dim] < 1)
      return emitError() << "expects positive sizes but got " << sizes[dim]
                         << " in dimension " << dim;
    if (strides[dim] < 1)
      return emitError() << "expects positive strides but got " << strides[dim]
                         << " in dimension " << dim;
    int64_t extent = type.getDimSize(dim);
    // Without overflow: the last element lies at offset + (size - 1) * stride.
    if (offsets[dim] < 0 || offsets[dim] >= extent ||
        (sizes[dim] - 1) > (extent - 1 - offsets[dim]) / strides[dim])
      return emitError() << "expects elements in [0, " << extent
                         << ") of dimension " << dim << " but got "
                         << sizes[dim] << " from " << offsets[dim]
                         << " with stride " << strides[dim];
  }
  inferredReturnTypes.push_back(BlobType::get(sizes, type.getElementType()));
  return success();
}

/// Lets a slice that lies in one operand of a concatenation read that operand.
static LogicalResult sliceConcatOperand(SliceOp slice) {
  auto concat = slice.getOperand().getDefiningOp<ConcatOp>();
  if (!concat)
    return failure();
  int64_t axis = concat.getAxis();
  SmallVector<int64_t> offsets(slice.getOffsets());
  int64_t span = (slice.getSizes()[axis] - 1) * slice.getStrides()[axis] + 1;
  for (Value operand : concat.getOperands()) {
    int64_t extent = cast<BlobType>(operand.getType()).getDimSize(axis);
    if (offsets[axis] >= extent) {
      offsets[axis] -= extent;
      continue;
    }
    if (offsets[axis] + span > extent)
      return failure();
    slice.setOffsets(offsets);
    slice.getOperandMutable().assign(operand);
    return success();
  }
  llvm_unreachable("a slice lies inside of its operand");
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  auto value = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOperand());
  if (value && value.isSplat())
    return value.resizeSplat(getResult().getType().getTensorType());
  if (auto inner = getOperand().getDefiningOp<SliceOp>()) {
    SmallVector<int64_t> offsets, strides;
    for (auto [offset, stride, innerOffset, innerStride] :
         llvm::zip(getOffsets(), getStrides(), inner.getOffsets(),
                   inner.getStrides())) {
      offsets.push_back(innerOffset + offset * innerStride);
      strides.push_back(stride * innerStride);
    }
    setOffsets(offsets);
    setStrides(strides);
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  if (succeeded(sliceConcatOperand(*this)))
    return getResult();
  return {};
}

StridedRead SliceOp::getStridedRead() {
  StridedRead read;
  for (auto [dim, offset, step] : llvm::enumerate(getOffsets(), getStrides()))
    read.dims.push_back({static_cast<unsigned>(dim), offset, step});
  return read;
}

SmallVector<Value> SliceOp::buildPermuted(OpBuilder &builder,
                                          ValueRange operands,
                                          ArrayRef<int64_t> permutation) {
  return {builder.createOrFold<SliceOp>(
      getLoc(), operands.front(), applyPermutation(getOffsets(), permutation),
      applyPermutation(getSizes(), permutation),
      applyPermutation(getStrides(), permutation))};
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

LogicalResult
PadOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                        Adaptor adaptor,
                        SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior();
  auto emitError = inferenceError<PadOp>(context, location);
  if (failed(verifyCount(emitError, "paddings before", low, type)) ||
      failed(verifyCount(emitError, "paddings after", high, type)) ||
      failed(verifyCount(emitError, "paddings between", interior, type)))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim) {
    for (int64_t count : {low[dim], high[dim], interior[dim]})
      if (count < 0)
        return emitError() << "expects no negative padding but got " << count
                           << " in dimension " << dim;
    int64_t extent = type.getDimSize(dim);
    int64_t inside, between, before;
    if (llvm::MulOverflow(extent - 1, interior[dim], between) ||
        llvm::AddOverflow(extent, between, inside) ||
        llvm::AddOverflow(inside, low[dim], before) ||
        llvm::AddOverflow(before, high[dim], inside))
      return emitError() << "expects an extent below 2^63 in dimension " << dim;
    shape.push_back(inside);
  }
  FailureOr<BlobType> result =
      makeBlob(emitError, shape, type.getElementType());
  if (failed(result))
    return failure();
  inferredReturnTypes.push_back(*result);
  return success();
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  return {};
}

SmallVector<Value> PadOp::buildPermuted(OpBuilder &builder, ValueRange operands,
                                        ArrayRef<int64_t> permutation) {
  return {builder.createOrFold<PadOp>(
      getLoc(), operands.front(), applyPermutation(getLow(), permutation),
      applyPermutation(getHigh(), permutation),
      applyPermutation(getInterior(), permutation), getValue())};
}

//===----------------------------------------------------------------------===//
// ConcatOp
//===----------------------------------------------------------------------===//

LogicalResult
ConcatOp::inferReturnTypes(MLIRContext *context,
                           std::optional<Location> location, Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  auto emitError = inferenceError<ConcatOp>(context, location);
  if (adaptor.getOperands().empty())
    return emitError() << "expects at least 1 operand but got 0";
  auto first = cast<BlobType>(adaptor.getOperands().front().getType());
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= first.getRank())
    return emitError() << "expects an axis in [0, " << first.getRank()
                       << ") but got " << axis;
  SmallVector<int64_t> shape(first.getShape());
  shape[axis] = 0;
  for (auto [index, operand] : llvm::enumerate(adaptor.getOperands())) {
    auto type = cast<BlobType>(operand.getType());
    bool fits = type.getElementType() == first.getElementType() &&
                type.getRank() == first.getRank();
    for (int64_t dim = 0; fits && dim < type.getRank(); ++dim)
      fits = dim == axis || type.getDimSize(dim) == first.getDimSize(dim);
    if (!fits)
      return emitError() << "expects operands that differ from " << first
                         << " in dimension " << axis << " only but got " << type
                         << " as operand " << index;
    if (llvm::AddOverflow(shape[axis], type.getDimSize(axis), shape[axis]))
      return emitError() << "expects an extent below 2^63 in dimension "
                         << axis;
  }
  FailureOr<BlobType> result =
      makeBlob(emitError, shape, first.getElementType());
  if (failed(result))
    return failure();
  inferredReturnTypes.push_back(*result);
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getNumOperands() == 1)
    return getOperand(0);
  // All parts of a blob, in order: strides and extents follow from the shape.
  auto first = getOperand(0).getDefiningOp<SliceOp>();
  if (!first || first.getOperand().getType() != getResult().getType())
    return {};
  int64_t axis = getAxis(), begin = 0;
  for (Value operand : getOperands()) {
    auto slice = operand.getDefiningOp<SliceOp>();
    if (!slice || slice.getOperand() != first.getOperand() ||
        slice.getOffsets()[axis] != begin ||
        (slice.getSizes()[axis] != 1 && slice.getStrides()[axis] != 1))
      return {};
    begin += slice.getSizes()[axis];
  }
  return first.getOperand();
}

SmallVector<Value> ConcatOp::buildPermuted(OpBuilder &builder,
                                           ValueRange operands,
                                           ArrayRef<int64_t> permutation) {
  int64_t axis = getAxis();
  return {builder.createOrFold<ConcatOp>(getLoc(), operands,
                                         permuteDims(axis, permutation)[0])};
}

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  if (getAxis() >= static_cast<uint64_t>(rank))
    return emitOpError() << "expects an axis in [0, " << rank << ") but got "
                         << static_cast<int64_t>(getAxis());
  return success();
}
