//===- Loss.cpp - Kernels of losses ---------------------------------------===//
//
// One item is a row of logits.
//
//===----------------------------------------------------------------------===//

#include "Math.h"
#include "Models.h"
#include "RowBuilder.h"

#include "JobDialect/IR/JobOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace mlir::job;

namespace {

/// A row of logits and its label.
struct LogitsRow : RowBuilder {
  Value logits, labels;

  LogitsRow(OpBuilder &builder, Location loc, BlobType logitsType, Value item,
            Value logits, Value labels)
      : RowBuilder(builder, loc, logitsType, item), logits(logits),
        labels(labels) {}

  /// The label as an i64 and whether it is a class.
  std::pair<Value, Value> loadLabel() const {
    Type i64 = b.getBuilder().getI64Type();
    Value label = b.load(labels, row);
    if (label.getType() != i64)
      label = b.make<arith::ExtSIOp>(i64, label);
    Value valid = scalar.compare(arith::CmpIPredicate::ult, label,
                                 scalar.intConstant(i64, length));
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
    LogitsRow row(builder, op->getLoc(), loss.getLogits().getType(), item,
                  operands[0], operands[1]);
    const LoopBuilder &b = row.b;
    const ScalarBuilder &s = row.scalar;
    Value maximum = row.buildMaximum(row.logits);
    Value sum = row.buildSumOfExponentials(row.logits, maximum,
                                           [](Value, Value, Value) {});
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

  /// The first pass over the row reads the logits and writes exponentials.
  bool canOverwrite(Operation *, unsigned operand, unsigned) const {
    return operand == 1;
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const {
    auto loss = cast<SparseSoftmaxCrossEntropyGradOp>(op);
    LogitsRow row(builder, op->getLoc(), loss.getLogits().getType(), item,
                  operands[1], operands[2]);
    const LoopBuilder &b = row.b;
    const ScalarBuilder &s = row.scalar, &v = row.vector;
    Value result = results[0];
    // The row of the result holds the exponentials in between.
    Value sum =
        row.buildSumOfExponentials(row.logits, row.buildMaximum(row.logits),
                                   [&](Value column, Value mask, Value exp) {
                                     row.store(exp, result, column, mask);
                                   });
    auto [label, valid] = row.loadLabel();
    // An undefined factor makes the whole row so.
    Value grad = b.select(valid, b.load(operands[0], row.row), s.nan());
    Value sums = row.splat(sum), grads = row.splat(grad);

    auto indices = VectorType::get(RowBuilder::numLanes, builder.getI64Type());
    SmallVector<int64_t> counting(RowBuilder::numLanes);
    std::iota(counting.begin(), counting.end(), 0);
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
