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

/// By an op of its own, `GradTy`, which sees the operand and the result.
template <typename OpTy, typename GradTy>
static void reductionGradient(OpTy op, Gradient &gradient) {
  gradient.set(0, gradient.create<GradTy>(op.getOperand().getType(),
                                          gradient.get(), op.getOperand(),
                                          op.getResult(), op.getAxesAttr()));
}

void job::attachReduceGradients(MLIRContext &context) {
  attachGradient<ReduceSumOp, reduceSumGradient>(context);
  attachGradient<ReduceProdOp,
                 reductionGradient<ReduceProdOp, ReduceProdGradOp>>(context);
  attachGradient<ReduceMaxOp,
                 reductionGradient<ReduceMaxOp, ReduceExtremumGradOp>>(context);
  attachGradient<ReduceMinOp,
                 reductionGradient<ReduceMinOp, ReduceExtremumGradOp>>(context);
}
