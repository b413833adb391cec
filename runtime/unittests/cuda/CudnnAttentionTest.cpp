//===- CudnnAttentionTest.cpp - Attention of cuDNN beside plain loops -----===//

#include "unittests/cuda/CudnnAttentionCases.h"
#include "unittests/cuda/LibraryTest.h"

using namespace jobrt;
using namespace jobrt::test;
using calls::CudnnAttention;
using calls::CudnnAttentionBase;
using calls::CudnnAttentionGrad;
using calls::Element;
using cuda::DevicePointer;

//===----------------------------------------------------------------------===//
// Plain loops
//===----------------------------------------------------------------------===//

namespace {
/// The places of elements in arrays of (batch, position, head, channel).
struct Places {
  const CudnnAttentionBase &c;

  int64_t query(int64_t b, int64_t t, int64_t h) const {
    int64_t all = c.query_before + c.heads + c.query_after;
    return ((b * c.queries + t) * all + c.query_before + h) * c.channels;
  }
  int64_t key(int64_t b, int64_t s, int64_t h) const {
    int64_t all = c.key_before + c.heads + c.key_after;
    return ((b * c.keys + s) * all + c.key_before + h) * c.channels;
  }
  int64_t value(int64_t b, int64_t s, int64_t h) const {
    int64_t all = c.value_before + c.heads + c.value_after;
    return ((b * c.keys + s) * all + c.value_before + h) * c.value_channels;
  }
  int64_t queryGrad(int64_t b, int64_t t, int64_t h) const {
    return ((b * c.queries + t) * c.heads + h) * c.channels;
  }
  int64_t keyGrad(int64_t b, int64_t s, int64_t h) const {
    return ((b * c.keys + s) * c.heads + h) * c.channels;
  }
  int64_t valueGrad(int64_t b, int64_t s, int64_t h) const {
    return ((b * c.keys + s) * c.heads + h) * c.value_channels;
  }
  int64_t result(int64_t b, int64_t t, int64_t h) const {
    return ((b * c.queries + t) * c.heads + h) * c.value_channels;
  }
  int64_t row(int64_t b, int64_t t, int64_t h) const {
    return (b * c.heads + h) * c.queries + t;
  }
  int64_t visible(int64_t t) const {
    return c.causal ? t + c.keys - c.queries + 1 : c.keys;
  }
  template <typename Visit> void forEachRow(Visit visit) const {
    for (int64_t b = 0; b < c.batch; ++b)
      for (int64_t h = 0; h < c.heads; ++h)
        for (int64_t t = 0; t < c.queries; ++t)
          visit(b, t, h);
  }
};

using Numbers = std::vector<double>;

double dot(const Numbers &x, int64_t at, const Numbers &y, int64_t yAt,
           int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += x[at + i] * y[yAt + i];
  return sum;
}

/// Attention in f64.
struct Forward {
  Numbers result, logsumexp;
};
Forward attend(const CudnnAttentionBase &c, const Numbers &query,
               const Numbers &key, const Numbers &value) {
  Places at{c};
  Forward forward;
  forward.result.resize(c.batch * c.queries * c.heads * c.value_channels);
  forward.logsumexp.resize(c.batch * c.heads * c.queries);
  at.forEachRow([&](int64_t b, int64_t t, int64_t h) {
    Numbers weights(at.visible(t));
    double sum = 0;
    for (size_t s = 0; s < weights.size(); ++s)
      sum += weights[s] = std::exp(c.scale * dot(query, at.query(b, t, h), key,
                                                 at.key(b, s, h), c.channels));
    for (size_t s = 0; s < weights.size(); ++s)
      for (int64_t v = 0; v < c.value_channels; ++v)
        forward.result[at.result(b, t, h) + v] +=
            weights[s] / sum * value[at.value(b, s, h) + v];
    forward.logsumexp[at.row(b, t, h)] = std::log(sum);
  });
  return forward;
}

/// The gradients of query, key and value in f64.
std::vector<Numbers> differentiate(const CudnnAttentionBase &c,
                                   const std::vector<Numbers> &operands) {
  const Numbers &grad = operands[0], &query = operands[1], &key = operands[2],
                &value = operands[3], &result = operands[4],
                &logsumexp = operands[5];
  Places at{c};
  std::vector<Numbers> grads = {
      Numbers(c.batch * c.queries * c.heads * c.channels),
      Numbers(c.batch * c.keys * c.heads * c.channels),
      Numbers(c.batch * c.keys * c.heads * c.value_channels)};
  at.forEachRow([&](int64_t b, int64_t t, int64_t h) {
    int64_t q = at.query(b, t, h), y = at.result(b, t, h);
    double mean = dot(grad, y, result, y, c.value_channels);
    for (int64_t s = 0; s < at.visible(t); ++s) {
      int64_t k = at.key(b, s, h), v = at.value(b, s, h);
      double weight = std::exp(c.scale * dot(query, q, key, k, c.channels) -
                               logsumexp[at.row(b, t, h)]);
      double score =
          c.scale * weight * (dot(grad, y, value, v, c.value_channels) - mean);
      for (int64_t i = 0; i < c.channels; ++i) {
        grads[0][at.queryGrad(b, t, h) + i] += score * key[k + i];
        grads[1][at.keyGrad(b, s, h) + i] += score * query[q + i];
      }
      for (int64_t i = 0; i < c.value_channels; ++i)
        grads[2][at.valueGrad(b, s, h) + i] += weight * grad[y + i];
    }
  });
  return grads;
}

/// The three gradients as they are in the buffers of a call.
std::vector<Numbers> join(const CudnnAttentionGrad &c,
                          const std::vector<Numbers> &grads) {
  constexpr size_t kFirst = 6;
  std::vector<calls::Buffer> buffers = c.buffers();
  std::vector<Numbers> result;
  for (size_t i = kFirst; i < buffers.size(); ++i)
    result.emplace_back(calls::arrayBytes(buffers[i]) /
                        calls::elementBytes(buffers[i].element));
  for (size_t i = 0; i < grads.size(); ++i) {
    calls::HeadsPlace place = c.places()[kFirst + i];
    const std::vector<int64_t> &extents = buffers[place.buffer].extents;
    int64_t size = c.heads * extents[3], row = extents[2] * extents[3];
    for (size_t j = 0; j < grads[i].size(); ++j)
      result[place.buffer - kFirst][int64_t(j) / size * row +
                                    place.first * extents[3] +
                                    int64_t(j) % size] = grads[i][j];
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

class CudnnAttentionTest : public LibraryTest {
protected:
  void SetUp() override {
    LibraryTest::SetUp();
    skipWithoutLibrary(of<CudnnAttention>(shape(1, 1, 1, 1, 8, 8, false)));
  }
  /// Runs a call once, and twice more in a graph. Returns the values of all its
  /// arrays, those of `operands` and then the results.
  template <typename Config>
  void run(const Config &config, const std::vector<Factor> &operands,
           std::vector<Numbers> &values);
  void expectForward(const CudnnAttentionBase &base);
  void expectGradient(const CudnnAttentionGrad &config);
};

void expectNear(const Numbers &got, const Numbers &expected, double unit,
                double terms) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 0;
  for (double value : expected)
    largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i],
                (4 * unit + 1e-6 * std::sqrt(terms)) * largest)
        << "element " << i;
}
} // namespace

