//===- VectorBuilder.h - Loops on vectors of a fixed length -----*- C++ -*-===//
//
// Rows of elements, worked on in vectors of a fixed number of lanes: what is
// gathered has one partial result a lane whatever the machine's vectors are, so
// that the bits do not depend on it. Vectors at the end of a row are masked.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_VECTORBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_VECTORBUILDER_H

#include "LoopBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::job {

/// A dense memref as one row of its elements.
inline Value flatten(const LoopBuilder &b, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t count = type.getNumElements();
  if (type.getRank() == 1)
    return memref;
  auto flat = MemRefType::get(count, type.getElementType());
  return b.make<memref::ReinterpretCastOp>(flat, memref, /*offset=*/0,
                                           ArrayRef<int64_t>(count),
                                           ArrayRef<int64_t>(1));
}

class VectorBuilder {
public:
  static constexpr int64_t numLanes = 16;

  explicit VectorBuilder(const LoopBuilder &b) : b(b) {}

  VectorType getType(Type element) const {
    return VectorType::get(numLanes, element);
  }
  Value splat(Value scalar) const {
    return b.make<vector::BroadcastOp>(getType(scalar.getType()), scalar);
  }
  /// 0, 1, 2, ... as integers of that type.
  Value lanes(Type element) const {
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < numLanes; ++i)
      numbers.push_back(b.getBuilder().getIntegerAttr(element, i));
    return b.make<arith::ConstantOp>(
        getType(element), DenseElementsAttr::get(getType(element), numbers));
  }

  /// The vector at `index` of a row; `padding`, a vector, stands in the lanes
  /// that the mask (null for all lanes) leaves out.
  Value load(Value row, Value index, Value mask, Value padding) const {
    VectorType type = getType(getElementType(row));
    if (!mask)
      return b.make<vector::LoadOp>(type, row, index);
    return b.make<vector::MaskedLoadOp>(type, row, index, mask, padding);
  }
  void store(Value value, Value row, Value index, Value mask) const {
    if (!mask)
      vector::StoreOp::create(b.getBuilder(), b.getLoc(), value, row, index);
    else
      vector::MaskedStoreOp::create(b.getBuilder(), b.getLoc(), row, index,
                                    mask, value);
  }

  /// The mask of the vector of a row of `extent` elements that starts at
  /// `begin`, a multiple of the number of lanes; null when no vector needs one.
  Value getMask(Value begin, int64_t extent) const {
    if (extent % numLanes == 0)
      return {};
    if (extent < numLanes)
      return getFirstLanes(extent);
    Value rest = b.sub(b.index(extent), begin);
    return b.make<vector::CreateMaskOp>(getType(b.getBuilder().getI1Type()),
                                        rest);
  }

  using Body = function_ref<SmallVector<Value>(Value, Value, ValueRange)>;

  /// Calls `body` with the first index and the mask (null for all lanes) of
  /// each vector of a row of `extent` elements, carrying values along.
  SmallVector<Value> forEachVector(int64_t extent, ValueRange initial,
                                   Body body) const {
    int64_t tail = extent % numLanes;
    SmallVector<Value> carried(initial);
    if (extent >= numLanes)
      carried = b.reduce(b.index(0), b.index(extent - tail), numLanes, carried,
                         [&](Value first, ValueRange values) {
                           return body(first, Value(), values);
                         });
    if (tail)
      carried = body(b.index(extent - tail), getFirstLanes(tail), carried);
    return carried;
  }

  /// The same from the last vector to the first.
  SmallVector<Value> forEachVectorBackwards(int64_t extent, ValueRange initial,
                                            Body body) const {
    int64_t tail = extent % numLanes;
    SmallVector<Value> carried(initial);
    if (tail)
      carried = body(b.index(extent - tail), getFirstLanes(tail), carried);
    if (extent >= numLanes)
      carried = b.reduce(b.index(0), b.index(extent - tail), numLanes, carried,
                         [&](Value done, ValueRange values) {
                           Value first =
                               b.sub(b.index(extent - tail - numLanes), done);
                           return body(first, Value(), values);
                         });
    return carried;
  }

private:
  static Type getElementType(Value row) {
    return cast<MemRefType>(row.getType()).getElementType();
  }
  /// The mask of the first `count` lanes.
  Value getFirstLanes(int64_t count) const {
    SmallVector<bool> flags(numLanes, false);
    std::fill_n(flags.begin(), count, true);
    VectorType type = getType(b.getBuilder().getI1Type());
    return b.make<arith::ConstantOp>(
        type, DenseElementsAttr::get(type, ArrayRef<bool>(flags)));
  }

  LoopBuilder b;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_VECTORBUILDER_H
