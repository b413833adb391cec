//===- AttentionTest.cpp - Attention against plain loops ------------------===//

#include "drivers/host/HostDriver.h"
#include "drivers/host/attention/Kernels.h"
#include "unittests/CallTest.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace jobrt;
using namespace jobrt::attention;
using namespace jobrt::test;

using Case = calls::AttentionBase;

namespace {
/// Operands and results of both calls in double precision.
struct Reference {
  std::vector<double> result, logsumexp, queryGrad, keyGrad, valueGrad;
  /// The largest term of the gradients of queries and keys before the two parts
  /// of a score's gradient cancel, as they do when there is one key.
  double largestTerm = 0;
};
} // namespace

static Case makeCase(int64_t batch, int64_t heads, int64_t queries,
                     int64_t keys, int64_t channels, int64_t valueChannels,
                     bool causal) {
  Case s;
  s.batch = batch;
  s.heads = heads;
  s.queries = queries;
  s.keys = keys;
  s.channels = channels;
  s.value_channels = valueChannels;
  s.causal = causal;
  s.scale = 1 / std::sqrt(double(channels));
  return s;
}

static std::string describe(const Case &s) {
  std::string text;
  for (int64_t extent :
       {s.batch, s.heads, s.queries, s.keys, s.channels, s.value_channels})
    text += std::to_string(extent) + " ";
  return text + (s.causal ? "causal" : "all") + ", parts " +
         std::to_string(s.head_parts) + " " + std::to_string(s.query_parts);
}

static int64_t queryBytes(const Case &s) {
  return 4 * s.batch * s.queries * s.heads * s.channels;
}
static int64_t keyBytes(const Case &s) {
  return 4 * s.batch * s.keys * s.heads * s.channels;
}
static int64_t valueBytes(const Case &s) {
  return 4 * s.batch * s.keys * s.heads * s.value_channels;
}
static int64_t resultBytes(const Case &s) {
  return 4 * s.batch * s.queries * s.heads * s.value_channels;
}
static int64_t rowBytes(const Case &s) {
  return 4 * s.batch * s.heads * s.queries;
}

/// Operands are those of the gradient: grad, query, key, value.
static Reference compute(const Case &s, std::vector<GuardedBuffer> &operands) {
  const float *grad = operands[0].data(), *query = operands[1].data(),
              *key = operands[2].data(), *value = operands[3].data();
  Reference r;
  r.result.resize(operands[0].count());
  r.logsumexp.resize(rowBytes(s) / 4);
  r.queryGrad.resize(operands[1].count());
  r.keyGrad.resize(operands[2].count());
  r.valueGrad.resize(operands[3].count());
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h)
      for (int64_t t = 0; t < s.queries; ++t) {
        int64_t row = (b * s.queries + t) * s.heads + h;
        int64_t q = row * s.channels, y = row * s.value_channels;
        int64_t visible = s.causal ? t + s.keys - s.queries + 1 : s.keys;
        auto atKey = [&](int64_t k) { return (b * s.keys + k) * s.heads + h; };
        std::vector<double> weights(visible);
        double largest = -INFINITY, sum = 0, mean = 0;
        for (int64_t k = 0; k < visible; ++k) {
          for (int64_t c = 0; c < s.channels; ++c)
            weights[k] += double(query[q + c]) * key[atKey(k) * s.channels + c];
          weights[k] *= s.scale;
          largest = std::max(largest, weights[k]);
        }
        for (double &weight : weights)
          sum += weight = std::exp(weight - largest);
        r.logsumexp[(b * s.heads + h) * s.queries + t] =
            largest + std::log(sum);
        for (int64_t k = 0; k < visible; ++k)
          for (int64_t c = 0; c < s.value_channels; ++c)
            r.result[y + c] += (weights[k] /= c == 0 ? sum : 1) *
                               value[atKey(k) * s.value_channels + c];
        for (int64_t c = 0; c < s.value_channels; ++c)
          mean += grad[y + c] * r.result[y + c];
        for (int64_t k = 0; k < visible; ++k) {
          int64_t at = atKey(k) * s.channels, v = atKey(k) * s.value_channels;
          double weightGrad = 0;
          for (int64_t c = 0; c < s.value_channels; ++c) {
            weightGrad += double(grad[y + c]) * value[v + c];
            r.valueGrad[v + c] += weights[k] * grad[y + c];
          }
          double scoreGrad = s.scale * weights[k] * (weightGrad - mean);
          double parts = std::abs(s.scale) * weights[k] *
                         (std::abs(weightGrad) + std::abs(mean));
          for (int64_t c = 0; c < s.channels; ++c) {
            r.largestTerm =
                std::max({r.largestTerm, parts * std::abs(key[at + c]),
                          parts * std::abs(query[q + c])});
            r.queryGrad[q + c] += scoreGrad * key[at + c];
            r.keyGrad[at + c] += scoreGrad * query[q + c];
          }
        }
      }
  return r;
}

