//===- CublasLtTest.cpp - Calls of cuBLASLt -------------------------------===//

#include "unittests/cuda/LibraryTest.h"

#include <span>

using namespace jobrt;
using namespace jobrt::test;
using calls::CublasLtMatMul;
using cuda::DevicePointer;

namespace {
class CublasLtTest : public LibraryTest {
protected:
  void SetUp() override {
    LibraryTest::SetUp();
    skipWithoutLibrary(CublasLtMatMul());
  }

  void expectProduct(const CublasLtMatMul &config);
};
} // namespace

/// Runs the call once, and twice more in a graph, and compares with sums in
/// f64.
void CublasLtTest::expectProduct(const CublasLtMatMul &config) {
  SCOPED_TRACE(testing::Message()
               << config.batch << " x " << config.m << " x " << config.n
               << " x " << config.k << ", transposes " << config.transpose_a
               << config.transpose_b << ", type " << config.type << ", beta "
               << config.beta << ", out_f32 " << config.out_f32);
  std::mt19937_64 random(seed);
  Factor a = makeFactor(random, config.element(),
                        config.batch * config.m * config.k),
         b = makeFactor(random, config.element(),
                        config.batch * config.k * config.n);
  Factor bias = makeFactor(random, config.outElement(), config.n),
         c = makeFactor(random, config.outElement(),
                        config.batch * config.m * config.n);
  auto call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok()) << call.status().toString();
  int64_t count = config.batch * config.m * config.n;
  size_t bytes = count * bytesOf(config.outElement());
  auto aMemory = allocate(a.bytes.size()), bMemory = allocate(b.bytes.size()),
       biasMemory = allocate(bias.bytes.size()),
       cMemory = allocate(c.bytes.size()), out = allocate(bytes),
       workspace = allocate(config.workspace);
  copyIn(aMemory->pointer(), a.bytes);
  copyIn(bMemory->pointer(), b.bytes);
  copyIn(biasMemory->pointer(), bias.bytes);
  copyIn(cMemory->pointer(), c.bytes);
  std::vector<DevicePointer> args = {aMemory->pointer(), bMemory->pointer()};
  if (config.beta)
    args.push_back(cMemory->pointer());
  if (config.hasBias())
    args.push_back(biasMemory->pointer());
  args.insert(args.end(), {out->pointer(), workspace->pointer()});
  ASSERT_TRUE((*call)->enqueue(args.data(), stream.get()).ok());
  std::vector<std::byte> got = copyOut(out->pointer(), bytes);

  auto at = [](const Factor &factor, int64_t matrix, int64_t rows,
               int64_t columns, bool transposed, int64_t row, int64_t column) {
    int64_t index = transposed ? column * rows + row : row * columns + column;
    return factor.values[matrix * rows * columns + index];
  };
  std::vector<double> sums(count);
  double largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t matrix = i / (config.m * config.n), row = i / config.n % config.m,
            column = i % config.n;
    double sum = 0;
    for (int64_t k = 0; k < config.k; ++k)
      sum += at(a, matrix, config.m, config.k, config.transpose_a, row, k) *
             at(b, matrix, config.k, config.n, config.transpose_b, k, column);
    if (config.beta)
      sum += c.values[i];
    if (config.hasBias())
      sum += bias.values[column];
    largest = std::max(largest, std::fabs(sum));
    if (config.epilogue == int64_t(calls::Epilogue::kBiasRelu))
      sum = std::max(sum, 0.0);
    sums[i] = sum;
  }
  // That of the sum, relative to the largest magnitude, and that of rounding
  // the result.
  double unit = unitOf(config.outElement());
  double ofSum = (config.tf32 ? 1e-3 : 1e-6) * std::sqrt(config.k) * largest;
  for (int64_t i = 0; i < count; ++i)
    ASSERT_NEAR(
        decode(config.outElement(), &got[i * bytesOf(config.outElement())]),
        sums[i], ofSum + 1.01 * unit * std::fabs(sums[i]))
        << "element " << i;

  expectReplay(**call, args, out->pointer(), got);
}

