//===- Graphs.cpp - Graphs of several operations --------------------------===//
//
// What the operations of a graph have to be, as the library's reference says,
// and which graphs have engines: those of attention. The limits of the engines
// are those that NVIDIA's frontend checks.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/NodeGraph.h"

#include <algorithm>
#include <map>

using namespace jobsim::cudnn;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

namespace {
/// A mode of pointwise operations, and how many tensors it reads.
struct PointwiseMode {
  int mode;
  size_t inputs;
};
} // namespace

static constexpr PointwiseMode kModes[] = {
    {kPointwiseAdd, 2},      {kPointwiseMul, 2},
    {kPointwiseDiv, 2},      {kPointwiseSub, 2},
    {kPointwiseExp, 1},      {kPointwiseLog, 1},
    {kPointwiseRelu, 1},     {kPointwiseCompareGE, 2},
    {kPointwiseGenIndex, 1}, {kPointwiseBinarySelect, 3}};

static const PointwiseMode *findMode(int mode) {
  for (const PointwiseMode &known : kModes)
    if (known.mode == mode)
      return &known;
  return nullptr;
}

Refusal jobsim::cudnn::finalizePointwise(const DescriptorData &data) {
  int mode = data.value<int>(kPointwiseMode);
  if (!findMode(mode))
    return {kNotSupported,
            "the stand-in has no pointwise mode " + std::to_string(mode)};
  if (int type = data.value<int>(kPointwiseComputeType);
      type != kTypeF32 && type != kTypeI32 && type != kTypeBoolean)
    return {kNotSupportedDataType,
            "expects f32, i32 or booleans as the type of computing but got " +
                std::to_string(type)};
  if (mode != kPointwiseGenIndex)
    return {};
  if (!data.has(kPointwiseAxis))
    return {kBadParam, "expects the attribute " +
                           std::to_string(kPointwiseAxis) + " of an index"};
  int64_t axis = data.value<int64_t>(kPointwiseAxis);
  if (axis < 0 || axis > 3)
    return {kBadParamOutOfBound,
            "expects an axis from 0 to 3 but got " + std::to_string(axis)};
  return {};
}

static Refusal checkF32(int type) {
  if (type == kTypeF32)
    return {};
  return {kNotSupportedDataType,
          "expects f32 as the type of computing but got " +
              std::to_string(type)};
}

Refusal jobsim::cudnn::finalizeReduction(const DescriptorData &data) {
  int op = data.value<int>(kReductionOperator);
  if (op != kReduceAdd && op != kReduceMax)
    return {kNotSupported,
            "the stand-in has no reduction " + std::to_string(op)};
  return checkF32(data.value<int>(kReductionComputeType));
}

Refusal jobsim::cudnn::finalizeMatMul(const DescriptorData &data) {
  return checkF32(data.value<int>(kMatMulComputeType));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// An operation with its tensors.
struct Operation {
  Node node;
  std::vector<Tensor> inputs;
  Tensor output;
};
} // namespace

static Operation readOperation(const DescriptorData &data) {
  Operation operation;
  operation.node.type = data.type;
  auto addInput = [&](int attribute) {
    if (data.has(attribute))
      operation.inputs.push_back(makeTensor(data.descriptor(attribute)));
  };
  int output = kReshapeY;
  if (data.type == kPointwiseOperationDescriptor) {
    const DescriptorData &parameters =
        data.descriptor(kPointwiseOperationPointwise);
    operation.node.op = parameters.value<int>(kPointwiseMode);
    if (operation.node.op == kPointwiseGenIndex)
      operation.node.axis = parameters.value<int64_t>(kPointwiseAxis);
    addInput(kPointwiseInput);
    addInput(kPointwiseSecond);
    addInput(kPointwiseThird);
    output = kPointwiseOutput;
  } else if (data.type == kMatMulOperationDescriptor) {
    addInput(kMatMulA);
    addInput(kMatMulB);
    output = kMatMulC;
  } else if (data.type == kReductionOperationDescriptor) {
    operation.node.op =
        data.descriptor(kReductionOperation).value<int>(kReductionOperator);
    addInput(kReductionX);
    output = kReductionY;
  } else {
    addInput(kReshapeX);
  }
  operation.output = makeTensor(data.descriptor(output));
  return operation;
}

