//===- Attributes.cpp - Attributes of descriptors -------------------------===//
//
// Which attributes a descriptor has, of which type and how many values, as the
// library's reference tells them.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/State.h"

#include <cstring>

using namespace jobsim::cudnn;

/// The library's CUDNN_DIM_MAX.
static constexpr int64_t kMaxDims = 8;
/// Of arrays whose length is not limited.
static constexpr int64_t kMany = 1 << 20;

static constexpr auto kRequired = AttributeInfo::kRequired,
                      kOptional = AttributeInfo::kOptional,
                      kReadOnly = AttributeInfo::kReadOnly;

/// The attributes of an operation, whose numbers are in a row.
#define OPERATION(descriptor, alpha)                                           \
  {descriptor, alpha, kFloatType, 1, 1, kRequired},                            \
      {descriptor, alpha + 1, kFloatType, 1, 1, kRequired},                    \
      {descriptor, alpha + 2, kDescriptorType,       1,                        \
       1,          kRequired, kConvolutionDescriptor},                         \
      {descriptor, alpha + 3, kDescriptorType,  1,                             \
       1,          kRequired, kTensorDescriptor},                              \
      {descriptor, alpha + 4, kDescriptorType,  1,                             \
       1,          kRequired, kTensorDescriptor},                              \
  {                                                                            \
    descriptor, alpha + 5, kDescriptorType, 1, 1, kRequired, kTensorDescriptor \
  }

