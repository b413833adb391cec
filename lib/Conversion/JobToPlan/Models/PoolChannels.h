//===- PoolChannels.h - Poolings with the channels last ---------*- C++ -*-===//
//
// Poolings of NHWC images, on vectors whose lanes are neighbouring channels:
// all lanes have the same window, so that windows are loops over their cells.
// Planes of NCHW images are images of one channel.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLCHANNELS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLCHANNELS_H

#include "PoolSpan.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/Support/Targets.h"

namespace mlir::job {

/// How the result of a pooling is cut into items. An item is a row of the
/// result of one image, or of windows; where items are small, one vector of it.
struct PoolChannelsCut {
  /// What is computed for each place of a row: an output, an element of the
  /// gradient, or the elements of the gradient that a window covers.
  enum class Place { Output, Input, Window };

  PoolChannelsCut(Place place, const PoolSpan &rows, const PoolSpan &columns,
                  int64_t channels, const TargetCosts &costs);

  /// That of the gradient of a maximum: windows that share no cell are searched
  /// once, others for each element that they cover.
  static Place getMaxGradPlace(const PoolSpan &rows, const PoolSpan &columns,
                               const TargetCosts &costs);

  /// The items of one image.
  int64_t getNumItems() const {
    return rows * (isVectorItem ? width * vectors : 1);
  }

  Place place;
  /// The rows of an image, and the places of a row.
  int64_t rows, width;
  /// The channels of a vector, and the vectors of all channels.
  int64_t lanes, vectors;
  bool isVectorItem;
};

class PoolChannels {
public:
  /// `item` is the number of the item.
  PoolChannels(OpBuilder &builder, Location loc, Type element, PoolSpan rows,
               PoolSpan columns, Value item, int64_t channels,
               const PoolChannelsCut &cut);

  void buildMaxPool(Value input, Value output) const;
  /// With `positive`, a maximum that is not greater than 0 has no argmax. Null
  /// for a result that nothing needs.
  void buildMaxPoolArgmax(Value input, bool positive, Value output,
                          Value argmax) const;
  void buildAvgPool(Value input, Value output) const;
  void buildMaxPoolArgmaxGrad(Value grad, Value argmax, Value result) const;
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

  void forEachPlace(function_ref<void(Value, Lanes)> body) const;
  void forEachVector(int64_t width,
                     function_ref<void(Value, Lanes)> body) const;
  Place place(const PoolSpan &span, Value output) const;
  Range getOutputs(const PoolSpan &span, Value input) const;
  Values reduceCells(const Range &rows, const Range &columns,
                     ValueRange initial,
                     function_ref<Values(Value, Value, ValueRange)> body) const;
  Value getCellCount(const Window &window) const;

  Value getIndex(Value row, Value column, int64_t height, int64_t width,
                 Lanes lanes) const;
  Value loadInput(Value input, Value row, Value column, Lanes lanes) const;
  Value loadOutput(Value output, Value row, Value column, Lanes lanes) const;
  void storeInput(Value value, Value input, Value row, Value column,
                  Lanes lanes) const;
  void storeOutput(Value value, Value output, Value row, Value column,
                   Lanes lanes) const;

  /// Gives the cell of a window's maximum; the window is of output (row,
  /// column).
  using FindCell = function_ref<Value(Value row, Value column,
                                      const Window &window, Lanes lanes)>;

  Type getCellType() const;
  Value getCell(const Window &window, Value row, Value column) const;
  std::pair<Value, Value> findMaximum(Value input, const Window &window,
                                      Lanes lanes) const;
  void buildMaxGrad(Value grad, FindCell findCell, Value result) const;
  void buildMaxGradOfWindows(Value grad, FindCell findCell, Value result) const;
  void buildMaxGradOfCells(Value grad, FindCell findCell, Value result) const;

  PoolSpan rows, columns;
  int64_t channels;
  PoolChannelsCut cut;
  /// Image and row; and the number of the vector in the row, or null for all.
  Value n, row, vector;
  /// Of vectors of channels.
  KernelBuilder b;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLCHANNELS_H
