//===- RowBuilder.h - Rows along the last dimension -------------*- C++ -*-===//
//
// Loops over one row of a blob, in vectors of a fixed number of lanes: a sum
// has one partial sum a lane whatever the machine's vectors are, so the bits do
// not depend on it. A row is in the first level of the cache after its first
// pass; further passes are cheap.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_ROWBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_ROWBUILDER_H

#include "LoopBuilder.h"
#include "ScalarBuilder.h"

#include "JobDialect/IR/JobDialect.h"

namespace mlir::job {

struct RowBuilder {
  static constexpr int64_t numLanes = 16;

  LoopBuilder b;
  /// Arithmetic on one element, and on a vector of them.
  ScalarBuilder scalar, vector;
  /// Elements of a row.
  int64_t length;
  /// The indices of the row, without the last dimension.
  SmallVector<Value> row;

  /// Row `item` (row-major) of blobs of type `type`.
  RowBuilder(OpBuilder &builder, Location loc, BlobType type, Value item);

  /// The indices of an element of the row.
  SmallVector<Value> at(Value column) const;
  /// The indices of the row in a blob with one number a row, which has the
  /// shape 1 where `type` has one dimension.
  SmallVector<Value> atRow() const;

  /// Calls `body` with the first column and the mask (null for all lanes) of
  /// each vector of the row, carrying values along; returns the last ones.
  SmallVector<Value> forEachVector(
      ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const;

  /// A vector of the row in `memref`; `padding`, a vector, stands in the lanes
  /// that the mask leaves out.
  Value load(Value memref, Value column, Value mask, Value padding) const;
  /// The same for a blob of one dimension, which all rows share.
  Value loadShared(Value memref, Value column, Value mask, Value padding) const;
  void store(Value value, Value memref, Value column, Value mask) const;
  /// A scalar in all lanes.
  Value splat(Value value) const;
  /// The sum of a vector's lanes, in a fixed order.
  Value sumLanes(Value value) const;

  /// The sums over the row of the vectors that `terms` gives, `numSums` for
  /// each column and mask; terms of lanes that the mask leaves out must be
  /// zero.
  SmallVector<Value>
  buildSums(unsigned numSums,
            function_ref<SmallVector<Value>(Value, Value)> terms) const;

  /// The largest element of the row in `memref`; NaN when one is.
  Value buildMaximum(Value memref) const;
  /// The sum of e^(x - maximum) over the row in `memref`; `each` gets column,
  /// mask and the terms.
  Value
  buildSumOfExponentials(Value memref, Value maximum,
                         function_ref<void(Value, Value, Value)> each) const;

private:
  Value loadAt(Value memref, ValueRange indices, Value mask,
               Value padding) const;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_ROWBUILDER_H
