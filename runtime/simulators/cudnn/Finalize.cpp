//===- Finalize.cpp - What descriptors of a graph have to be --------------===//

#include "simulators/cudnn/State.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace jobsim::cudnn;

size_t jobsim::cudnn::bytesOf(int dataType) {
  switch (dataType) {
  case kTypeF32:
  case kTypeI32:
    return 4;
  case kTypeBoolean:
    return 1;
  case kTypeF16:
  case kTypeBF16:
    return 2;
  default:
    return 0;
  }
}

int64_t Tensor::count() const {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

int64_t Tensor::span() const {
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    last += (dims[i] - 1) * strides[i];
  return last + 1;
}

uint64_t Tensor::bytes() const { return span() * bytesOf(type); }

std::string jobsim::cudnn::toText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "(" + text + ")";
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Refusal jobsim::cudnn::finalizeTensor(const DescriptorData &data) {
  auto dims = data.values<int64_t>(kTensorDimensions),
       strides = data.values<int64_t>(kTensorStrides);
  if (dims.size() != strides.size())
    return {kBadParam, "expects " + std::to_string(dims.size()) +
                           " strides but got " +
                           std::to_string(strides.size())};
  for (const std::vector<int64_t> &values : {dims, strides})
    if (std::any_of(values.begin(), values.end(),
                    [](int64_t value) { return value < 1; }))
      return {kBadParam,
              "expects dimensions and strides of at least 1 but got " +
                  toText(values)};
  int type = data.value<int>(kTensorDataType);
  if (bytesOf(type) == 0)
    return {kNotSupportedDataType,
            "the stand-in has no data type " + std::to_string(type)};
  int64_t alignment = data.value<int64_t>(kTensorAlignment);
  if (alignment < static_cast<int64_t>(bytesOf(type)) ||
      (alignment & (alignment - 1)))
    return {kBadParam, "expects an alignment that is a power of two of at "
                       "least an element but got " +
                           std::to_string(alignment)};
  Tensor tensor = makeTensor(data);
  if (tensor.isVirtual && tensor.isByValue)
    return {kBadParam,
            "expects a tensor that is virtual or by value, not both"};
  if (tensor.isByValue && tensor.count() != 1)
    return {kBadParam, "expects one element by value but got " + toText(dims)};
  return {};
}

Tensor jobsim::cudnn::makeTensor(const DescriptorData &data) {
  Tensor tensor;
  tensor.id = data.value<int64_t>(kTensorUniqueId);
  tensor.alignment = data.value<int64_t>(kTensorAlignment);
  tensor.type = data.value<int>(kTensorDataType);
  tensor.dims = data.values<int64_t>(kTensorDimensions);
  tensor.strides = data.values<int64_t>(kTensorStrides);
  tensor.isVirtual =
      data.has(kTensorIsVirtual) && data.value<bool>(kTensorIsVirtual);
  tensor.isByValue =
      data.has(kTensorIsByValue) && data.value<bool>(kTensorIsByValue);
  return tensor;
}

// Each stride has to be beyond all that smaller ones reach.
bool jobsim::cudnn::overlapsItself(const Tensor &tensor) {
  std::vector<std::pair<int64_t, int64_t>> steps;
  for (size_t i = 0; i < tensor.dims.size(); ++i)
    if (tensor.dims[i] > 1)
      steps.push_back({tensor.strides[i], tensor.dims[i]});
  std::sort(steps.begin(), steps.end());
  int64_t reach = 0;
  for (auto [stride, extent] : steps) {
    if (stride <= reach)
      return true;
    reach += stride * (extent - 1);
  }
  return false;
}

Refusal
jobsim::cudnn::checkTensors(const std::vector<const Tensor *> &tensors) {
  std::set<int64_t> ids;
  int type = -1;
  for (const Tensor *tensor : tensors) {
    if (tensor->dims.size() != 4)
      return {kBadParamShapeMismatch, "expects 4 dimensions but got " +
                                          std::to_string(tensor->dims.size())};
    if (!ids.insert(tensor->id).second)
      return {kBadParamDuplicatedEntries,
              "two tensors have the unique id " + std::to_string(tensor->id)};
    if (tensor->isByValue)
      return {kNotSupportedGraphPattern,
              "expects tensors that are not by value"};
    // What is not rounded in memory is in f32.
    if (tensor->isVirtual) {
      if (tensor->type != kTypeF32)
        return {kNotSupportedDataType, "expects virtual tensors of f32"};
      continue;
    }
    if (type >= 0 && tensor->type != type)
      return {kNotSupportedDataType, "expects tensors of one type"};
    type = tensor->type;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static ComputationPointer make(const std::vector<DataPointer> &operations,
                               Refusal &refusal) {
  if (ComputationPointer pooling = makePooling(operations))
    return pooling;
  ComputationPointer attention = makeAttention(operations, refusal);
  if (attention || refusal.result)
    return attention;
  return makeConvolution(operations, refusal);
}

ComputationPointer jobsim::cudnn::makeComputation(const DescriptorData &graph) {
  Refusal refusal;
  return make(graph.attributes.at(kGraphOperations).descriptors, refusal);
}

static bool isOperation(int type) {
  switch (type) {
  case kConvolutionForwardDescriptor:
  case kConvolutionDataGradDescriptor:
  case kConvolutionFilterGradDescriptor:
  case kPointwiseOperationDescriptor:
  case kMatMulOperationDescriptor:
  case kReductionOperationDescriptor:
  case kReshapeOperationDescriptor:
  case kResampleForwardDescriptor:
  case kResampleGradDescriptor:
    return true;
  default:
    return false;
  }
}

Refusal jobsim::cudnn::finalizeGraph(const DescriptorData &data) {
  if (!exists(data.value<Handle>(kGraphHandle)))
    return {kBadParam, "no such handle"};
  const auto &operations = data.attributes.at(kGraphOperations).descriptors;
  for (const DataPointer &operation : operations)
    if (!isOperation(operation->type))
      return {kBadParamDescriptorType, "expects operations in the graph"};
  Refusal refusal;
  if (!make(operations, refusal) && !refusal.result)
    return {kNotSupportedGraphPattern, "the stand-in has no graph of these " +
                                           std::to_string(operations.size()) +
                                           " operations"};
  return refusal;
}

Refusal jobsim::cudnn::finalizeVariantPack(const DescriptorData &data) {
  auto ids = data.values<int64_t>(kVariantPackUniqueIds);
  size_t numPointers = data.values<void *>(kVariantPackPointers).size();
  if (ids.size() != numPointers)
    return {kBadParam, "expects " + std::to_string(ids.size()) +
                           " pointers, as unique ids, but got " +
                           std::to_string(numPointers)};
  std::set<int64_t> unique;
  for (int64_t id : ids)
    if (!unique.insert(id).second)
      return {kBadParamDuplicatedEntries,
              "the unique id " + std::to_string(id) + " is there twice"};
  return {};
}