/// Whether a tensor has the extents `dims`, or, of some, 1.
static bool broadcasts(const Tensor &tensor, const std::vector<int64_t> &dims) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (tensor.dims[i] != dims[i] && tensor.dims[i] != 1)
      return false;
  return true;
}

static Refusal checkShapes(const Operation &operation) {
  const std::vector<int64_t> &y = operation.output.dims,
                             &x = operation.inputs[0].dims;
  auto mismatch = [&](const char *what) {
    std::string reason =
        std::string("the extents of ") + what + " " + toText(x);
    for (size_t i = 1; i < operation.inputs.size(); ++i)
      reason += ", " + toText(operation.inputs[i].dims);
    return Refusal{kBadParamShapeMismatch,
                   reason + " and " + toText(y) + " do not match"};
  };
  switch (operation.node.type) {
  case kPointwiseOperationDescriptor:
    for (const Tensor &input : operation.inputs)
      if (!broadcasts(input, y))
        return mismatch("a pointwise operation");
    return {};
  case kMatMulOperationDescriptor: {
    const std::vector<int64_t> &b = operation.inputs[1].dims;
    if (x[0] != y[0] || x[1] != y[1] || b[0] != y[0] || b[1] != y[1] ||
        x[2] != y[2] || x[3] != b[2] || b[3] != y[3])
      return mismatch("a product");
    return {};
  }
  case kReductionOperationDescriptor:
    return broadcasts(operation.output, x) ? Refusal()
                                           : mismatch("a reduction");
  default:
    // The same memory with other dimensions.
    return operation.inputs[0].count() == operation.output.count() &&
                   operation.inputs[0].span() == operation.output.span()
               ? Refusal()
               : mismatch("a reshape");
  }
}

Refusal jobsim::cudnn::finalizeNode(const DescriptorData &data) {
  Operation operation = readOperation(data);
  if (data.type == kPointwiseOperationDescriptor) {
    size_t inputs = findMode(operation.node.op)->inputs;
    if (operation.inputs.size() != inputs)
      return {kBadParam, "expects " + std::to_string(inputs) +
                             " inputs of the pointwise mode " +
                             std::to_string(operation.node.op) + " but got " +
                             std::to_string(operation.inputs.size())};
  }
  std::vector<Tensor> all = operation.inputs;
  all.push_back(operation.output);
  for (const Tensor &tensor : all)
    if (tensor.dims.size() != 4)
      return {kBadParamShapeMismatch, "expects 4 dimensions but got " +
                                          std::to_string(tensor.dims.size())};
  if (operation.output.isByValue)
    return {kBadParam, "expects a result that is not by value"};
  if (overlapsItself(operation.output))
    return {kNotSupportedLayout, "elements of the result overlap"};
  return checkShapes(operation);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool NodeGraph::isWritten(size_t tensor) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const Node &node) { return node.output == tensor; });
}

/// Nodes after those that write what they read.
static Refusal sort(NodeGraph &graph) {
  std::vector<bool> isKnown(graph.tensors.size());
  for (size_t i = 0; i < isKnown.size(); ++i)
    isKnown[i] = !graph.isWritten(i);
  std::vector<Node> left = std::move(graph.nodes);
  graph.nodes.clear();
  while (!left.empty()) {
    auto next = std::find_if(left.begin(), left.end(), [&](const Node &node) {
      return std::all_of(node.inputs.begin(), node.inputs.end(),
                         [&](size_t input) { return isKnown[input]; });
    });
    if (next == left.end())
      return {kBadParam, "the operations depend on each other"};
    isKnown[next->output] = true;
    graph.nodes.push_back(*next);
    left.erase(next);
  }
  return {};
}

