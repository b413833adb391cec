//===- JobPoolOps.cpp - Pooling -------------------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"
#include "Windows.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

/// The type of a pooling's output, after checking input and attributes.
static FailureOr<BlobType>
inferPool2D(function_ref<InFlightDiagnostic()> emitError, BlobType input,
            ArrayRef<int64_t> ksize, ArrayRef<int64_t> strides,
            ArrayRef<int64_t> padding) {
  if (input.getRank() != 4)
    return emitError() << "expects an input of 4 dimensions but got " << input;
  if (failed(verifyWindowAttr(emitError, "ksize", ksize, 2, 1)))
    return failure();
  Window window{{ksize[0], ksize[1]}, strides, padding};
  FailureOr<std::array<int64_t, 2>> size =
      window.getOutputSize(emitError, input.getShape().drop_front(2));
  if (failed(size))
    return failure();
  for (int i = 0; i < 4; ++i)
    if (padding[i] >= ksize[i % 2])
      return emitError() << "expects padding below the window of "
                         << ksize[i % 2] << " but got " << padding[i];
  return makeBlob(
      emitError,
      {input.getDimSize(0), input.getDimSize(1), (*size)[0], (*size)[1]},
      input.getElementType());
}

template <typename Op>
static LogicalResult inferPoolOp(MLIRContext *context,
                                 std::optional<Location> location,
                                 typename Op::Adaptor adaptor,
                                 SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<BlobType> output = inferPool2D(
      inferenceError<Op>(context, location),
      cast<BlobType>(adaptor.getInput().getType()), adaptor.getKsize(),
      adaptor.getStrides(), adaptor.getPadding());
  if (failed(output))
    return failure();
  inferredReturnTypes.push_back(*output);
  return success();
}

template <typename Op>
static LogicalResult verifyPoolGrad(Op op, BlobType input) {
  FailureOr<BlobType> output =
      inferPool2D([&] { return op.emitOpError(); }, input, op.getKsize(),
                  op.getStrides(), op.getPadding());
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

LogicalResult MaxPool2DGradOp::verify() {
  return verifyPoolGrad(*this, getInput().getType());
}

LogicalResult AvgPool2DGradOp::verify() {
  return verifyPoolGrad(*this, getResult().getType());
}
