//===- ReduceGrad.cpp - Kernels of gradients of reductions ----------------===//
//
// Two layouts. Where the innermost dimension is reduced, an item is one element
// of the reduction and its row is walked through in vectors; where it is kept,
// an item is as many neighbouring elements of the reduction as a vector has
// lanes.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

namespace {

/// Dimensions of one kind, the outermost first, and the distances of neighbours
/// in the operand.
struct Dims {
  SmallVector<int64_t> extents, strides;

  int64_t getCount() const { return llvm::product_of(extents); }
  /// Where the `linear`th of them, in row-major order, starts.
  Value getOffset(const KernelBuilder &b, Value linear) const {
    Value offset = b.index(0);
    for (auto [index, stride] :
         llvm::zip_equal(b.delinearize(linear, extents), strides))
      offset = b.make<arith::AddIOp>(offset, b.mul(index, stride));
    return offset;
  }
};

/// How a reduction lies in its operand: dimensions of extent 1 left out,
/// neighbours of one kind as one.
struct Layout {
  Dims kept, reduced;
  /// The extent of the innermost dimension, which is of one of the kinds and
  /// not among them.
  int64_t row = 1;
  bool isRowReduced = false;

  Layout(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
    struct Group {
      int64_t extent, stride;
      bool isReduced;
    };
    SmallVector<Group> groups; // the innermost first
    int64_t stride = 1;
    for (int64_t dim = shape.size(); dim-- > 0;) {
      if (shape[dim] == 1)
        continue;
      bool isReduced = llvm::is_contained(axes, dim);
      if (!groups.empty() && groups.back().isReduced == isReduced)
        groups.back().extent *= shape[dim];
      else
        groups.push_back({shape[dim], stride, isReduced});
      stride *= shape[dim];
    }
    if (groups.empty())
      return;
    row = groups.front().extent;
    isRowReduced = groups.front().isReduced;
    for (const Group &group : llvm::reverse(ArrayRef(groups).drop_front())) {
      Dims &dims = group.isReduced ? reduced : kept;
      dims.extents.push_back(group.extent);
      dims.strides.push_back(group.stride);
    }
  }

  /// Vectors of a row that is kept.
  int64_t getNumBlocks() const {
    return llvm::divideCeil(row, plan::kDefaultLanes);
  }
  int64_t getNumItems() const {
    return kept.getCount() * (isRowReduced ? 1 : getNumBlocks());
  }
  /// Elements of the operand that an item reads.
  int64_t getItemSize() const {
    return reduced.getCount() * (isRowReduced ? row : plan::kDefaultLanes);
  }
};

/// What the loops of one item share.
struct ItemBuilder {
  /// Of the element type, and of vectors of it.
  KernelBuilder b, v;
  const Layout &layout;
  Value grad, operand, reduced, result; // flat
  /// Where the item starts in the operand, and in the reduction.
  Value offset, index;
  /// Of an item that is a vector of the reduction; null for all lanes.
  Value mask;

  ItemBuilder(OpBuilder &builder, Location loc, const Layout &layout,
              Type element, Value item, ValueRange operands, Value result)
      : b(builder, loc, element),
        v(b.withType(VectorType::get(plan::kDefaultLanes, element))),
        layout(layout), grad(b.flatten(operands[0])),
        operand(b.flatten(operands[1])), reduced(b.flatten(operands[2])),
        result(b.flatten(result)) {
    if (layout.isRowReduced) {
      index = item;
      offset = layout.kept.getOffset(b, item);
      return;
    }
    Value outer = b.div(item, layout.getNumBlocks());
    Value column =
        b.mul(b.rem(item, layout.getNumBlocks()), plan::kDefaultLanes);
    mask = v.getMask(column, layout.row);
    index = b.make<arith::AddIOp>(b.mul(outer, layout.row), column);
    offset = b.make<arith::AddIOp>(layout.kept.getOffset(b, outer), column);
  }

