//===- PointEmitter.h - The points of a kernel's domain ---------*- C++ -*-===//
//
// What the code of every target has in common: the loads, operations, stores
// and checks at a point of the domain, or at the lanes of some vectors. The
// loops around them are the target's.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CODEGEN_COMMON_POINTEMITTER_H
#define JOBDIALECT_LIB_CODEGEN_COMMON_POINTEMITTER_H

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::plan {

/// The points of the domain that are computed at once.
struct Lanes {
  /// Vectors along the vectorized dimension, one after the other; 0 for the
  /// scalars of a single point.
  int64_t groups = 0;
  /// The lanes that are points of the domain; null for all.
  Value mask;

  bool isVector() const { return groups > 0; }
  int64_t getNumValues() const { return std::max<int64_t>(groups, 1); }
};

class PointEmitter {
public:
  using Values = SmallVector<Value>;
  using PassRef = const KernelPass &;

  /// Begins the code of a kernel in the entry block of `func`, which takes the
  /// kernel's buffers, its scalars and the chunk. Vectors of `numLanes` lie
  /// along `vectorDim`, if there is one.
  PointEmitter(func::FuncOp func, const KernelNest &nest,
               std::optional<unsigned> vectorDim, int64_t numLanes);
  virtual ~PointEmitter() = default;

protected:
  bool isVectorDim(unsigned dim) const { return vectorDim == dim; }

  /// Computes a pass at the current indices, one vector a group. Returns the
  /// accumulators of its reductions with these points added.
  Values emitPoints(PassRef pass, Lanes lanes, int64_t groups,
                    ValueRange accumulators);
  /// What accumulators start with: for each reduction one a group.
  Values buildNeutral(PassRef pass, int64_t groups, bool isVector);
  Value combine(const KernelReduction &reduction, Value a, Value b);
  /// Joins the lanes of a vector: the upper half with the lower one, until one
  /// is left.
  Value joinLanes(const KernelReduction &reduction, Value vector);

  /// Where the first lane of a group is in a flat buffer.
  Value buildIndex(const KernelAccess &access, Lanes lanes, int64_t group);
  Value load(const KernelAccess &access, Lanes lanes, int64_t group);
  virtual void store(Value value, const KernelAccess &access, Lanes lanes,
                     int64_t group);
  Value splat(Value value);
  Value getMask(Lanes lanes);

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, int64_t y) {
    return y ? b.createOrFold<arith::AddIOp>(loc, x, constant(y)) : x;
  }

  /// Adds what a check finds in `value` to `status`.
  virtual void emitCheck(CheckOp check, Value value, Lanes lanes);

  /// A vector that goes across the contiguous dimension of its buffer, or an
  /// element that neighbours do not have beside it, if the target has it
  /// already; null makes it be read from the buffer.
  virtual Value findTransposed(const KernelAccess &) { return {}; }
  /// The alignment that accesses of whole vectors are known to have; none for
  /// that of an element.
  virtual llvm::MaybeAlign getAlignment(const KernelAccess &) { return {}; }

  const KernelNest &nest;
  OpBuilder b;
  Location loc;
  Block &entry;
  /// The dimension that is vectorized, and the lanes of its vectors; 1 without
  /// such a dimension.
  std::optional<unsigned> vectorDim;
  int64_t numLanes;

  /// The arguments as flat arrays.
  Values buffers;
  /// The current index along each dimension: of the first lane, where vectors
  /// lie along it.
  Values index;
  /// Values of the current item: one vector a group, or a scalar.
  DenseMap<Value, Values> items;
  /// What the checks have found so far in this chunk: a vector where there is a
  /// vectorized dimension.
  Value status;

private:
  Values emitBody(PassRef pass, Lanes lanes, int64_t group,
                  ValueRange accumulators);
  void emitOp(Operation &op, PassRef pass, Lanes lanes, int64_t group,
              DenseMap<Value, Value> &values);
  Value buildLoopIndex(unsigned dim, Lanes lanes, int64_t group);
};

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_COMMON_POINTEMITTER_H
