//===- JobIndexOps.cpp - Elements by index --------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::job;

/// Checks `axis` and `batchDims` against the indices and the shape of what is
/// gathered from or scattered to, of which `shape` has the dimensions before
/// `axis`.
static LogicalResult verifyBatch(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t axis, int64_t batchDims, int64_t rank,
                                 BlobType type, BlobType indices) {
  if (axis < 0 || axis >= rank)
    return emitError() << "expects an axis in [0, " << rank << ") but got "
                       << axis;
  int64_t most = std::min(axis, indices.getRank());
  if (batchDims < 0 || batchDims > most)
    return emitError() << "expects batch_dims in [0, " << most << "] but got "
                       << batchDims;
  if (type.getShape().take_front(batchDims) !=
      indices.getShape().take_front(batchDims))
    return emitError() << "expects " << batchDims
                       << " equal dimensions at the front but got " << type
                       << " and " << indices;
  return success();
}

LogicalResult
GatherOp::inferReturnTypes(MLIRContext *context,
                           std::optional<Location> location, Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  auto indices = cast<BlobType>(adaptor.getIndices().getType());
  int64_t axis = adaptor.getAxis(), batchDims = adaptor.getBatchDims();
  auto emitError = inferenceError<GatherOp>(context, location);
  if (failed(verifyBatch(emitError, axis, batchDims, type.getRank(), type,
                         indices)))
    return failure();
  SmallVector<int64_t> shape(type.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape().drop_front(batchDims));
  llvm::append_range(shape, type.getShape().drop_front(axis + 1));
  FailureOr<BlobType> result =
      makeBlob(emitError, shape, type.getElementType());
  if (failed(result))
    return failure();
  inferredReturnTypes.push_back(*result);
  return success();
}

bool GatherOp::isMoved(OpOperand &operand) {
  return &operand == &getOperandMutable();
}

LogicalResult ScatterAddOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto updates = cast<BlobType>(adaptor.getUpdates().getType());
  auto indices = cast<BlobType>(adaptor.getIndices().getType());
  int64_t axis = adaptor.getAxis(), batchDims = adaptor.getBatchDims();
  auto emitError = inferenceError<ScatterAddOp>(context, location);
  if (batchDims < 0 || batchDims > indices.getRank())
    return emitError() << "expects batch_dims in [0, " << indices.getRank()
                       << "] but got " << batchDims;
  // The scattered dimension stands for those of the indices.
  int64_t numIndexDims = indices.getRank() - batchDims;
  int64_t rank = updates.getRank() - numIndexDims + 1;
  if (failed(verifyBatch(emitError, axis, batchDims, rank, updates, indices)))
    return failure();
  if (updates.getShape().slice(axis, numIndexDims) !=
      indices.getShape().drop_front(batchDims))
    return emitError() << "expects the indices' dimensions from dimension "
                       << axis << " of the updates on but got " << updates
                       << " and " << indices;
  if (static_cast<int64_t>(adaptor.getExtent()) < 1)
    return emitError() << "expects a positive extent but got "
                       << static_cast<int64_t>(adaptor.getExtent());
  SmallVector<int64_t> shape(updates.getShape().take_front(axis));
  shape.push_back(adaptor.getExtent());
  llvm::append_range(shape, updates.getShape().drop_front(axis + numIndexDims));
  FailureOr<BlobType> result =
      makeBlob(emitError, shape, updates.getElementType());
  if (failed(result))
    return failure();
  inferredReturnTypes.push_back(*result);
  return success();
}

LogicalResult GroupIndicesOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto indices = cast<BlobType>(adaptor.getIndices().getType());
  int64_t count = indices.getShape().back(), extent = adaptor.getExtent(), size;
  auto emitError = inferenceError<GroupIndicesOp>(context, location);
  if (llvm::AddOverflow<int64_t>(count, extent, size))
    return emitError() << "expects fewer than 2^63 numbers in a row but got "
                       << count << " indices and an extent of " << extent;
  SmallVector<int64_t> shape(indices.getShape());
  shape.back() = size;
  bool isLong = count > std::numeric_limits<int32_t>::max();
  FailureOr<BlobType> groups =
      makeBlob(emitError, shape, IntegerType::get(context, isLong ? 64 : 32));
  if (failed(groups))
    return failure();
  inferredReturnTypes.push_back(*groups);
  return success();
}

