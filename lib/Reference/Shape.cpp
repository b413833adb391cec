//===- Shape.cpp - Reference of the shape ops -----------------------------===//

#include "Models.h"

#include "JobDialect/IR/Permutations.h"

#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::job;

static void copyElement(const ReferenceTensor &from, int64_t fromIndex,
                        ReferenceTensor &to, int64_t toIndex) {
  if (from.isFloat())
    to.getFloats()[toIndex] = from.getFloats()[fromIndex];
  else
    to.setInteger(toIndex, from.getIntegers()[fromIndex]);
}

/// Calls `function(linear index, indices)` for each element, in row-major
/// order.
static void
forEachElement(ArrayRef<int64_t> shape,
               function_ref<void(int64_t, ArrayRef<int64_t>)> function) {
  SmallVector<int64_t> indices(shape.size(), 0);
  for (int64_t i = 0, e = llvm::product_of(shape); i < e; ++i) {
    function(i, indices);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++indices[dim] < shape[dim])
        break;
      indices[dim] = 0;
    }
  }
}

static LogicalResult computeReshape(ReshapeOp op, ReferenceOperands operands,
                                    ReferenceResults results) {
  results[0] = operands[0]->reshape(results[0].getType());
  return success();
}

static LogicalResult computeBroadcastInDim(BroadcastInDimOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  SmallVector<int64_t> strides = getRowMajorStrides(from.getShape());
  forEachElement(results[0].getShape(),
                 [&](int64_t i, ArrayRef<int64_t> indices) {
                   int64_t source = 0;
                   for (auto [extent, stride, dim] :
                        llvm::zip_equal(from.getShape(), strides, op.getDims()))
                     if (extent != 1)
                       source += indices[dim] * stride;
                   copyElement(from, source, results[0], i);
                 });
  return success();
}

ReferenceTensor ReferenceTensor::permute(ArrayRef<int64_t> permutation) const {
  ReferenceTensor result(getPermutedType(type, permutation));
  SmallVector<int64_t> strides = getRowMajorStrides(getShape());
  forEachElement(result.getShape(), [&](int64_t i, ArrayRef<int64_t> indices) {
    int64_t source = 0;
    for (auto [index, dim] : llvm::zip_equal(indices, permutation))
      source += index * strides[dim];
    copyElement(*this, source, result, i);
  });
  return result;
}

static LogicalResult computeTranspose(TransposeOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  results[0] = operands[0]->permute(op.getPermutation());
  return success();
}

static LogicalResult computeSlice(SliceOp op, ReferenceOperands operands,
                                  ReferenceResults results) {
  SmallVector<int64_t> strides = getRowMajorStrides(operands[0]->getShape());
  forEachElement(results[0].getShape(), [&](int64_t i,
                                            ArrayRef<int64_t> indices) {
    int64_t source = 0;
    for (auto [index, offset, step, stride] :
         llvm::zip_equal(indices, op.getOffsets(), op.getStrides(), strides))
      source += (offset + index * step) * stride;
    copyElement(*operands[0], source, results[0], i);
  });
  return success();
}

static LogicalResult computePad(PadOp op, ReferenceOperands operands,
                                ReferenceResults results) {
  ReferenceTensor &to = results[0];
  double value = op.getValue().convertToDouble();
  for (int64_t i = 0, e = to.getNumElements(); i < e; ++i) {
    if (to.isFloat()) {
      to.getFloats()[i] = value;
      continue;
    }
    // Saturating, as a cast.
    Type element = to.getType().getElementType();
    APSInt integer(element.getIntOrFloatBitWidth(),
                   /*isUnsigned=*/element.isUnsignedInteger());
    bool isExact;
    op.getValue().convertToInteger(integer, APFloat::rmNearestTiesToEven,
                                   &isExact);
    to.setInteger(i, integer.getExtValue());
  }
  SmallVector<int64_t> strides = getRowMajorStrides(to.getShape());
  forEachElement(
      operands[0]->getShape(), [&](int64_t i, ArrayRef<int64_t> indices) {
        int64_t place = 0;
        for (auto [index, low, interior, stride] :
             llvm::zip_equal(indices, op.getLow(), op.getInterior(), strides))
          place += (low + index * (interior + 1)) * stride;
        copyElement(*operands[0], i, to, place);
      });
  return success();
}

static LogicalResult computeConcat(ConcatOp op, ReferenceOperands operands,
                                   ReferenceResults results) {
  SmallVector<int64_t> strides = getRowMajorStrides(results[0].getShape());
  int64_t begin = 0;
  for (const ReferenceTensor *operand : operands) {
    forEachElement(
        operand->getShape(), [&](int64_t i, ArrayRef<int64_t> indices) {
          int64_t place = begin * strides[op.getAxis()];
          for (auto [index, stride] : llvm::zip_equal(indices, strides))
            place += index * stride;
          copyElement(*operand, i, results[0], place);
        });
    begin += operand->getShape()[op.getAxis()];
  }
  return success();
}

static LogicalResult computeIota(IotaOp op, ReferenceOperands,
                                 ReferenceResults results) {
  ReferenceTensor &to = results[0];
  forEachElement(to.getShape(), [&](int64_t i, ArrayRef<int64_t> indices) {
    int64_t index = indices[op.getAxis()];
    if (to.isFloat())
      to.getFloats()[i] = static_cast<double>(index);
    else
      to.setInteger(i, index);
  });
  return success();
}

void job::attachShapeReferences(MLIRContext *context) {
  ReshapeOp::attachInterface<ReferenceModel<ReshapeOp, computeReshape>>(
      *context);
  BroadcastInDimOp::attachInterface<
      ReferenceModel<BroadcastInDimOp, computeBroadcastInDim>>(*context);
  TransposeOp::attachInterface<ReferenceModel<TransposeOp, computeTranspose>>(
      *context);
  SliceOp::attachInterface<ReferenceModel<SliceOp, computeSlice>>(*context);
  PadOp::attachInterface<ReferenceModel<PadOp, computePad>>(*context);
  ConcatOp::attachInterface<ReferenceModel<ConcatOp, computeConcat>>(*context);
  IotaOp::attachInterface<ReferenceModel<IotaOp, computeIota>>(*context);
}
