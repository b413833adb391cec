//===- Norm.cpp - Gradients of normalisations -----------------------------===//
//
// Statistics (a mean, say) are blobs of fewer dimensions. What can be computed
// on them is: each element of the operand then costs few operations.
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::job;

/// A reciprocal instead would be rounded, and the gradient of what a
/// normalisation takes away again, a bias before it, no longer be zero.
static Value divide(Gradient &gradient, Value value, double divisor) {
  return gradient.create<DivOp>(value, gradient.splat(value, divisor));
}

/// a + b, where null stands for zero.
static Value addIfThere(Gradient &gradient, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return gradient.create<AddOp>(a, b);
}

//===----------------------------------------------------------------------===//
// Over the batch
//===----------------------------------------------------------------------===//

namespace {

/// With c = x - mean, h = c * rstd, s the sum over a channel and n the elements
/// in it:
///
///   dbeta  = s(dy)
///   dgamma = s(dy * h)
///   dx     = gamma * rstd * (dy - s(dy) / n - h * dgamma / n)
///            + dmean / n + dvariance * 2 c / n
///
/// Every factor of an element stands alone: where the variance is small, a
/// product such as rstd * rstd is more, and a product with c that is not scaled
/// yet is less, than the element type can hold. `mean` is rounded to the
/// element type, and c is off by as much: s(c) / n says by how much, and is
/// taken off where c or h is used.
class BatchNormGradient {
public:
  BatchNormGradient(BatchNormOp op, Gradient &gradient)
      : op(gradient.wideOp(op)), gradient(gradient),
        type(this->op.getOperand().getType()), axis(op.getAxis()),
        count(type.getNumElements() / type.getDimSize(axis)),
        dy(gradient.wide(gradient.get(0))) {}

  void build();

private:
  /// The sum over all dimensions but `axis`.
  Value sum(Value value) {
    SmallVector<int64_t> axes;
    for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim)
      if (dim != axis)
        axes.push_back(dim);
    return gradient.create<ReduceSumOp>(value, axes, /*keepdims=*/false);
  }
  Value broadcast(Value value) {
    return gradient.create<BroadcastInDimOp>(type, value, axis);
  }
  /// The quotient of a channel's number by the number of elements in it.
  Value average(Value value) { return divide(gradient, value, count); }

  Value buildOperandGradient();

  BatchNormOp op;
  Gradient &gradient;
  BlobType type;
  int64_t axis, count;
  /// Gradient of the normalised blob, null when no loss depends on it.
  Value dy;
  /// c and its mean; rstd, h and its mean; s(dy) and dgamma. Null where no
  /// result needs them.
  Value centered, rest, rstd, normalized, normalizedRest, sumGrad, gammaGrad;
};

} // namespace

void BatchNormGradient::build() {
  // Mean and variance do not depend on gamma and beta.
  if (dy)
    sumGrad = sum(dy);
  if (dy && gradient.isNeeded(2))
    gradient.set(2, sumGrad);
  bool needsGamma = dy && gradient.isNeeded(1);
  bool needsSlope = gradient.isNeeded(0) && (dy || gradient.get(2));
  if (needsGamma || needsSlope) {
    centered = gradient.create<SubOp>(op.getOperand(), broadcast(op.getMean()));
    rest = average(sum(centered));
  }
  if (dy && centered) {
    Value variance = op.getVariance();
    Value epsilon = gradient.splat(variance, op.getEpsilon().convertToDouble());
    rstd = gradient.create<RsqrtOp>(gradient.create<AddOp>(variance, epsilon));
    normalized = gradient.create<MulOp>(centered, broadcast(rstd));
    normalizedRest = gradient.create<MulOp>(rest, rstd);
    gammaGrad =
        gradient.create<SubOp>(sum(gradient.create<MulOp>(dy, normalized)),
                               gradient.create<MulOp>(normalizedRest, sumGrad));
  }
  if (needsGamma)
    gradient.set(1, gammaGrad);
  if (gradient.isNeeded(0))
    gradient.set(0, buildOperandGradient());
}

Value BatchNormGradient::buildOperandGradient() {
  Value result;
  if (dy) {
    Value slope = average(gammaGrad);
    Value offset = gradient.create<SubOp>(
        gradient.create<MulOp>(normalizedRest, slope), average(sumGrad));
    Value bend = gradient.create<MulOp>(normalized, broadcast(slope));
    result = gradient.create<AddOp>(gradient.create<SubOp>(dy, bend),
                                    broadcast(offset));
    Value factor = gradient.create<MulOp>(op.getGamma(), rstd);
    result = gradient.create<MulOp>(result, broadcast(factor));
  }
  Value offset;
  if (Value dMean = gradient.wide(gradient.get(1)))
    offset = average(dMean);
  if (Value dVariance = gradient.wide(gradient.get(2))) {
    Value slope = divide(gradient, dVariance, count / 2.0);
    result = addIfThere(gradient, result,
                        gradient.create<MulOp>(centered, broadcast(slope)));
    Value taken = gradient.create<MulOp>(slope, rest);
    offset = offset ? Value(gradient.create<SubOp>(offset, taken))
                    : Value(gradient.create<NegOp>(taken));
  }
  return offset ? addIfThere(gradient, result, broadcast(offset)) : result;
}

