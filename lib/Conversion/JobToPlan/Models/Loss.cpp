//===- Loss.cpp - Kernels of losses ---------------------------------------===//
//
// One item is a row of logits, worked on in vectors of a fixed number of lanes:
// a sum has one partial sum a lane whatever the machine's vectors are, so the
// bits do not depend on it.
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"
#include "Math.h"
#include "Models.h"

#include "JobDialect/IR/JobOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::job;

static constexpr int64_t numLanes = 16;

namespace {

/// A row of logits and its label.
struct SoftmaxRow {
  LoopBuilder b;
  ScalarBuilder scalar, vector;
  Value logits, labels;
  int64_t numClasses;
  /// The indices of the row in the labels, and in the logits without the
  /// class.
  SmallVector<Value> row;

  SoftmaxRow(OpBuilder &builder, Location loc, BlobType logitsType, Value item,
             Value logits, Value labels)
      : b(builder, loc), scalar(builder, loc, logitsType.getElementType()),
        vector(builder, loc,
               VectorType::get(numLanes, logitsType.getElementType())),
        logits(logits), labels(labels),
        numClasses(logitsType.getShape().back()),
        row(b.delinearize(item, logitsType.getShape().drop_back())) {}

  SmallVector<Value> at(Value column) const {
    SmallVector<Value> indices = row;
    indices.push_back(column);
    return indices;
  }

