//===- KernelBuilder.h - Builds operations of kernels -----------*- C++ -*-===//
//
// Builds arithmetic on numbers and indices, accesses of memrefs, and loops.
// Numbers are scalars of one floating-point type, or vectors of it: constants
// have the shape of the type. Vectors have a fixed number of lanes, so that the
// bits of a result do not depend on the machine. No operation has a fast-math
// flag, so that the bits are the same at every optimization level and in every
// kernel that an op is fused into.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CONVERSION_KERNELBUILDER_H
#define JOBDIALECT_CONVERSION_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace mlir::job {

class KernelBuilder {
public:
  /// `type` is f32, f64 or a vector of either; none for indices only.
  KernelBuilder(OpBuilder &builder, Location loc, Type type = {})
      : builder(builder), loc(loc), type(type) {}

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }
  Type getType() const { return type; }

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  /// The same builder for another type of numbers.
  KernelBuilder withType(Type other) const { return {builder, loc, other}; }
  /// The same for another floating-point element type.
  KernelBuilder withElementType(Type element) const {
    return withType(like(element));
  }

  bool isF64() const { return getElementTypeOrSelf(type).isF64(); }
  /// Bits of the type, of its mantissa as stored, and its exponent's bias.
  int64_t getWidth() const { return isF64() ? 64 : 32; }
  int64_t getMantissaBits() const { return isF64() ? 52 : 23; }
  int64_t getBias() const { return isF64() ? 1023 : 127; }

  /// The type of this shape with another element type.
  Type like(Type element) const {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(element);
    return element;
  }
  /// The integer type of the same width.
  Type intType() const { return like(builder.getIntegerType(getWidth())); }
  int64_t getNumLanes() const {
    return cast<VectorType>(type).getNumElements();
  }

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  Value index(int64_t value) const {
    return make<arith::ConstantIndexOp>(value);
  }
  /// A floating-point constant, rounded to the type.
  Value constant(double value) const {
    return constant(type,
                    builder.getFloatAttr(getElementTypeOrSelf(type), value));
  }
  Value infinity() const {
    return constant(std::numeric_limits<double>::infinity());
  }
  Value nan() const {
    return constant(std::numeric_limits<double>::quiet_NaN());
  }
  /// An integer constant of the same width.
  Value intConstant(int64_t value) const {
    return intConstant(intType(), value);
  }
  Value intConstant(Type intType, int64_t value) const {
    unsigned width = getElementTypeOrSelf(intType).getIntOrFloatBitWidth();
    return constant(
        intType, builder.getIntegerAttr(
                     getElementTypeOrSelf(intType),
                     APInt(64, value, /*isSigned=*/true).sextOrTrunc(width)));
  }
  /// A vector of i1, one for each lane.
  Value maskConstant(ArrayRef<bool> lanes) const {
    auto type = VectorType::get(lanes.size(), builder.getI1Type());
    return make<arith::ConstantOp>(type, DenseElementsAttr::get(type, lanes));
  }
  /// An integer of that element type for each lane.
  Value laneConstant(Type element, ArrayRef<int64_t> lanes) const {
    auto numbers = llvm::map_to_vector(lanes, [&](int64_t lane) -> Attribute {
      return builder.getIntegerAttr(element, lane);
    });
    auto type = VectorType::get(lanes.size(), element);
    return make<arith::ConstantOp>(type, DenseElementsAttr::get(type, numbers));
  }

  //===--------------------------------------------------------------------===//
  // Arithmetic on numbers, integers and indices, by the type of the operands
  //===--------------------------------------------------------------------===//

  Value add(Value a, Value b) const {
    return isFloat(a) ? make<arith::AddFOp>(a, b) : make<arith::AddIOp>(a, b);
  }
  Value sub(Value a, Value b) const {
    return isFloat(a) ? make<arith::SubFOp>(a, b) : make<arith::SubIOp>(a, b);
  }
  Value mul(Value a, Value b) const {
    return isFloat(a) ? make<arith::MulFOp>(a, b) : make<arith::MulIOp>(a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return make<arith::SelectOp>(condition, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) const {
    return make<arith::CmpFOp>(predicate, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return make<arith::CmpIOp>(predicate, a, b);
  }

  // Numbers.
  Value div(Value a, Value b) const { return make<arith::DivFOp>(a, b); }
  Value neg(Value a) const { return make<arith::NegFOp>(a); }
  Value abs(Value a) const { return make<math::AbsFOp>(a); }
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c) const {
    return make<math::FmaOp>(a, b, c);
  }
  /// Ordered a < b.
  Value less(Value a, Value b) const {
    return compare(arith::CmpFPredicate::OLT, a, b);
  }
  /// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
  Value polynomial(Value x, ArrayRef<double> c) const {
    Value sum = constant(c.back());
    for (double coefficient : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }

  // Integers.
  Value andI(Value a, Value b) const { return make<arith::AndIOp>(a, b); }
  Value orI(Value a, Value b) const { return make<arith::OrIOp>(a, b); }
  Value xorI(Value a, Value b) const { return make<arith::XOrIOp>(a, b); }
  Value shl(Value a, Value b) const { return make<arith::ShLIOp>(a, b); }
  Value shr(Value a, Value b) const { return make<arith::ShRUIOp>(a, b); }
  /// Arithmetic shift.
  Value ashr(Value a, Value b) const { return make<arith::ShRSIOp>(a, b); }
  /// The bits of a float as an integer, and back.
  Value bits(Value a) const { return make<arith::BitcastOp>(intType(), a); }
  Value fromBits(Value a) const { return make<arith::BitcastOp>(type, a); }

  // Indices.
  Value add(Value a, int64_t b) const { return b ? add(a, index(b)) : a; }
  Value mul(Value a, int64_t b) const {
    return b == 1 ? a : make<arith::MulIOp>(a, index(b));
  }
  Value div(Value a, int64_t b) const {
    return b == 1 ? a : make<arith::DivUIOp>(a, index(b));
  }
  Value rem(Value a, int64_t b) const {
    return b == 1 ? index(0) : make<arith::RemUIOp>(a, index(b));
  }
  /// Signed.
  Value max(Value a, int64_t b) const {
    return make<arith::MaxSIOp>(a, index(b));
  }
  Value min(Value a, int64_t b) const {
    return make<arith::MinSIOp>(a, index(b));
  }
  /// 0 <= a < bound, for a signed a.
  Value isBelow(Value a, int64_t bound) const {
    return compare(arith::CmpIPredicate::ult, a, index(bound));
  }
  /// The indices of element `linear` (row-major) of a blob of that shape.
  SmallVector<Value> delinearize(Value linear, ArrayRef<int64_t> shape) const {
    SmallVector<Value> indices(shape.size());
    for (size_t i = shape.size(); i-- > 0;) {
      indices[i] = i == 0 ? linear : rem(linear, shape[i]);
      linear = div(linear, shape[i]);
    }
    return indices;
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  Value load(Value memref, ValueRange indices) const {
    return make<memref::LoadOp>(memref, indices);
  }
  void store(Value value, Value memref, ValueRange indices) const {
    memref::StoreOp::create(builder, loc, value, memref, indices);
  }

  /// A hint that the element will be read soon.
  void prefetch(Value memref, ValueRange indices) const {
    memref::PrefetchOp::create(builder, loc, memref, indices,
                               /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }

  /// The elements of `memref`, which is dense, as an array of another shape.
  Value reshape(Value memref, ArrayRef<int64_t> shape) const {
    auto from = cast<MemRefType>(memref.getType());
    auto to = MemRefType::get(shape, from.getElementType());
    if (to == from)
      return memref;
    return make<memref::ReinterpretCastOp>(to, memref, /*offset=*/0, shape,
                                           to.getStridesAndOffset().first);
  }
  /// The same as one row.
  Value flatten(Value memref) const {
    return reshape(memref, cast<MemRefType>(memref.getType()).getNumElements());
  }

  /// The vector at `index` of a row; lanes that the mask (null for all lanes)
  /// disables have the value `padding`.
  Value loadVector(Value row, Value index, Value mask, double padding) const {
    return loadVector(row, index, mask, [&] { return constant(padding); });
  }
  /// The same of integers; lanes that are disabled are 0.
  Value loadIntVector(Value row, Value index, Value mask) const {
    return loadVector(row, index, mask, [&] { return intConstant(type, 0); });
  }
  void storeVector(Value value, Value row, Value index, Value mask) const {
    if (!mask)
      vector::StoreOp::create(builder, loc, value, row, index);
    else
      vector::MaskedStoreOp::create(builder, loc, row, index, mask, value);
  }
  /// A scalar of any type in all lanes.
  Value splat(Value scalar) const {
    return make<vector::BroadcastOp>(like(scalar.getType()), scalar);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// for (i = lower; i < upper; i += step) body(i)
  void loop(Value lower, Value upper, int64_t step,
            function_ref<void(Value)> body) const {
    scf::ForOp::create(builder, loc, lower, upper, index(step), ValueRange(),
                       [&](OpBuilder &, Location, Value i, ValueRange) {
                         body(i);
                         scf::YieldOp::create(builder, loc);
                       });
  }
  void loop(int64_t upper, function_ref<void(Value)> body) const {
    loop(index(0), index(upper), 1, body);
  }

  /// A loop whose iterations are independent, so that threads may share them.
  void forEach(Value lower, Value upper, function_ref<void(Value)> body) const {
    scf::ParallelOp::create(
        builder, loc, lower, upper, index(1),
        [&](OpBuilder &, Location, ValueRange i) { body(i.front()); });
  }
  void forEach(int64_t upper, function_ref<void(Value)> body) const {
    forEach(index(0), index(upper), body);
  }

  /// A loop with values carried from one iteration to the next; returns the
  /// last ones.
  SmallVector<Value>
  reduce(Value lower, Value upper, int64_t step, ValueRange initial,
         function_ref<SmallVector<Value>(Value, ValueRange)> body) const {
    auto loop = scf::ForOp::create(
        builder, loc, lower, upper, index(step), initial,
        [&](OpBuilder &, Location, Value i, ValueRange carried) {
          scf::YieldOp::create(builder, loc, body(i, carried));
        });
    return SmallVector<Value>(loop.getResults());
  }
  SmallVector<Value>
  reduce(int64_t upper, ValueRange initial,
         function_ref<SmallVector<Value>(Value, ValueRange)> body) const {
    return reduce(index(0), index(upper), 1, initial, body);
  }

  /// if (condition) then(); otherwise() may be null.
  void branch(Value condition, function_ref<void()> then,
              function_ref<void()> otherwise = nullptr) const {
    auto block = [&](function_ref<void()> body) {
      return [this, body](OpBuilder &, Location) {
        body();
        scf::YieldOp::create(builder, loc);
      };
    };
    if (otherwise)
      scf::IfOp::create(builder, loc, condition, block(then), block(otherwise));
    else
      scf::IfOp::create(builder, loc, condition, block(then));
  }

  /// The mask of the vector of a row of `extent` elements that starts at
  /// `begin`, a multiple of the number of lanes; null when no vector needs one.
  Value getMask(Value begin, int64_t extent) const {
    if (extent % getNumLanes() == 0)
      return {};
    if (extent < getNumLanes())
      return getFirstLanes(extent);
    return make<vector::CreateMaskOp>(
        cast<VectorType>(like(builder.getI1Type())), sub(index(extent), begin));
  }

  using VectorBody = function_ref<SmallVector<Value>(Value, Value, ValueRange)>;

  /// Calls `body` with the first index and the mask (null for all lanes) of
  /// each vector of a row of `extent` elements, and with the values carried
  /// from one vector to the next.
  SmallVector<Value> forEachVector(int64_t extent, ValueRange initial,
                                   VectorBody body) const {
    int64_t tail = extent % getNumLanes();
    SmallVector<Value> carried(initial);
    if (extent >= getNumLanes())
      carried = reduce(index(0), index(extent - tail), getNumLanes(), carried,
                       [&](Value first, ValueRange values) {
                         return body(first, Value(), values);
                       });
    if (tail)
      carried = body(index(extent - tail), getFirstLanes(tail), carried);
    return carried;
  }

  /// The same from the last vector to the first.
  SmallVector<Value> forEachVectorBackwards(int64_t extent, ValueRange initial,
                                            VectorBody body) const {
    int64_t tail = extent % getNumLanes();
    SmallVector<Value> carried(initial);
    if (tail)
      carried = body(index(extent - tail), getFirstLanes(tail), carried);
    if (extent >= getNumLanes())
      carried = reduce(index(0), index(extent - tail), getNumLanes(), carried,
                       [&](Value done, ValueRange values) {
                         Value first =
                             sub(index(extent - tail - getNumLanes()), done);
                         return body(first, Value(), values);
                       });
    return carried;
  }

private:
  Value loadVector(Value row, Value index, Value mask,
                   function_ref<Value()> makePadding) const {
    auto vector = cast<VectorType>(type);
    if (!mask)
      return make<vector::LoadOp>(vector, row, index);
    return make<vector::MaskedLoadOp>(vector, row, index, mask, makePadding());
  }
  static bool isFloat(Value value) {
    return isa<FloatType>(getElementTypeOrSelf(value.getType()));
  }
  Value constant(Type type, TypedAttr value) const {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return make<arith::ConstantOp>(type, value);
  }
  /// The mask of the first `count` lanes.
  Value getFirstLanes(int64_t count) const {
    SmallVector<bool> flags(getNumLanes(), false);
    std::fill_n(flags.begin(), count, true);
    return maskConstant(flags);
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};

} // namespace mlir::job

#endif // JOBDIALECT_CONVERSION_KERNELBUILDER_H
