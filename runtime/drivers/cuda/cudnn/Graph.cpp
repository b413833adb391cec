//===- Graph.cpp - Graphs of operations that calls are made of ------------===//

#include "drivers/cuda/cudnn/Graph.h"

namespace jobrt::cuda::cudnn {

/// That of the widest accesses of a thread. Buffers have more.
static constexpr int64_t kAlignment = 16;
static_assert(JOBRT_ALIGNMENT % kAlignment == 0);

int getDataType(calls::Element element) {
  switch (element) {
  case calls::Element::kF32:
    return kTypeF32;
  case calls::Element::kF16:
    return kTypeF16;
  case calls::Element::kBF16:
    return kTypeBF16;
  case calls::Element::kI8:
    break; // No operand of these functions.
  }
  return kTypeF32;
}

/// Distances of neighbours along n, c, h and w.
static std::vector<int64_t> getStrides(const std::vector<int64_t> &extents,
                                       calls::Layout layout) {
  int64_t c = extents[1], h = extents[2], w = extents[3];
  if (layout == calls::Layout::kNHWC)
    return {c * h * w, 1, w * c, c};
  return {c * h * w, h * w, w, 1};
}

/// Everything but what is virtual.
static DescriptorBuilder buildTensor(const Api &api, const TensorInfo &info,
                                     int64_t uniqueId) {
  DescriptorBuilder builder(api, kTensorDescriptor, "a tensor");
  builder.setInt64(kTensorUniqueId, uniqueId)
      .setValue(kTensorDataType, kDataTypeType, getDataType(info.element))
      .setInt64(kTensorAlignment, kAlignment)
      .set(kTensorDimensions, kInt64Type, info.extents)
      .set(kTensorStrides, kInt64Type, getStrides(info.extents, info.layout));
  return builder;
}

Expected<OwnedDescriptor> createTensor(const Api &api, const TensorInfo &info,
                                       int64_t uniqueId) {
  return buildTensor(api, info, uniqueId).finish();
}

Expected<OwnedDescriptor> createVirtualTensor(const Api &api, TensorInfo info,
                                              int64_t uniqueId) {
  info.element = calls::Element::kF32;
  return buildTensor(api, info, uniqueId)
      .setValue(kTensorIsVirtual, kBooleanType, true)
      .finish();
}

namespace {
class GraphCall final : public Call {
public:
  GraphCall(std::shared_ptr<ExecutionPlan> plan, int64_t count,
            bool hasWorkspace)
      : plan(std::move(plan)), count(count), hasWorkspace(hasWorkspace) {}

  Status enqueue(const DevicePointer *args, Stream stream) override {
    return plan->enqueue(args, hasWorkspace ? args[count] : 0, stream);
  }
  std::string algorithm() const override { return plan->algorithm(); }

private:
  std::shared_ptr<ExecutionPlan> plan;
  int64_t count;
  bool hasWorkspace;
};
} // namespace

Expected<std::unique_ptr<Call>>
createGraphCall(ExecutionPlans &plans, const Command &command,
                const CreateOperations &createOperations,
                const EngineLimits &limits, int64_t count) {
  auto createPlan = [&]() -> Expected<ExecutionPlan> {
    Expected<std::vector<OwnedDescriptor>> operations = createOperations();
    if (!operations.ok())
      return operations.status();
    std::vector<Descriptor> descriptors;
    for (const OwnedDescriptor &operation : *operations)
      descriptors.push_back(operation.get());
    const Api &api = plans.getApi();
    Handle handle = plans.getHandle();
    Expected<OwnedDescriptor> graph =
        DescriptorBuilder(api, kGraphDescriptor, "a graph of operations")
            .setValue(kGraphHandle, kHandleType, handle)
            .set(kGraphOperations, kDescriptorType, descriptors)
            .finish();
    if (!graph.ok())
      return graph.status();
    return ExecutionPlan::create(api, handle, *graph, limits, count);
  };
  Expected<std::shared_ptr<ExecutionPlan>> plan =
      plans.get(command, createPlan);
  if (!plan.ok())
    return plan.status();
  return std::unique_ptr<Call>(std::make_unique<GraphCall>(
      std::move(*plan), count, limits.workspace > 0));
}

} // namespace jobrt::cuda::cudnn
