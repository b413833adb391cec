//===- FoldHeadSlices.cpp - Attention on parts of blobs -------------------===//

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBFOLDHEADSLICES
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

/// What differs between attention and its gradient.
template <typename Op> struct Traits;
template <> struct Traits<AttentionOp> {
  using Attr = plan::CudnnAttentionAttr;
  /// The number of the queries among the operands; keys and values follow.
  static constexpr unsigned kQuery = 0;
};
template <> struct Traits<AttentionGradOp> {
  using Attr = plan::CudnnAttentionGradAttr;
  static constexpr unsigned kQuery = 1;
};

/// Whole heads of a blob. Each of its rows has those of one position; numbers
/// are in elements of a row.
struct HeadSlice {
  Value blob;
  int64_t row, begin, size;

  bool operator==(const HeadSlice &) const = default;
};

struct JobFoldHeadSlices
    : public job::impl::JobFoldHeadSlicesBase<JobFoldHeadSlices> {
  void runOnOperation() override;

private:
  template <typename Op> void foldOperands(Op op);
  /// Returns the op that is in the place of `op` then.
  AttentionGradOp joinGrads(AttentionGradOp op);
};

} // namespace

/// Whether a call of cuDNN computes an op of this kind.
template <typename Op> static bool isCall(Operation *op) {
  return isa<Op>(op) && isa_and_nonnull<typename Traits<Op>::Attr>(
                            op->getAttr(plan::kImplementationAttrName));
}

/// Gives `op`, which was made of one with the configuration `old`, its own. The
/// split remains. Fails if the function cannot compute it.
template <typename Op>
static LogicalResult updateConfig(Op op, typename Traits<Op>::Attr old) {
  using Attr = typename Traits<Op>::Attr;
  auto attr = dyn_cast_if_present<Attr>(
      cast<LibraryCallOpInterface>(*op).getCallConfig(kCUDATarget,
                                                      /*maxChunks=*/1));
  if (!attr)
    return failure();
  auto config = attr.getConfig();
  config.workspace = old.getConfig().workspace;
  if constexpr (std::is_same_v<Op, AttentionGradOp>)
    config.batch_parts = old.getConfig().batch_parts;
  op->setAttr(plan::kImplementationAttrName,
              Attr::get(op.getContext(), config));
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Whether all that uses `value`, also through reshapes, are calls that can
/// read it in a larger blob.
static bool isReadByCallsOnly(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto reshape = dyn_cast<ReshapeOp>(user))
      return isReadByCallsOnly(reshape.getResult());
    auto isOperand = [&](unsigned query) {
      return use.getOperandNumber() >= query &&
             use.getOperandNumber() < query + 3;
    };
    return (isCall<AttentionOp>(user) &&
            isOperand(Traits<AttentionOp>::kQuery)) ||
           (isCall<AttentionGradOp>(user) &&
            isOperand(Traits<AttentionGradOp>::kQuery));
  });
}

/// The slice that queries, keys or values of (batch, position, head, channel)
/// are, if they are whole heads of a blob.
static std::optional<HeadSlice> findSlice(Value operand) {
  ArrayRef<int64_t> shape = cast<BlobType>(operand.getType()).getShape();
  while (auto reshape = operand.getDefiningOp<ReshapeOp>())
    operand = reshape.getOperand();
  auto slice = operand.getDefiningOp<SliceOp>();
  if (!slice || !isReadByCallsOnly(slice.getResult()))
    return std::nullopt;
  ArrayRef<int64_t> all = slice.getOperand().getType().getShape();
  std::optional<size_t> axis;
  for (size_t i = 0; i < all.size(); ++i) {
    if (slice.getSizes()[i] == all[i])
      continue;
    if (axis || slice.getStrides()[i] != 1)
      return std::nullopt;
    axis = i;
  }
  if (!axis || llvm::product_of(all.take_front(*axis)) != shape[0] * shape[1])
    return std::nullopt;
  int64_t inner = llvm::product_of(all.drop_front(*axis + 1));
  HeadSlice heads = {slice.getOperand(), all[*axis] * inner,
                     slice.getOffsets()[*axis] * inner,
                     slice.getSizes()[*axis] * inner};
  int64_t channels = shape[3];
  if (heads.row % channels != 0 || heads.begin % channels != 0)
    return std::nullopt;
  return heads;
}

