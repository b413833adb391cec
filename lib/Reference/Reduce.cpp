//===- Reduce.cpp - Reference of reductions -------------------------------===//

#include "Models.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::job;

/// For each element of a tensor of that shape the index of the result that it
/// is reduced into.
static std::vector<int64_t> getResultIndices(ArrayRef<int64_t> shape,
                                             ArrayRef<int64_t> keptAxes) {
  // A step along a dimension of the operand moves by this in the result: not at
  // all along reduced ones. Kept dimensions lie in the result as in an array of
  // their extents alone, with or without keepdims.
  SmallVector<int64_t> keptExtents, resultStrides(shape.size(), 0);
  for (int64_t axis : keptAxes)
    keptExtents.push_back(shape[axis]);
  for (auto [axis, stride] :
       llvm::zip_equal(keptAxes, getRowMajorStrides(keptExtents)))
    resultStrides[axis] = stride;

  SmallVector<int64_t> strides = getRowMajorStrides(shape);
  std::vector<int64_t> indices(llvm::product_of(shape));
  for (auto [i, index] : llvm::enumerate(indices))
    for (auto [extent, stride, resultStride] :
         llvm::zip_equal(shape, strides, resultStrides))
      index += static_cast<int64_t>(i) / stride % extent * resultStride;
  return indices;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {

// Integers go through uint64_t, whose overflow is defined; the tensor wraps the
// result to its width.

struct Sum {
  static double identity() { return 0; }
  static uint64_t identity(Type) { return 0; }
  template <typename Number> static Number combine(Number x, Number y) {
    return x + y;
  }
};

struct Product {
  static double identity() { return 1; }
  static uint64_t identity(Type) { return 1; }
  template <typename Number> static Number combine(Number x, Number y) {
    return x * y;
  }
};

struct Maximum {
  static double identity() { return -std::numeric_limits<double>::infinity(); }
  static uint64_t identity(Type element) {
    return element.isUnsignedInteger()
               ? 0
               : llvm::minIntN(element.getIntOrFloatBitWidth());
  }
  static double combine(double x, double y) {
    if (std::isnan(x) || std::isnan(y))
      return std::numeric_limits<double>::quiet_NaN();
    if (x == y) // 0 is larger than -0.
      return std::signbit(x) ? y : x;
    return x > y ? x : y;
  }
  static uint64_t combine(uint64_t x, uint64_t y) {
    return std::max<int64_t>(x, y);
  }
};

struct Minimum {
  static double identity() { return std::numeric_limits<double>::infinity(); }
  static uint64_t identity(Type element) {
    unsigned width = element.getIntOrFloatBitWidth();
    return element.isUnsignedInteger() ? llvm::maxUIntN(width)
                                       : llvm::maxIntN(width);
  }
  static double combine(double x, double y) {
    return -Maximum::combine(-x, -y);
  }
  static uint64_t combine(uint64_t x, uint64_t y) {
    return std::min<int64_t>(x, y);
  }
};

} // namespace

template <typename OpTy, typename Rule>
static LogicalResult computeReduction(OpTy op, ReferenceOperands operands,
                                      ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  Type element = to.getType().getElementType();
  for (int64_t i = 0, e = to.getNumElements(); i < e; ++i) {
    if (to.isFloat())
      to.getFloats()[i] = Rule::identity();
    else
      to.setInteger(i, Rule::identity(element));
  }
  std::vector<int64_t> indices =
      getResultIndices(from.getShape(), op.getKeptAxes());
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (from.isFloat())
      to.getFloats()[index] =
          Rule::combine(to.getFloats()[index], from.getFloats()[i]);
    else
      to.setInteger(
          index, Rule::combine(static_cast<uint64_t>(to.getIntegers()[index]),
                               static_cast<uint64_t>(from.getIntegers()[i])));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Their gradients
//===----------------------------------------------------------------------===//

static LogicalResult computeExtremumGrad(ReduceExtremumGradOp op,
                                         ReferenceOperands operands,
                                         ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats(),
                            &from = operands[1]->getFloats(),
                            &reduced = operands[2]->getFloats();
  std::vector<bool> found(grad.size(), false);
  std::vector<int64_t> indices =
      getResultIndices(results[0].getShape(), op.getKeptAxes());
  for (auto [i, index] : llvm::enumerate(indices)) {
    // The extremum of elements with a NaN is NaN, and at the first of them.
    bool isExtremum = from[i] == reduced[index] ||
                      (std::isnan(from[i]) && std::isnan(reduced[index]));
    if (!isExtremum || found[index])
      continue;
    results[0].getFloats()[i] = grad[index];
    found[index] = true;
  }
  return success();
}

static LogicalResult computeProdGrad(ReduceProdGradOp op,
                                     ReferenceOperands operands,
                                     ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats(),
                            &from = operands[1]->getFloats();
  std::vector<double> &to = results[0].getFloats();
  std::vector<int64_t> indices =
      getResultIndices(results[0].getShape(), op.getKeptAxes());
  // The products of all elements before, then of all behind.
  std::vector<double> product = grad;
  for (size_t i = 0; i < from.size(); ++i) {
    to[i] = product[indices[i]];
    product[indices[i]] *= from[i];
  }
  product.assign(grad.size(), 1);
  for (size_t i = from.size(); i-- > 0;) {
    to[i] *= product[indices[i]];
    product[indices[i]] *= from[i];
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The place of the first NaN, or of the first of the largest numbers, among
/// `extent` elements.
template <typename Number>
static int64_t findMaximum(const Number *first, int64_t extent,
                           int64_t stride) {
  int64_t best = 0;
  for (int64_t i = 0; i < extent; ++i) {
    Number x = first[i * stride];
    if (x != x)
      return i;
    if (x > first[best * stride])
      best = i;
  }
  return best;
}

static LogicalResult computeArgMax(ArgMaxOp op, ReferenceOperands operands,
                                   ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  int64_t extent = from.getShape()[op.getAxis()];
  int64_t stride = getRowMajorStrides(from.getShape())[op.getAxis()];
  for (int64_t i = 0, e = results[0].getNumElements(); i < e; ++i) {
    int64_t first = i / stride * stride * extent + i % stride;
    results[0].setInteger(
        i, from.isFloat()
               ? findMaximum(&from.getFloats()[first], extent, stride)
               : findMaximum(&from.getIntegers()[first], extent, stride));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename OpTy, typename Rule>
static void attachReduction(MLIRContext *context) {
  OpTy::template attachInterface<
      ReferenceModel<OpTy, computeReduction<OpTy, Rule>>>(*context);
}

void job::attachReduceReferences(MLIRContext *context) {
  attachReduction<ReduceSumOp, Sum>(context);
  attachReduction<ReduceProdOp, Product>(context);
  attachReduction<ReduceMaxOp, Maximum>(context);
  attachReduction<ReduceMinOp, Minimum>(context);
  ReduceExtremumGradOp::attachInterface<
      ReferenceModel<ReduceExtremumGradOp, computeExtremumGrad>>(*context);
  ReduceProdGradOp::attachInterface<
      ReferenceModel<ReduceProdGradOp, computeProdGrad>>(*context);
  ArgMaxOp::attachInterface<ReferenceModel<ArgMaxOp, computeArgMax>>(*context);
}