static constexpr AttributeInfo kAttributes[] = {
    {kTensorDescriptor, kTensorUniqueId, kInt64Type, 1, 1, kRequired},
    {kTensorDescriptor, kTensorDataType, kDataTypeType, 1, 1, kRequired},
    {kTensorDescriptor, kTensorAlignment, kInt64Type, 1, 1, kRequired},
    {kTensorDescriptor, kTensorDimensions, kInt64Type, 1, kMaxDims, kRequired},
    {kTensorDescriptor, kTensorStrides, kInt64Type, 1, kMaxDims, kRequired},
    {kTensorDescriptor, kTensorIsByValue, kBooleanType, 1, 1, kOptional},
    {kTensorDescriptor, kTensorIsVirtual, kBooleanType, 1, 1, kOptional},

    {kConvolutionDescriptor, kConvolutionSpatialDims, kInt64Type, 1, 1,
     kRequired},
    {kConvolutionDescriptor, kConvolutionComputeType, kDataTypeType, 1, 1,
     kRequired},
    {kConvolutionDescriptor, kConvolutionMode, kConvolutionModeType, 1, 1,
     kRequired},
    {kConvolutionDescriptor, kConvolutionPrePaddings, kInt64Type, 1, kMaxDims,
     kRequired},
    {kConvolutionDescriptor, kConvolutionPostPaddings, kInt64Type, 1, kMaxDims,
     kRequired},
    {kConvolutionDescriptor, kConvolutionDilations, kInt64Type, 1, kMaxDims,
     kRequired},
    {kConvolutionDescriptor, kConvolutionStrides, kInt64Type, 1, kMaxDims,
     kRequired},

    OPERATION(kConvolutionForwardDescriptor, kForwardAlpha),
    OPERATION(kConvolutionDataGradDescriptor, kDataGradAlpha),
    OPERATION(kConvolutionFilterGradDescriptor, kFilterGradAlpha),

    {kPointwiseDescriptor, kPointwiseMode, kPointwiseModeType, 1, 1, kRequired},
    {kPointwiseDescriptor, kPointwiseComputeType, kDataTypeType, 1, 1,
     kRequired},
    {kPointwiseDescriptor, kPointwiseNaNPropagation, kNaNPropagationType, 1, 1,
     kOptional},
    {kPointwiseDescriptor, kPointwiseAxis, kInt64Type, 1, 1, kOptional},

    {kPointwiseOperationDescriptor, kPointwiseOperationPointwise,
     kDescriptorType, 1, 1, kRequired, kPointwiseDescriptor},
    {kPointwiseOperationDescriptor, kPointwiseInput, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},
    {kPointwiseOperationDescriptor, kPointwiseSecond, kDescriptorType, 1, 1,
     kOptional, kTensorDescriptor},
    {kPointwiseOperationDescriptor, kPointwiseThird, kDescriptorType, 1, 1,
     kOptional, kTensorDescriptor},
    {kPointwiseOperationDescriptor, kPointwiseOutput, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},

    {kMatMulDescriptor, kMatMulComputeType, kDataTypeType, 1, 1, kRequired},

    {kMatMulOperationDescriptor, kMatMulOperation, kDescriptorType, 1, 1,
     kRequired, kMatMulDescriptor},
    {kMatMulOperationDescriptor, kMatMulA, kDescriptorType, 1, 1, kRequired,
     kTensorDescriptor},
    {kMatMulOperationDescriptor, kMatMulB, kDescriptorType, 1, 1, kRequired,
     kTensorDescriptor},
    {kMatMulOperationDescriptor, kMatMulC, kDescriptorType, 1, 1, kRequired,
     kTensorDescriptor},

    {kReductionDescriptor, kReductionOperator, kReductionOperatorType, 1, 1,
     kRequired},
    {kReductionDescriptor, kReductionComputeType, kDataTypeType, 1, 1,
     kRequired},

    {kReductionOperationDescriptor, kReductionOperation, kDescriptorType, 1, 1,
     kRequired, kReductionDescriptor},
    {kReductionOperationDescriptor, kReductionX, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},
    {kReductionOperationDescriptor, kReductionY, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},

    {kReshapeOperationDescriptor, kReshapeX, kDescriptorType, 1, 1, kRequired,
     kTensorDescriptor},
    {kReshapeOperationDescriptor, kReshapeY, kDescriptorType, 1, 1, kRequired,
     kTensorDescriptor},

    {kResampleDescriptor, kResampleMode, kResampleModeType, 1, 1, kRequired},
    {kResampleDescriptor, kResampleComputeType, kDataTypeType, 1, 1, kRequired},
    {kResampleDescriptor, kResampleNaNPropagation, kNaNPropagationType, 1, 1,
     kOptional},
    {kResampleDescriptor, kResamplePaddingMode, kPaddingModeType, 1, 1,
     kRequired},
    {kResampleDescriptor, kResampleSpatialDims, kInt64Type, 1, 1, kRequired},
    {kResampleDescriptor, kResampleWindow, kFractionType, 1, kMaxDims,
     kRequired},
    {kResampleDescriptor, kResamplePrePaddings, kFractionType, 1, kMaxDims,
     kRequired},
    {kResampleDescriptor, kResamplePostPaddings, kFractionType, 1, kMaxDims,
     kRequired},
    {kResampleDescriptor, kResampleStrides, kFractionType, 1, kMaxDims,
     kRequired},

    {kResampleForwardDescriptor, kResampleForwardInput, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},
    {kResampleForwardDescriptor, kResampleForwardOutput, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},
    {kResampleForwardDescriptor, kResampleForwardResample, kDescriptorType, 1,
     1, kRequired, kResampleDescriptor},

    {kResampleGradDescriptor, kResampleGradInput, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},
    {kResampleGradDescriptor, kResampleGradOutput, kDescriptorType, 1, 1,
     kRequired, kTensorDescriptor},
    {kResampleGradDescriptor, kResampleGradResample, kDescriptorType, 1, 1,
     kRequired, kResampleDescriptor},

    {kGraphDescriptor, kGraphHandle, kHandleType, 1, 1, kRequired},
    {kGraphDescriptor, kGraphOperations, kDescriptorType, 1, kMany, kRequired},

    {kHeuristicsDescriptor, kHeuristicsGraph, kDescriptorType, 1, 1, kRequired,
     kGraphDescriptor},
    {kHeuristicsDescriptor, kHeuristicsMode, kHeuristicsModeType, 1, 1,
     kRequired},
    {kHeuristicsDescriptor, kHeuristicsResults, kDescriptorType, 0, kMany,
     kReadOnly, kEngineConfigDescriptor},

    {kEngineConfigDescriptor, kEngineConfigEngine, kDescriptorType, 1, 1,
     kRequired, kEngineDescriptor},
    {kEngineConfigDescriptor, kEngineConfigKnobs, kDescriptorType, 0, kMany,
     kOptional, kKnobChoiceDescriptor},

    {kEngineDescriptor, kEngineGraph, kDescriptorType, 1, 1, kRequired,
     kGraphDescriptor},
    {kEngineDescriptor, kEngineGlobalIndex, kInt64Type, 1, 1, kRequired},
    {kEngineDescriptor, kEngineNumericalNotes, kNumericalNoteType, 0, kMany,
     kReadOnly},

    {kKnobChoiceDescriptor, kKnobChoiceType, kKnobType, 1, 1, kRequired},
    {kKnobChoiceDescriptor, kKnobChoiceValue, kInt64Type, 1, 1, kRequired},

    {kPlanDescriptor, kPlanHandle, kHandleType, 1, 1, kRequired},
    {kPlanDescriptor, kPlanEngineConfig, kDescriptorType, 1, 1, kRequired,
     kEngineConfigDescriptor},
    {kPlanDescriptor, kPlanWorkspaceBytes, kInt64Type, 1, 1, kReadOnly},

    {kVariantPackDescriptor, kVariantPackUniqueIds, kInt64Type, 1, kMany,
     kRequired},
    {kVariantPackDescriptor, kVariantPackPointers, kPointerType, 1, kMany,
     kRequired},
    {kVariantPackDescriptor, kVariantPackWorkspace, kPointerType, 1, 1,
     kOptional},
};
#undef OPERATION