/// Runs a command in all orders of its chunks; the buffers that it writes are
/// the same each time.
static void run(const Command &command, std::vector<GuardedBuffer *> buffers) {
  auto call = createCall(command);
  ASSERT_TRUE(call.ok()) << call.status().message();
  GuardedBuffer workspace(command.args.back().bytes);
  buffers.push_back(&workspace);
  std::vector<void *> args;
  for (GuardedBuffer *buffer : buffers)
    args.push_back(buffer->data());
  std::vector<std::vector<float>> first(buffers.size());
  for (ChunkOrder order : kChunkOrders) {
    workspace.poison();
    for (size_t i = 0; i < buffers.size(); ++i)
      if (command.args[i].isWritten)
        buffers[i]->poison();
    Status status = runCall(**call, command.chunks, args.data(), order);
    ASSERT_TRUE(status.ok()) << status.message();
    for (size_t i = 0; i < buffers.size(); ++i) {
      ASSERT_TRUE(buffers[i]->guardsIntact()) << "buffer " << i;
      if (!command.args[i].isWritten)
        continue;
      GuardedBuffer &buffer = *buffers[i];
      if (first[i].empty())
        first[i].assign(buffer.data(), buffer.data() + buffer.count());
      EXPECT_EQ(0, std::memcmp(first[i].data(), buffer.data(), buffer.bytes()))
          << "other bits of buffer " << i << " in chunk order " << int(order);
    }
  }
}

static void checkSplit(const Case &s, std::mt19937_64 &random) {
  SCOPED_TRACE(describe(s));
  std::vector<GuardedBuffer> operands;
  for (int64_t bytes :
       {resultBytes(s), queryBytes(s), keyBytes(s), valueBytes(s)}) {
    operands.emplace_back(bytes);
    operands.back().fillRandom(random);
  }
  Reference exact = compute(s, operands);
  GuardedBuffer result(resultBytes(s)), logsumexp(rowBytes(s));
  run(makeCommand(calls::Attention{s}),
      {&operands[1], &operands[2], &operands[3], &result, &logsumexp});
  int64_t terms = s.keys + s.channels;
  expectClose(result.data(), exact.result, terms);
  expectClose(logsumexp.data(), exact.logsumexp, terms);

  GuardedBuffer queryGrad(queryBytes(s)), keyGrad(keyBytes(s)),
      valueGrad(valueBytes(s));
  run(makeCommand(calls::AttentionGrad{s}),
      {&operands[0], &operands[1], &operands[2], &operands[3], &result,
       &logsumexp, &queryGrad, &keyGrad, &valueGrad});
  terms += s.queries + s.value_channels;
  expectClose(queryGrad.data(), exact.queryGrad, terms, exact.largestTerm);
  expectClose(keyGrad.data(), exact.keyGrad, terms, exact.largestTerm);
  expectClose(valueGrad.data(), exact.valueGrad, terms);
}

static void check(Case s, std::mt19937_64 &random) {
  checkSplit(s, random);
  s.head_parts = calls::filledParts(s.items(), (s.items() + 1) / 2);
  checkSplit(s, random);
  s.head_parts = s.items();
  s.query_parts =
      calls::filledParts(calls::ceilDiv(s.queries, calls::kQueryBlock), 3);
  checkSplit(s, random);
}

TEST(Attention, KnownShapes) {
  std::mt19937_64 random(testSeed());
  for (bool causal : {false, true})
    for (const Case &s : {makeCase(2, 3, 1, 1, 1, 1, causal),
                          makeCase(1, 1, 1, 17, 5, 3, causal),
                          makeCase(2, 1, 17, 17, 5, 5, causal),
                          makeCase(1, 2, 49, 300, 16, 7, causal),
                          makeCase(1, 3, 300, 300, 64, 64, causal),
                          makeCase(2, 2, 97, 97, 33, 80, causal),
                          makeCase(1, 1, 520, 600, 8, 16, causal)})
      check(s, random);
}