LogicalResult
SumGroupsOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto updates = cast<BlobType>(adaptor.getUpdates().getType());
  auto groups = cast<BlobType>(adaptor.getGroups().getType());
  int64_t axis = adaptor.getAxis(), batchDims = groups.getRank() - 1;
  auto emitError = inferenceError<SumGroupsOp>(context, location);
  if (axis < batchDims || axis >= updates.getRank())
    return emitError() << "expects an axis in [" << batchDims << ", "
                       << updates.getRank() << ") but got " << axis;
  int64_t extent = groups.getShape().back() - updates.getDimSize(axis);
  if (updates.getShape().take_front(batchDims) !=
          groups.getShape().drop_back() ||
      extent < 1)
    return emitError() << "expects groups of dimension " << axis
                       << " of the updates but got " << groups << " and "
                       << updates;
  SmallVector<int64_t> shape(updates.getShape());
  shape[axis] = extent;
  FailureOr<BlobType> result =
      makeBlob(emitError, shape, updates.getElementType());
  if (failed(result))
    return failure();
  inferredReturnTypes.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// ArgSortOp, MergeRunsOp
//===----------------------------------------------------------------------===//

LogicalResult
ArgSortOp::inferReturnTypes(MLIRContext *context,
                            std::optional<Location> location, Adaptor adaptor,
                            SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  if (type.getShape().back() > std::numeric_limits<int32_t>::max())
    return inferenceError<ArgSortOp>(context, location)()
           << "expects rows of at most 2^31 - 1 elements but got " << type;
  inferredReturnTypes.push_back(
      type.withElementType(IntegerType::get(context, 32)));
  return success();
}

LogicalResult
MergeRunsOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  BlobType order = type.withElementType(IntegerType::get(context, 32));
  if (adaptor.getOrder().getType() != order)
    return inferenceError<MergeRunsOp>(context, location)()
           << "expects an order of type " << order << " but got "
           << adaptor.getOrder().getType();
  inferredReturnTypes.push_back(order);
  return success();
}

//===----------------------------------------------------------------------===//
// ArgwhereOp, CountNonzeroOp, ArgwhereBlocksOp
//===----------------------------------------------------------------------===//

/// Appends the types of the indices of elements of `type`, and of their count.
static LogicalResult
inferArgwhereTypes(function_ref<InFlightDiagnostic()> emitError, BlobType type,
                   Type dtype, SmallVectorImpl<Type> &types) {
  for (int64_t extent : type.getShape())
    if (dtype.isInteger(32) && extent > (int64_t(1) << 31))
      return emitError() << "expects extents of at most 2^31 for indices of "
                         << dtype << " but got " << type;
  auto indices = BlobType::getChecked(
      emitError, {type.getNumElements(), type.getRank()}, dtype,
      /*bounded=*/true);
  if (!indices)
    return failure();
  types.push_back(indices);
  types.push_back(BlobType::get({1}, IntegerType::get(type.getContext(), 64)));
  return success();
}

LogicalResult
ArgwhereOp::inferReturnTypes(MLIRContext *context,
                             std::optional<Location> location, Adaptor adaptor,
                             SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferArgwhereTypes(inferenceError<ArgwhereOp>(context, location),
                            cast<BlobType>(adaptor.getOperand().getType()),
                            adaptor.getDtype(), inferredReturnTypes);
}

OpResult ArgwhereOp::getCountOf(OpResult) { return cast<OpResult>(getCount()); }

/// As many blocks as are worth their sums.
static constexpr int64_t kMaxArgwhereBlocks = 1024;

/// The counts of the blocks of a blob.
static BlobType getCountsType(BlobType type, int64_t blockSize) {
  return BlobType::get(
      static_cast<int64_t>(llvm::divideCeil(type.getNumElements(), blockSize)),
      IntegerType::get(type.getContext(), 64));
}

LogicalResult CountNonzeroOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  inferredReturnTypes.push_back(getCountsType(
      cast<BlobType>(adaptor.getOperand().getType()), adaptor.getBlockSize()));
  return success();
}

LogicalResult ArgwhereBlocksOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto emitError = inferenceError<ArgwhereBlocksOp>(context, location);
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  BlobType counts = getCountsType(type, adaptor.getBlockSize());
  // Each block adds up the counts of those before it.
  if (counts.getNumElements() > kMaxArgwhereBlocks)
    return emitError() << "expects at most " << kMaxArgwhereBlocks
                       << " blocks but got " << counts.getNumElements();
  if (adaptor.getCounts().getType() != counts)
    return emitError() << "expects counts of type " << counts << " but got "
                       << adaptor.getCounts().getType();
  return inferArgwhereTypes(emitError, type, adaptor.getDtype(),
                            inferredReturnTypes);
}

OpResult ArgwhereBlocksOp::getCountOf(OpResult) {
  return cast<OpResult>(getCount());
}

//===----------------------------------------------------------------------===//
// PadToStaticOp
//===----------------------------------------------------------------------===//

LogicalResult PadToStaticOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  inferredReturnTypes.push_back(
      BlobType::get(type.getShape(), type.getElementType()));
  return success();
}

LogicalResult PadToStaticOp::verify() {
  Type element = getResult().getType().getElementType();
  auto value = static_cast<int64_t>(getValue());
  if (!llvm::isIntN(element.getIntOrFloatBitWidth(), value))
    return emitOpError() << "expects a value of type " << element << " but got "
                         << value;
  return success();
}