TEST_F(CublasLtTest, ProductsAreThoseOfLoops) {
  for (int64_t type : {0, 1, 2})
    for (int64_t transposes = 0; transposes < 4; ++transposes)
      for (auto [batch, m, n, k] : {std::array<int64_t, 4>{1, 3, 5, 7},
                                    {1, 1, 1, 1},
                                    {4, 6, 1, 9},
                                    {3, 17, 33, 20},
                                    {1, 8, 8, 600}}) {
        CublasLtMatMul config{.batch = batch,
                              .m = m,
                              .n = n,
                              .k = k,
                              .transpose_a = transposes & 1,
                              .transpose_b = transposes >> 1,
                              .type = type};
        expectProduct(config);
        config.workspace = 1 << 16;
        expectProduct(config);
      }
}

TEST_F(CublasLtTest, BiasesArePerColumn) {
  for (int64_t type : {0, 1, 2})
    for (int64_t epilogue : {1, 2})
      for (auto [m, n, k] :
           {std::array<int64_t, 3>{3, 5, 7}, {1, 9, 2}, {9, 1, 2}, {8, 8, 600}})
        expectProduct({.m = m,
                       .n = n,
                       .k = k,
                       .transpose_b = 1,
                       .type = type,
                       .epilogue = epilogue,
                       .workspace = 4096});
}

TEST_F(CublasLtTest, ArraysAreAddedBeforeTheResultIsRounded) {
  for (int64_t type : {0, 1, 2})
    for (int64_t beta : {0, 1})
      for (int64_t out_f32 = 0; out_f32 <= (type ? 1 : 0); ++out_f32) {
        for (int64_t epilogue : {0, 1, 2})
          for (auto [m, n, k] : {std::array<int64_t, 3>{3, 5, 7}, {8, 8, 600}})
            expectProduct({.m = m,
                           .n = n,
                           .k = k,
                           .transpose_b = 1,
                           .type = type,
                           .beta = beta,
                           .out_f32 = out_f32,
                           .epilogue = epilogue,
                           .workspace = 4096});
        expectProduct({.batch = 3,
                       .m = 4,
                       .n = 6,
                       .k = 9,
                       .type = type,
                       .beta = beta,
                       .out_f32 = out_f32});
      }
}

