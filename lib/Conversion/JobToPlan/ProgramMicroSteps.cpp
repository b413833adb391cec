//===- ProgramMicroSteps.cpp - Micro-steps as a loop ----------------------===//

#include "ProgramBuilder.h"

#include "JobDialect/Analysis/InPlace.h"
#include "jobrt/abi.h"

using namespace mlir;
using namespace mlir::job;

/// Says that each sum grows in its own memory: the kernel that adds to it reads
/// and overwrites it element by element, and nobody else looks at it.
LogicalResult ProgramBuilder::planSums(MicroStepsOp op) {
  for (auto [sofar, yielded, sum] : llvm::zip_equal(
           op.getSumArguments(), op.getYieldedSums(), op.getSums())) {
    auto result = dyn_cast<OpResult>(yielded);
    auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : KernelOp();
    if (!kernel || !sofar.hasOneUse() ||
        sofar.use_begin()->getOwner() != kernel ||
        !canOverwrite(kernel, sofar.use_begin()->getOperandNumber(),
                      result.getResultNumber()) ||
        !yieldedInto.try_emplace(yielded, buffers.lookup(sum)).second)
      return op.emitOpError() << "expects a kernel that alone sees sum #"
                              << cast<OpResult>(sum).getResultNumber()
                              << " and adds to it, element by element";
    buffers[sofar] = buffers.lookup(sum);
  }
  return success();
}

/// The rows of an iteration, of the type of a blob.
static Value createRows(OpBuilder &builder, Location loc, Type part,
                        Value whole) {
  MemRefType type = plan::getBufferType(cast<BlobType>(part).getMemRefType(),
                                        plan::getSpace(whole.getType()));
  return plan::MicroViewOp::create(builder, loc, type, whole);
}

static bool isAligned(Value rows) {
  return plan::getBufferBytes(cast<MemRefType>(rows.getType())) %
             JOBRT_ALIGNMENT ==
         0;
}

/// Says which results are computed in the rows of what is packed. Kernels and
/// libraries expect aligned buffers; what stays is copied when it is yielded.
void ProgramBuilder::planParts(MicroStepsOp op) {
  for (auto [part, all] :
       llvm::zip_equal(op.getYieldedParts(), op.getPacked())) {
    auto result = dyn_cast<OpResult>(part);
    if (!result || !isa<KernelOp, LibraryCallOpInterface>(result.getOwner()) ||
        yieldedInto.contains(result))
      continue;
    Value rows =
        createRows(builder, part.getLoc(), part.getType(), buffers.lookup(all));
    if (isAligned(rows))
      yieldedInto[result] = rows;
    else
      rows.getDefiningOp()->erase();
  }
}

LogicalResult ProgramBuilder::convertMicroSteps(MicroStepsOp op) {
  Location loc = op.getLoc();
  for (OpResult result : op->getResults())
    buffers[result] = getResultBuffer(result);
  for (Value sum : op.getSums())
    plan::FillOp::create(builder, getResultLoc(cast<OpResult>(sum)),
                         buffers.lookup(sum), builder.getI64IntegerAttr(0),
                         /*queue=*/nullptr);
  // A constant gets its buffer where somebody asks: outside of the loop here.
  for (auto [argument, value] :
       llvm::zip_equal(op.getSharedArguments(), op.getShared()))
    buffers[argument] = getBuffer(value);
  SmallVector<Value> rowsOf;
  for (Value value : op.getRows())
    rowsOf.push_back(getBuffer(value));

  auto repeat = plan::RepeatOp::create(builder, loc, op.getCount());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&repeat.getBody().emplaceBlock());
  for (auto [argument, whole] :
       llvm::zip_equal(op.getPartArguments(), rowsOf)) {
    Location loc = argument.getLoc();
    Value rows = createRows(builder, loc, argument.getType(), whole);
    if (!isAligned(rows)) {
      Value moved = allocate(loc, cast<MemRefType>(rows.getType()));
      copy(loc, rows, moved);
      rows = moved;
    }
    buffers[argument] = rows;
  }
  if (failed(planSums(op)))
    return failure();
  planParts(op);
  for (Operation &inner : op.getBody().front().without_terminator())
    if (failed(convertOp(&inner)))
      return failure();
  checkAllBut({});

  for (auto [part, all] :
       llvm::zip_equal(op.getYieldedParts(), op.getPacked())) {
    Value from = getBuffer(part);
    // Its rows already, unless another result is packed from the same value.
    if (Value place = yieldedInto.lookup(part);
        place &&
        plan::getBufferRoot(place) == plan::getBufferRoot(buffers.lookup(all)))
      continue;
    Value rows =
        createRows(builder, part.getLoc(), part.getType(), buffers.lookup(all));
    copy(part.getLoc(), from, rows);
  }
  return success();
}
