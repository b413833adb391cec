//===- Pool.cpp - Reference of pooling ------------------------------------===//

#include "Image.h"
#include "Models.h"

#include <cmath>

using namespace mlir;
using namespace mlir::job;

namespace {
/// A cell of a window that is not padding.
struct Cell {
  /// In the input.
  int64_t index;
  /// In the window, by rows and columns.
  int64_t number;
};
} // namespace

/// Calls `function(output index, cells of the window)` for each window; the
/// cells are by rows and columns.
template <typename Op, typename Function>
static void forEachWindow(Op op, ArrayRef<int64_t> inputShape,
                          ArrayRef<int64_t> outputShape, Function function) {
  ArrayRef<int64_t> ksize = op.getKsize(), strides = op.getStrides(),
                    padding = op.getPadding();
  Image input(op.getLayout(), inputShape), output(op.getLayout(), outputShape);
  SmallVector<Cell> cells;
  auto visit = [&](int64_t n, int64_t c, int64_t y, int64_t x) {
    cells.clear();
    for (int64_t ky = 0; ky < ksize[0]; ++ky)
      for (int64_t kx = 0; kx < ksize[1]; ++kx) {
        int64_t row = y * strides[0] - padding[0] + ky;
        int64_t column = x * strides[1] - padding[1] + kx;
        if (row >= 0 && row < input.extents.h && column >= 0 &&
            column < input.extents.w)
          cells.push_back(
              {input.getIndex(n, c, row, column), ky * ksize[1] + kx});
      }
    function(output.getIndex(n, c, y, x), ArrayRef<Cell>(cells));
  };
  for (int64_t n = 0; n < output.extents.n; ++n)
    for (int64_t c = 0; c < output.extents.c; ++c)
      for (int64_t y = 0; y < output.extents.h; ++y)
        for (int64_t x = 0; x < output.extents.w; ++x)
          visit(n, c, y, x);
}

/// The cell with the first NaN, or with the first of the largest values.
static Cell findMaximum(const std::vector<double> &values,
                        ArrayRef<Cell> cells) {
  Cell best = cells.front();
  for (Cell cell : cells) {
    if (std::isnan(values[cell.index]))
      return cell;
    if (values[cell.index] > values[best.index])
      best = cell;
  }
  return best;
}

static LogicalResult computeMaxPool2D(MaxPool2DOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  const std::vector<double> &input = operands[0]->getFloats();
  std::vector<double> &output = results[0].getFloats();
  forEachWindow(op, operands[0]->getShape(), results[0].getShape(),
                [&](int64_t index, ArrayRef<Cell> cells) {
                  output[index] = input[findMaximum(input, cells).index];
                });
  return success();
}

static LogicalResult computeMaxPool2DGrad(MaxPool2DGradOp op,
                                          ReferenceOperands operands,
                                          ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  const std::vector<double> &input = operands[1]->getFloats();
  std::vector<double> &inputGrad = results[0].getFloats();
  forEachWindow(op, results[0].getShape(), operands[0]->getShape(),
                [&](int64_t index, ArrayRef<Cell> cells) {
                  inputGrad[findMaximum(input, cells).index] += grad[index];
                });
  return success();
}

static LogicalResult computeMaxPool2DArgmax(MaxPool2DArgmaxOp op,
                                            ReferenceOperands operands,
                                            ReferenceResults results) {
  const std::vector<double> &input = operands[0]->getFloats();
  std::vector<double> &output = results[0].getFloats();
  forEachWindow(op, operands[0]->getShape(), results[0].getShape(),
                [&](int64_t index, ArrayRef<Cell> cells) {
                  Cell found = findMaximum(input, cells);
                  output[index] = input[found.index];
                  bool isNone = op.getPositive() && !(output[index] > 0);
                  results[1].setInteger(index, isNone ? -1 : found.number);
                });
  return success();
}

static LogicalResult computeMaxPool2DArgmaxGrad(MaxPool2DArgmaxGradOp op,
                                                ReferenceOperands operands,
                                                ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  const std::vector<int64_t> &argmax = operands[1]->getIntegers();
  std::vector<double> &inputGrad = results[0].getFloats();
  forEachWindow(op, results[0].getShape(), operands[0]->getShape(),
                [&](int64_t index, ArrayRef<Cell> cells) {
                  for (Cell cell : cells)
                    if (cell.number == argmax[index])
                      inputGrad[cell.index] += grad[index];
                });
  return success();
}

static LogicalResult computeAvgPool2D(AvgPool2DOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  const std::vector<double> &input = operands[0]->getFloats();
  std::vector<double> &output = results[0].getFloats();
  forEachWindow(op, operands[0]->getShape(), results[0].getShape(),
                [&](int64_t index, ArrayRef<Cell> cells) {
                  double sum = 0;
                  for (Cell cell : cells)
                    sum += input[cell.index];
                  output[index] = sum / cells.size();
                });
  return success();
}

static LogicalResult computeAvgPool2DGrad(AvgPool2DGradOp op,
                                          ReferenceOperands operands,
                                          ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  std::vector<double> &inputGrad = results[0].getFloats();
  forEachWindow(op, results[0].getShape(), operands[0]->getShape(),
                [&](int64_t index, ArrayRef<Cell> cells) {
                  for (Cell cell : cells)
                    inputGrad[cell.index] += grad[index] / cells.size();
                });
  return success();
}

void job::attachPoolReferences(MLIRContext *context) {
  MaxPool2DOp::attachInterface<ReferenceModel<MaxPool2DOp, computeMaxPool2D>>(
      *context);
  MaxPool2DGradOp::attachInterface<
      ReferenceModel<MaxPool2DGradOp, computeMaxPool2DGrad>>(*context);
  MaxPool2DArgmaxOp::attachInterface<
      ReferenceModel<MaxPool2DArgmaxOp, computeMaxPool2DArgmax>>(*context);
  MaxPool2DArgmaxGradOp::attachInterface<
      ReferenceModel<MaxPool2DArgmaxGradOp, computeMaxPool2DArgmaxGrad>>(
      *context);
  AvgPool2DOp::attachInterface<ReferenceModel<AvgPool2DOp, computeAvgPool2D>>(
      *context);
  AvgPool2DGradOp::attachInterface<
      ReferenceModel<AvgPool2DGradOp, computeAvgPool2DGrad>>(*context);
}