/// The graph of operations that are finalized.
static Refusal makeNodeGraph(const std::vector<DataPointer> &operations,
                             NodeGraph &graph) {
  std::map<int64_t, size_t> places;
  Refusal refusal;
  auto place = [&](const Tensor &tensor) {
    auto [found, isNew] = places.try_emplace(tensor.id, graph.tensors.size());
    if (isNew)
      graph.tensors.push_back(tensor);
    else if (graph.tensors[found->second] != tensor)
      refusal = {kBadParamDuplicatedEntries,
                 "two tensors have the unique id " + std::to_string(tensor.id)};
    return found->second;
  };
  for (const DataPointer &data : operations) {
    Operation operation = readOperation(*data);
    for (const Tensor &input : operation.inputs)
      operation.node.inputs.push_back(place(input));
    operation.node.output = place(operation.output);
    if (graph.isWritten(operation.node.output))
      refusal = {kBadParam, "two operations write the tensor " +
                                std::to_string(operation.output.id)};
    graph.nodes.push_back(operation.node);
  }
  if (refusal.result)
    return refusal;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    auto reads = [&](const Node &node) {
      return std::count(node.inputs.begin(), node.inputs.end(), i) > 0;
    };
    if (graph.tensors[i].isVirtual &&
        (!graph.isWritten(i) ||
         std::none_of(graph.nodes.begin(), graph.nodes.end(), reads)))
      return {kBadParam, "expects operations that write and read the virtual "
                         "tensor " +
                             std::to_string(graph.tensors[i].id)};
  }
  return sort(graph);
}

//===----------------------------------------------------------------------===//
// What engines compute
//===----------------------------------------------------------------------===//

/// Products of attention and of its gradients.
static constexpr int64_t kForwardProducts = 2, kGradientProducts = 5;
static constexpr int64_t kMaxChannels = 128, kChannelGroup = 8;

static int64_t count(const NodeGraph &graph, int type, int op = 0) {
  return std::count_if(
      graph.nodes.begin(), graph.nodes.end(),
      [&](const Node &node) { return node.type == type && node.op == op; });
}

static Refusal unsupported(const std::string &reason) {
  return {kNotSupportedGraphPattern, "no engine: " + reason};
}

/// The softmax between the two products.
static Refusal checkSoftmax(const NodeGraph &graph) {
  for (auto [type, op, what] :
       {std::tuple{kReductionOperationDescriptor, kReduceMax,
                   "maximum of each row"},
        {kReductionOperationDescriptor, kReduceAdd, "sum of each row"},
        {kPointwiseOperationDescriptor, kPointwiseExp, "exponential"},
        {kPointwiseOperationDescriptor, kPointwiseLog, "logarithm of the sums"},
        {kPointwiseOperationDescriptor, kPointwiseDiv,
         "quotient with the sums"}})
    if (count(graph, type, op) != 1)
      return unsupported(std::string("the softmax has no ") + what);
  auto product = std::find_if(
      graph.nodes.rbegin(), graph.nodes.rend(),
      [](const Node &node) { return node.type == kMatMulOperationDescriptor; });
  if (graph.tensors[product->inputs[0]].type == kTypeF32)
    return unsupported("the weights are not rounded to the type of the values");
  return {};
}

static Refusal checkArray(const Tensor &array) {
  auto channels = std::find(array.strides.begin() + 2, array.strides.end(), 1);
  if (channels == array.strides.end())
    return unsupported("the channels of a head are not next to each other");
  int64_t extent = array.dims[channels - array.strides.begin()];
  if (extent > kMaxChannels || extent % kChannelGroup != 0)
    return unsupported("the channels are no multiple of " +
                       std::to_string(kChannelGroup) + " up to " +
                       std::to_string(kMaxChannels) + " but " +
                       std::to_string(extent));
  return {};
}

static Refusal checkSupport(const NodeGraph &graph) {
  int64_t products = count(graph, kMatMulOperationDescriptor);
  if (products != kForwardProducts && products != kGradientProducts)
    return unsupported("expects " + std::to_string(kForwardProducts) + " or " +
                       std::to_string(kGradientProducts) +
                       " products but got " + std::to_string(products));
  if (products == kForwardProducts)
    if (Refusal refusal = checkSoftmax(graph); refusal.result)
      return refusal;
  int type = kTypeF32;
  for (const Tensor &tensor : graph.tensors) {
    // Numbers of rows are in f32.
    if (tensor.isVirtual || tensor.isByValue || tensor.dims[3] == 1)
      continue;
    if (tensor.type == kTypeF32 || (type != kTypeF32 && tensor.type != type))
      return unsupported("the arrays are not all f16 or all bf16");
    type = tensor.type;
    if (Refusal refusal = checkArray(tensor); refusal.result)
      return refusal;
  }
  return {};
}