/// Products of 16 x 24 with all other epilogues: what they write, from the
/// product alone, a bias and an auxiliary array.
TEST_F(CublasLtTest, EpiloguesAreThoseOfLoops) {
  constexpr int64_t m = 16, n = 24, k = 9;
  std::mt19937_64 random(seed);
  // a is transposed, as its sums need it.
  std::vector<float> a(k * m), b(k * n), bias(n), input(m * n);
  std::vector<uint8_t> mask(m * 128 / 8);
  for (std::vector<float> *values : {&a, &b, &bias, &input})
    for (float &value : *values)
      value = std::uniform_real_distribution<float>(-1, 1)(random);
  for (uint8_t &bits : mask)
    bits = random();
  auto upload = [&](const auto &values) {
    auto bytes = std::as_bytes(std::span(values));
    auto memory = allocate(bytes.size());
    copyIn(memory->pointer(), {bytes.begin(), bytes.end()});
    return memory;
  };
  auto aMemory = upload(a), bMemory = upload(b), biasMemory = upload(bias),
       maskMemory = upload(mask), inputMemory = upload(input);
  auto gelu = [](double x) {
    return 0.5 * x *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  };
  auto isInMask = [](const std::vector<uint8_t> &bits, int64_t row,
                     int64_t column) {
    return bits[row * 16 + column / 8] >> column % 8 & 1;
  };

  for (auto [epilogue, name] : {std::pair(calls::Epilogue::kRelu, "relu"),
                                {calls::Epilogue::kBiasReluMask, "mask"},
                                {calls::Epilogue::kReluGrad, "relu grad"},
                                {calls::Epilogue::kReluGradBiasGrad, "drelu"},
                                {calls::Epilogue::kBiasGelu, "gelu"},
                                {calls::Epilogue::kBiasGeluInput, "input"},
                                {calls::Epilogue::kGeluGrad, "gelu grad"},
                                {calls::Epilogue::kGeluGradBiasGrad, "dgelu"},
                                {calls::Epilogue::kBiasGradA, "a"},
                                {calls::Epilogue::kBiasGradB, "b"}}) {
    SCOPED_TRACE(name);
    CublasLtMatMul config{.m = m,
                          .n = n,
                          .k = k,
                          .transpose_a = 1,
                          .epilogue = int64_t(epilogue)};
    auto call = libraries->prepare(makeCommand(config));
    ASSERT_TRUE(call.ok()) << call.status().toString();
    std::vector<DevicePointer> args = {aMemory->pointer(), bMemory->pointer()};
    if (config.hasBias())
      args.push_back(biasMemory->pointer());
    if (config.hasAuxiliary() && !config.writesAuxiliary())
      args.push_back(config.hasMask() ? maskMemory->pointer()
                                      : inputMemory->pointer());
    std::vector<std::unique_ptr<cuda::CudaMemory>> results;
    std::vector<size_t> sizes;
    for (const calls::Buffer &buffer : config.buffers())
      if (buffer.isResult) {
        sizes.push_back(calls::arrayBytes(buffer));
        results.push_back(allocate(sizes.back()));
        args.push_back(results.back()->pointer());
      }
    ASSERT_TRUE((*call)->enqueue(args.data(), stream.get()).ok());
    auto download = [&]<typename T>(size_t index, std::vector<T> values) {
      std::vector<std::byte> bytes =
          copyOut(results[index]->pointer(), sizes[index]);
      values.resize(bytes.size() / sizeof(T));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      return values;
    };
    std::vector<float> out = download(0, std::vector<float>());
    std::vector<double> columns(n), ofA(m), ofB(n);
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column) {
        double x = 0;
        for (int64_t i = 0; i < k; ++i)
          x += double(a[i * m + row]) * b[i * n + column];
        if (config.hasBias())
          x += bias[column];
        if (config.writesAuxiliary()) {
          if (config.hasMask())
            EXPECT_EQ(
                isInMask(download(1, std::vector<uint8_t>()), row, column),
                x > 0);
          else
            EXPECT_NEAR(download(1, std::vector<float>())[row * n + column], x,
                        1e-5);
        }
        double at = input[row * n + column], h = 1e-4;
        if (config.is({calls::Epilogue::kRelu, calls::Epilogue::kBiasReluMask}))
          x = std::max(x, 0.0);
        else if (config.is({calls::Epilogue::kBiasGelu,
                            calls::Epilogue::kBiasGeluInput}))
          x = gelu(x);
        else if (config.hasMask())
          x = isInMask(mask, row, column) ? x : 0;
        else if (config.hasGeluInput())
          x *= (gelu(at + h) - gelu(at - h)) / (2 * h);
        columns[column] += x;
        EXPECT_NEAR(out[row * n + column], x, 1e-5);
      }
    for (int64_t i = 0; i < k; ++i) {
      for (int64_t row = 0; row < m; ++row)
        ofA[row] += a[i * m + row];
      for (int64_t column = 0; column < n; ++column)
        ofB[column] += b[i * n + column];
    }
    if (int64_t count = config.biasGradElements()) {
      const std::vector<double> &expected =
          epilogue == calls::Epilogue::kBiasGradA   ? ofA
          : epilogue == calls::Epilogue::kBiasGradB ? ofB
                                                    : columns;
      std::vector<float> got = download(1, std::vector<float>());
      for (int64_t i = 0; i < count; ++i)
        EXPECT_NEAR(got[i], expected[i], 1e-4) << "element " << i;
    }
  }
}

