//===- JobIndexOps.cpp - Elements by index --------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "JobDialect/IR/ElementTypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
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
      /*boundedDim=*/0);
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

Value ArgwhereOp::getCountOf(OpResult) { return getCount(); }

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

Value ArgwhereBlocksOp::getCountOf(OpResult) { return getCount(); }

//===----------------------------------------------------------------------===//
// PadToStaticOp, SliceToDynamicOp
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
  auto integer = dyn_cast<IntegerAttr>(getValue());
  bool isOfElement = isa<FloatType>(element) ? !integer : !!integer;
  if (isOfElement && integer) {
    int64_t value = integer.getInt();
    unsigned width = element.getIntOrFloatBitWidth();
    isOfElement = width == 1 || element.isUnsignedInteger()
                      ? llvm::isUIntN(width, value)
                      : llvm::isIntN(width, value);
  }
  if (auto number = dyn_cast<FloatAttr>(getValue()); number && isOfElement) {
    // A finite number must not become an infinity.
    double value = number.getValueAsDouble();
    isOfElement = !std::isfinite(value) ||
                  std::isfinite(roundToElementType(element, value));
  }
  if (isOfElement)
    return success();
  InFlightDiagnostic error = emitOpError() << "expects a value of type "
                                           << element << " but got ";
  if (integer)
    return error << integer.getInt();
  return error << getValue();
}

bool PadToStaticOp::isMoved(OpOperand &operand) {
  return &operand == &getOperandMutable();
}

LogicalResult SliceToDynamicOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  int64_t dim = adaptor.getDim();
  if (dim < 0 || dim >= type.getRank())
    return inferenceError<SliceToDynamicOp>(context, location)()
           << "expects a dim in [0, " << type.getRank() << ") but got " << dim;
  inferredReturnTypes.push_back(
      BlobType::get(type.getShape(), type.getElementType(), dim));
  return success();
}

Value SliceToDynamicOp::getCountOf(OpResult) { return getCount(); }

bool SliceToDynamicOp::isMoved(OpOperand &operand) {
  return &operand == &getOperandMutable();
}

//===----------------------------------------------------------------------===//
// FindNewIdsOp, LookupOrdinalsOp, InsertOrdinalsOp
//===----------------------------------------------------------------------===//

/// Infers the type of job.find_new_ids, at most half of whose places are
/// occupied.
static FailureOr<BlobType>
inferInsertedType(function_ref<InFlightDiagnostic()> emitError, Value table,
                  Value ids) {
  auto type = cast<BlobType>(table.getType());
  auto idsType = cast<BlobType>(ids.getType());
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return emitError() << "expects a table of pairs, as in 100x2xi64, but got "
                       << type;
  if (idsType.getElementType() != type.getElementType())
    return emitError() << "expects ids of " << type.getElementType()
                       << " but got " << idsType;
  int64_t places = llvm::PowerOf2Ceil(2 * idsType.getNumElements());
  return makeBlob(emitError, {places, 3},
                  IntegerType::get(type.getContext(), 64));
}

LogicalResult FindNewIdsOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<BlobType> type =
      inferInsertedType(inferenceError<FindNewIdsOp>(context, location),
                        adaptor.getTable(), adaptor.getIds());
  if (failed(type))
    return failure();
  inferredReturnTypes.push_back(*type);
  return success();
}

/// Checks the operands of an op on inserted ids.
template <typename OpTy>
static LogicalResult
verifyInserted(function_ref<InFlightDiagnostic()> emitError,
               typename OpTy::Adaptor adaptor) {
  Value table = adaptor.getTable();
  FailureOr<BlobType> inserted =
      inferInsertedType(emitError, table, adaptor.getIds());
  if (failed(inserted))
    return failure();
  auto size =
      BlobType::get({1}, cast<BlobType>(table.getType()).getElementType());
  if (adaptor.getSize().getType() != size)
    return emitError() << "expects a size of type " << size << " but got "
                       << adaptor.getSize().getType();
  if (adaptor.getInserted().getType() != *inserted)
    return emitError() << "expects inserted ids of type " << *inserted
                       << " but got " << adaptor.getInserted().getType();
  return success();
}

LogicalResult LookupOrdinalsOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  if (failed(verifyInserted<LookupOrdinalsOp>(
          inferenceError<LookupOrdinalsOp>(context, location), adaptor)))
    return failure();
  inferredReturnTypes.push_back(adaptor.getIds().getType());
  return success();
}

LogicalResult InsertOrdinalsOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  if (failed(verifyInserted<InsertOrdinalsOp>(
          inferenceError<InsertOrdinalsOp>(context, location), adaptor)))
    return failure();
  inferredReturnTypes.push_back(adaptor.getTable().getType());
  return success();
}
