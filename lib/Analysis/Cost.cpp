//===- Cost.cpp - Bytes and operations of an op ---------------------------===//

#include "JobDialect/Analysis/Cost.h"

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

/// The operations of all ops of a block.
static int64_t getFlops(Block &block) {
  int64_t flops = 0;
  for (Operation &op : block)
    flops = addOperationCounts(flops, job::getFlops(&op));
  return flops;
}

/// The operations of the ops that compute one.
static int64_t getDecomposedFlops(DecomposableOpInterface op) {
  Block block;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&block);
  SmallVector<Value> results = op.decompose(builder);
  int64_t flops = ::getFlops(block);
  for (Operation &part : llvm::make_early_inc_range(llvm::reverse(block))) {
    part.dropAllUses();
    part.erase();
  }
  return flops;
}

int64_t job::getFlops(Operation *op) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return ::getFlops(kernel.getBody().front());
  if (auto loop = dyn_cast<MicroStepsOp>(op))
    return getOperationCount({::getFlops(loop.getBody().front()),
                              static_cast<int64_t>(loop.getCount())});
  if (auto command = dyn_cast<plan::PlanCommandOpInterface>(op))
    return command.getOperationCount();
  if (auto call = dyn_cast<LibraryCallOpInterface>(op))
    return call.getCallFlops();
  if (auto loops = dyn_cast<LoopKernelOpInterface>(op)) {
    const TargetCosts &costs = getTargetCosts(getJobTarget(op));
    return getOperationCount(
        {loops.getNumItems(costs), loops.getItemCost(costs)});
  }
  if (auto decomposable = dyn_cast<DecomposableOpInterface>(op))
    return getDecomposedFlops(decomposable);
  if (isa<ScalarKernelOpInterface>(op))
    return cast<BlobType>(op->getResult(0).getType()).getNumElements();
  if (isa<ReductionKernelOpInterface>(op))
    return cast<BlobType>(op->getOperand(0).getType()).getNumElements();
  return 0;
}

/// Bytes of the distinct values of a list, blobs or buffers.
static int64_t getBytes(ValueRange values) {
  int64_t bytes = 0;
  llvm::SmallPtrSet<void *, 4> seen;
  for (Value value : values) {
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    if (auto blob = dyn_cast<BlobType>(value.getType()))
      bytes += blob.getBytes();
    else if (auto buffer = dyn_cast<MemRefType>(value.getType()))
      bytes += plan::getBufferBytes(buffer);
  }
  return bytes;
}

OpCost job::getOpCost(Operation *op) {
  OpCost cost;
  cost.flops = getFlops(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](plan::PlanCommandOpInterface command) {
        cost.bytesRead = getBytes(plan::getReadBuffers(command));
        cost.bytesWritten = getBytes(plan::getWrittenBuffers(command));
      })
      .Case<KernelOp, ScalarKernelOpInterface, LoopKernelOpInterface,
            ReductionKernelOpInterface, DecomposableOpInterface,
            LibraryCallOpInterface, StridedReadOpInterface, HostCallOp,
            TransferOp>([&](auto computed) {
        cost.bytesRead = getBytes(computed->getOperands());
        cost.bytesWritten = getBytes(computed->getResults());
      })
      .Default([](Operation *) {});
  return cost;
}
