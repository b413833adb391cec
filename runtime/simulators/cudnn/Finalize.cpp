//===- Finalize.cpp - What descriptors of a graph have to be --------------===//

#include "simulators/cudnn/State.h"

#include <algorithm>
#include <set>

using namespace jobsim::cudnn;

size_t jobsim::cudnn::bytesOf(int dataType) {
  switch (dataType) {
  case kTypeF32:
    return 4;
  case kTypeF16:
  case kTypeBF16:
    return 2;
  default:
    return 0;
  }
}

uint64_t Tensor::bytes() const {
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    last += (dims[i] - 1) * strides[i];
  return (last + 1) * bytesOf(type);
}

static std::string text(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "(" + text + ")";
}

//===----------------------------------------------------------------------===//
// Tensors and convolutions
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
                  text(values)};
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
  return {};
}

Refusal jobsim::cudnn::finalizeConvolution(const DescriptorData &data) {
  int64_t spatial = data.value<int64_t>(kConvolutionSpatialDims);
  if (spatial != 2)
    return {kNotSupported, "the stand-in has 2 spatial dimensions but got " +
                               std::to_string(spatial)};
  for (auto [attribute, low] : {std::pair{kConvolutionPrePaddings, 0},
                                {kConvolutionPostPaddings, 0},
                                {kConvolutionDilations, 1},
                                {kConvolutionStrides, 1}}) {
    auto values = data.values<int64_t>(attribute);
    if (static_cast<int64_t>(values.size()) != spatial)
      return {kBadParam, "expects " + std::to_string(spatial) +
                             " values of attribute " +
                             std::to_string(attribute) + " but got " +
                             std::to_string(values.size())};
    for (int64_t value : values)
      if (value < low)
        return {kBadParam, "expects values of at least " + std::to_string(low) +
                               " for attribute " + std::to_string(attribute) +
                               " but got " + std::to_string(value)};
  }
  if (int type = data.value<int>(kConvolutionComputeType); type != kTypeF32)
    return {kNotSupportedDataType,
            "expects f32 as the type of computing but got " +
                std::to_string(type)};
  if (int mode = data.value<int>(kConvolutionMode); mode != kCrossCorrelation)
    return {kNotSupported,
            "the stand-in has cross-correlations only but got mode " +
                std::to_string(mode)};
  return {};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static Tensor makeTensor(const DescriptorData &data) {
  Tensor tensor;
  tensor.id = data.value<int64_t>(kTensorUniqueId);
  tensor.alignment = data.value<int64_t>(kTensorAlignment);
  tensor.type = data.value<int>(kTensorDataType);
  tensor.dims = data.values<int64_t>(kTensorDimensions);
  tensor.strides = data.values<int64_t>(kTensorStrides);
  return tensor;
}

Problem jobsim::cudnn::makeProblem(const DescriptorData &operation) {
  Problem problem;
  int base = kForwardAlpha;
  if (operation.type == kConvolutionDataGradDescriptor) {
    problem.kind = Problem::kDataGrad;
    base = kDataGradAlpha;
  } else if (operation.type == kConvolutionFilterGradDescriptor) {
    problem.kind = Problem::kFilterGrad;
    base = kFilterGradAlpha;
  }
  // The attributes of all three operations are in the same order.
  auto at = [&](int forward) { return base + forward - kForwardAlpha; };
  problem.alpha = operation.value<float>(at(kForwardAlpha));
  problem.beta = operation.value<float>(at(kForwardBeta));
  problem.filter = makeTensor(operation.descriptor(at(kForwardFilter)));
  problem.input = makeTensor(operation.descriptor(at(kForwardInput)));
  problem.output = makeTensor(operation.descriptor(at(kForwardOutput)));
  const DescriptorData &convolution =
      operation.descriptor(at(kForwardConvolution));
  problem.prePaddings = convolution.values<int64_t>(kConvolutionPrePaddings);
  problem.postPaddings = convolution.values<int64_t>(kConvolutionPostPaddings);
  problem.dilations = convolution.values<int64_t>(kConvolutionDilations);
  problem.strides = convolution.values<int64_t>(kConvolutionStrides);
  return problem;
}

/// Whether two elements of a tensor have one address: each stride has to be
/// beyond all that smaller ones reach.
static bool overlapsItself(const Tensor &tensor) {
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

static Refusal checkShapes(const Problem &problem) {
  const std::vector<int64_t> &x = problem.input.dims, &w = problem.filter.dims,
                             &y = problem.output.dims;
  auto mismatch = [&](const char *what) {
    return Refusal{kBadParamShapeMismatch,
                   std::string("the ") + what + " of the input " + text(x) +
                       ", the filter " + text(w) + " and the output " +
                       text(y) + " do not match"};
  };
  if (x[0] != y[0])
    return mismatch("batches");
  // As many groups as the input has the filter's channels.
  if (x[1] % w[1] != 0 || w[0] != y[1] || w[0] % (x[1] / w[1]) != 0)
    return mismatch("channels");
  for (int i = 0; i < 2; ++i) {
    int64_t room = x[2 + i] + problem.prePaddings[i] + problem.postPaddings[i] -
                   problem.dilations[i] * (w[2 + i] - 1) - 1;
    if (room < 0 || y[2 + i] != room / problem.strides[i] + 1)
      return mismatch(i == 0 ? "heights" : "widths");
  }
  return {};
}

Refusal jobsim::cudnn::finalizeOperation(const DescriptorData &data) {
  Problem problem = makeProblem(data);
  std::set<int64_t> ids;
  for (const Tensor *tensor :
       {&problem.input, &problem.filter, &problem.output}) {
    if (tensor->dims.size() != 4)
      return {kBadParamShapeMismatch, "expects 4 dimensions but got " +
                                          std::to_string(tensor->dims.size())};
    if (tensor->type != problem.input.type)
      return {kNotSupportedDataType, "expects tensors of one type"};
    if (!ids.insert(tensor->id).second)
      return {kBadParamDuplicatedEntries,
              "two tensors have the unique id " + std::to_string(tensor->id)};
  }
  if (overlapsItself(problem.result()))
    return {kNotSupportedLayout, "elements of the result overlap"};
  return checkShapes(problem);
}

Refusal jobsim::cudnn::finalizeGraph(const DescriptorData &data) {
  if (!exists(data.value<Handle>(kGraphHandle)))
    return {kBadParam, "no such handle"};
  const auto &operations = data.attributes.at(kGraphOperations).descriptors;
  for (const DataPointer &operation : operations)
    if (operation->type != kConvolutionForwardDescriptor &&
        operation->type != kConvolutionDataGradDescriptor &&
        operation->type != kConvolutionFilterGradDescriptor)
      return {kBadParamDescriptorType, "expects operations in the graph"};
  if (operations.size() != 1)
    return {kNotSupportedGraphPattern,
            "the stand-in has graphs of 1 operation but got " +
                std::to_string(operations.size())};
  return {};
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
