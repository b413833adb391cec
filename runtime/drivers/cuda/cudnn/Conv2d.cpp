//===- Conv2d.cpp - cudnn.conv2d and its gradients ------------------------===//
//
// Dimensions of tensors are in the order n, c, h, w for every layout, which is
// a matter of the strides. The library has the number of groups from the
// channels of input and filter.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/cuda/cudnn/Cudnn.h"
#include "drivers/cuda/cudnn/ExecutionPlan.h"

namespace jobrt::cuda::cudnn {

/// That of the widest accesses of a thread. Buffers have more.
static constexpr int64_t kAlignment = 16;
static_assert(JOBRT_ALIGNMENT % kAlignment == 0);

static int getDataType(calls::Element element) {
  switch (element) {
  case calls::Element::kF32:
    return kTypeF32;
  case calls::Element::kF16:
    return kTypeF16;
  case calls::Element::kBF16:
    return kTypeBF16;
  case calls::Element::kI8:
    break; // No operand of a convolution.
  }
  return kTypeF32;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Distances of neighbours along n, c, h and w.
static std::vector<int64_t> getStrides(const std::vector<int64_t> &extents,
                                       calls::Layout layout) {
  int64_t c = extents[1], h = extents[2], w = extents[3];
  if (layout == calls::Layout::kNHWC)
    return {c * h * w, 1, w * c, c};
  return {c * h * w, h * w, w, 1};
}

static Expected<OwnedDescriptor>
createTensor(const Api &api, const calls::CudnnConv2d &config,
             const std::vector<int64_t> &extents, int64_t uniqueId) {
  return DescriptorBuilder(api, kTensorDescriptor, "a tensor")
      .setInt64(kTensorUniqueId, uniqueId)
      .setValue(kTensorDataType, kDataTypeType, getDataType(config.element()))
      .setInt64(kTensorAlignment, kAlignment)
      .set(kTensorDimensions, kInt64Type, extents)
      .set(kTensorStrides, kInt64Type,
           getStrides(extents, static_cast<calls::Layout>(config.layout)))
      .finish();
}

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

Expected<OwnedDescriptor> createConv2d(const Api &api,
                                       const calls::CudnnConv2d &config,
                                       calls::Conv2dKind kind) {
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
    Expected<OwnedDescriptor> tensor =
        createTensor(api, config, extents, argument.place);
    if (!tensor.ok())
      return tensor.status();
    // The library copies it.
    operation.setDescriptor(argument.attribute, *tensor);
  }
  return operation.finish();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
class Conv2dCall final : public Call {
public:
  Conv2dCall(ExecutionPlan plan, bool hasWorkspace)
      : plan(std::move(plan)), hasWorkspace(hasWorkspace) {}

  Status enqueue(const DevicePointer *args, Stream stream) override {
    return plan.enqueue(args, hasWorkspace ? args[kNumTensors] : 0, stream);
  }
  std::string algorithm() const override { return plan.algorithm(); }

  static constexpr int64_t kNumTensors = 3;

private:
  ExecutionPlan plan;
  bool hasWorkspace;
};
} // namespace

static Expected<std::unique_ptr<Call>>
createCall(const Api &api, Handle handle, const calls::CudnnConv2d &config,
           calls::Conv2dKind kind) {
  Expected<OwnedDescriptor> operation = createConv2d(api, config, kind);
  if (!operation.ok())
    return operation.status();
  Expected<OwnedDescriptor> graph =
      DescriptorBuilder(api, kGraphDescriptor, "a graph of operations")
          .setValue(kGraphHandle, kHandleType, handle)
          .setDescriptor(kGraphOperations, *operation)
          .finish();
  if (!graph.ok())
    return graph.status();
  EngineLimits limits;
  limits.workspace = config.workspace;
  limits.allowsTensorCores =
      config.tf32 || config.element() != calls::Element::kF32;
  Expected<ExecutionPlan> plan = ExecutionPlan::create(
      api, handle, *graph, limits, Conv2dCall::kNumTensors);
  if (!plan.ok())
    return plan.status();
  return std::unique_ptr<Call>(
      std::make_unique<Conv2dCall>(std::move(*plan), config.workspace > 0));
}

template <typename Config>
static Expected<std::unique_ptr<Call>> prepare(const Api &api, Handle handle,
                                               const Command &command) {
  Expected<Config> config = readCall<Config>(command);
  if (!config.ok())
    return config.status();
  return createCall(api, handle, *config, Config::kKind);
}

Expected<std::unique_ptr<Call>> prepareConv2d(const Api &api, Handle handle,
                                              const Command &command) {
  if (command.callee == calls::CudnnConv2dForward::kCallee)
    return prepare<calls::CudnnConv2dForward>(api, handle, command);
  if (command.callee == calls::CudnnConv2dDataGrad::kCallee)
    return prepare<calls::CudnnConv2dDataGrad>(api, handle, command);
  return prepare<calls::CudnnConv2dFilterGrad>(api, handle, command);
}

} // namespace jobrt::cuda::cudnn
