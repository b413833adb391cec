//===- JobMicroStepsOps.cpp - Micro-steps ---------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// UnpackOp, PackOp
//===----------------------------------------------------------------------===//

BlobType MicroStepsOp::getPartType(BlobType type, int64_t count) {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.front() % count != 0)
    return {};
  shape.front() /= count;
  return BlobType::get(shape, type.getElementType());
}

LogicalResult
UnpackOp::inferReturnTypes(MLIRContext *context,
                           std::optional<Location> location, Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  int64_t count = adaptor.getCount();
  BlobType part = MicroStepsOp::getPartType(type, count);
  if (!part)
    return inferenceError<UnpackOp>(context, location)()
           << "expects dimension 0 to be a multiple of " << count << " but got "
           << type.getDimSize(0);
  inferredReturnTypes.push_back(part);
  return success();
}

LogicalResult
PackOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                         Adaptor adaptor,
                         SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  SmallVector<int64_t> shape(type.getShape());
  // Neither is above 2^48: the product is no overflow.
  shape.front() *= static_cast<int64_t>(adaptor.getCount());
  FailureOr<BlobType> all = makeBlob(inferenceError<PackOp>(context, location),
                                     shape, type.getElementType());
  if (failed(all))
    return failure();
  inferredReturnTypes.push_back(*all);
  return success();
}

static bool keepsRows(Type type, ArrayRef<int64_t> permutation) {
  return hasRankOf(type, permutation) && permutation.front() == 0;
}

bool UnpackOp::isOperandPermuted(OpOperand &operand,
                                 ArrayRef<int64_t> permutation) {
  return keepsRows(operand.get().getType(), permutation);
}

bool UnpackOp::isResultPermuted(OpResult result,
                                ArrayRef<int64_t> permutation) {
  return keepsRows(result.getType(), permutation);
}

bool PackOp::isOperandPermuted(OpOperand &operand,
                               ArrayRef<int64_t> permutation) {
  return keepsRows(operand.get().getType(), permutation);
}

bool PackOp::isResultPermuted(OpResult result, ArrayRef<int64_t> permutation) {
  return keepsRows(result.getType(), permutation);
}

//===----------------------------------------------------------------------===//
// MicroStepsOp
//===----------------------------------------------------------------------===//

Block::BlockArgListType MicroStepsOp::getPartArguments() {
  return getBody().getArguments().take_front(getRows().size());
}

Block::BlockArgListType MicroStepsOp::getSharedArguments() {
  return getBody().getArguments().slice(getRows().size(), getShared().size());
}

Block::BlockArgListType MicroStepsOp::getSumArguments() {
  return getBody().getArguments().take_back(getSums().size());
}

OperandRange MicroStepsOp::getYieldedSums() {
  return getBody().front().getTerminator()->getOperands().take_front(
      getSums().size());
}

OperandRange MicroStepsOp::getYieldedParts() {
  return getBody().front().getTerminator()->getOperands().drop_front(
      getSums().size());
}

/// Appends the types of the parts of `values`.
static LogicalResult appendPartTypes(MicroStepsOp op, ValueRange values,
                                     SmallVectorImpl<Type> &types) {
  int64_t count = op.getCount();
  for (Value value : values) {
    auto type = cast<BlobType>(value.getType());
    types.push_back(MicroStepsOp::getPartType(type, count));
    if (!types.back())
      return op.emitOpError() << "expects rows and packed results whose "
                                 "dimension 0 is a multiple of "
                              << count << " but got " << type;
  }
  return success();
}

LogicalResult MicroStepsOp::verify() {
  SmallVector<Type> arguments, yielded(getSums().getTypes());
  if (failed(appendPartTypes(*this, getRows(), arguments)) ||
      failed(appendPartTypes(*this, getPacked(), yielded)))
    return failure();
  llvm::append_range(arguments, getShared().getTypes());
  llvm::append_range(arguments, getSums().getTypes());
  Block &block = getBody().front();
  if (block.getArgumentTypes() != TypeRange(arguments))
    return emitOpError() << "expects the region's arguments to be the parts of "
                            "the rows, the shared blobs and the sums, "
                         << TypeRange(arguments) << ", but got "
                         << block.getArgumentTypes();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "expects the region to end in job.yield but got "
                         << block.back().getName();
  if (yield.getOperandTypes() != TypeRange(yielded))
    return emitOpError() << "expects job.yield to have the sums and the parts "
                            "of the packed results, "
                         << TypeRange(yielded) << ", but got "
                         << yield.getOperandTypes();
  return success();
}
