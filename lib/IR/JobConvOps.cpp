//===- JobConvOps.cpp - Convolutions --------------------------------------===//

#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/JobOps.h"

#include "ImagePermutation.h"
#include "Inference.h"
#include "Windows.h"
#include "jobrt/abi.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

/// The type of a convolution's output, after checking everything that input,
/// filter and attributes must fulfil.
static FailureOr<BlobType>
inferConv2D(function_ref<InFlightDiagnostic()> emitError, BlobType input,
            BlobType filter, ArrayRef<int64_t> strides,
            ArrayRef<int64_t> padding, ArrayRef<int64_t> dilations,
            int64_t groups, ImageLayout layout) {
  if (input.getRank() != 4 || filter.getRank() != 4)
    return emitError() << "expects an input and a filter of 4 dimensions but "
                          "got "
                       << input << " and " << filter;
  if (input.getElementType() != filter.getElementType())
    return emitError() << "expects equal element types but got " << input
                       << " and " << filter;
  // The library that computes most convolutions takes no larger padding.
  if (failed(verifyWindowAttr(emitError, "dilations", dilations, 2, 1)) ||
      failed(verifyWindowAttr(emitError, "padding", padding, 4, 0,
                              JOBRT_CONV2D_MAX_PADDING)))
    return failure();
  ImageDims<int64_t> image = getImageDims(layout, input.getShape());
  ImageDims<int64_t> taps = getImageDims(layout, filter.getShape());
  int64_t channels = image.c, outputs = taps.n;
  if (groups < 1 || channels % groups || outputs % groups)
    return emitError() << "expects groups to divide " << channels
                       << " input and " << outputs
                       << " output channels but got " << groups;
  if (taps.c != channels / groups)
    return emitError() << "expects a filter for " << channels / groups
                       << " channels (" << channels << " in " << groups
                       << " groups) but got " << taps.c;
  Window window{
      {taps.h, taps.w}, strides, padding, {dilations[0], dilations[1]}};
  FailureOr<std::array<int64_t, 2>> size =
      window.getOutputSize(emitError, layout, input.getShape());
  if (failed(size))
    return failure();
  ImageDims<int64_t> output{image.n, outputs, (*size)[0], (*size)[1]};
  return makeBlob(emitError, output.inOrder(layout), input.getElementType());
}

/// Checks a gradient op against the convolution that it belongs to.
template <typename Op>
static LogicalResult verifyConvGrad(Op op, BlobType input, BlobType filter) {
  auto emitError = [&] { return op.emitOpError(); };
  FailureOr<BlobType> output =
      inferConv2D(emitError, input, filter, op.getStrides(), op.getPadding(),
                  op.getDilations(), op.getGroups(), op.getLayout());
  if (failed(output))
    return failure();
  if (*output != op.getGrad().getType())
    return op.emitOpError() << "expects a gradient of type " << *output
                            << " but got " << op.getGrad().getType();
  return success();
}

LogicalResult
Conv2DOp::inferReturnTypes(MLIRContext *context,
                           std::optional<Location> location, Adaptor adaptor,
                           SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<BlobType> output = inferConv2D(
      inferenceError<Conv2DOp>(context, location),
      cast<BlobType>(adaptor.getInput().getType()),
      cast<BlobType>(adaptor.getFilter().getType()), adaptor.getStrides(),
      adaptor.getPadding(), adaptor.getDilations(), adaptor.getGroups(),
      adaptor.getLayout());
  if (failed(output))
    return failure();
  inferredReturnTypes.push_back(*output);
  return success();
}

LogicalResult Conv2DDataGradOp::verify() {
  return verifyConvGrad(*this, getResult().getType(), getFilter().getType());
}

LogicalResult Conv2DFilterGradOp::verify() {
  return verifyConvGrad(*this, getInput().getType(), getResult().getType());
}

//===----------------------------------------------------------------------===//
// LayoutOpInterface
//===----------------------------------------------------------------------===//

bool Conv2DOp::isOperandPermuted(OpOperand &, ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

bool Conv2DOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

SmallVector<Value> Conv2DOp::buildPermuted(OpBuilder &builder,
                                           ValueRange operands,
                                           ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}

bool Conv2DDataGradOp::isOperandPermuted(OpOperand &,
                                         ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

bool Conv2DDataGradOp::isResultPermuted(OpResult,
                                        ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

SmallVector<Value>
Conv2DDataGradOp::buildPermuted(OpBuilder &builder, ValueRange operands,
                                ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}

bool Conv2DFilterGradOp::isOperandPermuted(OpOperand &,
                                           ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

bool Conv2DFilterGradOp::isResultPermuted(OpResult,
                                          ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

SmallVector<Value>
Conv2DFilterGradOp::buildPermuted(OpBuilder &builder, ValueRange operands,
                                  ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}
