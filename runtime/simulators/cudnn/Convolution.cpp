//===- Convolution.cpp - Convolutions of the stand-in for cuDNN -----------===//
//
// One of the three operations, or a forward one with a bias, or a bias and a
// relu, after it.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/Convolution.h"

using namespace jobsim::cudnn;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

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

static Problem makeProblem(const DescriptorData &operation) {
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

static Refusal checkShapes(const Problem &problem) {
  const std::vector<int64_t> &x = problem.input.dims, &w = problem.filter.dims,
                             &y = problem.output.dims;
  auto mismatch = [&](const char *what) {
    return Refusal{kBadParamShapeMismatch,
                   std::string("the ") + what + " of the input " + toText(x) +
                       ", the filter " + toText(w) + " and the output " +
                       toText(y) + " do not match"};
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

Refusal
jobsim::cudnn::finalizeConvolutionOperation(const DescriptorData &data) {
  Problem problem = makeProblem(data);
  if (Refusal refusal =
          checkTensors({&problem.input, &problem.filter, &problem.output});
      refusal.result)
    return refusal;
  if (overlapsItself(problem.result()))
    return {kNotSupportedLayout, "elements of the result overlap"};
  return checkShapes(problem);
}

/// Adds an operation after those of the problem.
static Refusal addPointwise(const DescriptorData &operation, Problem &problem) {
  if (makeTensor(operation.descriptor(kPointwiseInput)).id != problem.output.id)
    return {kNotSupportedGraphPattern,
            "expects each operation to read the result of the one before it"};
  if (!problem.output.isVirtual)
    return {kNotSupportedGraphPattern,
            "expects virtual tensors between operations"};
  problem.output = makeTensor(operation.descriptor(kPointwiseOutput));
  if (problem.output.isVirtual && problem.output.type != kTypeF32)
    return {kNotSupportedGraphPattern, "expects virtual tensors of f32"};
  const DescriptorData &pointwise =
      operation.descriptor(kPointwiseOperationPointwise);
  if (pointwise.value<int>(kPointwiseMode) == kPointwiseRelu) {
    problem.hasRelu = true;
    problem.propagatesNaN =
        pointwise.has(kPointwiseNaNPropagation) &&
        pointwise.value<int>(kPointwiseNaNPropagation) == kPropagateNaN;
    return {};
  }
  problem.bias = makeTensor(operation.descriptor(kPointwiseSecond));
  if (problem.bias->dims !=
      std::vector<int64_t>{1, problem.output.dims[1], 1, 1})
    return {kNotSupportedGraphPattern,
            "the stand-in has a bias of (1, " +
                std::to_string(problem.output.dims[1]) + ", 1, 1) but got " +
                toText(problem.bias->dims)};
  return {};
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
class Convolution final : public Computation {
public:
  explicit Convolution(Problem problem) : problem(std::move(problem)) {}

  std::vector<GraphTensor> tensors() const override {
    std::vector<GraphTensor> tensors = {
        {"the input", &problem.input, problem.kind == Problem::kDataGrad},
        {"the filter", &problem.filter, problem.kind == Problem::kFilterGrad},
        {"the output", &problem.output, problem.kind == Problem::kForward}};
    if (problem.bias)
      tensors.push_back({"the bias", &*problem.bias, false});
    return tensors;
  }
  std::vector<int64_t> suggest(int mode) const override;
  int64_t getWorkspaceBytes(const Engine &engine) const override;
  void run(const Numerics &numerics,
           const std::vector<void *> &arrays) const override {
    convolve(problem, numerics, arrays);
  }

private:
  Problem problem;
};
} // namespace

std::vector<int64_t> Convolution::suggest(int mode) const {
  if (mode == kModeFallback)
    return {0};
  if (problem.kind == Problem::kFilterGrad && problem.input.dims[0] > 1)
    return {9, 8, 7, 6, 5, 4, 3, 2, 1};
  return {9, 8, 7, 6, 5, 4, 3, 1};
}

/// Copies of the arrays where it has another order of dimensions, or partial
/// sums.
int64_t Convolution::getWorkspaceBytes(const Engine &engine) const {
  if (engine.index == 2)
    return engine.numerics.parts * sizeof(float) * problem.filter.count();
  bool copies = engine.index == 1 ||
                (engine.index == 3 && !problem.input.isChannelsLast());
  return copies ? problem.input.bytes() + problem.filter.bytes() +
                      problem.output.bytes()
                : 0;
}

ComputationPointer
jobsim::cudnn::makeConvolution(const std::vector<DataPointer> &operations,
                               Refusal &refusal) {
  int first = operations.front()->type;
  if (first != kConvolutionForwardDescriptor &&
      first != kConvolutionDataGradDescriptor &&
      first != kConvolutionFilterGradDescriptor)
    return nullptr;
  // No more than a bias and a relu, in this order.
  static constexpr int kModes[] = {kPointwiseAdd, kPointwiseRelu};
  if (operations.size() > 1 + std::size(kModes) ||
      (operations.size() > 1 && first != kConvolutionForwardDescriptor))
    return nullptr;
  Problem problem = makeProblem(*operations.front());
  for (size_t i = 1; i < operations.size(); ++i) {
    const DescriptorData &operation = *operations[i];
    if (operation.type != kPointwiseOperationDescriptor ||
        operation.descriptor(kPointwiseOperationPointwise)
                .value<int>(kPointwiseMode) != kModes[i - 1])
      return nullptr;
    if (refusal = addPointwise(operation, problem); refusal.result)
      return nullptr;
  }
  std::vector<const Tensor *> tensors = {&problem.input, &problem.filter,
                                         &problem.output};
  if (problem.bias)
    tensors.push_back(&*problem.bias);
  for (const Tensor *tensor : tensors)
    if (tensor->isVirtual) {
      refusal = {kNotSupportedGraphPattern,
                 "expects virtual tensors between operations only"};
      return nullptr;
    }
  if (refusal = checkTensors(tensors); refusal.result)
    return nullptr;
  if (overlapsItself(problem.output)) {
    refusal = {kNotSupportedLayout, "elements of the result overlap"};
    return nullptr;
  }
  return std::make_shared<Convolution>(std::move(problem));
}
