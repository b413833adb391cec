//===- Index.cpp - Ops with indices by other ops --------------------------===//

#include "Decompose.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// A blob has at most this many blocks, enough for all cores, of at least this
/// many elements.
static constexpr int64_t kMaxBlocks = 64;
static constexpr int64_t kMinBlockSize = 4096;

namespace {

/// Counts the elements of each block, so that each block knows where its
/// indices begin.
struct ArgwhereModel
    : DecomposableOpInterface::ExternalModel<ArgwhereModel, ArgwhereOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto argwhere = cast<ArgwhereOp>(op);
    Value operand = argwhere.getOperand();
    int64_t blockSize = std::max<int64_t>(
        kMinBlockSize,
        llvm::divideCeil(argwhere.getOperand().getType().getNumElements(),
                         kMaxBlocks));
    Value counts =
        CountNonzeroOp::create(builder, op->getLoc(), operand, blockSize);
    auto blocks = ArgwhereBlocksOp::create(
        builder, op->getLoc(), operand, counts, argwhere.getDtype(), blockSize);
    return {blocks.getIndices(), blocks.getCount()};
  }
};

} // namespace

void job::attachIndexDecompositions(MLIRContext &context) {
  ArgwhereOp::attachInterface<ArgwhereModel>(context);
}
