//===- Loss.cpp - Losses by other ops -------------------------------------===//

#include "Decompose.h"

#include <limits>

using namespace mlir;
using namespace mlir::job;

namespace {

/// Logits and their labels.
struct LogitsOps : RowOps {
  /// Whether each label is a class.
  Value isValid;
  /// Whether each logit is that of the label; none is where the label is not
  /// valid.
  Value isLabel;

  LogitsOps(OpBuilder &builder, Location loc, BlobType type, Value labels)
      : RowOps(builder, loc, type) {
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    Value label = make<CastOp>(getRowType(i64), labels);
    isValid = make<LogicalAndOp>(
        make<CompareOp>(ComparePredicate::GE, label, rowConstant(0, i64)),
        make<CompareOp>(ComparePredicate::LT, label,
                        rowConstant(getLength(), i64)));
    // Numbers of classes in 32 bits: vectors of these are shorter.
    Value known = make<CastOp>(
        getRowType(i32), make<SelectOp>(isValid, label, rowConstant(-1, i64)));
    Value classes = make<IotaOp>(BlobType::get(type.getShape(), i32),
                                 builder.getI64IntegerAttr(type.getRank() - 1));
    isLabel = make<CompareOp>(ComparePredicate::EQ, classes, broadcast(known));
  }

  Value orUndefined(Value row) const {
    return make<SelectOp>(
        isValid, row, rowConstant(std::numeric_limits<double>::quiet_NaN()));
  }
};

struct CrossEntropyModel
    : DecomposableOpInterface::ExternalModel<CrossEntropyModel,
                                             SparseSoftmaxCrossEntropyOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto loss = cast<SparseSoftmaxCrossEntropyOp>(op);
    Value x = loss.getLogits();
    LogitsOps r(builder, op->getLoc(), loss.getLogits().getType(),
                loss.getLabels());
    Value shifted = r.sub(x, r.broadcast(r.maximum(x)));
    Value sum = r.sum(r.make<ExpOp>(shifted));
    // A sum with one term.
    Value ofLabel = r.sum(r.make<SelectOp>(r.isLabel, shifted, r.constant(0)));
    return {r.orUndefined(r.sub(r.make<LogOp>(sum), ofLabel))};
  }
  bool isKernel(Operation *) const { return true; }
};

struct CrossEntropyGradModel
    : DecomposableOpInterface::ExternalModel<CrossEntropyGradModel,
                                             SparseSoftmaxCrossEntropyGradOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto loss = cast<SparseSoftmaxCrossEntropyGradOp>(op);
    Value x = loss.getLogits();
    LogitsOps r(builder, op->getLoc(), loss.getLogits().getType(),
                loss.getLabels());
    Value exp = r.make<ExpOp>(r.sub(x, r.broadcast(r.maximum(x))));
    Value softmax = r.div(exp, r.broadcast(r.sum(exp)));
    Value hot = r.make<SelectOp>(r.isLabel, r.constant(1), r.constant(0));
    // An undefined factor makes the whole row undefined.
    Value grad = r.broadcast(r.orUndefined(loss.getGrad()));
    return {r.mul(r.sub(softmax, hot), grad)};
  }
  bool isKernel(Operation *) const { return true; }
  bool canOverwrite(Operation *, unsigned operand, unsigned) const {
    return operand == 1;
  }
};

} // namespace

void job::attachLossDecompositions(MLIRContext &context) {
  SparseSoftmaxCrossEntropyOp::attachInterface<CrossEntropyModel>(context);
  SparseSoftmaxCrossEntropyGradOp::attachInterface<CrossEntropyGradModel>(
      context);
}
