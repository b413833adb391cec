//===- PoolChannels.h - Poolings with the channels last ---------*- C++ -*-===//
//
// Poolings of NHWC images, on vectors whose lanes are neighbouring channels:
// all lanes have the same window, so that windows are loops over their cells.
// An item is a row of the result of one image; of the gradient of a maximum
// with disjoint windows, the rows of one row of windows.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLCHANNELS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLCHANNELS_H

#include "PoolSpan.h"

#include "JobDialect/Conversion/KernelBuilder.h"

namespace mlir::job {

class PoolChannels {
public:
  /// `item` is the number of the row, or of the row of windows.
  PoolChannels(OpBuilder &builder, Location loc, Type element, PoolSpan rows,
               PoolSpan columns, Value item, int64_t channels);

  /// The items of one image.
  static int64_t getNumOutputRows(const PoolSpan &rows) { return rows.output; }
  static int64_t getNumInputRows(const PoolSpan &rows) { return rows.input; }
  static int64_t getNumMaxGradRows(const PoolSpan &rows,
                                   const PoolSpan &columns);

  void buildMaxPool(Value input, Value output) const;
  void buildAvgPool(Value input, Value output) const;
  void buildMaxPoolGrad(Value grad, Value input, Value result) const;
  void buildAvgPoolGrad(Value grad, Value result) const;

private:
  using Values = SmallVector<Value>;

  /// Neighbouring channels.
  struct Lanes {
    Value first;
    /// Null for all of them.
    Value mask;
  };
  /// Indices from `begin` up to `end`.
  struct Range {
    Value begin, end;
  };
  /// One output's window in one dimension: its first cell, which may be
  /// padding, and its cells that are none.
  struct Place {
    Value start;
    Range cells;
  };
  /// The window of one output.
  struct Window {
    Place rows, columns;
  };

  void forEachPlace(int64_t width, function_ref<void(Value, Lanes)> body) const;
  Place place(const PoolSpan &span, Value output) const;
  Range getOutputs(const PoolSpan &span, Value input) const;
  Values reduceCells(const Range &rows, const Range &columns,
                     ValueRange initial,
                     function_ref<Values(Value, Value, ValueRange)> body) const;
  Value getCellCount(const Window &window) const;

  Value load(Value array, Value n, Value row, Value column, int64_t height,
             int64_t width, Lanes lanes) const;
  void store(Value value, Value array, Value n, Value row, Value column,
             int64_t height, int64_t width, Lanes lanes) const;
  Value loadInput(Value input, Value n, Value row, Value column,
                  Lanes lanes) const {
    return load(input, n, row, column, rows.input, columns.input, lanes);
  }
  Value loadOutput(Value output, Value n, Value row, Value column,
                   Lanes lanes) const {
    return load(output, n, row, column, rows.output, columns.output, lanes);
  }

  Value getCell(const Window &window, Value row, Value column) const;
  Value findMaximum(Value input, Value n, const Window &window,
                    Lanes lanes) const;
  void buildMaxGradOfWindows(Value grad, Value input, Value result) const;
  void buildMaxGradOfRow(Value grad, Value input, Value result) const;

  PoolSpan rows, columns;
  Value item;
  int64_t channels;
  /// Of vectors of channels.
  KernelBuilder b;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLCHANNELS_H
