//===- ProgramMicroSteps.cpp - Micro-steps as a loop ----------------------===//

#include "ProgramBuilder.h"

#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Analysis/InPlace.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::job;

/// The rows of an iteration, of the type of a blob.
Value ProgramBuilder::createRows(Location loc, BlobType part, Value whole) {
  MemRefType type = plan::getBufferType(part.getMemRefType(),
                                        plan::getSpace(whole.getType()));
  return plan::MicroViewOp::create(builder, loc, type, whole);
}

/// Verifies that each sum can grow in its own memory: the kernel that adds to
/// it reads and overwrites it element by element, and no other op reads it.
LogicalResult ProgramBuilder::convertSums(MicroStepsOp op) {
  llvm::SmallDenseSet<Value> seen;
  for (auto [sofar, yielded, sum] : llvm::zip_equal(
           op.getSumArguments(), op.getYieldedSums(), op.getSums())) {
    auto result = dyn_cast<OpResult>(yielded);
    auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : KernelOp();
    if (!kernel || !sofar.hasOneUse() ||
        sofar.use_begin()->getOwner() != kernel ||
        !canOverwrite(kernel, sofar.use_begin()->getOperandNumber(),
                      result.getResultNumber()) ||
        !seen.insert(yielded).second)
      return op.emitOpError() << "expects a kernel that alone sees sum #"
                              << cast<OpResult>(sum).getResultNumber()
                              << " and adds to it, element by element";
    buffers[sofar] = buffers.lookup(sum);
  }
  return success();
}

LogicalResult ProgramBuilder::convertMicroSteps(MicroStepsOp op) {
  Location loc = op.getLoc();
  for (OpResult result : op->getResults())
    buffers[result] = getResultBuffer(result);
  for (Value sum : op.getSums())
    fillWithZeros(getResultLoc(cast<OpResult>(sum)), buffers.lookup(sum),
                  context.getDevice(getBlobDevices(sum)));
  // A constant gets its buffer at its first use: outside of the loop here.
  for (auto [argument, value] :
       llvm::zip_equal(op.getSharedArguments(), op.getShared()))
    buffers[argument] = getBuffer(value);
  SmallVector<Value> rowsOf;
  for (Value value : op.getRows())
    rowsOf.push_back(getBuffer(value));

  Block &body = op.getBody().front();
  BlobPlaces loopPlaces(body, {inPlace, checkNumerics});
  auto repeat = plan::RepeatOp::create(builder, loc, op.getCount());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&repeat.getBody().emplaceBlock());
  for (auto [argument, whole] :
       llvm::zip_equal(op.getPartArguments(), rowsOf)) {
    Location loc = argument.getLoc();
    Value rows = createRows(loc, cast<BlobType>(argument.getType()), whole);
    if (loopPlaces.isCopied(argument)) {
      Value moved = allocate(loc, cast<MemRefType>(rows.getType()),
                             getPartDevices(argument));
      copy(loc, rows, moved, getBlobDevices(argument));
      rows = moved;
    }
    buffers[argument] = rows;
  }
  if (failed(convertSums(op)))
    return failure();
  llvm::SaveAndRestore<const BlobPlaces *> restorePlaces(places, &loopPlaces);
  for (Operation &inner : body.without_terminator())
    if (failed(convertOp(&inner)))
      return failure();

  for (auto [index, part] : llvm::enumerate(op.getYieldedParts())) {
    // Computed there, unless another result is packed from the same value.
    if (auto result = dyn_cast<OpResult>(part);
        result && isAt(result, BlobPlace::Rows) &&
        places->getPlace(result).index == index)
      continue;
    Value from = getBuffer(part);
    Value rows = createRows(part.getLoc(), cast<BlobType>(part.getType()),
                            buffers.lookup(op.getPacked()[index]));
    copy(part.getLoc(), from, rows, getBlobDevices(part));
  }
  return success();
}
