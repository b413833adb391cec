//===- JobPoolOps.cpp - Pooling -------------------------------------------===//

#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/JobOps.h"

#include "ImagePermutation.h"
#include "Inference.h"
#include "Windows.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// The type of a pooling's output, after checking input and attributes.
static FailureOr<BlobType>
inferPool2D(function_ref<InFlightDiagnostic()> emitError, BlobType input,
            ArrayRef<int64_t> ksize, ArrayRef<int64_t> strides,
            ArrayRef<int64_t> padding, ImageLayout layout) {
  if (input.getRank() != 4)
    return emitError() << "expects an input of 4 dimensions but got " << input;
  if (failed(verifyWindowAttr(emitError, "ksize", ksize, 2, 1)))
    return failure();
  Window window{{ksize[0], ksize[1]}, strides, padding};
  FailureOr<std::array<int64_t, 2>> size =
      window.getOutputSize(emitError, layout, input.getShape());
  if (failed(size))
    return failure();
  for (int i = 0; i < 4; ++i)
    if (padding[i] >= ksize[i % 2])
      return emitError() << "expects padding below the window of "
                         << ksize[i % 2] << " but got " << padding[i];
  ImageDims<int64_t> output = getImageDims(layout, input.getShape());
  output.h = (*size)[0];
  output.w = (*size)[1];
  return makeBlob(emitError, output.inOrder(layout), input.getElementType());
}

template <typename Op>
static LogicalResult inferPoolOp(MLIRContext *context,
                                 std::optional<Location> location,
                                 typename Op::Adaptor adaptor,
                                 SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<BlobType> output = inferPool2D(
      inferenceError<Op>(context, location),
      cast<BlobType>(adaptor.getInput().getType()), adaptor.getKsize(),
      adaptor.getStrides(), adaptor.getPadding(), adaptor.getLayout());
  if (failed(output))
    return failure();
  inferredReturnTypes.push_back(*output);
  return success();
}

/// The cells that an i8 can number.
static constexpr uint64_t kMaxNumberedCells = 128;

bool MaxPool2DArgmaxOp::areNumbered(ArrayRef<int64_t> ksize) {
  return llvm::SaturatingMultiply<uint64_t>(ksize[0], ksize[1]) <=
         kMaxNumberedCells;
}

/// Checks the window, a valid one of a pooling, of an op with an argmax.
static LogicalResult
verifyNumbered(function_ref<InFlightDiagnostic()> emitError,
               ArrayRef<int64_t> ksize) {
  if (!MaxPool2DArgmaxOp::areNumbered(ksize))
    return emitError() << "expects a window of at most " << kMaxNumberedCells
                       << " cells but got " << ksize[0] << "x" << ksize[1];
  return success();
}

template <typename Op>
static LogicalResult verifyPoolGrad(Op op, BlobType input) {
  FailureOr<BlobType> output =
      inferPool2D([&] { return op.emitOpError(); }, input, op.getKsize(),
                  op.getStrides(), op.getPadding(), op.getLayout());
  if (failed(output))
    return failure();
  if (*output != op.getGrad().getType())
    return op.emitOpError() << "expects a gradient of type " << *output
                            << " but got " << op.getGrad().getType();
  return success();
}

LogicalResult
MaxPool2DOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferPoolOp<MaxPool2DOp>(context, location, adaptor,
                                  inferredReturnTypes);
}

LogicalResult
AvgPool2DOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  return inferPoolOp<AvgPool2DOp>(context, location, adaptor,
                                  inferredReturnTypes);
}

LogicalResult MaxPool2DArgmaxOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  if (failed(inferPoolOp<MaxPool2DArgmaxOp>(context, location, adaptor,
                                            inferredReturnTypes)) ||
      failed(
          verifyNumbered(inferenceError<MaxPool2DArgmaxOp>(context, location),
                         adaptor.getKsize())))
    return failure();
  auto output = cast<BlobType>(inferredReturnTypes.front());
  inferredReturnTypes.push_back(
      output.withElementType(IntegerType::get(context, 8)));
  return success();
}

LogicalResult MaxPool2DArgmaxGradOp::verify() {
  if (failed(verifyPoolGrad(*this, getResult().getType())) ||
      failed(verifyNumbered([&] { return emitOpError(); }, getKsize())))
    return failure();
  BlobType argmax = getGrad().getType().withElementType(
      getArgmax().getType().getElementType());
  if (argmax != getArgmax().getType())
    return emitOpError() << "expects an argmax of type " << argmax
                         << " but got " << getArgmax().getType();
  return success();
}

LogicalResult MaxPool2DGradOp::verify() {
  return verifyPoolGrad(*this, getInput().getType());
}

LogicalResult AvgPool2DGradOp::verify() {
  return verifyPoolGrad(*this, getResult().getType());
}

//===----------------------------------------------------------------------===//
// LayoutOpInterface
//===----------------------------------------------------------------------===//

/// With the channels last, the gradient of a maximum with overlapping windows
/// reads all cells of all windows of an element: at most so many.
static constexpr uint64_t kMaxCells = 128;

template <typename Op> static bool isCheapInNHWC(Op op) {
  uint64_t windows = 1, cells = 1;
  for (auto [size, stride] : llvm::zip_equal(op.getKsize(), op.getStrides())) {
    windows *= llvm::divideCeil(size, stride);
    cells = llvm::SaturatingMultiply<uint64_t>(cells, size);
  }
  return windows == 1 || llvm::SaturatingMultiply(windows, cells) <= kMaxCells;
}

bool MaxPool2DOp::isOperandPermuted(OpOperand &,
                                    ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

bool MaxPool2DOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

SmallVector<Value> MaxPool2DOp::buildPermuted(OpBuilder &builder,
                                              ValueRange operands,
                                              ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}

bool AvgPool2DOp::isOperandPermuted(OpOperand &,
                                    ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

bool AvgPool2DOp::isResultPermuted(OpResult, ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

SmallVector<Value> AvgPool2DOp::buildPermuted(OpBuilder &builder,
                                              ValueRange operands,
                                              ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}

bool MaxPool2DGradOp::isOperandPermuted(OpOperand &,
                                        ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation) && isCheapInNHWC(*this);
}

bool MaxPool2DGradOp::isResultPermuted(OpResult,
                                       ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation) && isCheapInNHWC(*this);
}

SmallVector<Value>
MaxPool2DGradOp::buildPermuted(OpBuilder &builder, ValueRange operands,
                               ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}

bool AvgPool2DGradOp::isOperandPermuted(OpOperand &,
                                        ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

bool AvgPool2DGradOp::isResultPermuted(OpResult,
                                       ArrayRef<int64_t> permutation) {
  return becomesNHWC(getLayout(), permutation);
}

SmallVector<Value>
AvgPool2DGradOp::buildPermuted(OpBuilder &builder, ValueRange operands,
                               ArrayRef<int64_t> permutation) {
  return buildNHWC(*this, builder, operands, permutation);
}