static void batchNormGradient(BatchNormOp op, Gradient &gradient) {
  BatchNormGradient(op, gradient).build();
}

//===----------------------------------------------------------------------===//
// Along the last dimension
//===----------------------------------------------------------------------===//

/// Broadcasts one number per row over the row.
static Value broadcastAlongRows(Gradient &gradient, BlobType type,
                                Value value) {
  // The statistics of a blob of one dimension have the shape 1.
  auto dims =
      llvm::to_vector(llvm::seq(std::max<int64_t>(type.getRank() - 1, 1)));
  return gradient.create<BroadcastInDimOp>(type, value, dims);
}

/// dx of y is an op of its own; mean and rstd add dmean / n and
/// -drstd * rstd^3 * (x - mean) / n, where n is the length of a row.
static void layerNormGradient(LayerNormOp narrow, Gradient &gradient) {
  LayerNormOp op = gradient.wideOp(narrow);
  BlobType type = op.getOperand().getType();
  int64_t length = type.getShape().back();
  Value dy = gradient.wide(gradient.get(0));
  Value x = op.getOperand(), rstd = op.getRstd();
  auto broadcast = [&](Value value) {
    return broadcastAlongRows(gradient, type, value);
  };
  auto sumOfRows = [&](Value value) {
    auto axes = llvm::to_vector(llvm::seq(type.getRank() - 1));
    return gradient.create<ReduceSumOp>(value, axes, /*keepdims=*/false);
  };
  auto buildCentered = [&] {
    return gradient.create<SubOp>(x, broadcast(op.getMean()));
  };

  if (gradient.isNeeded(0)) {
    Value result;
    if (dy)
      result = gradient.create<LayerNormGradOp>(type, dy, x, op.getGamma(),
                                                op.getMean(), rstd);
    if (Value dRstd = gradient.wide(gradient.get(2))) {
      // One factor at a time: where all of a row is equal, x - mean is 0, and
      // rstd^2 may be more than the type holds.
      Value slope =
          divide(gradient, gradient.create<MulOp>(dRstd, rstd), -length);
      Value product = buildCentered();
      Value scale = broadcast(rstd);
      for (Value factor : {scale, scale, broadcast(slope)})
        product = gradient.create<MulOp>(product, factor);
      result = addIfThere(gradient, result, product);
    }
    if (Value dMean = gradient.wide(gradient.get(1)))
      result = addIfThere(gradient, result,
                          broadcast(divide(gradient, dMean, length)));
    gradient.set(0, result);
  }
  // Mean and rstd do not depend on gamma and beta.
  if (dy && gradient.isNeeded(1)) {
    Value centered = buildCentered();
    Value normalized = gradient.create<MulOp>(centered, broadcast(rstd));
    gradient.set(1, sumOfRows(gradient.create<MulOp>(dy, normalized)));
  }
  if (dy && gradient.isNeeded(2))
    gradient.set(2, sumOfRows(dy));
}

/// The sum of each row, broadcast over the row.
static Value buildRowSums(Gradient &gradient, Value value) {
  auto type = cast<BlobType>(value.getType());
  Value sums = gradient.create<ReduceSumOp>(value, type.getRank() - 1,
                                            /*keepdims=*/false);
  return broadcastAlongRows(gradient, type, sums);
}

/// y * (g - sum(g * y)). Not wide: y is rounded and its sum not quite 1, so
/// that the difference of equal g is 0 only if their sum is rounded as well.
static void softmaxGradient(SoftmaxOp op, Gradient &gradient) {
  Value y = op.getResult();
  Value product = gradient.create<MulOp>(gradient.get(), y);
  Value other =
      gradient.create<SubOp>(gradient.get(), buildRowSums(gradient, product));
  gradient.set(0, gradient.create<MulOp>(y, other));
}

/// g - e^y * sum(g).
static void logSoftmaxGradient(LogSoftmaxOp op, Gradient &gradient) {
  Value grad = gradient.getWide();
  Value softmax = gradient.create<ExpOp>(gradient.wide(op.getResult()));
  Value product = gradient.create<MulOp>(softmax, buildRowSums(gradient, grad));
  gradient.set(0, gradient.create<SubOp>(grad, product));
}

void job::attachNormGradients(MLIRContext &context) {
  attachGradient<BatchNormOp, batchNormGradient>(context);
  attachGradient<LayerNormOp, layerNormGradient>(context);
  attachGradient<SoftmaxOp, softmaxGradient>(context);
  attachGradient<LogSoftmaxOp, logSoftmaxGradient>(context);
}
