//===- GraphBuilder.cpp - Graphs of several operations --------------------===//

#include "drivers/cuda/cudnn/GraphBuilder.h"
#include "jobrt/abi.h"

namespace jobrt::cuda::cudnn {

/// The unique ids of virtual tensors come after those of all arguments.
static constexpr int64_t kFirstVirtualId = 1000;

static_assert(JOBRT_ALIGNMENT % GraphBuilder::kAlignment == 0);

/// No flag of a tensor.
static constexpr int kInMemory = 0;

GraphBuilder::Tensor GraphBuilder::addTensor(int type, const Extents &extents,
                                             const Extents &strides,
                                             int64_t uniqueId,
                                             int64_t alignment, int flag) {
  if (!status.ok())
    return 0;
  DescriptorBuilder builder(api, kTensorDescriptor, "a tensor");
  builder.setInt64(kTensorUniqueId, uniqueId)
      .setValue(kTensorDataType, kDataTypeType, type)
      .setInt64(kTensorAlignment, alignment)
      .set(kTensorDimensions, kInt64Type, extents)
      .set(kTensorStrides, kInt64Type, strides);
  if (flag != kInMemory)
    builder.setValue(flag, kBooleanType, true);
  tensors.push_back(finish(builder));
  return tensors.size() - 1;
}

GraphBuilder::Tensor GraphBuilder::addArgument(int type, const Extents &extents,
                                               const Extents &strides,
                                               int64_t alignment) {
  return addTensor(type, extents, strides, ++arguments, alignment, kInMemory);
}

GraphBuilder::Tensor GraphBuilder::addScalar(int type) {
  Extents ones(4, 1);
  // f32 or i32.
  return addTensor(type, ones, ones, ++arguments, sizeof(float),
                   kTensorIsByValue);
}

GraphBuilder::Tensor GraphBuilder::addVirtual(int type, const Extents &extents,
                                              const Extents &strides) {
  Extents dense = strides;
  if (dense.empty()) {
    dense.resize(extents.size());
    int64_t stride = 1;
    for (size_t i = extents.size(); i-- > 0; stride *= extents[i])
      dense[i] = stride;
  }
  return addTensor(type, extents, dense, kFirstVirtualId + virtuals++,
                   kAlignment, kTensorIsVirtual);
}

OwnedDescriptor GraphBuilder::finish(DescriptorBuilder &builder) {
  if (!status.ok())
    return {};
  Expected<OwnedDescriptor> made = builder.finish();
  if (made.ok())
    return std::move(*made);
  status = made.status();
  return {};
}

void GraphBuilder::addOperation(DescriptorBuilder &builder) {
  operations.push_back(finish(builder));
}

void GraphBuilder::setTensor(DescriptorBuilder &builder, int attribute,
                             Tensor tensor) {
  builder.setDescriptor(attribute, tensors[tensor]);
}

GraphBuilder::Tensor GraphBuilder::pointwise(const Pointwise &pointwise,
                                             Tensor x, Tensor result,
                                             std::optional<Tensor> b,
                                             std::optional<Tensor> t) {
  if (!status.ok())
    return result;
  DescriptorBuilder parameters(api, kPointwiseDescriptor,
                               "a pointwise operation");
  parameters.setValue(kPointwiseMode, kPointwiseModeType, pointwise.mode)
      .setValue(kPointwiseComputeType, kDataTypeType, pointwise.computeType);
  if (pointwise.axis)
    parameters.setInt64(kPointwiseAxis, *pointwise.axis);
  OwnedDescriptor descriptor = finish(parameters);
  if (!status.ok())
    return result;
  DescriptorBuilder operation(api, kPointwiseOperationDescriptor,
                              "the operation");
  operation.setDescriptor(kPointwiseOperationPointwise, descriptor);
  setTensor(operation, kPointwiseInput, x);
  if (b)
    setTensor(operation, kPointwiseSecond, *b);
  if (t)
    setTensor(operation, kPointwiseThird, *t);
  setTensor(operation, kPointwiseOutput, result);
  addOperation(operation);
  return result;
}

GraphBuilder::Tensor GraphBuilder::matmul(Tensor a, Tensor b, Tensor result) {
  if (!status.ok())
    return result;
  DescriptorBuilder parameters(api, kMatMulDescriptor, "a matrix product");
  parameters.setValue(kMatMulComputeType, kDataTypeType, kTypeF32);
  OwnedDescriptor descriptor = finish(parameters);
  if (!status.ok())
    return result;
  DescriptorBuilder operation(api, kMatMulOperationDescriptor, "the operation");
  operation.setDescriptor(kMatMulOperation, descriptor);
  setTensor(operation, kMatMulA, a);
  setTensor(operation, kMatMulB, b);
  setTensor(operation, kMatMulC, result);
  addOperation(operation);
  return result;
}

GraphBuilder::Tensor GraphBuilder::reduce(int op, Tensor x, Tensor result) {
  if (!status.ok())
    return result;
  DescriptorBuilder parameters(api, kReductionDescriptor, "a reduction");
  parameters.setValue(kReductionOperator, kReductionOperatorType, op)
      .setValue(kReductionComputeType, kDataTypeType, kTypeF32);
  OwnedDescriptor descriptor = finish(parameters);
  if (!status.ok())
    return result;
  DescriptorBuilder operation(api, kReductionOperationDescriptor,
                              "the operation");
  operation.setDescriptor(kReductionOperation, descriptor);
  setTensor(operation, kReductionX, x);
  setTensor(operation, kReductionY, result);
  addOperation(operation);
  return result;
}

GraphBuilder::Tensor GraphBuilder::reshape(Tensor x, Tensor result) {
  if (!status.ok())
    return result;
  DescriptorBuilder operation(api, kReshapeOperationDescriptor,
                              "the operation");
  setTensor(operation, kReshapeX, x);
  setTensor(operation, kReshapeY, result);
  addOperation(operation);
  return result;
}

Expected<OwnedDescriptor> GraphBuilder::finish(Handle handle) {
  if (!status.ok())
    return status;
  std::vector<Descriptor> values;
  for (const OwnedDescriptor &operation : operations)
    values.push_back(operation.get());
  DescriptorBuilder graph(api, kGraphDescriptor, "a graph of operations");
  if (handle)
    graph.setValue(kGraphHandle, kHandleType, handle);
  return graph.set(kGraphOperations, kDescriptorType, values).finish();
}

} // namespace jobrt::cuda::cudnn
