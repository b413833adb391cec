//===- ReturnRelus.cpp - Relus in the calls of convolutions ---------------===//

#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBRETURNRELUS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The convolution whose call can compute a relu of this value: its result,
/// with a bias or without, that nothing else needs.
static Conv2DOp findConvolution(Value value) {
  auto findCall = [](Value value) -> Conv2DOp {
    auto conv = value.getDefiningOp<Conv2DOp>();
    return conv && isa_and_present<plan::CudnnConv2dAttr>(
                       conv->getAttr(plan::kImplementationAttrName))
               ? conv
               : Conv2DOp();
  };
  auto add = value.getDefiningOp<AddOp>();
  if (!add)
    return findCall(value);
  for (auto [product, bias] : {std::pair(add.getLhs(), add.getRhs()),
                               std::pair(add.getRhs(), add.getLhs())})
    if (Conv2DOp conv = findCall(product);
        conv && product.hasOneUse() && bias.getDefiningOp<BroadcastInDimOp>())
      return conv;
  return {};
}

/// Whether a gradient is 0 wherever the relu is.
static bool isGradientOf(ReluOp relu, Value grad) {
  auto select = grad.getDefiningOp<SelectOp>();
  if (!select || !isZeroConstant(select.getOnFalse()))
    return false;
  auto compare = select.getCondition().getDefiningOp<CompareOp>();
  return compare && compare.getPredicate() == ComparePredicate::GT &&
         compare.getLhs() == relu.getResult() &&
         isZeroConstant(compare.getRhs());
}

/// Whether the relu of a pooling may compute on its input instead: what else
/// uses the input is gradients of the pooling, which are the same then. Where
/// the maximum is positive, it has the same place in the relu of the window.
static bool mayReturn(ReluOp relu, MaxPool2DOp pool) {
  Value input = pool.getInput();
  Conv2DOp conv = findConvolution(input);
  return conv && conv->getBlock() == pool->getBlock() &&
         relu->getBlock() == pool->getBlock() &&
         getOwnPlacement(conv) == getOwnPlacement(relu) &&
         getOwnPlacement(pool) == getOwnPlacement(relu) &&
         llvm::all_of(input.getUsers(), [&](Operation *user) {
           auto grad = dyn_cast<MaxPool2DGradOp>(user);
           return user == pool || (grad && grad.getInput() == input &&
                                   grad.getGrad() != input &&
                                   grad.getKsize() == pool.getKsize() &&
                                   grad.getStrides() == pool.getStrides() &&
                                   grad.getPadding() == pool.getPadding() &&
                                   grad.getLayout() == pool.getLayout() &&
                                   isGradientOf(relu, grad.getGrad()));
         });
}

namespace {

struct ReturnRelusPass : public job::impl::JobReturnRelusBase<ReturnRelusPass> {
  void runOnOperation() override {
    getOperation().walk([&](ReluOp relu) {
      auto pool = relu.getOperand().getDefiningOp<MaxPool2DOp>();
      if (!pool || !pool->hasOneUse() || !mayReturn(relu, pool))
        return;
      Value input = pool.getInput(), result = relu.getResult();
      result.replaceAllUsesWith(pool.getResult());
      relu->moveAfter(input.getDefiningOp());
      result.setType(input.getType());
      relu.getOperandMutable().assign(input);
      input.replaceAllUsesExcept(result, relu);
      ++numReturned;
    });
  }
};

} // namespace
