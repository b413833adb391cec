//===- Conv.cpp - Reference of convolutions -------------------------------===//
//
// A convolution is a list of taps: an element of the output is the sum, over
// its taps, of an element of the input times one of the filter. The gradients
// are the sums over the same taps for the other two.
//
//===----------------------------------------------------------------------===//

#include "Image.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

/// Calls `function(output index, input index, filter index)` for each tap that
/// is not padding; the taps of an output are in the order of channel, row and
/// column.
template <typename Op, typename Function>
static void forEachTap(Op op, ArrayRef<int64_t> inputShape,
                       ArrayRef<int64_t> filterShape,
                       ArrayRef<int64_t> outputShape, Function function) {
  ArrayRef<int64_t> strides = op.getStrides(), padding = op.getPadding(),
                    dilations = op.getDilations();
  Image input(op.getLayout(), inputShape), filter(op.getLayout(), filterShape),
      output(op.getLayout(), outputShape);
  int64_t outputsOfGroup = filter.extents.n / op.getGroups();
  int64_t channelsOfGroup = filter.extents.c;
  for (int64_t n = 0; n < output.extents.n; ++n)
    for (int64_t o = 0; o < output.extents.c; ++o)
      for (int64_t y = 0; y < output.extents.h; ++y)
        for (int64_t x = 0; x < output.extents.w; ++x)
          for (int64_t c = 0; c < channelsOfGroup; ++c)
            for (int64_t ky = 0; ky < filter.extents.h; ++ky) {
              int64_t row = y * strides[0] - padding[0] + ky * dilations[0];
              if (row < 0 || row >= input.extents.h)
                continue;
              for (int64_t kx = 0; kx < filter.extents.w; ++kx) {
                int64_t column =
                    x * strides[1] - padding[1] + kx * dilations[1];
                if (column < 0 || column >= input.extents.w)
                  continue;
                int64_t channel = o / outputsOfGroup * channelsOfGroup + c;
                function(output.getIndex(n, o, y, x),
                         input.getIndex(n, channel, row, column),
                         filter.getIndex(o, c, ky, kx));
              }
            }
}

static LogicalResult computeConv2D(Conv2DOp op, ReferenceOperands operands,
                                   ReferenceResults results) {
  const std::vector<double> &input = operands[0]->getFloats();
  const std::vector<double> &filter = operands[1]->getFloats();
  std::vector<double> &output = results[0].getFloats();
  forEachTap(op, operands[0]->getShape(), operands[1]->getShape(),
             results[0].getShape(), [&](int64_t o, int64_t i, int64_t f) {
               output[o] += input[i] * filter[f];
             });
  return success();
}

static LogicalResult computeConv2DDataGrad(Conv2DDataGradOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  const std::vector<double> &filter = operands[1]->getFloats();
  std::vector<double> &inputGrad = results[0].getFloats();
  forEachTap(op, results[0].getShape(), operands[1]->getShape(),
             operands[0]->getShape(), [&](int64_t o, int64_t i, int64_t f) {
               inputGrad[i] += grad[o] * filter[f];
             });
  return success();
}

static LogicalResult computeConv2DFilterGrad(Conv2DFilterGradOp op,
                                             ReferenceOperands operands,
                                             ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  const std::vector<double> &input = operands[1]->getFloats();
  std::vector<double> &filterGrad = results[0].getFloats();
  forEachTap(op, operands[1]->getShape(), results[0].getShape(),
             operands[0]->getShape(), [&](int64_t o, int64_t i, int64_t f) {
               filterGrad[f] += grad[o] * input[i];
             });
  return success();
}

void job::attachConvReferences(MLIRContext *context) {
  Conv2DOp::attachInterface<ReferenceModel<Conv2DOp, computeConv2D>>(*context);
  Conv2DDataGradOp::attachInterface<
      ReferenceModel<Conv2DDataGradOp, computeConv2DDataGrad>>(*context);
  Conv2DFilterGradOp::attachInterface<
      ReferenceModel<Conv2DFilterGradOp, computeConv2DFilterGrad>>(*context);
}