/// Erases ops that only made some of `values`.
static void eraseDead(ValueRange values) {
  llvm::SmallSetVector<Value, 8> left(values.begin(), values.end());
  while (!left.empty()) {
    Operation *op = left.pop_back_val().getDefiningOp();
    if (!isa_and_nonnull<ReshapeOp, SliceOp>(op) || !op->use_empty())
      continue;
    left.insert(op->getOperand(0));
    op->erase();
  }
}

template <typename Op> void JobFoldHeadSlices::foldOperands(Op op) {
  constexpr unsigned query = Traits<Op>::kQuery;
  SmallVector<int64_t> before(op.getHeadsBefore()), after(op.getHeadsAfter());
  std::optional<HeadSlice> slices[3];
  // What the op reads of each blob, each part once.
  llvm::MapVector<Value, SmallVector<HeadSlice>> read;
  for (unsigned i = 0; i < 3; ++i) {
    if (before[i] == 0 && after[i] == 0)
      slices[i] = findSlice(op->getOperand(query + i));
    if (slices[i] && !llvm::is_contained(read[slices[i]->blob], *slices[i]))
      read[slices[i]->blob].push_back(*slices[i]);
  }
  // A blob that is kept takes the place of slices of it.
  auto takesMemory = [&](const HeadSlice &slice) {
    int64_t size = 0;
    for (const HeadSlice &part : read[slice.blob])
      size += part.size;
    return size < slice.row;
  };
  int64_t folded = 0;
  for (std::optional<HeadSlice> &slice : slices) {
    if (slice && takesMemory(*slice))
      slice.reset();
    folded += slice.has_value();
  }
  if (folded == 0)
    return;

  OpBuilder builder(op);
  PlacementListener listener;
  PlacementScope scope(listener, getOwnPlacement(op));
  builder.setListener(&listener);
  SmallVector<Value> operands(op->getOperands());
  // One reshape of a blob: passes that count bytes then see one operand.
  DenseMap<std::pair<Value, Type>, Value> reshapes;
  for (unsigned i = 0; i < 3; ++i) {
    if (!slices[i])
      continue;
    Value &operand = operands[query + i];
    auto type = cast<BlobType>(operand.getType());
    SmallVector<int64_t> shape(type.getShape());
    int64_t heads = shape[2], channels = shape[3];
    shape[2] = slices[i]->row / channels;
    before[i] = slices[i]->begin / channels;
    after[i] = shape[2] - before[i] - heads;
    type = BlobType::get(shape, type.getElementType());
    Value &reshaped = reshapes[{slices[i]->blob, type}];
    if (!reshaped)
      reshaped =
          builder.createOrFold<ReshapeOp>(op.getLoc(), type, slices[i]->blob);
    operand = reshaped;
  }
  auto reading = cast<Op>(builder.clone(*op));
  reading->setOperands(operands);
  reading.setHeadsBefore(before);
  reading.setHeadsAfter(after);
  auto old = cast<typename Traits<Op>::Attr>(
      op->getAttr(plan::kImplementationAttrName));
  Op unused = reading;
  if (succeeded(updateConfig(reading, old))) {
    numOperands += folded;
    op->replaceAllUsesWith(reading);
    unused = op;
  }
  operands.assign(unused->operand_begin(), unused->operand_end());
  unused->erase();
  eraseDead(operands);
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

/// The concatenation that is the only user of a gradient, also through
/// reshapes; null if there is none.
static ConcatOp findConcat(Value grad) {
  while (grad.hasOneUse()) {
    Operation *user = *grad.user_begin();
    if (auto concat = dyn_cast<ConcatOp>(user))
      return concat;
    auto reshape = dyn_cast<ReshapeOp>(user);
    if (!reshape)
      return {};
    grad = reshape.getResult();
  }
  return {};
}

/// Whether `concat` joins the heads of `grads`, and nothing else, in this
/// order.
static bool joinsHeads(ConcatOp concat, ValueRange grads) {
  if (concat.getOperands().size() != grads.size())
    return false;
  ArrayRef<int64_t> shape = concat.getType().getShape();
  int64_t rows =
      llvm::product_of(shape.take_front(static_cast<size_t>(concat.getAxis())));
  for (auto [operand, grad] : llvm::zip_equal(concat.getOperands(), grads)) {
    Value value = operand;
    while (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    ArrayRef<int64_t> heads = cast<BlobType>(grad.getType()).getShape();
    if (value != grad || heads[0] * heads[1] != rows)
      return false;
  }
  return true;
}

AttentionGradOp JobFoldHeadSlices::joinGrads(AttentionGradOp op) {
  if (op.getGrads().size() != 3)
    return op;
  ValueRange grads = op.getGrads();
  auto getDim = [&](unsigned grad, unsigned dim) {
    return cast<BlobType>(grads[grad].getType()).getDimSize(dim);
  };
  ConcatOp concats[3];
  for (unsigned i = 0; i < 3; ++i)
    concats[i] = findConcat(grads[i]);
  bool joinQueryKey =
      concats[0] && concats[0] == concats[1] && getDim(0, 1) == getDim(1, 1);
  bool joinKeyValue =
      concats[1] && concats[1] == concats[2] && getDim(1, 3) == getDim(2, 3);
  if (!joinQueryKey && !joinKeyValue)
    return op;
  unsigned first = joinQueryKey ? 0 : 1;
  unsigned count = joinQueryKey && joinKeyValue ? 3 : 2;
  ConcatOp concat = concats[1];
  if (!joinsHeads(concat, grads.slice(first, count)))
    return op;

  OpBuilder builder(op);
  PlacementListener listener;
  PlacementScope scope(listener, getOwnPlacement(op));
  builder.setListener(&listener);
  auto joined = AttentionGradOp::create(
      builder, op.getLoc(), op.getGrad(), op.getQuery(), op.getKey(),
      op.getValue(), op.getResult(), op.getLogsumexp(), op.getScale(),
      op.getCausal(), op.getHeadsBefore(), op.getHeadsAfter(), joinQueryKey,
      joinKeyValue);
  joined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  auto old = cast<plan::CudnnAttentionGradAttr>(
      op->getAttr(plan::kImplementationAttrName));
  if (failed(updateConfig(joined, old))) {
    joined.erase();
    return op;
  }
  numJoined += count;
  Value blob = joined.getGrads()[joined.getGradPlace(first).first];
  concat.getResult().replaceAllUsesWith(
      builder.createOrFold<ReshapeOp>(op.getLoc(), concat.getType(), blob));
  SmallVector<Value> parts(concat.getOperands());
  concat.erase();
  eraseDead(parts);
  if (count == 2) {
    unsigned other = joinQueryKey ? 2 : 0;
    grads[other].replaceAllUsesWith(
        joined.getGrads()[joined.getGradPlace(other).first]);
  }
  op.erase();
  return joined;
}

void JobFoldHeadSlices::runOnOperation() {
  SmallVector<Operation *> calls;
  getOperation().walk([&](Operation *op) {
    if (isCall<AttentionOp>(op) || isCall<AttentionGradOp>(op))
      calls.push_back(op);
  });
  for (Operation *op : calls)
    if (auto attention = dyn_cast<AttentionOp>(op))
      foldOperands(attention);
    else
      foldOperands(joinGrads(cast<AttentionGradOp>(op)));
}
