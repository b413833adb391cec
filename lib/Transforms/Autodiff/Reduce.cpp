//===- Reduce.cpp - Gradients of reductions -------------------------------===//

#include "Gradient.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::job;

/// Every summed element gets the gradient of its sum.
static void reduceSumGradient(ReduceSumOp op, Gradient &gradient) {
  BlobType type = op.getOperand().getType();
  SmallVector<int64_t> dims = op.getKeptAxes();
  if (op.getKeepdims())
    dims = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  else if (dims.empty())
    dims = {0}; // A sum over everything has the shape 1.
  gradient.set(0,
               gradient.create<BroadcastInDimOp>(type, gradient.get(), dims));
}

void job::attachReduceGradients(MLIRContext &context) {
  attachGradient<ReduceSumOp, reduceSumGradient>(context);
}
