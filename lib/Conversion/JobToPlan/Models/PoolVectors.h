//===- PoolVectors.h - Poolings of small windows on vectors -----*- C++ -*-===//
//
// One plane of a pooling whose windows are small enough to be unrolled, on
// vectors whose lanes are neighbours in a row.
//
// Rows and columns are seen in blocks of as many cells as the stride: the
// window of output `o` begins at the first cell of block `o` and covers cells
// of that block and of the `reach` next ones. A gradient is computed for a
// block at a time, from the outputs whose windows reach it: each element is
// written once, and no two blocks share one.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLVECTORS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLVECTORS_H

#include "PoolSpan.h"

#include "JobDialect/Conversion/KernelBuilder.h"

namespace mlir::job {

class PoolVectors {
public:
  /// `item` is the number of the plane.
  PoolVectors(OpBuilder &builder, Location loc, Type element, PoolSpan rows,
              PoolSpan columns, Value item, bool isGradient);

  /// Whether the windows are small enough.
  static bool areSmall(const PoolSpan &rows, const PoolSpan &columns,
                       bool isGradient);

  void buildMaxPool(Value input, Value output) const;
  void buildAvgPool(Value input, Value output) const;
  void buildMaxPoolGrad(Value grad, Value input, Value result) const;
  void buildAvgPoolGrad(Value grad, Value result) const;

private:
  using Values = SmallVector<Value>;

  /// Neighbouring outputs or blocks of a row.
  struct Lanes {
    Value first;
    /// The first one as a number, where that is known; else all that belongs to
    /// the lanes is inside of the blobs.
    std::optional<int64_t> known;
  };
  /// A row of a blob.
  struct Row {
    /// Where it starts; of a row outside of the blob, that of the nearest one.
    Value start;
    /// Null where it always is.
    Value isInside;
  };
  /// The rows of the windows of a row of outputs.
  struct Window {
    SmallVector<Row> rows;
    /// How many rows are above the blob; null for always none.
    Value numAbove;
  };

  /// A row of outputs.
  struct Output {
    Row row;
    Window window;
  };
  struct Maximum {
    Value value;
    /// The number of its cell.
    Value place;
  };

  /// Values for the windows that begin in the lanes, from which a gradient is
  /// computed: as many for each of some rows of outputs.
  using GetStates = function_ref<Values(ArrayRef<Output>, Lanes)>;
  /// What a window adds to the gradient of its cell `cell`.
  using GetTerm = function_ref<Value(ValueRange state, int64_t cell)>;

  Value getMask(Lanes lanes, int64_t scale, int64_t offset, int64_t size,
                int64_t extent, Value isRowInside) const;
  Value load(Value row, Value index, int64_t size, Value mask,
             double padding) const;
  Value shuffle(Value a, Value b, ArrayRef<int64_t> lanes) const;
  Value interleave(ArrayRef<Value> phases) const;

  Row getRow(Value block, int64_t minBlock, int64_t maxBlock, int64_t scale,
             int64_t offset, int64_t extent, int64_t width) const;
  Window getWindow(Value block, int64_t minBlock, int64_t maxBlock) const;
  Values loadCells(Value input, const Row &row, Lanes lanes, double padding,
                   bool isRowMasked) const;
  Value getCellCount(const Window &window, Lanes lanes) const;
  Values forEachVector(int64_t count, ValueRange carried,
                       function_ref<Values(Lanes, ValueRange)> body) const;
  void buildForward(Value output,
                    function_ref<Value(const Window &, Lanes)> body) const;
  void buildGradient(Value result, unsigned stateSize, GetStates getStates,
                     GetTerm getTerm) const;
  Maximum findMaximum(Value input, const Row &row, Lanes lanes) const;
  Maximum joinMaxima(Maximum first, Maximum second) const;
  Value loadGrad(Value grad, const Row &row, Lanes lanes) const;

  PoolSpan rows, columns;
  Value item;
  int64_t numLanes;
  /// Of vectors of a row.
  KernelBuilder b;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLVECTORS_H