  /// Calls `body` with the first column and the mask (null for all lanes) of
  /// each vector of a row, carrying values along.
  SmallVector<Value> forEachVector(
      ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const {
    int64_t tail = numClasses % numLanes;
    SmallVector<Value> carried(initial);
    if (numClasses >= numLanes)
      carried = b.reduce(b.index(0), b.index(numClasses - tail), numLanes,
                         carried, [&](Value column, ValueRange values) {
                           return body(column, Value(), values);
                         });
    if (tail == 0)
      return carried;
    SmallVector<bool> lanes(numLanes, false);
    std::fill_n(lanes.begin(), tail, true);
    auto type = VectorType::get(numLanes, b.getBuilder().getI1Type());
    Value mask = b.make<arith::ConstantOp>(
        type, DenseElementsAttr::get(type, ArrayRef<bool>(lanes)));
    return body(b.index(numClasses - tail), mask, carried);
  }

  /// A vector of `memref`; `padding`, a vector, stands in the lanes that the
  /// mask leaves out.
  Value load(Value memref, Value column, Value mask, Value padding) const {
    if (!mask)
      return b.make<vector::LoadOp>(cast<VectorType>(vector.getType()), memref,
                                    at(column));
    return b.make<vector::MaskedLoadOp>(cast<VectorType>(vector.getType()),
                                        memref, at(column), mask, padding);
  }
  void store(Value value, Value memref, Value column, Value mask) const {
    if (!mask)
      vector::StoreOp::create(b.getBuilder(), b.getLoc(), value, memref,
                              at(column));
    else
      vector::MaskedStoreOp::create(b.getBuilder(), b.getLoc(), memref,
                                    at(column), mask, value);
  }
  Value splat(Value value) const {
    return b.make<vector::BroadcastOp>(vector.getType(), value);
  }

  Value buildMaximum() const {
    Value lowest = vector.neg(vector.infinity());
    Value maximum =
        forEachVector(lowest,
                      [&](Value column, Value mask,
                          ValueRange carried) -> SmallVector<Value> {
                        return {b.make<arith::MaximumFOp>(
                            carried[0], load(logits, column, mask, lowest))};
                      })[0];
    return b.make<vector::ReductionOp>(vector::CombiningKind::MAXIMUMF,
                                       maximum);
  }

  /// The sum of e^(x - maximum) over the row; `each` gets the terms.
  Value buildSum(Value maximum,
                 function_ref<void(Value, Value, Value)> each) const {
    Value shift = splat(maximum);
    Value lowest = vector.neg(vector.infinity());
    Value sums =
        forEachVector(vector.constant(0),
                      [&](Value column, Value mask,
                          ValueRange carried) -> SmallVector<Value> {
                        Value x = load(logits, column, mask, lowest);
                        Value exp = buildExp(vector, vector.sub(x, shift));
                        // A lane without a class must add nothing, whatever the
                        // maximum is.
                        if (mask)
                          exp = vector.select(mask, exp, vector.constant(0));
                        each(column, mask, exp);
                        return {vector.add(carried[0], exp)};
                      })[0];
    return b.make<vector::ReductionOp>(vector::CombiningKind::ADD, sums);
  }

  /// The label as an i64 and whether it is a class.
  std::pair<Value, Value> loadLabel() const {
    Type i64 = b.getBuilder().getI64Type();
    Value label = b.load(labels, row);
    if (label.getType() != i64)
      label = b.make<arith::ExtSIOp>(i64, label);
    Value valid = scalar.compare(arith::CmpIPredicate::ult, label,
                                 scalar.intConstant(i64, numClasses));
    return {label, valid};
  }
};

struct CrossEntropyModel
    : LoopKernelOpInterface::ExternalModel<CrossEntropyModel,
                                           SparseSoftmaxCrossEntropyOp> {
  int64_t getNumItems(Operation *op) const {
    return cast<SparseSoftmaxCrossEntropyOp>(op).getType().getNumElements();
  }
  int64_t getItemCost(Operation *op) const {
    auto loss = cast<SparseSoftmaxCrossEntropyOp>(op);
    return 20 * loss.getLogits().getType().getShape().back() + 40;
  }

  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const {
    auto loss = cast<SparseSoftmaxCrossEntropyOp>(op);
    SoftmaxRow row(builder, op->getLoc(), loss.getLogits().getType(), item,
                   operands[0], operands[1]);
    const LoopBuilder &b = row.b;
    const ScalarBuilder &s = row.scalar;
    Value maximum = row.buildMaximum();
    Value sum = row.buildSum(maximum, [](Value, Value, Value) {});
    auto [label, valid] = row.loadLabel();
    Value safe = b.select(valid, label, s.intConstant(label.getType(), 0));
    Value column = b.make<arith::IndexCastOp>(builder.getIndexType(), safe);
    Value shifted = s.sub(b.load(row.logits, row.at(column)), maximum);
    Value result = s.sub(buildLog(s, sum), shifted);
    b.store(b.select(valid, result, s.nan()), results[0], row.row);
  }
};

struct CrossEntropyGradModel
    : LoopKernelOpInterface::ExternalModel<CrossEntropyGradModel,
                                           SparseSoftmaxCrossEntropyGradOp> {
  int64_t getNumItems(Operation *op) const {
    return cast<SparseSoftmaxCrossEntropyGradOp>(op)
        .getGrad()
        .getType()
        .getNumElements();
  }
  int64_t getItemCost(Operation *op) const {
    auto loss = cast<SparseSoftmaxCrossEntropyGradOp>(op);
    return 24 * loss.getLogits().getType().getShape().back() + 40;
  }

  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const {
    auto loss = cast<SparseSoftmaxCrossEntropyGradOp>(op);
    SoftmaxRow row(builder, op->getLoc(), loss.getLogits().getType(), item,
                   operands[1], operands[2]);
    const LoopBuilder &b = row.b;
    const ScalarBuilder &s = row.scalar, &v = row.vector;
    Value result = results[0];
    // The row of the result holds the exponentials in between.
    Value sum = row.buildSum(row.buildMaximum(),
                             [&](Value column, Value mask, Value exp) {
                               row.store(exp, result, column, mask);
                             });
    auto [label, valid] = row.loadLabel();
    // An undefined factor makes the whole row so.
    Value grad = b.select(valid, b.load(operands[0], row.row), s.nan());
    Value sums = row.splat(sum), grads = row.splat(grad);

    auto indices = VectorType::get(numLanes, builder.getI64Type());
    SmallVector<int64_t> counting(numLanes);
    for (int64_t i = 0; i < numLanes; ++i)
      counting[i] = i;
    Value lanes = b.make<arith::ConstantOp>(
        indices, DenseElementsAttr::get(indices, ArrayRef<int64_t>(counting)));
    row.forEachVector({}, [&](Value column, Value mask, ValueRange) {
      Value softmax =
          v.div(row.load(result, column, mask, v.constant(0)), sums);
      // The label's lane in this vector.
      Value first = b.make<arith::IndexCastOp>(builder.getI64Type(), column);
      Value lane = b.make<vector::BroadcastOp>(indices, s.subI(label, first));
      Value isLabel = v.compare(arith::CmpIPredicate::eq, lanes, lane);
      Value hot = v.select(isLabel, v.constant(1), v.constant(0));
      row.store(v.mul(v.sub(softmax, hot), grads), result, column, mask);
      return SmallVector<Value>();
    });
  }
};

} // namespace

void job::attachLossModels(MLIRContext *context) {
  SparseSoftmaxCrossEntropyOp::attachInterface<CrossEntropyModel>(*context);
  SparseSoftmaxCrossEntropyGradOp::attachInterface<CrossEntropyGradModel>(
      *context);
}