template <typename Config>
void CudnnAttentionTest::run(const Config &config,
                             const std::vector<Factor> &operands,
                             std::vector<Numbers> &values) {
  ASSERT_EQ(calls::check(config), "");
  std::vector<std::unique_ptr<cuda::CudaMemory>> memories;
  std::vector<DevicePointer> args;
  std::vector<calls::Buffer> buffers = config.buffers();
  for (size_t i = 0; i < buffers.size(); ++i) {
    memories.push_back(allocate(calls::arrayBytes(buffers[i])));
    args.push_back(memories.back()->pointer());
    if (i < operands.size())
      copyIn(args.back(), operands[i].bytes);
  }
  auto workspace = allocate(config.workspaceBytes());
  args.push_back(workspace->pointer());
  auto call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok()) << call.status().toString();
  ASSERT_TRUE((*call)->enqueue(args.data(), stream.get()).ok());
  for (size_t i = 0; i < buffers.size(); ++i) {
    size_t size = calls::elementBytes(buffers[i].element);
    std::vector<std::byte> bytes =
        copyOut(args[i], calls::arrayBytes(buffers[i]));
    Numbers &numbers = values.emplace_back(bytes.size() / size);
    for (size_t j = 0; j < numbers.size(); ++j)
      numbers[j] = decode(buffers[i].element, &bytes[j * size]);
    if (buffers[i].isResult)
      expectReplay(**call, args, args[i], bytes);
  }
}

