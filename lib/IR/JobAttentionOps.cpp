//===- JobAttentionOps.cpp - Attention ------------------------------------===//

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"

#include "Inference.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct AttentionTypes {
  BlobType result, logsumexp;
};
} // namespace

static FailureOr<AttentionTypes>
inferAttention(function_ref<InFlightDiagnostic()> emitError, BlobType query,
               BlobType key, BlobType value, const APFloat &scale,
               bool causal) {
  for (BlobType type : {query, key, value}) {
    if (type.getRank() != 4)
      return emitError() << "expects blobs of (batch, position, head, channel) "
                            "but got "
                         << type;
    if (type.getElementType() != query.getElementType())
      return emitError() << "expects equal element types but got " << query
                         << " and " << type;
    for (int64_t dim : {0, 2})
      if (type.getDimSize(dim) != query.getDimSize(dim))
        return emitError() << "expects equal batches and heads but got "
                           << query << " and " << type;
  }
  if (key.getDimSize(3) != query.getDimSize(3))
    return emitError() << "expects queries and keys with equal numbers of "
                          "channels but got "
                       << query.getDimSize(3) << " and " << key.getDimSize(3);
  if (value.getDimSize(1) != key.getDimSize(1))
    return emitError() << "expects as many values as keys but got "
                       << value.getDimSize(1) << " and " << key.getDimSize(1);
  if (causal && key.getDimSize(1) < query.getDimSize(1))
    return emitError() << "expects at least as many keys as queries when "
                          "causal but got "
                       << key.getDimSize(1) << " and " << query.getDimSize(1);
  Type element = query.getElementType();
  APFloat rounded = scale;
  bool isInexact;
  // Types are inferred before operands are verified.
  if (auto type = dyn_cast<FloatType>(element))
    rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &isInexact);
  if (!rounded.isFinite())
    return emitError() << "expects a scale that is finite in " << element
                       << " but got " << scale.convertToDouble();
  FailureOr<BlobType> result =
      makeBlob(emitError,
               {query.getDimSize(0), query.getDimSize(1), query.getDimSize(2),
                value.getDimSize(3)},
               element);
  if (failed(result))
    return failure();
  BlobType rows = BlobType::get(
      {query.getDimSize(0), query.getDimSize(2), query.getDimSize(1)},
      getComputeType(element));
  return AttentionTypes{*result, rows};
}

LogicalResult
AttentionOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<AttentionTypes> types =
      inferAttention(inferenceError<AttentionOp>(context, location),
                     cast<BlobType>(adaptor.getQuery().getType()),
                     cast<BlobType>(adaptor.getKey().getType()),
                     cast<BlobType>(adaptor.getValue().getType()),
                     adaptor.getScale(), adaptor.getCausal());
  if (failed(types))
    return failure();
  inferredReturnTypes.append({types->result, types->logsumexp});
  return success();
}

LogicalResult AttentionGradOp::verify() {
  FailureOr<AttentionTypes> types = inferAttention(
      [&] { return emitOpError(); }, getQuery().getType(), getKey().getType(),
      getValue().getType(), getScale(), getCausal());
  if (failed(types))
    return failure();
  if (getResult().getType() != types->result)
    return emitOpError() << "expects a result of type " << types->result
                         << " but got " << getResult().getType();
  if (getLogsumexp().getType() != types->logsumexp)
    return emitOpError() << "expects logsumexp of type " << types->logsumexp
                         << " but got " << getLogsumexp().getType();
  return success();
}
