//===- Conv2d.cpp - cudnn.conv2d and its gradients ------------------------===//
//
// The library has the number of groups from the channels of input and filter.
// A bias and a relu are operations of the same graph, whose tensors in between
// are in f32: the result is rounded once.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/cuda/cudnn/Cudnn.h"
#include "drivers/cuda/cudnn/Graph.h"

namespace jobrt::cuda::cudnn {

//===----------------------------------------------------------------------===//
// The convolution
//===----------------------------------------------------------------------===//

static Expected<OwnedDescriptor>
createConvolution(const Api &api, const calls::CudnnConv2d &config) {
  auto pair = [](int64_t h, int64_t w) { return std::vector<int64_t>{h, w}; };
  return DescriptorBuilder(api, kConvolutionDescriptor, "a convolution")
      .setInt64(kConvolutionSpatialDims, 2)
      .setValue(kConvolutionComputeType, kDataTypeType, kTypeF32)
      .setValue(kConvolutionMode, kConvolutionModeType, kCrossCorrelation)
      .set(kConvolutionPrePaddings, kInt64Type,
           pair(config.pad_top, config.pad_left))
      .set(kConvolutionPostPaddings, kInt64Type,
           pair(config.pad_bottom, config.pad_right))
      .set(kConvolutionDilations, kInt64Type,
           pair(config.dilation_h, config.dilation_w))
      .set(kConvolutionStrides, kInt64Type,
           pair(config.stride_h, config.stride_w))
      .finish();
}

namespace {
/// The names that the library has for an operation, and the places of its
/// tensors in the command.
struct OperationNames {
  int type;
  int alpha, beta, convolution;
  struct Argument {
    int attribute;
    int64_t place;
  } input, filter, output;
};
} // namespace

static OperationNames getNames(calls::Conv2dKind kind) {
  switch (kind) {
  case calls::Conv2dKind::kForward:
    break;
  case calls::Conv2dKind::kDataGrad:
    return {kConvolutionDataGradDescriptor,
            kDataGradAlpha,
            kDataGradBeta,
            kDataGradConvolution,
            {kDataGradInput, 3},
            {kDataGradFilter, 2},
            {kDataGradOutput, 1}};
  case calls::Conv2dKind::kFilterGrad:
    return {kConvolutionFilterGradDescriptor,
            kFilterGradAlpha,
            kFilterGradBeta,
            kFilterGradConvolution,
            {kFilterGradInput, 2},
            {kFilterGradFilter, 3},
            {kFilterGradOutput, 1}};
  }
  return {kConvolutionForwardDescriptor,
          kForwardAlpha,
          kForwardBeta,
          kForwardConvolution,
          {kForwardInput, 1},
          {kForwardFilter, 2},
          {kForwardOutput, 3}};
}

static TensorInfo getTensor(const calls::CudnnConv2d &config,
                            const std::vector<int64_t> &extents) {
  return {extents, config.element(), static_cast<calls::Layout>(config.layout)};
}

/// The operation alone. Its output is virtual if `outputId` is not the place of
/// the argument that it is.
static Expected<OwnedDescriptor>
createOperation(const Api &api, const calls::CudnnConv2d &config,
                calls::Conv2dKind kind, std::optional<int64_t> virtualOutput) {
  OperationNames names = getNames(kind);
  Expected<OwnedDescriptor> convolution = createConvolution(api, config);
  if (!convolution.ok())
    return convolution.status();
  DescriptorBuilder operation(api, names.type, "the operation");
  operation.setValue(names.alpha, kFloatType, 1.0f)
      .setValue(names.beta, kFloatType, 0.0f)
      .setDescriptor(names.convolution, *convolution);
  const std::pair<OperationNames::Argument, std::vector<int64_t>> arguments[] =
      {{names.input, config.inputExtents()},
       {names.filter, config.filterExtents()},
       {names.output, config.outputExtents()}};
  for (const auto &[argument, extents] : arguments) {
    TensorInfo info = getTensor(config, extents);
    bool isVirtual =
        virtualOutput && argument.attribute == names.output.attribute;
    Expected<OwnedDescriptor> tensor =
        isVirtual ? createVirtualTensor(api, info, *virtualOutput)
                  : createTensor(api, info, argument.place);
    if (!tensor.ok())
      return tensor.status();
    operation.setDescriptor(argument.attribute, *tensor);
  }
  return operation.finish();
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// An operation on each element of `input`, with `second` if it is not null.
static Expected<OwnedDescriptor>
createPointwise(const Api &api, int mode, const OwnedDescriptor &input,
                const OwnedDescriptor *second, const OwnedDescriptor &output) {
  Expected<OwnedDescriptor> pointwise =
      DescriptorBuilder(api, kPointwiseDescriptor, "a pointwise function")
          .setValue(kPointwiseMode, kPointwiseModeType, mode)
          .setValue(kPointwiseComputeType, kDataTypeType, kTypeF32)
          .setValue(kPointwiseNaNPropagation, kNaNPropagationType,
                    kPropagateNaN)
          .finish();
  if (!pointwise.ok())
    return pointwise.status();
  DescriptorBuilder operation(api, kPointwiseOperationDescriptor,
                              "a pointwise operation");
  operation.setDescriptor(kPointwiseOperationPointwise, *pointwise)
      .setDescriptor(kPointwiseInput, input)
      .setDescriptor(kPointwiseOutput, output);
  if (second)
    operation.setDescriptor(kPointwiseSecond, *second);
  return operation.finish();
}

/// Adds the operations of an epilogue to that of the convolution, whose output
/// has the unique id `firstVirtual`; a sum that a relu reads has the next one.
/// Places of arguments: the bias is the third, the result the fourth.
static Status addEpilogue(const Api &api,
                          const calls::CudnnConv2dForward &config,
                          int64_t firstVirtual,
                          std::vector<OwnedDescriptor> &operations) {
  TensorInfo info = getTensor(config, config.outputExtents());
  bool hasRelu = config.hasRelu();
  Expected<OwnedDescriptor> product =
      createVirtualTensor(api, info, firstVirtual);
  if (!product.ok())
    return product.status();
  Expected<OwnedDescriptor> bias =
      createTensor(api, getTensor(config, {1, config.oc, 1, 1}), 3);
  if (!bias.ok())
    return bias.status();
  Expected<OwnedDescriptor> result = createTensor(api, info, 4);
  if (!result.ok())
    return result.status();
  if (!hasRelu) {
    Expected<OwnedDescriptor> add =
        createPointwise(api, kPointwiseAdd, *product, &*bias, *result);
    if (!add.ok())
      return add.status();
    operations.push_back(std::move(*add));
    return {};
  }
  Expected<OwnedDescriptor> sum =
      createVirtualTensor(api, info, firstVirtual + 1);
  if (!sum.ok())
    return sum.status();
  Expected<OwnedDescriptor> add =
      createPointwise(api, kPointwiseAdd, *product, &*bias, *sum);
  if (!add.ok())
    return add.status();
  operations.push_back(std::move(*add));
  Expected<OwnedDescriptor> relu =
      createPointwise(api, kPointwiseRelu, *sum, nullptr, *result);
  if (!relu.ok())
    return relu.status();
  operations.push_back(std::move(*relu));
  return {};
}

template <typename Config>
Expected<std::vector<OwnedDescriptor>> createConv2d(const Api &api,
                                                    const Config &config) {
  std::optional<int64_t> virtualOutput;
  if constexpr (Config::kKind == calls::Conv2dKind::kForward)
    if (config.hasBias())
      virtualOutput = static_cast<int64_t>(config.buffers().size()) + 1;
  Expected<OwnedDescriptor> operation =
      createOperation(api, config, Config::kKind, virtualOutput);
  if (!operation.ok())
    return operation.status();
  std::vector<OwnedDescriptor> operations;
  operations.push_back(std::move(*operation));
  if constexpr (Config::kKind == calls::Conv2dKind::kForward)
    if (virtualOutput)
      if (Status status = addEpilogue(api, config, *virtualOutput, operations);
          !status.ok())
        return status;
  return operations;
}
template Expected<std::vector<OwnedDescriptor>>
createConv2d(const Api &, const calls::CudnnConv2dForward &);
template Expected<std::vector<OwnedDescriptor>>
createConv2d(const Api &, const calls::CudnnConv2dDataGrad &);
template Expected<std::vector<OwnedDescriptor>>
createConv2d(const Api &, const calls::CudnnConv2dFilterGrad &);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

template <typename Config>
static Expected<std::unique_ptr<Call>> prepare(ExecutionPlans &plans,
                                               const Command &command) {
  Expected<Config> config = readCall<Config>(command);
  if (!config.ok())
    return config.status();
  EngineLimits limits;
  limits.workspace = config->workspace;
  limits.allowsTensorCores =
      config->tf32 || config->element() != calls::Element::kF32;
  return withElements(
      createGraphCall(
          plans, command, [&] { return createConv2d(plans.getApi(), *config); },
          limits, static_cast<int64_t>(config->buffers().size())),
      *config);
}

Expected<std::unique_ptr<Call>> prepareConv2d(ExecutionPlans &plans,
                                              const Command &command) {
  if (command.callee == calls::CudnnConv2dForward::kCallee)
    return prepare<calls::CudnnConv2dForward>(plans, command);
  if (command.callee == calls::CudnnConv2dDataGrad::kCallee)
    return prepare<calls::CudnnConv2dDataGrad>(plans, command);
  return prepare<calls::CudnnConv2dFilterGrad>(plans, command);
}

} // namespace jobrt::cuda::cudnn