void CudnnAttentionTest::expectForward(const CudnnAttentionBase &base) {
  auto config = of<CudnnAttention>(base);
  std::mt19937_64 random(seed);
  std::vector<Factor> operands;
  for (const calls::Buffer &buffer : config.buffers())
    if (!buffer.isResult)
      operands.push_back(
          makeFactor(random, buffer.element, calls::arrayBytes(buffer) / 2));
  std::vector<Numbers> values;
  ASSERT_NO_FATAL_FAILURE(run(config, operands, values));
  Forward exact = attend(config, values[0], values[1], values[2]);
  double terms = config.keys + config.channels;
  expectNear(values[3], exact.result, unitOf(config.element()), terms);
  // In f32, whatever the type.
  expectNear(values[4], exact.logsumexp, 0, terms);
}

void CudnnAttentionTest::expectGradient(const CudnnAttentionGrad &config) {
  std::mt19937_64 random(seed);
  std::vector<Factor> operands;
  for (const calls::Buffer &buffer : config.buffers())
    if (!buffer.isResult)
      operands.push_back(makeFactor(random, buffer.element,
                                    calls::arrayBytes(buffer) /
                                        calls::elementBytes(buffer.element)));
  // The sums that belong to the scores; the result may be any.
  Forward forward = attend(config, operands[1].values, operands[2].values,
                           operands[3].values);
  for (size_t i = 0; i < forward.logsumexp.size(); ++i) {
    auto value = static_cast<float>(forward.logsumexp[i]);
    std::memcpy(&operands[5].bytes[4 * i], &value, sizeof(value));
  }
  std::vector<Numbers> values;
  ASSERT_NO_FATAL_FAILURE(run(config, operands, values));
  std::vector<Numbers> exact = join(config, differentiate(config, values));
  for (size_t i = 0; i < exact.size(); ++i)
    expectNear(values[6 + i], exact[i], unitOf(config.element()),
               config.keys + config.queries + config.channels);
}

TEST_F(CudnnAttentionTest, IsThatOfLoops) {
  for (Element type : {Element::kF16, Element::kBF16})
    for (bool causal : {false, true})
      for (const CudnnAttentionBase &config :
           {shape(1, 1, 1, 1, 8, 8, causal, type),
            shape(2, 3, 7, 7, 16, 8, causal, type),
            shape(1, 2, 5, 13, 8, 24, causal, type),
            shape(3, 1, 1, 9, 64, 64, causal, type),
            shape(1, 1, 65, 130, 32, 16, causal, type)}) {
        SCOPED_TRACE(testing::Message()
                     << config.queries << " queries, " << config.keys
                     << " keys, causal " << causal << ", type " << config.type);
        expectForward(config);
        auto grad = of<CudnnAttentionGrad>(config);
        expectGradient(grad);
        grad.batch_parts = config.batch;
        expectGradient(grad);
      }
}

TEST_F(CudnnAttentionTest, MoreQueriesThanKeys) {
  expectForward(shape(1, 2, 9, 4, 8, 8, false));
  expectGradient(of<CudnnAttentionGrad>(shape(1, 2, 9, 4, 8, 8, false)));
}

TEST_F(CudnnAttentionTest, ReadsHeadsOfLargerArrays) {
  for (Element type : {Element::kF16, Element::kBF16})
    for (bool causal : {false, true}) {
      auto config =
          of<CudnnAttentionGrad>(shape(3, 2, 5, 13, 16, 8, causal, type));
      config.query_after = 4;
      config.key_before = 2;
      config.key_after = 1;
      config.value_before = 3;
      SCOPED_TRACE(testing::Message()
                   << "causal " << causal << ", type " << config.type);
      expectForward(config);
      expectGradient(config);
      config.batch_parts = 3;
      expectGradient(config);
    }
}

TEST_F(CudnnAttentionTest, WritesGradientsIntoOneArray) {
  for (int64_t joinQueryKey : {0, 1})
    for (int64_t joinKeyValue : {0, 1})
      for (int64_t other : {0, 3}) {
        SCOPED_TRACE(testing::Message() << joinQueryKey << joinKeyValue
                                        << ", other heads " << other);
        auto config = of<CudnnAttentionGrad>(shape(2, 3, 9, 9, 8, 8, true));
        config.join_query_key = joinQueryKey;
        config.join_key_value = joinKeyValue;
        config.key_before = config.query_after = other;
        expectGradient(config);
        config.batch_parts = 2;
        expectGradient(config);
      }
}
