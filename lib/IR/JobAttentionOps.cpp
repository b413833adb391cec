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
  int64_t heads;
};
} // namespace

/// The heads of an operand between those that are not read.
static FailureOr<int64_t>
countHeads(function_ref<InFlightDiagnostic()> emitError, BlobType type,
           int64_t before, int64_t after) {
  for (int64_t others : {before, after})
    if (others < 0)
      return emitError() << "expects numbers of heads that are not negative "
                            "but got "
                         << others;
  int64_t all = type.getDimSize(2);
  if (before >= all || after >= all - before)
    return emitError() << "expects heads between the first " << before
                       << " and the last " << after << " of " << type
                       << " but got none";
  return all - before - after;
}

static FailureOr<AttentionTypes>
inferAttention(function_ref<InFlightDiagnostic()> emitError, BlobType query,
               BlobType key, BlobType value, const APFloat &scale, bool causal,
               ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  for (ArrayRef<int64_t> others : {before, after})
    if (others.size() != 3)
      return emitError() << "expects numbers of heads of 3 operands but got "
                         << others.size();
  int64_t heads = 0;
  const BlobType types[] = {query, key, value};
  for (auto [index, type] : llvm::enumerate(types)) {
    if (type.getRank() != 4)
      return emitError() << "expects blobs of (batch, position, head, channel) "
                            "but got "
                         << type;
    if (type.getElementType() != query.getElementType())
      return emitError() << "expects equal element types but got " << query
                         << " and " << type;
    FailureOr<int64_t> read =
        countHeads(emitError, type, before[index], after[index]);
    if (failed(read))
      return failure();
    if (index == 0)
      heads = *read;
    if (type.getDimSize(0) == query.getDimSize(0) && *read == heads)
      continue;
    InFlightDiagnostic error = emitError()
                               << "expects equal batches and heads but got "
                               << query << " and " << type;
    if (*read != heads)
      error << ", of which " << heads << " and " << *read << " heads are read";
    return error;
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
  FailureOr<BlobType> result = makeBlob(
      emitError,
      {query.getDimSize(0), query.getDimSize(1), heads, value.getDimSize(3)},
      element);
  if (failed(result))
    return failure();
  BlobType rows =
      BlobType::get({query.getDimSize(0), heads, query.getDimSize(1)},
                    getComputeType(element));
  return AttentionTypes{*result, rows, heads};
}

/// Of either op.
template <typename Adaptor>
static FailureOr<AttentionTypes>
inferAttention(function_ref<InFlightDiagnostic()> emitError, Adaptor op) {
  return inferAttention(emitError, cast<BlobType>(op.getQuery().getType()),
                        cast<BlobType>(op.getKey().getType()),
                        cast<BlobType>(op.getValue().getType()), op.getScale(),
                        op.getCausal(), op.getHeadsBefore(),
                        op.getHeadsAfter());
}

LogicalResult
AttentionOp::inferReturnTypes(MLIRContext *context,
                              std::optional<Location> location, Adaptor adaptor,
                              SmallVectorImpl<Type> &inferredReturnTypes) {
  FailureOr<AttentionTypes> types =
      inferAttention(inferenceError<AttentionOp>(context, location), adaptor);
  if (failed(types))
    return failure();
  inferredReturnTypes.append({types->result, types->logsumexp});
  return success();
}

LogicalResult AttentionGradOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferredReturnTypes) {
  auto emitError = inferenceError<AttentionGradOp>(context, location);
  FailureOr<AttentionTypes> types = inferAttention(emitError, adaptor);
  if (failed(types))
    return failure();
  auto query = cast<BlobType>(adaptor.getQuery().getType());
  auto value = cast<BlobType>(adaptor.getValue().getType());
  int64_t queries = query.getDimSize(1), keys = value.getDimSize(1);
  if (adaptor.getJoinQueryKey() && queries != keys)
    return emitError() << "expects as many keys as queries for one blob of the "
                          "gradients of both but got "
                       << keys << " and " << queries;
  int64_t channels = query.getDimSize(3), valueChannels = value.getDimSize(3);
  if (adaptor.getJoinKeyValue() && channels != valueChannels)
    return emitError() << "expects keys and values with equal numbers of "
                          "channels for one blob of the gradients of both but "
                          "got "
                       << channels << " and " << valueChannels;
  SmallVector<SmallVector<int64_t>> shapes;
  auto add = [&](int64_t positions, int64_t channels, bool isJoined) {
    if (isJoined)
      shapes.back()[2] += types->heads;
    else
      shapes.push_back(
          {query.getDimSize(0), positions, types->heads, channels});
  };
  add(queries, channels, /*isJoined=*/false);
  add(keys, channels, adaptor.getJoinQueryKey());
  add(keys, valueChannels, adaptor.getJoinKeyValue());
  for (ArrayRef<int64_t> shape : shapes) {
    FailureOr<BlobType> type =
        makeBlob(emitError, shape, query.getElementType());
    if (failed(type))
      return failure();
    inferredReturnTypes.push_back(*type);
  }
  return success();
}

LogicalResult AttentionGradOp::verify() {
  FailureOr<AttentionTypes> types =
      inferAttention([&] { return emitOpError(); }, *this);
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

std::pair<unsigned, int64_t> AttentionGradOp::getGradPlace(unsigned index) {
  const bool isJoined[] = {false, getJoinQueryKey(), getJoinKeyValue()};
  int64_t heads = getResult().getType().getDimSize(2);
  unsigned result = 0;
  int64_t first = 0;
  for (unsigned i = 1; i <= index; ++i) {
    result += !isJoined[i];
    first = isJoined[i] ? first + heads : 0;
  }
  return {result, first};
}