/// Bytes of the gradients of the scores that an engine stores; 0 for a forward
/// graph.
static int64_t getScoreBytes(const NodeGraph &graph) {
  if (count(graph, kMatMulOperationDescriptor) != kGradientProducts)
    return 0;
  // The first product's result, in blocks.
  const Node &first = *std::find_if(
      graph.nodes.begin(), graph.nodes.end(),
      [](const Node &node) { return node.type == kMatMulOperationDescriptor; });
  const std::vector<int64_t> &dims = graph.tensors[first.output].dims;
  auto round = [](int64_t extent, int64_t block) {
    return (extent + block - 1) / block * block;
  };
  return 2 * dims[0] * dims[1] * round(dims[2], 64) * round(dims[3], 128);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The library does not say of any engine that it is not deterministic; the
/// stand-in does of one.
static const Engine kEngines[] = {
    // Stores the gradients of the scores in its workspace.
    {1, {kNoteTensorCore}, {}},
    // Not suggested, and only in the configuration below.
    {5, {kNoteTensorCore}, {}},
    {6, {kNoteTensorCore, kNoteNondeterministic}, {.isRandom = true}},
    {7, {kNoteTensorCore}, {}, /*isRefused=*/true},
};
static constexpr int64_t kOrderedEngine = 5;
/// What an engine needs beside the gradients.
static constexpr int64_t kEngineBytes = 256;

namespace {
class Attention final : public Computation {
public:
  explicit Attention(NodeGraph nodes) : graph(std::move(nodes)) {
    for (const Tensor &tensor : graph.tensors)
      names.push_back("tensor " + std::to_string(tensor.id));
  }

  std::vector<GraphTensor> tensors() const override {
    std::vector<GraphTensor> tensors;
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      if (!graph.tensors[i].isVirtual)
        tensors.push_back(
            {names[i].c_str(), &graph.tensors[i], graph.isWritten(i)});
    return tensors;
  }
  /// As the library, which has no configuration of a graph that it does not
  /// support.
  std::vector<int64_t> suggest(int mode) const override {
    if (Refusal refusal = checkSupport(graph); refusal.result) {
      refuse("cudnnBackendFinalize", refusal);
      return {};
    }
    return mode == kModeFallback ? std::vector<int64_t>{1}
                                 : std::vector<int64_t>{6, 7, 1};
  }
  const Engine *findEngine(int64_t index) const override {
    for (const Engine &engine : kEngines)
      if (engine.index == index)
        return &engine;
    return nullptr;
  }
  bool hasConfig(int64_t engine,
                 const std::vector<Knob> &knobs) const override {
    return engine == kOrderedEngine && !checkSupport(graph).result &&
           getScoreBytes(graph) > 0 &&
           knobs ==
               std::vector<Knob>{{kKnobKernelConfig, 31}, {kKnobStages, 2}};
  }
  int64_t getWorkspaceBytes(const Engine &engine) const override {
    return engine.index == kOrderedEngine ? 0
                                          : kEngineBytes + getScoreBytes(graph);
  }
  void run(const Numerics &numerics,
           const std::vector<void *> &arrays) const override {
    std::vector<void *> all(graph.tensors.size());
    size_t next = 0;
    for (size_t i = 0; i < all.size(); ++i)
      if (!graph.tensors[i].isVirtual)
        all[i] = arrays[next++];
    evaluate(graph, numerics, all);
  }

private:
  NodeGraph graph;
  std::vector<std::string> names;
};
} // namespace

ComputationPointer
jobsim::cudnn::makeAttention(const std::vector<DataPointer> &operations,
                             Refusal &refusal) {
  bool hasProduct = false;
  for (const DataPointer &operation : operations)
    switch (operation->type) {
    case kMatMulOperationDescriptor:
      hasProduct = true;
      break;
    case kPointwiseOperationDescriptor:
    case kReductionOperationDescriptor:
    case kReshapeOperationDescriptor:
      break;
    default:
      return nullptr;
    }
  if (!hasProduct)
    return nullptr;
  NodeGraph graph;
  if (refusal = makeNodeGraph(operations, graph); refusal.result)
    return nullptr;
  return std::make_shared<Attention>(std::move(graph));
}
