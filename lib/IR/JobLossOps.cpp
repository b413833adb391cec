//===- JobLossOps.cpp - Losses --------------------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

/// The loss of logits and labels: the logits' shape without the classes.
static FailureOr<BlobType>
inferCrossEntropy(function_ref<InFlightDiagnostic()> emitError, BlobType logits,
                  BlobType labels) {
  if (logits.getRank() < 2)
    return emitError() << "expects logits of at least 2 dimensions but got "
                       << logits;
  ArrayRef<int64_t> rows = logits.getShape().drop_back();
  if (labels.getShape() != rows)
    return emitError() << "expects labels of the shape of the logits without "
                          "the last dimension but got "
                       << labels << " for " << logits;
  return BlobType::get(rows, logits.getElementType());
}

LogicalResult SparseSoftmaxCrossEntropyOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<BlobType> type = inferCrossEntropy(
      inferenceError<SparseSoftmaxCrossEntropyOp>(context, location),
      cast<BlobType>(adaptor.getLogits().getType()),
      cast<BlobType>(adaptor.getLabels().getType()));
  if (failed(type))
    return failure();
  inferredReturnTypes.push_back(*type);
  return success();
}

LogicalResult SparseSoftmaxCrossEntropyGradOp::verify() {
  FailureOr<BlobType> type =
      inferCrossEntropy([&] { return emitOpError(); }, getLogits().getType(),
                        getLabels().getType());
  if (failed(type))
    return failure();
  if (*type != getGrad().getType())
    return emitOpError() << "expects a gradient of type " << *type
                         << " but got " << getGrad().getType();
  return success();
}
