//===- Shape.cpp - Kernels of changes of shape ----------------------------===//
//
// Paddings and concatenations copy rows of the result, one row or a part of it
// an item. Transposes and slices are read in place by the kernels that
// need them (StridedReadOpInterface).
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

static Value clamp(const KernelBuilder &b, Value index, int64_t upper) {
  return b.min(b.max(index, 0), upper);
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

namespace {

/// How one dimension of the operand lies in the result's.
struct PaddedDim {
  int64_t low, extent, step, high;

  int64_t getSpan() const { return (extent - 1) * step + 1; }
  int64_t getResultExtent() const { return low + getSpan() + high; }
  bool isPadded() const { return low || high || step != 1; }
};

/// A padding as rows of the result: `outer` dimensions, and a row whose
/// elements are `unit` neighbours each.
struct PadLayout {
  SmallVector<PaddedDim> outer;
  PaddedDim row;
  int64_t unit = 1;
  /// The elements of an item, about.
  int64_t itemElements;

  PadLayout(PadOp op, const TargetCosts &costs)
      : itemElements(costs.itemElements) {
    ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
    for (auto [low, extent, interior, high] :
         llvm::zip_equal(op.getLow(), shape, op.getInterior(), op.getHigh()))
      outer.push_back({low, extent, interior + 1, high});
    // What lies inside of the last padding is dense in both blobs.
    while (!outer.empty() && !outer.back().isPadded())
      unit *= outer.pop_back_val().extent;
    // Dense parts that fill a vector, or an item, are rows themselves.
    if (outer.empty() ||
        unit >= std::min(plan::kDefaultLanes, costs.itemElements)) {
      row = {0, unit, 1, 0};
      unit = 1;
    } else {
      row = outer.pop_back_val();
    }
  }

  int64_t getRowExtent() const { return row.getResultExtent(); }
  /// In elements of the row.
  int64_t getItemExtent() const {
    return std::min(getRowExtent(), std::max<int64_t>(1, itemElements / unit));
  }
  int64_t getItemsOfRow() const {
    return llvm::divideCeil(getRowExtent(), getItemExtent());
  }
  int64_t getNumItems() const {
    int64_t count = getItemsOfRow();
    for (const PaddedDim &dim : outer)
      count *= dim.getResultExtent();
    return count;
  }
};

/// A part of a row of the result.
struct PadItem {
  KernelBuilder b;
  const PadLayout &layout;
  Value operand, result, value;
  /// Elements [begin, end) of the row, which starts at `row` in the result.
  Value begin, end, row;

  Value at(Value start, Value element, Value neighbour) const {
    Value place = b.make<arith::AddIOp>(b.mul(element, layout.unit), neighbour);
    return b.make<arith::AddIOp>(start, place);
  }
  void fill(Value from, Value to) const {
    b.forEach(b.mul(from, layout.unit), b.mul(to, layout.unit), [&](Value i) {
      b.store(value, result, b.make<arith::AddIOp>(row, i));
    });
  }
  /// The operand's row starts at `source`.
  void copy(Value source) const {
    const PaddedDim &dim = layout.row;
    // The operand's elements in this part of the row.
    auto toOperand = [&](Value index) {
      Value inside = b.max(b.add(index, -dim.low), 0);
      return b.min(b.div(b.add(inside, dim.step - 1), dim.step), dim.extent);
    };
    Value first = toOperand(begin), last = toOperand(end);
    if (dim.step == 1) {
      fill(begin, b.min(end, dim.low));
      fill(b.max(begin, dim.low + dim.extent), end);
    } else {
      fill(begin, end);
    }
    b.forEach(first, last, [&](Value i) {
      Value place = b.add(b.mul(i, dim.step), dim.low);
      b.forEach(layout.unit, [&](Value j) {
        b.store(b.load(operand, at(source, i, j)), result, at(row, place, j));
      });
    });
  }
};

struct PadModel : LoopKernelOpInterface::ExternalModel<PadModel, PadOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    return PadLayout(cast<PadOp>(op), costs).getNumItems();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    PadLayout layout(cast<PadOp>(op), costs);
    return layout.getItemExtent() * layout.unit;
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const {
    auto pad = cast<PadOp>(op);
    PadLayout layout(pad, costs);
    KernelBuilder b(builder, op->getLoc());
    PadItem part{b,
                 layout,
                 b.flatten(operands[0]),
                 b.flatten(results[0]),
                 buildValue(pad, b),
                 Value(),
                 Value(),
                 Value()};
    int64_t itemsOfRow = layout.getItemsOfRow();
    Value outer = b.div(item, itemsOfRow);
    part.begin = b.mul(b.rem(item, itemsOfRow), layout.getItemExtent());
    part.end = b.add(part.begin, layout.getItemExtent());
    if (layout.getRowExtent() % layout.getItemExtent())
      part.end = b.min(part.end, layout.getRowExtent());
    part.row = b.mul(outer, layout.getRowExtent() * layout.unit);

    // Which row of the operand this is, and whether it is one.
    SmallVector<int64_t> extents;
    for (const PaddedDim &dim : layout.outer)
      extents.push_back(dim.getResultExtent());
    Value source = b.index(0), isInside;
    for (auto [dim, index] :
         llvm::zip_equal(layout.outer, b.delinearize(outer, extents))) {
      Value shifted = b.add(index, -dim.low);
      if (dim.isPadded()) {
        Value isHere = b.isBelow(shifted, dim.getSpan());
        if (dim.step != 1)
          isHere = b.make<arith::AndIOp>(
              isHere, b.isBelow(b.rem(shifted, dim.step), 1));
        isInside = isInside ? b.make<arith::AndIOp>(isInside, isHere) : isHere;
      }
      source = b.make<arith::AddIOp>(b.mul(source, dim.extent),
                                     b.div(shifted, dim.step));
    }
    source = b.mul(source, layout.row.extent * layout.unit);
    if (!isInside)
      return part.copy(source);
    b.branch(
        isInside, [&] { part.copy(source); },
        [&] { part.fill(part.begin, part.end); });
  }

private:
  /// The value that is added, rounded to the element type; saturating, as a
  /// cast.
  static Value buildValue(PadOp op, const KernelBuilder &b) {
    Type element = op.getType().getElementType();
    if (isa<FloatType>(element))
      return b.make<arith::ConstantOp>(b.getBuilder().getFloatAttr(
          element, op.getValue().convertToDouble()));
    llvm::APSInt integer(element.getIntOrFloatBitWidth(),
                         /*isUnsigned=*/element.isUnsignedInteger());
    bool isExact;
    op.getValue().convertToInteger(integer, APFloat::rmNearestTiesToEven,
                                   &isExact);
    return b.make<arith::ConstantOp>(
        b.getBuilder().getIntegerAttr(getBodyType(element), integer));
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// ConcatOp
//===----------------------------------------------------------------------===//

namespace {

/// A concatenation as rows: each consists of one of each operand.
struct ConcatLayout {
  int64_t numRows, row = 0;
  SmallVector<int64_t> lengths;
  /// The elements of an item, at most.
  int64_t itemElements;

  ConcatLayout(ConcatOp op, const TargetCosts &costs)
      : itemElements(costs.itemElements) {
    numRows =
        llvm::product_of(op.getType().getShape().take_front(op.getAxis()));
    for (Value operand : op.getOperands()) {
      auto type = cast<BlobType>(operand.getType());
      lengths.push_back(
          llvm::product_of(type.getShape().drop_front(op.getAxis())));
      row += lengths.back();
    }
  }
  int64_t getItemsOfRow() const { return llvm::divideCeil(row, itemElements); }
};

struct ConcatModel
    : LoopKernelOpInterface::ExternalModel<ConcatModel, ConcatOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    ConcatLayout layout(cast<ConcatOp>(op), costs);
    return layout.numRows * layout.getItemsOfRow();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    return std::min(ConcatLayout(cast<ConcatOp>(op), costs).row,
                    costs.itemElements);
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const {
    ConcatLayout layout(cast<ConcatOp>(op), costs);
    KernelBuilder b(builder, op->getLoc());
    Value result = b.flatten(results[0]);
    Value row = b.div(item, layout.getItemsOfRow());
    Value begin =
        b.mul(b.rem(item, layout.getItemsOfRow()), layout.itemElements);
    bool isWhole = layout.getItemsOfRow() == 1;
    int64_t start = 0;
    for (auto [operand, length] : llvm::zip_equal(operands, layout.lengths)) {
      Value source = b.flatten(operand);
      Value first = b.index(0), last = b.index(length);
      if (!isWhole) {
        // The operand's part of the item, which may be empty.
        first = clamp(b, b.add(begin, -start), length);
        last = clamp(b, b.add(begin, layout.itemElements - start), length);
      }
      Value from = b.mul(row, length);
      Value to = b.add(b.mul(row, layout.row), start);
      b.forEach(first, last, [&](Value i) {
        b.store(b.load(source, b.make<arith::AddIOp>(from, i)), result,
                b.make<arith::AddIOp>(to, i));
      });
      start += length;
    }
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

namespace {
struct IotaModel : ScalarKernelOpInterface::ExternalModel<IotaModel, IotaOp> {
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange,
                    const ElementIndices &indices) const {
    auto iota = cast<IotaOp>(op);
    Location loc = op->getLoc();
    Value index = indices.dim(iota.getAxis());
    Type element = iota.getType().getElementType();
    if (isa<FloatType>(element))
      return arith::SIToFPOp::create(builder, loc, element, index);
    if (element.isInteger(64))
      return index;
    return arith::TruncIOp::create(builder, loc, element, index);
  }
};
} // namespace

void job::attachShapeModels(MLIRContext *context) {
  PadOp::attachInterface<PadModel>(*context);
  ConcatOp::attachInterface<ConcatModel>(*context);
  IotaOp::attachInterface<IotaModel>(*context);
}
