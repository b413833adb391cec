//===- Sort.cpp - Kernels of sorting --------------------------------------===//
//
// A sort is a chain of ops that merge groups of eight sorted runs. Each element
// finds its place alone: the places before it in its own run, and what comes
// before it in each of the others, found by bisection. So every place of a row
// is an independent item, on all targets.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/JobOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// The number of runs that are merged into one.
static constexpr int64_t kWays = 8;

namespace {

/// An item is a piece of a row.
struct MergeCut {
  int64_t rows, extent; ///< rows, and places of each
  int64_t run;
  int64_t size, pieces; ///< places of a piece, and pieces of a row

  MergeCut(MergeRunsOp op, const TargetCosts &costs) {
    BlobType type = op.getOperand().getType();
    extent = type.getShape().back();
    rows = type.getNumElements() / extent;
    run = std::min<int64_t>(op.getRun(), extent);
    size = std::clamp<int64_t>(costs.itemElements / getPlaceCost(), 1, extent);
    pieces = llvm::divideCeil(extent, size);
  }
  /// Steps of a bisection that finds one of `run` + 1 places.
  int64_t getNumSteps() const { return llvm::Log2_64(run) + 1; }
  int64_t getPlaceCost() const {
    int64_t runs = std::min<int64_t>(kWays, llvm::divideCeil(extent, run));
    return 4 + 8 * (runs - 1) * getNumSteps();
  }
};

struct MergeRunsModel
    : LoopKernelOpInterface::ExternalModel<MergeRunsModel, MergeRunsOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &costs) const {
    MergeCut cut(cast<MergeRunsOp>(op), costs);
    return cut.rows * cut.pieces;
  }
  int64_t getItemCost(Operation *op, const TargetCosts &costs) const {
    MergeCut cut(cast<MergeRunsOp>(op), costs);
    return cut.size * cut.getPlaceCost();
  }
  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &costs,
                 Value item, ValueRange operands, ValueRange results) const;
};

/// A row that is sorted.
struct SortedRow {
  const KernelBuilder &b;
  Value keys, order, row;
  int64_t extent;
  bool isDescending;

  Value loadOrder(Value place) const { return b.load(order, {row, place}); }
  Value loadKey(Value number) const {
    Value index =
        b.make<arith::IndexCastOp>(b.getBuilder().getIndexType(), number);
    // An order that is no permutation reads nothing outside of the row.
    Value safe = b.select(b.isBelow(index, extent), index, b.index(0));
    return b.load(keys, {row, safe});
  }
  /// Whether x comes before y, whatever their places.
  Value isBefore(Value x, Value y) const {
    if (!isa<FloatType>(x.getType()))
      return b.compare(isDescending ? arith::CmpIPredicate::sgt
                                    : arith::CmpIPredicate::slt,
                       x, y);
    Value isOrdered = b.compare(isDescending ? arith::CmpFPredicate::OGT
                                             : arith::CmpFPredicate::OLT,
                                x, y);
    // NaN comes after all others.
    Value isNumber = b.compare(arith::CmpFPredicate::ORD, x, x);
    Value isNaN = b.compare(arith::CmpFPredicate::UNO, y, y);
    return b.orI(isOrdered, b.andI(isNumber, isNaN));
  }
};

} // namespace

void MergeRunsModel::buildItem(Operation *op, OpBuilder &builder,
                               const TargetCosts &costs, Value item,
                               ValueRange operands, ValueRange results) const {
  auto merge = cast<MergeRunsOp>(op);
  MergeCut cut(merge, costs);
  KernelBuilder b(builder, op->getLoc());
  SmallVector<Value> at = b.delinearize(item, {cut.rows, cut.pieces});
  SortedRow sorted{b,
                   b.reshape(operands[0], {cut.rows, cut.extent}),
                   b.reshape(operands[1], {cut.rows, cut.extent}),
                   at[0],
                   cut.extent,
                   merge.getDescending()};
  Value result = b.reshape(results[0], {cut.rows, cut.extent});
  Value first = b.mul(at[1], cut.size);
  Value end = b.add(first, cut.size);
  if (cut.extent % cut.size)
    end = b.min(end, cut.extent);
  int64_t groupSize = std::min(cut.extent, kWays * cut.run);
  int64_t runs = llvm::divideCeil(groupSize, cut.run);

  b.forEach(first, end, [&](Value place) {
    Value number = sorted.loadOrder(place);
    Value key = sorted.loadKey(number);
    Value group = b.mul(b.div(place, groupSize), groupSize);
    Value ownRun = b.div(b.sub(place, group), cut.run);
    Value ownFirst = b.add(group, b.mul(ownRun, cut.run));
    Value rank = b.reduce(
        runs, b.add(group, b.sub(place, ownFirst)),
        [&](Value run, ValueRange carried) -> SmallVector<Value> {
          Value begin = b.min(b.add(group, b.mul(run, cut.run)), cut.extent);
          Value stop = b.min(b.add(begin, cut.run), cut.extent);
          Value isOwn = b.compare(arith::CmpIPredicate::eq, run, ownRun);
          stop = b.select(isOwn, begin, stop);
          // Of equal elements those of the runs before come first.
          Value isEarlier = b.compare(arith::CmpIPredicate::ult, run, ownRun);
          Value found =
              b.reduce(cut.getNumSteps(), {begin, stop},
                       [&](Value, ValueRange bounds) -> SmallVector<Value> {
                         Value low = bounds[0], high = bounds[1];
                         Value middle = b.div(b.add(low, high), 2);
                         Value isOpen =
                             b.compare(arith::CmpIPredicate::ult, low, high);
                         Value other = sorted.loadKey(
                             sorted.loadOrder(b.min(middle, cut.extent - 1)));
                         Value isTaken = b.make<arith::SelectOp>(
                             isEarlier,
                             b.xorI(sorted.isBefore(key, other),
                                    b.intConstant(builder.getI1Type(), 1)),
                             sorted.isBefore(other, key));
                         Value takes = b.andI(isOpen, isTaken);
                         Value next = b.add(middle, 1);
                         Value newHigh = b.select(isOpen, middle, high);
                         return {b.select(takes, next, low),
                                 b.select(takes, high, newHigh)};
                       })[0];
          return {b.add(carried[0], b.sub(found, begin))};
        })[0];
    b.store(number, result, {at[0], rank});
  });
}

void job::attachSortModels(MLIRContext *context) {
  MergeRunsOp::attachInterface<MergeRunsModel>(*context);
}