const AttributeInfo *jobsim::cudnn::findAttribute(int descriptor,
                                                  int attribute) {
  for (const AttributeInfo &info : kAttributes)
    if (info.descriptor == descriptor && info.attribute == attribute)
      return &info;
  return nullptr;
}

/// Bytes of a value in an array of them.
static size_t bytesOfValue(int type) {
  switch (type) {
  case kInt64Type:
    return sizeof(int64_t);
  case kHandleType:
  case kPointerType:
    return sizeof(void *);
  case kBooleanType:
    return sizeof(bool);
  case kFractionType:
    return sizeof(Fraction);
  default:
    return sizeof(int);
  }
}

static std::string count(int64_t low, int64_t high) {
  return low == high ? std::to_string(low)
                     : std::to_string(low) + " to " + std::to_string(high);
}

/// The attribute, where its name, type and number are those of the descriptor.
static Refusal check(const DescriptorData &data, int attribute, int type,
                     const AttributeInfo *&info) {
  info = findAttribute(data.type, attribute);
  if (!info)
    return {kBadParam, "a descriptor of type " + std::to_string(data.type) +
                           " has no attribute " + std::to_string(attribute)};
  if (info->type != type)
    return {kBadParamAttributeType,
            "expects type " + std::to_string(info->type) + " for attribute " +
                std::to_string(attribute) + " but got " + std::to_string(type)};
  return {};
}

//===----------------------------------------------------------------------===//
// Setting
//===----------------------------------------------------------------------===//

/// Copies the contents of finalized descriptors.
static Refusal readDescriptors(const AttributeInfo &info, int64_t number,
                               const void *values,
                               std::vector<DataPointer> &contents) {
  auto *descriptors = static_cast<const Descriptor *>(values);
  for (int64_t i = 0; i < number; ++i) {
    std::shared_ptr<DescriptorData> data = findDescriptor(descriptors[i]);
    if (!data)
      return {kBadParamNullPointer, "no such descriptor in the attribute " +
                                        std::to_string(info.attribute)};
    if (info.target && data->type != info.target)
      return {kBadParamDescriptorType,
              "expects a descriptor of type " + std::to_string(info.target) +
                  " for attribute " + std::to_string(info.attribute) +
                  " but got " + std::to_string(data->type)};
    if (!data->isFinalized)
      return {kBadParamNotFinalized,
              "expects a finalized descriptor for attribute " +
                  std::to_string(info.attribute)};
    contents.push_back(std::move(data));
  }
  return {};
}

static Refusal setAttribute(DescriptorData *data, int attribute, int type,
                            int64_t number, const void *values) {
  if (!data)
    return {kBadParam, "no such descriptor"};
  if (data->isFinalized)
    return {kBadParam, "the descriptor is finalized"};
  const AttributeInfo *info;
  if (Refusal refusal = check(*data, attribute, type, info); refusal.result)
    return refusal;
  if (info->use == AttributeInfo::kReadOnly)
    return {kBadParam,
            "attribute " + std::to_string(attribute) + " cannot be set"};
  if (number < info->low || number > info->high)
    return {kBadParam, "expects " + count(info->low, info->high) +
                           " values for attribute " +
                           std::to_string(attribute) + " but got " +
                           std::to_string(number)};
  if (!values)
    return {kBadParamNullPointer,
            "expects values for attribute " + std::to_string(attribute)};
  AttributeValue value;
  value.count = number;
  if (type == kDescriptorType) {
    if (Refusal refusal =
            readDescriptors(*info, number, values, value.descriptors);
        refusal.result)
      return refusal;
  } else {
    auto *first = static_cast<const char *>(values);
    value.bytes.assign(first, first + number * bytesOfValue(type));
  }
  data->attributes[attribute] = std::move(value);
  return {};
}

