//===- SaveArgmax.cpp - Argmaxes of poolings for their gradients ----------===//

#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBSAVEARGMAX
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The gradients of a pooling that come after it.
static SmallVector<MaxPool2DGradOp> getGradients(MaxPool2DOp pool) {
  SmallVector<MaxPool2DGradOp> grads;
  for (Operation *user : pool.getInput().getUsers())
    if (auto grad = dyn_cast<MaxPool2DGradOp>(user);
        grad && grad.getInput() == pool.getInput() &&
        grad->getBlock() == pool->getBlock() && pool->isBeforeInBlock(grad) &&
        getOwnPlacement(grad) == getOwnPlacement(pool) &&
        grad.getKsize() == pool.getKsize() &&
        grad.getStrides() == pool.getStrides() &&
        grad.getPadding() == pool.getPadding() &&
        grad.getLayout() == pool.getLayout() &&
        !llvm::is_contained(grads, grad))
      grads.push_back(grad);
  return grads;
}

/// Goes back over a transpose; each of `dims` is a dimension of `value`.
static bool skipTranspose(Value &value, MutableArrayRef<int64_t> dims) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return false;
  for (int64_t &dim : dims)
    dim = transpose.getPermutation()[dim];
  value = transpose.getOperand();
  return true;
}

static bool skipRelu(Value &value) {
  auto relu = value.getDefiningOp<ReluOp>();
  if (relu)
    value = relu.getOperand();
  return relu != nullptr;
}

/// The select of a gradient that is 0 wherever the result of the pooling is not
/// positive, as a relu's gradient is. Null if there is none. The gradient is
/// the select, or a transpose of it that has no other use.
static SelectOp findMask(MaxPool2DOp pool, MaxPool2DGradOp grad) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(4));
  Value masked = grad.getGrad();
  while (masked.hasOneUse() && skipTranspose(masked, dims)) {
  }
  auto select = masked.getDefiningOp<SelectOp>();
  if (!select || !isZeroConstant(select.getOnFalse()))
    return {};
  auto compare = select.getCondition().getDefiningOp<CompareOp>();
  if (!compare || compare.getPredicate() != ComparePredicate::GT ||
      !isZeroConstant(compare.getRhs()))
    return {};
  Value positive = compare.getLhs();
  while (skipTranspose(positive, dims) || skipRelu(positive)) {
  }
  bool isSame = positive == pool.getResult() && llvm::equal(dims, llvm::seq(4));
  return isSame ? select : SelectOp();
}

/// Makes a gradient read what its mask selects from, in front of the transposes
/// that `findMask` has skipped.
static void removeMask(MaxPool2DGradOp grad, SelectOp mask) {
  OpOperand *use = &grad.getGradMutable();
  while (use->get() != mask.getResult())
    use = &use->get().getDefiningOp<TransposeOp>().getOperandMutable();
  use->set(mask.getOnTrue());
}

/// Makes a pooling and its gradients those with an argmax.
static void saveArgmax(MaxPool2DOp pool,
                       MutableArrayRef<MaxPool2DGradOp> grads) {
  auto masks = llvm::map_to_vector(
      grads, [&](MaxPool2DGradOp grad) { return findMask(pool, grad); });
  bool isPositive = llvm::all_of(masks, [](SelectOp mask) { return !!mask; });
  OpBuilder builder(pool);
  auto withArgmax = MaxPool2DArgmaxOp::create(
      builder, pool.getLoc(), pool.getInput(), pool.getKsize(),
      pool.getStrides(), pool.getPadding(), isPositive, pool.getLayout());
  withArgmax->setDiscardableAttrs(pool->getDiscardableAttrDictionary());
  pool.getResult().replaceAllUsesWith(withArgmax.getResult());
  for (auto [grad, mask] : llvm::zip_equal(grads, masks)) {
    if (isPositive)
      removeMask(grad, mask);
    builder.setInsertionPoint(grad);
    auto fromArgmax = MaxPool2DArgmaxGradOp::create(
        builder, grad.getLoc(), grad.getType(), grad.getGrad(),
        withArgmax.getArgmax(), grad.getKsize(), grad.getStrides(),
        grad.getPadding(), grad.getLayout());
    fromArgmax->setDiscardableAttrs(grad->getDiscardableAttrDictionary());
    grad.getResult().replaceAllUsesWith(fromArgmax.getResult());
    grad.erase();
  }
  pool.erase();
}

namespace {

struct SaveArgmaxPass : public job::impl::JobSaveArgmaxBase<SaveArgmaxPass> {
  void runOnOperation() override {
    SmallVector<MaxPool2DOp> pools;
    getOperation().walk([&](MaxPool2DOp pool) {
      if ((getJobTarget(pool) == kCUDATarget ||
           pool.getLayout() == ImageLayout::NHWC) &&
          MaxPool2DArgmaxOp::areNumbered(pool.getKsize()))
        pools.push_back(pool);
    });
    for (MaxPool2DOp pool : pools) {
      SmallVector<MaxPool2DGradOp> grads = getGradients(pool);
      if (grads.empty())
        continue;
      saveArgmax(pool, grads);
      ++numSaved;
    }
  }
};

} // namespace