TEST(Attention, RandomShapes) {
  std::mt19937_64 random(testSeed());
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 40 && !::testing::Test::HasFailure(); ++i) {
    int64_t queries = uniform(1, 120);
    Case s = makeCase(uniform(1, 3), uniform(1, 3), queries,
                      queries + uniform(0, 300), uniform(1, 70), uniform(1, 70),
                      uniform(0, 1));
    // Without a mask there may be fewer keys than queries.
    if (!s.causal && uniform(0, 1))
      s.keys = uniform(1, queries);
    check(s, random);
  }
}

/// Scores of hundreds, and a negative scale.
TEST(Attention, LargeScores) {
  std::mt19937_64 random(testSeed());
  Case s = makeCase(1, 2, 40, 300, 16, 8, true);
  for (double scale : {100.0, -100.0}) {
    s.scale = scale;
    std::vector<GuardedBuffer> operands;
    for (int64_t bytes :
         {resultBytes(s), queryBytes(s), keyBytes(s), valueBytes(s)}) {
      operands.emplace_back(bytes);
      operands.back().fillRandom(random);
    }
    // Powers of two: products are exact, and so are the scores.
    for (size_t i : {1, 2})
      for (int64_t j = 0; j < operands[i].count(); ++j)
        operands[i].data()[j] = operands[i].data()[j] < 0 ? -0.5f : 0.25f;
    Reference exact = compute(s, operands);
    GuardedBuffer result(resultBytes(s)), logsumexp(rowBytes(s));
    run(makeCommand(calls::Attention{s}),
        {&operands[1], &operands[2], &operands[3], &result, &logsumexp});
    expectClose(result.data(), exact.result, s.keys);
    expectClose(logsumexp.data(), exact.logsumexp, s.keys);
  }
}