Result cudnnBackendSetAttribute(Descriptor descriptor, int attribute, int type,
                                int64_t number, const void *values) {
  constexpr const char *kFunction = "cudnnBackendSetAttribute";
  if (Result result = begin(kFunction, kBadParam))
    return result;
  Refusal refusal = setAttribute(findDescriptor(descriptor).get(), attribute,
                                 type, number, values);
  return refusal.result ? refuse(kFunction, refusal) : kSuccess;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Fills in descriptors that the caller has made.
static Refusal writeDescriptors(const AttributeInfo &info,
                                const AttributeValue &value, int64_t number,
                                void *values) {
  auto *descriptors = static_cast<Descriptor *>(values);
  for (int64_t i = 0; i < number; ++i) {
    std::shared_ptr<DescriptorData> data = findDescriptor(descriptors[i]);
    if (!data || data->type != info.target)
      return {kBadParamDescriptorType, "expects descriptors of type " +
                                           std::to_string(info.target) +
                                           " to fill in"};
    if (data->isFinalized)
      return {kBadParam, "expects descriptors to fill in that are not "
                         "finalized"};
    *data = *value.descriptors[i];
  }
  return {};
}

static Refusal getAttribute(const DescriptorData *data, int attribute, int type,
                            int64_t requested, int64_t *number, void *values) {
  if (!data)
    return {kBadParam, "no such descriptor"};
  if (!data->isFinalized)
    return {kNotInitialized, "the descriptor is not finalized"};
  const AttributeInfo *info;
  if (Refusal refusal = check(*data, attribute, type, info); refusal.result)
    return refusal;
  if (requested < 0 || !number || (requested > 0 && !values))
    return {kBadParam, "expects room for the values of attribute " +
                           std::to_string(attribute)};
  auto found = data->attributes.find(attribute);
  int64_t stored = found == data->attributes.end() ? 0 : found->second.count;
  int64_t written = std::min(requested, stored);
  if (type == kDescriptorType && written > 0) {
    if (Refusal refusal =
            writeDescriptors(*info, found->second, written, values);
        refusal.result)
      return refusal;
  } else if (written > 0) {
    std::memcpy(values, found->second.bytes.data(),
                written * bytesOfValue(type));
  }
  *number = requested > 0 ? written : stored;
  // As the library: the first says how many there might be, which is one too
  // many here, and knobs are not counted.
  if (requested == 0 && attribute == kHeuristicsResults)
    ++*number;
  if (requested == 0 && attribute == kEngineConfigKnobs)
    *number = 0;
  return {};
}

Result cudnnBackendGetAttribute(Descriptor descriptor, int attribute, int type,
                                int64_t requested, int64_t *number,
                                void *values) {
  constexpr const char *kFunction = "cudnnBackendGetAttribute";
  if (Result result = begin(kFunction, kBadParam))
    return result;
  Refusal refusal = getAttribute(findDescriptor(descriptor).get(), attribute,
                                 type, requested, number, values);
  return refusal.result ? refuse(kFunction, refusal) : kSuccess;
}

//===----------------------------------------------------------------------===//
// What has to be set
//===----------------------------------------------------------------------===//

Refusal jobsim::cudnn::finalize(DescriptorData &data) {
  if (data.isFinalized)
    return {kBadParam, "the descriptor is finalized"};
  for (const AttributeInfo &info : kAttributes)
    if (info.descriptor == data.type && info.use == AttributeInfo::kRequired &&
        !data.has(info.attribute))
      return {kBadParam,
              "expects the attribute " + std::to_string(info.attribute)};
  switch (data.type) {
  case kTensorDescriptor:
    return finalizeTensor(data);
  case kConvolutionDescriptor:
    return finalizeConvolution(data);
  case kConvolutionForwardDescriptor:
  case kConvolutionDataGradDescriptor:
  case kConvolutionFilterGradDescriptor:
    return finalizeConvolutionOperation(data);
  case kPointwiseDescriptor:
    return finalizePointwise(data);
  case kReductionDescriptor:
    return finalizeReduction(data);
  case kMatMulDescriptor:
    return finalizeMatMul(data);
  case kPointwiseOperationDescriptor:
  case kMatMulOperationDescriptor:
  case kReductionOperationDescriptor:
  case kReshapeOperationDescriptor:
    return finalizeNode(data);
  case kEngineDescriptor:
    return finalizeEngine(data);
  case kEngineConfigDescriptor:
    return finalizeEngineConfig(data);
  case kResampleDescriptor:
    return finalizeResample(data);
  case kResampleForwardDescriptor:
  case kResampleGradDescriptor:
    return finalizeResampleOperation(data);
  case kGraphDescriptor:
    return finalizeGraph(data);
  case kHeuristicsDescriptor:
    return finalizeHeuristics(data);
  case kPlanDescriptor:
    return finalizePlan(data);
  case kVariantPackDescriptor:
    return finalizeVariantPack(data);
  default:
    return {}; // A knob, which a configuration checks.
  }
}
