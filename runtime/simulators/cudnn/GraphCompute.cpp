//===- GraphCompute.cpp - The arithmetic of graphs ------------------------===//
//
// Operations are computed one after the other, each for all elements. Numbers
// are in f32 and rounded where a tensor has another type, virtual or not.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/Arrays.h"
#include "simulators/cudnn/NodeGraph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace jobsim;
using namespace jobsim::cudnn;

static float roundTo(int type, float value) {
  if (type == kTypeF16)
    return fromF16(toF16(value));
  return type == kTypeBF16 ? fromBF16(toBF16(value)) : value;
}

namespace {
/// The values of all tensors, row by row.
class Evaluation {
public:
  Evaluation(const NodeGraph &graph, const Numerics &numerics,
             const std::vector<void *> &arrays)
      : graph(graph), arrays(arrays), values(graph.tensors.size()),
        isReversed(numerics.isRandom && std::random_device()() % 2) {}

  void run();

private:
  void loadArguments();
  void compute(const Node &node);
  void computePointwise(const Node &node);
  void multiply(const Node &node);
  void reduce(const Node &node);
  void reshape(const Node &node);
  void storeResults();

  const NodeGraph &graph;
  const std::vector<void *> &arrays;
  std::vector<std::vector<float>> values;
  bool isReversed;
};
} // namespace

void Evaluation::loadArguments() {
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor &tensor = graph.tensors[i];
    values[i].resize(tensor.count());
    if (tensor.type == kTypeI32 && tensor.isByValue)
      values[i][0] =
          static_cast<float>(*static_cast<const int32_t *>(arrays[i]));
    else if (!tensor.isVirtual && !graph.isWritten(i))
      values[i] = loadAll(tensor, arrays[i]);
  }
}

static float apply(int mode, float x, float b, float t) {
  switch (mode) {
  case kPointwiseAdd:
    return x + b;
  case kPointwiseMul:
    return x * b;
  case kPointwiseDiv:
    return x / b;
  case kPointwiseSub:
    return x - b;
  case kPointwiseExp:
    return std::exp(x);
  case kPointwiseLog:
    return std::log(x);
  case kPointwiseRelu:
    return x < 0 ? 0 : x;
  case kPointwiseCompareGE:
    return x >= b;
  default: // kPointwiseBinarySelect
    return t != 0 ? x : b;
  }
}

void Evaluation::computePointwise(const Node &node) {
  const std::vector<int64_t> &dims = graph.tensors[node.output].dims;
  std::vector<float> &result = values[node.output];
  // The distances of neighbours in the values of each input.
  int64_t steps[3][4] = {};
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const std::vector<int64_t> &extents = graph.tensors[node.inputs[i]].dims;
    for (int64_t d = 3, step = 1; d >= 0; step *= extents[d--])
      steps[i][d] = extents[d] == 1 ? 0 : step;
  }
  int64_t index = 0, at[4];
  for (at[0] = 0; at[0] < dims[0]; ++at[0])
    for (at[1] = 0; at[1] < dims[1]; ++at[1])
      for (at[2] = 0; at[2] < dims[2]; ++at[2])
        for (at[3] = 0; at[3] < dims[3]; ++at[3], ++index) {
          if (node.op == kPointwiseGenIndex) {
            result[index] = static_cast<float>(at[node.axis]);
            continue;
          }
          float operands[3] = {};
          for (size_t i = 0; i < node.inputs.size(); ++i) {
            int64_t place = 0;
            for (int d = 0; d < 4; ++d)
              place += at[d] * steps[i][d];
            operands[i] = values[node.inputs[i]][place];
          }
          result[index] = apply(node.op, operands[0], operands[1], operands[2]);
        }
}

void Evaluation::multiply(const Node &node) {
  const std::vector<int64_t> &a = graph.tensors[node.inputs[0]].dims,
                             &c = graph.tensors[node.output].dims;
  int64_t m = c[2], n = c[3], k = a[3];
  for (int64_t head = 0; head < c[0] * c[1]; ++head) {
    const float *lhs = &values[node.inputs[0]][head * m * k],
                *rhs = &values[node.inputs[1]][head * k * n];
    float *sums = &values[node.output][head * m * n];
    for (int64_t i = 0; i < m; ++i)
      for (int64_t term = 0; term < k; ++term) {
        int64_t t = isReversed ? k - 1 - term : term;
        for (int64_t j = 0; j < n; ++j)
          sums[i * n + j] += lhs[i * k + t] * rhs[t * n + j];
      }
  }
}

void Evaluation::reduce(const Node &node) {
  const std::vector<int64_t> &x = graph.tensors[node.inputs[0]].dims,
                             &y = graph.tensors[node.output].dims;
  std::vector<float> &result = values[node.output];
  bool isMax = node.op == kReduceMax;
  std::fill(result.begin(), result.end(),
            isMax ? -std::numeric_limits<float>::infinity() : 0.0f);
  int64_t index = 0, at[4];
  for (at[0] = 0; at[0] < x[0]; ++at[0])
    for (at[1] = 0; at[1] < x[1]; ++at[1])
      for (at[2] = 0; at[2] < x[2]; ++at[2])
        for (at[3] = 0; at[3] < x[3]; ++at[3]) {
          int64_t place = 0;
          for (int d = 0; d < 4; ++d)
            place = place * y[d] + (y[d] == 1 ? 0 : at[d]);
          float value = values[node.inputs[0]][index++];
          result[place] =
              isMax ? std::fmax(result[place], value) : result[place] + value;
        }
}

void Evaluation::reshape(const Node &node) {
  const Tensor &x = graph.tensors[node.inputs[0]],
               &y = graph.tensors[node.output];
  std::vector<float> memory(x.span());
  forEachElement(x, [&](int64_t index, int64_t offset) {
    memory[offset] = values[node.inputs[0]][index];
  });
  forEachElement(y, [&](int64_t index, int64_t offset) {
    values[node.output][index] = memory[offset];
  });
}

void Evaluation::compute(const Node &node) {
  switch (node.type) {
  case kPointwiseOperationDescriptor:
    computePointwise(node);
    break;
  case kMatMulOperationDescriptor:
    multiply(node);
    break;
  case kReductionOperationDescriptor:
    reduce(node);
    break;
  default:
    reshape(node);
    break;
  }
  int type = graph.tensors[node.output].type;
  for (float &value : values[node.output])
    value = roundTo(type, value);
}

void Evaluation::storeResults() {
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor &tensor = graph.tensors[i];
    if (!tensor.isVirtual && graph.isWritten(i))
      forEachElement(tensor, [&](int64_t index, int64_t offset) {
        store(tensor.type, arrays[i], offset, values[i][index]);
      });
  }
}

void Evaluation::run() {
  loadArguments();
  for (const Node &node : graph.nodes)
    compute(node);
  storeResults();
}

void jobsim::cudnn::evaluate(const NodeGraph &graph, const Numerics &numerics,
                             const std::vector<void *> &arrays) {
  Evaluation(graph, numerics, arrays).run();
}