/// A query that holds a NaN makes its own results NaN and no others.
TEST(Attention, UndefinedQueriesStayAlone) {
  Case s = makeCase(1, 1, 20, 20, 4, 4, true);
  std::mt19937_64 random(testSeed());
  std::vector<GuardedBuffer> operands;
  for (int64_t bytes : {queryBytes(s), keyBytes(s), valueBytes(s)}) {
    operands.emplace_back(bytes);
    operands.back().fillRandom(random);
  }
  operands[0].data()[7 * 4 + 2] = NAN;
  GuardedBuffer result(resultBytes(s)), logsumexp(rowBytes(s));
  GuardedBuffer workspace(calls::Attention{s}.workspaceBytes());
  auto call = createCall(makeCommand(calls::Attention{s}));
  ASSERT_TRUE(call.ok());
  void *args[] = {operands[0].data(), operands[1].data(), operands[2].data(),
                  result.data(),      logsumexp.data(),   workspace.data()};
  ASSERT_TRUE((*call)->execute(args, 0).ok());
  for (int64_t t = 0; t < s.queries; ++t) {
    EXPECT_EQ(std::isnan(logsumexp.data()[t]), t == 7);
    for (int64_t c = 0; c < 4; ++c)
      EXPECT_EQ(std::isnan(result.data()[4 * t + c]), t == 7);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Problem makeProblem(const Case &s) {
  return {s.queries,
          s.keys,
          s.channels,
          s.value_channels,
          s.heads * s.channels,
          s.heads * s.value_channels,
          s.causal != 0,
          static_cast<float>(s.scale)};
}

/// The tests above run the best kernels; here are the others.
TEST(AttentionKernels, AllOfThem) {
  std::mt19937_64 random(testSeed());
  Case s = makeCase(1, 1, 70, 333, 21, 37, true);
  std::vector<GuardedBuffer> operands;
  for (int64_t bytes :
       {resultBytes(s), queryBytes(s), keyBytes(s), valueBytes(s)}) {
    operands.emplace_back(bytes);
    operands.back().fillRandom(random);
  }
  Reference exact = compute(s, operands);
  const float *grad = operands[0].data(), *query = operands[1].data(),
              *key = operands[2].data(), *value = operands[3].data();
  for (int i = 0; i < supportedKernels().count; ++i) {
    const Kernels &kernels = *supportedKernels().kernels[i];
    SCOPED_TRACE(kernels.instructions);
    GuardedBuffer result(resultBytes(s)), logsumexp(rowBytes(s)),
        queryGrad(queryBytes(s)), keyGrad(keyBytes(s)),
        valueGrad(valueBytes(s)), scratch(4 * calls::AttentionGrad{s}.slice()),
        forwardScratch(4 * calls::Attention{s}.slice());
    kernels.forward(makeProblem(s),
                    {query, key, value, result.data(), logsumexp.data(), 0,
                     s.queries, forwardScratch.data()});
    kernels.grad(makeProblem(s),
                 {grad, query, key, value, result.data(), logsumexp.data(),
                  queryGrad.data(), keyGrad.data(), valueGrad.data(),
                  s.channels, s.value_channels, 0, s.queries, scratch.data()});
    for (GuardedBuffer *buffer : {&result, &logsumexp, &queryGrad, &keyGrad,
                                  &valueGrad, &scratch, &forwardScratch})
      EXPECT_TRUE(buffer->guardsIntact());
    expectClose(result.data(), exact.result, s.keys);
    expectClose(logsumexp.data(), exact.logsumexp, s.keys);
    expectClose(queryGrad.data(), exact.queryGrad, s.keys);
    expectClose(keyGrad.data(), exact.keyGrad, s.keys);
    expectClose(valueGrad.data(), exact.valueGrad, s.keys);
  }
}

TEST(AttentionKernels, BestFirst) {
  const KernelList &list = supportedKernels();
  const char *best = "generic";
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    best = "avx2";
  if (__builtin_cpu_supports("avx512bw"))
    best = "avx512";
#endif
  EXPECT_STREQ(list.kernels[0]->instructions, best);
  EXPECT_STREQ(list.kernels[list.count - 1]->instructions, "generic");
}

TEST(AttentionKernels, Exponential) {
  for (int i = 0; i < supportedKernels().count; ++i) {
    const Kernels &kernels = *supportedKernels().kernels[i];
    SCOPED_TRACE(kernels.instructions);
    double worst = 0;
    std::vector<float> x, y;
    for (float value = -87.3f; value < 88.7f; value += 0.00037f)
      x.push_back(value);
    y.resize(x.size());
    kernels.exp(x.data(), y.data(), x.size());
    for (size_t j = 0; j < x.size(); ++j) {
      double exact = std::exp(double(x[j]));
      float ulp = std::nextafter(float(exact), INFINITY) - float(exact);
      worst = std::max(worst, std::abs(y[j] - exact) / ulp);
    }
    EXPECT_LE(worst, 2);
    float special[] = {0.0f, -0.0f, -87.4f, -INFINITY, 88.8f, INFINITY, NAN};
    float result[7];
    kernels.exp(special, result, 7);
    EXPECT_EQ(result[0], 1.0f);
    EXPECT_EQ(result[1], 1.0f);
    EXPECT_EQ(result[2], 0.0f);
    EXPECT_EQ(result[3], 0.0f);
    EXPECT_EQ(result[4], INFINITY);
    EXPECT_EQ(result[5], INFINITY);
    EXPECT_TRUE(std::isnan(result[6]));
  }
}

//===----------------------------------------------------------------------===//
// The contract
//===----------------------------------------------------------------------===//

TEST(Attention, WorkspaceOfTheContract) {
  // Parts of the heads.
  Case many = makeCase(8, 12, 256, 256, 64, 64, true);
  many.head_parts = 8;
  EXPECT_EQ(calls::Attention{many}.workspaceBytes(),
            4 * 8 * (256 * 128 + 48 * 256 + 256 * 64 + 2 * 256));
  EXPECT_EQ(calls::AttentionGrad{many}.workspaceBytes(),
            4 * 8 * (256 * 5 * 64 + 48 * 128 + 2 * 48 * 256 + 256 * 65));
  // Parts of the queries, with partial sums of the gradients.
  Case few = makeCase(1, 2, 1024, 1024, 64, 64, false);
  few.head_parts = 2;
  few.query_parts = 4;
  EXPECT_EQ(few.partQueries(), 288);
  EXPECT_EQ(calls::AttentionGrad{few}.partial(), 1024 * 128);
  EXPECT_EQ(calls::AttentionGrad{many}.partial(), 0);
}

enum class Function { kForward, kGrad };

static void expectRefused(Function function,
                          const std::function<void(Command &)> &damage,
                          const std::string &message) {
  Case s = makeCase(2, 3, 4, 5, 6, 7, true);
  s.head_parts = 2;
  Command command = function == Function::kGrad
                        ? makeCommand(calls::AttentionGrad{s})
                        : makeCommand(calls::Attention{s});
  command.location = "train.py:7:2";
  damage(command);
  auto call = createCall(command);
  ASSERT_FALSE(call.ok()) << message;
  EXPECT_EQ(call.status().code(), StatusCode::kDataLoss);
  EXPECT_EQ(call.status().message(), message);
  EXPECT_EQ(call.status().location(), "train.py:7:2");
}

TEST(Attention, DamagedCommandIsRefused) {
  auto set = [](const char *key, ConfigValue value) {
    return [=](Command &command) { command.config[key] = value; };
  };
  auto forward = Function::kForward, grad = Function::kGrad;
  expectRefused(
      forward, [](Command &command) { command.config.erase("scale"); },
      "expects 'scale' in the configuration");
  expectRefused(forward, set("mask", int64_t(1)),
                "has no configuration key 'mask'");
  expectRefused(grad, set("causal", int64_t(2)),
                "expects 'causal' from 0 to 1 but got 2");
  expectRefused(grad, set("heads", 3.0),
                "expects an integer as 'heads' but got a fraction");
  for (double scale : {1e39, -1e300, HUGE_VAL, std::nan("")}) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", scale);
    expectRefused(grad, set("scale", scale),
                  std::string("expects 'scale' to be finite in "
                              "f32 but got ") +
                      text);
  }
  for (const char *key :
       {"batch", "heads", "queries", "keys", "channels", "value_channels"})
    for (int64_t value : {INT64_MIN, int64_t(-1), int64_t(0), int64_t(1) << 31,
                          int64_t(1) << 60, INT64_MAX})
      expectRefused(forward, set(key, value),
                    std::string("expects '") + key +
                        "' from 1 to 2147483647 but got " +
                        std::to_string(value));
  expectRefused(
      forward,
      [](Command &command) { command.args.back().space = Space::kConstant; },
      "expects the last buffer in the space workspace but got "
      "one in constant");
  expectRefused(forward, set("keys", int64_t(3)),
                "expects at least 4 for 'keys' but got 3");
  expectRefused(
      forward, [](Command &command) { command.args[4].bytes = 100; },
      "expects 96 bytes for logsumexp but got 100");
  expectRefused(
      grad, [](Command &command) { command.args[7].isWritten = false; },
      "expects key_grad to be written and not read");
  expectRefused(
      grad, [](Command &command) { command.args[4].isRead = false; },
      "expects result to be read and not written");
  expectRefused(
      grad, [](Command &command) { command.args.pop_back(); },
      "expects 10 buffers but got 9");
  expectRefused(
      forward,
      [](Command &command) {
        for (const char *key : {"batch", "heads"})
          command.config[key] = int64_t(INT32_MAX);
      },
      "the size of query overflows");
  expectRefused(
      forward, [](Command &command) { command.args.back().bytes -= 4; },
      "expects a workspace of 5376 bytes, by its configuration, but got "
      "5372");
}

/// An integer stands for a fraction.
TEST(Attention, IntegerScale) {
  Command command =
      makeCommand(calls::Attention{makeCase(1, 1, 2, 2, 4, 4, false)});
  command.config["scale"] = int64_t(1);
  EXPECT_TRUE(createCall(command).ok());
}

/// What rounds to a number of f32 is one, as for the compiler: decimals of the
/// largest may be above it.
TEST(Attention, TheLargestScale) {
  Command command =
      makeCommand(calls::Attention{makeCase(1, 1, 2, 2, 4, 4, false)});
  for (double scale : {3.40282347e+38, -3.40282347e+38, 3.4028235677e+38}) {
    command.config["scale"] = scale;
    auto call = createCall(command);
    EXPECT_TRUE(call.ok()) << call.status().message();
  }
  // Half way to the next power of two, which rounds to infinity.
  command.config["scale"] = 3.4028235678e+38;
  EXPECT_FALSE(createCall(command).ok());
}

TEST(Attention, AnErrorNamesTheCallOnce) {
  EntryInfo entry;
  entry.name = "train";
  Command command =
      makeCommand(calls::Attention{makeCase(1, 1, 2, 2, 4, 4, false)});
  command.config.erase("scale");
  auto call = createLibraryCall(entry, command);
  ASSERT_FALSE(call.ok());
  EXPECT_EQ(call.status().message(),
            "job 'train', host.attention: expects 'scale' in the "
            "configuration");
}
