//===- ArgMax.cpp - Kernel of the place of a maximum ----------------------===//
//
// Lanes look for the maximum each for itself and keep the place of the first.
// Along the innermost dimension an item is a row, whose lanes are compared in
// the end; along others it is as many neighbouring results as a vector has
// lanes.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "ScalarBuilder.h"
#include "VectorBuilder.h"

#include "JobDialect/IR/JobOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

static constexpr int64_t numLanes = VectorBuilder::numLanes;

namespace {

/// The operand as `outer` blocks of `extent` rows of `inner` elements.
struct Layout {
  int64_t outer, extent, inner;

  explicit Layout(ArgMaxOp op) {
    ArrayRef<int64_t> shape = op.getOperand().getType().getShape();
    outer = llvm::product_of(shape.take_front(op.getAxis()));
    extent = shape[op.getAxis()];
    inner = llvm::product_of(shape.drop_front(op.getAxis() + 1));
  }
  int64_t getNumBlocks() const { return llvm::divideCeil(inner, numLanes); }
};

/// Vectors of the largest elements so far and of their places.
struct Search {
  LoopBuilder b;
  VectorBuilder lanes;
  Type element, place;

  Search(OpBuilder &builder, Location loc, Type element, int64_t extent)
      : b(builder, loc), lanes(b), element(element),
        place(builder.getIntegerType(extent <= INT32_MAX ? 32 : 64)) {}

  bool isFloat() const { return isa<FloatType>(element); }
  Value splat(TypedAttr value) const {
    return lanes.splat(b.make<arith::ConstantOp>(value));
  }
  Value splatPlace(int64_t value) const {
    return splat(b.getBuilder().getIntegerAttr(place, value));
  }
  /// Nothing is smaller.
  Value getLowest() const {
    if (isFloat())
      return splat(b.getBuilder().getFloatAttr(
          element, -std::numeric_limits<double>::infinity()));
    return splat(b.getBuilder().getIntegerAttr(
        element, llvm::minIntN(element.getIntOrFloatBitWidth())));
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) const {
    return b.make<arith::CmpFOp>(predicate, x, y);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) const {
    return b.make<arith::CmpIOp>(predicate, x, y);
  }

  /// `carried` (the largest elements, their places) with the next ones, which
  /// replace those that are smaller; NaN is larger than all, and stays.
  SmallVector<Value> next(ValueRange carried, Value x, Value places) const {
    Value best = carried[0];
    Value isNew = isFloat()
                      ? b.make<arith::AndIOp>(
                            compare(arith::CmpFPredicate::UGT, x, best),
                            compare(arith::CmpFPredicate::ORD, best, best))
                      : compare(arith::CmpIPredicate::sgt, x, best);
    return {b.select(isNew, x, best), b.select(isNew, places, carried[1])};
  }

  /// The first place of the largest of all lanes.
  Value combineLanes(Value best, Value places) const {
    Value isBest;
    if (isFloat()) {
      Value maximum =
          b.make<vector::ReductionOp>(vector::CombiningKind::MAXIMUMF, best);
      // When the maximum is NaN the lanes with a NaN hold it.
      isBest = b.make<arith::OrIOp>(
          compare(arith::CmpFPredicate::OEQ, best, lanes.splat(maximum)),
          compare(arith::CmpFPredicate::UNO, best, best));
    } else {
      Value maximum =
          b.make<vector::ReductionOp>(vector::CombiningKind::MAXSI, best);
      isBest = compare(arith::CmpIPredicate::eq, best, lanes.splat(maximum));
    }
    Value none = splatPlace(llvm::maxIntN(place.getIntOrFloatBitWidth()));
    return b.make<vector::ReductionOp>(vector::CombiningKind::MINSI,
                                       b.select(isBest, places, none));
  }

  Value toPlace(Value index) const {
    return b.make<arith::IndexCastOp>(place, index);
  }
  /// A place, or a vector of them, as the result holds it.
  Value toResult(Value places) const {
    if (place.isInteger(64))
      return places;
    Type wide = b.getBuilder().getI64Type();
    if (isa<VectorType>(places.getType()))
      wide = lanes.getType(wide);
    return b.make<arith::ExtSIOp>(wide, places);
  }

  void buildRow(const Layout &layout, Value item, Value operand,
                Value result) const;
  void buildLanes(const Layout &layout, Value item, Value operand,
                  Value result) const;
};

} // namespace

void Search::buildRow(const Layout &layout, Value item, Value operand,
                      Value result) const {
  Value lowest = getLowest(), numbers = lanes.lanes(place);
  Value start = b.mul(item, layout.extent);
  // A lane without anything larger than the lowest keeps its first place.
  SmallVector<Value> found = lanes.forEachVector(
      layout.extent, {lowest, numbers},
      [&](Value first, Value mask, ValueRange carried) {
        Value x = lanes.load(operand, b.make<arith::AddIOp>(start, first), mask,
                             lowest);
        Value places =
            b.make<arith::AddIOp>(lanes.splat(toPlace(first)), numbers);
        return next(carried, x, places);
      });
  b.store(toResult(combineLanes(found[0], found[1])), result, item);
}

void Search::buildLanes(const Layout &layout, Value item, Value operand,
                        Value result) const {
  Value outer = b.div(item, layout.getNumBlocks());
  Value column = b.mul(b.rem(item, layout.getNumBlocks()), numLanes);
  Value mask = lanes.getMask(column, layout.inner);
  Value lowest = getLowest();
  Value start =
      b.make<arith::AddIOp>(b.mul(outer, layout.extent * layout.inner), column);
  SmallVector<Value> found = b.reduce(
      layout.extent, {lowest, splatPlace(0)}, [&](Value i, ValueRange carried) {
        Value at = b.make<arith::AddIOp>(start, b.mul(i, layout.inner));
        Value x = lanes.load(operand, at, mask, lowest);
        return next(carried, x, lanes.splat(toPlace(i)));
      });
  Value at = b.make<arith::AddIOp>(b.mul(outer, layout.inner), column);
  lanes.store(toResult(found[1]), result, at, mask);
}

namespace {
struct ArgMaxModel
    : LoopKernelOpInterface::ExternalModel<ArgMaxModel, ArgMaxOp> {
  int64_t getNumItems(Operation *op) const {
    Layout layout(cast<ArgMaxOp>(op));
    return layout.outer * layout.getNumBlocks();
  }
  int64_t getItemCost(Operation *op) const {
    Layout layout(cast<ArgMaxOp>(op));
    return layout.extent * (layout.inner == 1 ? 1 : numLanes);
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const {
    auto argMax = cast<ArgMaxOp>(op);
    Layout layout(argMax);
    Search search(builder, op->getLoc(),
                  argMax.getOperand().getType().getElementType(),
                  layout.extent);
    Value operand = flatten(search.b, operands[0]);
    Value result = flatten(search.b, results[0]);
    if (layout.inner == 1)
      search.buildRow(layout, item, operand, result);
    else
      search.buildLanes(layout, item, operand, result);
  }
};
} // namespace

void job::attachArgMaxModels(MLIRContext *context) {
  ArgMaxOp::attachInterface<ArgMaxModel>(*context);
}
