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

/// Groups the slices that are added to one another, so that each slice of the
/// result is one sum.
struct ScatterAddModel
    : DecomposableOpInterface::ExternalModel<ScatterAddModel, ScatterAddOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto scatter = cast<ScatterAddOp>(op);
    Location loc = op->getLoc();
    int64_t axis = scatter.getAxis(), batchDims = scatter.getBatchDims();
    // One dimension of indices.
    auto reshape = [&](Value blob, ArrayRef<int64_t> shape) -> Value {
      auto type = cast<BlobType>(blob.getType());
      if (type.getShape() == shape)
        return blob;
      return ReshapeOp::create(
          builder, loc, BlobType::get(shape, type.getElementType()), blob);
    };
    SmallVector<int64_t> indicesShape(
        scatter.getIndices().getType().getShape()),
        shape(scatter.getType().getShape());
    int64_t count =
        llvm::product_of(ArrayRef(indicesShape).drop_front(batchDims));
    indicesShape.resize(batchDims);
    indicesShape.push_back(count);
    shape[axis] = count;
    Value groups = GroupIndicesOp::create(
        builder, loc, reshape(scatter.getIndices(), indicesShape),
        scatter.getExtent());
    Value sums = SumGroupsOp::create(
        builder, loc, reshape(scatter.getUpdates(), shape), groups, axis);
    return {sums};
  }
};

/// Merges runs of one element, then of eight, and so on.
struct ArgSortModel
    : DecomposableOpInterface::ExternalModel<ArgSortModel, ArgSortOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto sort = cast<ArgSortOp>(op);
    BlobType type = sort.getType();
    int64_t axis = type.getRank() - 1, extent = type.getShape().back();
    Value order = IotaOp::create(builder, op->getLoc(), type, axis);
    for (int64_t run = 1; run < extent; run *= 8)
      order = MergeRunsOp::create(builder, op->getLoc(), sort.getOperand(),
                                  order, run, sort.getDescending());
    return {order};
  }
};

} // namespace

void job::attachIndexDecompositions(MLIRContext &context) {
  ArgSortOp::attachInterface<ArgSortModel>(context);
  ArgwhereOp::attachInterface<ArgwhereModel>(context);
  ScatterAddOp::attachInterface<ScatterAddModel>(context);
}