  /// Calls `body` with the place in the operand of each of the reduced
  /// dimensions but a row, carrying values along.
  SmallVector<Value> forEachReduced(
      ValueRange initial, bool backwards,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const {
    int64_t count = layout.reduced.getCount();
    return b.reduce(count, initial, [&](Value i, ValueRange carried) {
      Value linear = backwards ? b.sub(b.index(count - 1), i) : i;
      Value place =
          b.make<arith::AddIOp>(offset, layout.reduced.getOffset(b, linear));
      return body(linear, place, carried);
    });
  }

  void buildProductOfRow() const;
  void buildProductOfLanes() const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

/// Forwards each element of the result becomes the product of those before it
/// in its lane; backwards it is multiplied by those behind it, and by the other
/// lanes' products and the gradient.
void ItemBuilder::buildProductOfRow() const {
  Value one = v.constant(1);
  auto multiply = [&](bool backwards, Value initial, bool isFirst) {
    auto body = [&](Value start, Value first, Value tail,
                    ValueRange carried) -> SmallVector<Value> {
      Value at = b.make<arith::AddIOp>(start, first);
      Value product = carried[0];
      if (!isFirst)
        product = v.mul(v.loadVector(result, at, tail, 1), product);
      v.storeVector(product, result, at, tail);
      return {v.mul(carried[0], v.loadVector(operand, at, tail, 1))};
    };
    return forEachReduced(
        initial, backwards, [&](Value, Value start, ValueRange carried) {
          auto inner = [&](Value first, Value tail, ValueRange values) {
            return body(start, first, tail, values);
          };
          return backwards
                     ? v.forEachVectorBackwards(layout.row, carried, inner)
                     : v.forEachVector(layout.row, carried, inner);
        })[0];
  };
  Value products = multiply(/*backwards=*/false, one, /*isFirst=*/true);

  SmallVector<Value> ofLane(plan::kDefaultLanes), others(plan::kDefaultLanes);
  Value before = b.load(grad, index), behind = b.constant(1);
  for (int64_t lane = 0; lane < plan::kDefaultLanes; ++lane) {
    ofLane[lane] = b.make<vector::ExtractOp>(products, lane);
    others[lane] = before;
    before = b.mul(before, ofLane[lane]);
  }
  for (int64_t lane = plan::kDefaultLanes; lane-- > 0;) {
    others[lane] = b.mul(others[lane], behind);
    behind = b.mul(behind, ofLane[lane]);
  }
  Value rest =
      b.make<vector::FromElementsOp>(cast<VectorType>(v.getType()), others);
  multiply(/*backwards=*/true, rest, /*isFirst=*/false);
}

/// The same with whole products in each lane.
void ItemBuilder::buildProductOfLanes() const {
  Value one = v.constant(1);
  forEachReduced(v.loadVector(grad, index, mask, 1), /*backwards=*/false,
                 [&](Value, Value at, ValueRange before) -> SmallVector<Value> {
                   v.storeVector(before[0], result, at, mask);
                   return {
                       v.mul(before[0], v.loadVector(operand, at, mask, 1))};
                 });
  forEachReduced(one, /*backwards=*/true,
                 [&](Value, Value at, ValueRange behind) -> SmallVector<Value> {
                   Value before = v.loadVector(result, at, mask, 1);
                   v.storeVector(v.mul(before, behind[0]), result, at, mask);
                   return {
                       v.mul(behind[0], v.loadVector(operand, at, mask, 1))};
                 });
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static void build(ReduceProdGradOp, const ItemBuilder &item) {
  if (item.layout.isRowReduced)
    item.buildProductOfRow();
  else
    item.buildProductOfLanes();
}

namespace {
template <typename OpTy>
struct ReduceGradModel
    : LoopKernelOpInterface::ExternalModel<ReduceGradModel<OpTy>, OpTy> {
  static Layout getLayout(Operation *op) {
    auto grad = cast<OpTy>(op);
    return Layout(grad.getType().getShape(), grad.getAxes());
  }
  int64_t getNumItems(Operation *op, const TargetCosts &) const {
    return getLayout(op).getNumItems();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &) const {
    return getLayout(op).getItemSize();
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &,
                 Value item, ValueRange operands, ValueRange results) const {
    auto grad = cast<OpTy>(op);
    Layout layout = getLayout(op);
    build(grad, ItemBuilder(builder, op->getLoc(), layout,
                            grad.getType().getElementType(), item, operands,
                            results[0]));
  }
};
} // namespace

void job::attachReduceGradModels(MLIRContext *context) {
  ReduceProdGradOp::attachInterface<ReduceGradModel<ReduceProdGradOp>>(
      *context);
}
