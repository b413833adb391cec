//===- JobNormOps.cpp - Normalisation -------------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

/// Checks that gamma has one element for each place along dimension `dim`.
static LogicalResult verifyGamma(function_ref<InFlightDiagnostic()> emitError,
                                 BlobType type, int64_t dim, BlobType gamma) {
  BlobType expected =
      BlobType::get(type.getDimSize(dim), type.getElementType());
  if (gamma == expected)
    return success();
  return emitError() << "expects gamma and beta of type " << expected
                     << " but got " << gamma;
}

LogicalResult
BatchNormOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  auto gamma = cast<BlobType>(adaptor.getGamma().getType());
  int64_t axis = adaptor.getAxis();
  auto emitError = inferenceError<BatchNormOp>(context, location);
  if (axis < 0 || axis >= type.getRank())
    return emitError() << "expects an axis in [0, " << type.getRank()
                       << ") but got " << axis;
  if (failed(verifyGamma(emitError, type, axis, gamma)))
    return failure();
  inferredReturnTypes.append({type, gamma, gamma});
  return success();
}

/// The type of a row's statistics.
static BlobType getRowType(BlobType type) {
  SmallVector<int64_t> shape(type.getShape().drop_back());
  if (shape.empty())
    shape.push_back(1);
  return BlobType::get(shape, type.getElementType());
}

LogicalResult
LayerNormOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  auto type = cast<BlobType>(adaptor.getOperand().getType());
  auto gamma = cast<BlobType>(adaptor.getGamma().getType());
  if (failed(verifyGamma(inferenceError<LayerNormOp>(context, location), type,
                         type.getRank() - 1, gamma)))
    return failure();
  inferredReturnTypes.append({type, getRowType(type), getRowType(type)});
  return success();
}

LogicalResult LayerNormGradOp::verify() {
  BlobType type = getOperand().getType();
  if (failed(verifyGamma([&] { return emitOpError(); }, type,
                         type.getRank() - 1, getGamma().getType())))
    return failure();
  if (getMean().getType() != getRowType(type))
    return emitOpError() << "expects mean and rstd of type " << getRowType(type)
                         << " but got " << getMean().getType();
  return success();
}
