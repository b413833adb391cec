//===- LoopBuilder.h - Loops on memrefs -------------------------*- C++ -*-===//
//
// Short names for the scf, memref and index arithmetic of kernels with loops of
// their own.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_LOOPBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::job {

class LoopBuilder {
public:
  LoopBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  Value index(int64_t value) const {
    return make<arith::ConstantIndexOp>(value);
  }
  Value add(Value a, Value b) const { return make<arith::AddIOp>(a, b); }
  Value add(Value a, int64_t b) const { return b ? add(a, index(b)) : a; }
  Value sub(Value a, Value b) const { return make<arith::SubIOp>(a, b); }
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
    return make<arith::CmpIOp>(arith::CmpIPredicate::ult, a, index(bound));
  }
  Value select(Value condition, Value a, Value b) const {
    return make<arith::SelectOp>(condition, a, b);
  }

  Value load(Value memref, ValueRange indices) const {
    return make<memref::LoadOp>(memref, indices);
  }
  void store(Value value, Value memref, ValueRange indices) const {
    memref::StoreOp::create(builder, loc, value, memref, indices);
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

  /// The elements of `memref`, which is dense, as an array of another shape.
  Value reshape(Value memref, ArrayRef<int64_t> shape) const {
    auto from = cast<MemRefType>(memref.getType());
    auto to = MemRefType::get(shape, from.getElementType());
    if (to == from)
      return memref;
    return make<memref::ReinterpretCastOp>(to, memref, /*offset=*/0, shape,
                                           to.getStridesAndOffset().first);
  }

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

  /// The same where no iteration depends on another, so that threads may share
  /// them.
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

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_LOOPBUILDER_H
