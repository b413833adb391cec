//===- Pool2d.cpp - cudnn.avg_pool2d and its gradient ---------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/cuda/cudnn/Cudnn.h"
#include "drivers/cuda/cudnn/Graph.h"

namespace jobrt::cuda::cudnn {

static Expected<OwnedDescriptor>
createResample(const Api &api, const calls::CudnnAvgPool2dBase &config) {
  auto pair = [](int64_t h, int64_t w) {
    return std::vector<Fraction>{{h, 1}, {w, 1}};
  };
  return DescriptorBuilder(api, kResampleDescriptor, "a pooling")
      .setInt64(kResampleSpatialDims, 2)
      .setValue(kResampleMode, kResampleModeType, kAveragePooling)
      .setValue(kResampleComputeType, kDataTypeType, kTypeF32)
      .setValue(kResampleNaNPropagation, kNaNPropagationType, kPropagateNaN)
      .setValue(kResamplePaddingMode, kPaddingModeType, kZeroPadding)
      .set(kResampleWindow, kFractionType, pair(config.kh, config.kw))
      .set(kResamplePrePaddings, kFractionType,
           pair(config.pad_top, config.pad_left))
      .set(kResamplePostPaddings, kFractionType,
           pair(config.pad_bottom, config.pad_right))
      .set(kResampleStrides, kFractionType,
           pair(config.stride_h, config.stride_w))
      .finish();
}

Expected<OwnedDescriptor>
createAvgPool2d(const Api &api, const calls::CudnnAvgPool2dBase &config,
                bool isGradient) {
  Expected<OwnedDescriptor> resample = createResample(api, config);
  if (!resample.ok())
    return resample.status();
  auto createArray = [&](const std::vector<int64_t> &extents, int64_t place) {
    return createTensor(
        api,
        {extents, config.element(), static_cast<calls::Layout>(config.layout)},
        place);
  };
  // What is computed is the second argument.
  Expected<OwnedDescriptor> input =
      createArray(config.inputExtents(), isGradient ? 2 : 1);
  if (!input.ok())
    return input.status();
  Expected<OwnedDescriptor> output =
      createArray(config.outputExtents(), isGradient ? 1 : 2);
  if (!output.ok())
    return output.status();
  if (isGradient)
    return DescriptorBuilder(api, kResampleGradDescriptor, "the operation")
        .setDescriptor(kResampleGradInput, *input)
        .setDescriptor(kResampleGradOutput, *output)
        .setDescriptor(kResampleGradResample, *resample)
        .finish();
  return DescriptorBuilder(api, kResampleForwardDescriptor, "the operation")
      .setDescriptor(kResampleForwardInput, *input)
      .setDescriptor(kResampleForwardOutput, *output)
      .setDescriptor(kResampleForwardResample, *resample)
      .finish();
}

template <typename Config>
static Expected<std::unique_ptr<Call>> prepare(ExecutionPlans &plans,
                                               const Command &command) {
  Expected<Config> config = readCall<Config>(command);
  if (!config.ok())
    return config.status();
  auto createOperations = [&]() -> Expected<std::vector<OwnedDescriptor>> {
    Expected<OwnedDescriptor> operation =
        createAvgPool2d(plans.getApi(), *config, Config::kIsGradient);
    if (!operation.ok())
      return operation.status();
    std::vector<OwnedDescriptor> operations;
    operations.push_back(std::move(*operation));
    return operations;
  };
  // Nothing is multiplied, whatever cores the note of an engine tells of.
  EngineLimits limits;
  limits.allowsTensorCores = true;
  return withElements(
      createGraphCall(plans, command, createOperations, limits, 2), *config);
}

Expected<std::unique_ptr<Call>> prepareAvgPool2d(ExecutionPlans &plans,
                                                 const Command &command) {
  if (command.callee == calls::CudnnAvgPool2d::kCallee)
    return prepare<calls::CudnnAvgPool2d>(plans, command);
  return prepare<calls::CudnnAvgPool2dGrad>(plans, command);
}

} // namespace jobrt::cuda::cudnn