TEST_F(CublasLtTest, EpiloguesHaveTheirShapes) {
  auto expectDamage = [&](CublasLtMatMul config, const std::string &text) {
    expectError(prepare(makeCommand(config, 0)), StatusCode::kDataLoss, text);
  };
  expectDamage({.batch = 2, .m = 8, .n = 8, .k = 8, .epilogue = 12},
               "expects 'batch' to be 1 but got 2");
  expectDamage(
      {.m = 8, .n = 12, .k = 8, .epilogue = 8},
      "expects 'n' to be a multiple of 8 with the epilogue bias_gelu_input but "
      "got 12");
  expectDamage({.m = 8, .n = 8, .k = 8, .epilogue = 11},
               "expects 'transpose_a' to be 1 with the epilogue bias_grad_a "
               "but got 0");
  expectDamage({.m = 8, .n = 8, .k = 8, .transpose_b = 1, .epilogue = 12},
               "expects 'transpose_b' to be 0 with the epilogue bias_grad_b "
               "but got 1");
  for (int64_t epilogue : {5, 6, 9, 10, 12})
    expectDamage({.m = 8, .n = 8, .k = 1, .epilogue = epilogue},
                 std::string("expects 'k' from 2 with the epilogue ") +
                     calls::kEpilogueNames[epilogue] + " but got 1");
  expectDamage({.m = 8, .n = 8, .k = 8, .epilogue = 13},
               "expects 'epilogue' from 0 to 12 but got 13");
}

TEST_F(CublasLtTest, TF32RoundsTheFactors) {
  expectProduct({.m = 40, .n = 40, .k = 40, .tf32 = 1});
}

TEST_F(CublasLtTest, RefusesDamagedCommands) {
  CublasLtMatMul config{.m = 4, .n = 4, .k = 4, .workspace = 64};
  auto expectDamage = [&](auto change, const std::string &text) {
    Command command = makeCommand(config);
    change(command);
    expectError(prepare(command), StatusCode::kDataLoss, text);
  };
  expectDamage([](Command &command) { command.config["m"] = int64_t(0); },
               "expects 'm' from 1 to 2147483647 but got 0");
  expectDamage([](Command &command) { command.config["type"] = int64_t(3); },
               "expects 'type' from 0 to 2 but got 3");
  expectDamage([](Command &command) { command.config.erase("tf32"); },
               "expects 'tf32' in the configuration");
  expectDamage([](Command &command) { command.config["n"] = int64_t(5); },
               "expects 80 bytes for b but got 64");
  expectDamage([](Command &command) { command.config["type"] = int64_t(1); },
               "expects 32 bytes for a but got 64");
  expectDamage(
      [](Command &command) { command.config["workspace"] = int64_t(128); },
      "expects a workspace of 128 bytes, by its configuration, but got 64");
  expectDamage(
      [](Command &command) { command.config["workspace"] = int64_t(65); },
      "expects 'workspace' to be 64 but got 65");
  expectDamage(
      [](Command &command) {
        command.config["type"] = int64_t(2);
        command.config["tf32"] = int64_t(1);
      },
      "expects 'tf32' to be 0 but got 1");
  expectDamage([](Command &command) { command.args.back().offset = 64; },
               "expects a workspace at a multiple of 256 bytes but got one at "
               "64");
  config.epilogue = 1;
  expectDamage([](Command &command) { command.config["batch"] = int64_t(2); },
               "expects 'batch' to be 1 but got 2");
  expectDamage([](Command &command) { command.args.pop_back(); },
               "expects 5 buffers but got 4");
  config.epilogue = 0;
  Command command = makeCommand(config);
  command.callee = "cublaslt.nothing";
  expectError(prepare(command), StatusCode::kUnimplemented,
              "has no such function");
  EXPECT_FALSE(cuda::Libraries::has("onednn.matmul"));
}
