//===- Norm.cpp - Kernels of normalisations -------------------------------===//
//
// One item is a row. Batch normalisation has no kernel of its own
// (lib/Transforms/Decompose).
//
//===----------------------------------------------------------------------===//

#include "Math.h"
#include "Models.h"
#include "RowBuilder.h"

#include "JobDialect/IR/JobOps.h"

using namespace mlir;
using namespace mlir::job;

static int64_t getNumRows(BlobType type) {
  return type.getNumElements() / type.getShape().back();
}

namespace {

/// What a row of a layer normalisation is normalised by. The mean is
/// `center + rest`: `center` has only the digits of the element type, and with
/// a large mean and a small variance what it leaves out would show.
struct Moments {
  Value center, rest, rstd;
};

struct LayerNormModel
    : LoopKernelOpInterface::ExternalModel<LayerNormModel, LayerNormOp> {
  int64_t getNumItems(Operation *op) const {
    return getNumRows(cast<LayerNormOp>(op).getOperand().getType());
  }
  int64_t getItemCost(Operation *op) const {
    return 10 * cast<LayerNormOp>(op).getGamma().getType().getNumElements() +
           40;
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const;
  /// The operand's row is read once more for each element that is written.
  bool canOverwrite(Operation *, unsigned operand, unsigned result) const {
    return operand == 0 && result == 0;
  }

private:
  Moments buildMoments(const RowBuilder &row, Value x, double epsilon) const;
};

struct LayerNormGradModel
    : LoopKernelOpInterface::ExternalModel<LayerNormGradModel,
                                           LayerNormGradOp> {
  int64_t getNumItems(Operation *op) const {
    return getNumRows(cast<LayerNormGradOp>(op).getType());
  }
  int64_t getItemCost(Operation *op) const {
    return 12 * cast<LayerNormGradOp>(op).getType().getShape().back() + 20;
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const;
  /// The gradient's and the operand's row are read once more for each element
  /// that is written.
  bool canOverwrite(Operation *, unsigned operand, unsigned) const {
    return operand <= 1;
  }
};

} // namespace

/// The corrected two-pass algorithm (Chan, Golub and LeVeque 1983): what the
/// first mean is off by is the mean of the deviations from it.
Moments LayerNormModel::buildMoments(const RowBuilder &row, Value x,
                                     double epsilon) const {
  const ScalarBuilder &s = row.scalar, &v = row.vector;
  Value length = s.constant(row.length);
  Value sum = row.buildSums(1, [&](Value column, Value mask) {
    return SmallVector<Value>{row.load(x, column, mask, v.constant(0))};
  })[0];
  Value center = s.div(sum, length), centers = row.splat(center);
  SmallVector<Value> sums = row.buildSums(2, [&](Value column, Value mask) {
    Value deviation = v.sub(row.load(x, column, mask, centers), centers);
    return SmallVector<Value>{deviation, v.mul(deviation, deviation)};
  });
  Value rest = s.div(sums[0], length);
  Value variance = s.sub(s.div(sums[1], length), s.mul(rest, rest));
  // Rounding may have made a zero negative.
  variance = row.b.make<arith::MaximumFOp>(variance, s.constant(0));
  Value root = s.make<math::SqrtOp>(s.add(variance, s.constant(epsilon)));
  return {center, rest, s.div(s.constant(1), root)};
}

void LayerNormModel::buildItem(Operation *op, OpBuilder &builder, Value item,
                               ValueRange operands, ValueRange results) const {
  auto norm = cast<LayerNormOp>(op);
  RowBuilder row(builder, op->getLoc(), norm.getOperand().getType(), item);
  const ScalarBuilder &s = row.scalar, &v = row.vector;
  Value x = operands[0], gamma = operands[1], beta = operands[2];
  Moments moments = buildMoments(row, x, norm.getEpsilon().convertToDouble());
  if (Value mean = results[1])
    row.b.store(s.add(moments.center, moments.rest), mean, row.atRow());
  if (Value rstd = results[2])
    row.b.store(moments.rstd, rstd, row.atRow());
  Value y = results[0];
  if (!y)
    return;
  Value center = row.splat(moments.center), rest = row.splat(moments.rest),
        rstd = row.splat(moments.rstd), zero = v.constant(0);
  row.forEachVector({}, [&](Value column, Value mask, ValueRange) {
    Value deviation =
        v.sub(v.sub(row.load(x, column, mask, zero), center), rest);
    Value normalized = v.mul(deviation, rstd);
    Value scaled = v.mul(normalized, row.loadShared(gamma, column, mask, zero));
    Value result = v.add(scaled, row.loadShared(beta, column, mask, zero));
    row.store(result, y, column, mask);
    return SmallVector<Value>();
  });
}

void LayerNormGradModel::buildItem(Operation *op, OpBuilder &builder,
                                   Value item, ValueRange operands,
                                   ValueRange results) const {
  auto norm = cast<LayerNormGradOp>(op);
  RowBuilder row(builder, op->getLoc(), norm.getType(), item);
  const ScalarBuilder &s = row.scalar, &v = row.vector;
  Value grad = operands[0], x = operands[1], gamma = operands[2];
  Value rstd = row.b.load(operands[4], row.atRow());
  Value means = row.splat(row.b.load(operands[3], row.atRow())),
        rstds = row.splat(rstd), zero = v.constant(0);
  // The gradient of the normalised row, zero in lanes that the mask leaves out,
  // and that row.
  auto load = [&](Value column, Value mask) {
    Value g = v.mul(row.load(grad, column, mask, zero),
                    row.loadShared(gamma, column, mask, zero));
    Value deviation = v.sub(row.load(x, column, mask, means), means);
    return std::pair(g, v.mul(deviation, rstds));
  };
  SmallVector<Value> sums = row.buildSums(2, [&](Value column, Value mask) {
    auto [g, normalized] = load(column, mask);
    return SmallVector<Value>{g, v.mul(g, normalized)};
  });
  Value length = s.constant(row.length);
  Value meanGrad = row.splat(s.div(sums[0], length)),
        meanProduct = row.splat(s.div(sums[1], length));
  row.forEachVector({}, [&](Value column, Value mask, ValueRange) {
    auto [g, normalized] = load(column, mask);
    Value rest = v.sub(v.sub(g, meanGrad), v.mul(normalized, meanProduct));
    row.store(v.mul(rstds, rest), results[0], column, mask);
    return SmallVector<Value>();
  });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {

template <typename Model, typename Op>
struct SoftmaxLikeModel : LoopKernelOpInterface::ExternalModel<Model, Op> {
  int64_t getNumItems(Operation *op) const {
    return getNumRows(cast<Op>(op).getType());
  }
  int64_t getItemCost(Operation *op) const {
    return 20 * cast<Op>(op).getType().getShape().back() + 40;
  }
  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const {
    RowBuilder row(builder, op->getLoc(), cast<Op>(op).getType(), item);
    static_cast<const Model *>(this)->buildRow(row, operands[0], results[0]);
  }
  /// Each pass over the row reads an element before it writes it, and none
  /// reads the operand after the first that writes.
  bool canOverwrite(Operation *, unsigned, unsigned) const { return true; }
};

struct SoftmaxModel : SoftmaxLikeModel<SoftmaxModel, SoftmaxOp> {
  void buildRow(const RowBuilder &row, Value x, Value result) const {
    const ScalarBuilder &s = row.scalar, &v = row.vector;
    // The row of the result holds the exponentials in between.
    Value sum = row.buildSumOfExponentials(
        x, row.buildMaximum(x), [&](Value column, Value mask, Value exp) {
          row.store(exp, result, column, mask);
        });
    Value factor = row.splat(s.div(s.constant(1), sum));
    row.forEachVector({}, [&](Value column, Value mask, ValueRange) {
      Value exp = row.load(result, column, mask, v.constant(0));
      row.store(v.mul(exp, factor), result, column, mask);
      return SmallVector<Value>();
    });
  }
};

struct LogSoftmaxModel : SoftmaxLikeModel<LogSoftmaxModel, LogSoftmaxOp> {
  void buildRow(const RowBuilder &row, Value x, Value result) const {
    const ScalarBuilder &v = row.vector;
    Value maximum = row.buildMaximum(x);
    Value sum =
        row.buildSumOfExponentials(x, maximum, [](Value, Value, Value) {});
    Value shift = row.splat(maximum),
          logarithm = row.splat(buildLog(row.scalar, sum));
    row.forEachVector({}, [&](Value column, Value mask, ValueRange) {
      Value shifted = v.sub(row.load(x, column, mask, v.constant(0)), shift);
      row.store(v.sub(shifted, logarithm), result, column, mask);
      return SmallVector<Value>();
    });
  }
};

} // namespace

void job::attachNormModels(MLIRContext *context) {
  LayerNormOp::attachInterface<LayerNormModel>(*context);
  LayerNormGradOp::attachInterface<LayerNormGradModel>(*context);
  SoftmaxOp::attachInterface<SoftmaxModel>(*context);
  LogSoftmaxOp::attachInterface<LogSoftmaxModel>(*context);
}
