//===- MoveRelus.cpp - Relus on the results of poolings -------------------===//

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBMOVERELUS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static int64_t getNumElements(Value value) {
  return cast<BlobType>(value.getType()).getNumElements();
}

/// The relu of the input of a pooling that may run on its result instead.
static ReluOp findRelu(MaxPool2DOp pool) {
  auto relu = pool.getInput().getDefiningOp<ReluOp>();
  if (!relu || !relu->hasOneUse() ||
      getNumElements(pool.getResult()) >= getNumElements(pool.getInput()) ||
      getOwnPlacement(relu) != getOwnPlacement(pool))
    return {};
  return relu;
}

namespace {

struct MoveRelusPass : public job::impl::JobMoveRelusBase<MoveRelusPass> {
  void runOnOperation() override {
    // The call of a convolution computes the relu as well. That is best for a
    // job without gradients.
    if (getOperation().getKind() != JobKind::Train)
      return;
    getOperation().walk([&](MaxPool2DOp pool) {
      ReluOp relu = findRelu(pool);
      if (!relu)
        return;
      pool.getInputMutable().assign(relu.getOperand());
      relu->moveAfter(pool);
      Value result = relu.getResult();
      result.setType(pool.getResult().getType());
      pool.getResult().replaceAllUsesWith(result);
      relu.getOperandMutable().assign(pool.getResult());
      ++numMoved;
    });
  }
};

} // namespace
