//===- NarrowTest.cpp - Calls of bf16 against those of f32 ----------------===//
//
// A call of bf16 rounds the result of the call of f32, which the other tests
// compare with loops, once.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/CpuFeatures.h"
#include "unittests/CallTest.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace jobrt;
using namespace jobrt::test;

namespace {

class NarrowTest : public testing::Test {
protected:
  void SetUp() override {
    if (!checkCpuFeatures({calls::kBF16Feature}).ok())
      GTEST_SKIP() << "no AVX512-BF16 here";
  }

  /// Compares a call in every order of its chunks with the one of f32.
  template <typename Config> void check(Config config, int64_t terms);

  std::mt19937_64 random{testSeed()};
};

/// The buffers of a command.
struct Arrays {
  std::vector<GuardedBuffer> buffers;
  std::vector<void *> args;

  explicit Arrays(const Command &command) {
    for (const BufferRef &arg : command.args)
      buffers.emplace_back(arg.bytes);
    for (GuardedBuffer &buffer : buffers)
      args.push_back(buffer.data());
  }
};

} // namespace

static float widen(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

template <typename Config>
void NarrowTest::check(Config config, int64_t terms) {
  Config wide = config;
  config.type = static_cast<int64_t>(calls::Element::kBF16);
  ASSERT_EQ(calls::check(config), "");
  Command command = makeCommand(config);
  if constexpr (requires { wide.tile; })
    wide.slice = 64 << 20;
  else
    wide.slice = 0;
  Command wideCommand = makeCommand(wide);
  Arrays narrow(command), exact(wideCommand);
  // The numbers of both are those that bf16 has.
  for (int i = 0; i < 2; ++i) {
    exact.buffers[i].fillRandom(random);
    auto *bits = static_cast<uint16_t *>(narrow.args[i]);
    for (int64_t j = 0; j < exact.buffers[i].count(); ++j) {
      bits[j] = std::bit_cast<uint32_t>(exact.buffers[i].data()[j]) >> 16;
      exact.buffers[i].data()[j] = widen(bits[j]);
    }
  }
  auto call = createCall(command), wideCall = createCall(wideCommand);
  ASSERT_TRUE(call.ok()) << call.status().message();
  ASSERT_TRUE(wideCall.ok()) << wideCall.status().message();
  ASSERT_TRUE(runCall(**wideCall, wideCommand.chunks, exact.args.data(),
                      ChunkOrder::kForward)
                  .ok());
  const float *expected = exact.buffers[2].data();
  int64_t count = exact.buffers[2].count();
  float largest = 0;
  for (int64_t i = 0; i < count; ++i)
    largest = std::max(largest, std::fabs(expected[i]));

  std::vector<uint16_t> first;
  for (ChunkOrder order : kChunkOrders) {
    for (size_t i = 2; i < narrow.buffers.size(); ++i)
      narrow.buffers[i].poison();
    Status status = runCall(**call, command.chunks, narrow.args.data(), order);
    ASSERT_TRUE(status.ok()) << status.message();
    for (const GuardedBuffer &buffer : narrow.buffers)
      ASSERT_TRUE(buffer.guardsIntact());
    auto *got = static_cast<uint16_t *>(narrow.args[2]);
    if (first.empty())
      first.assign(got, got + count);
    EXPECT_EQ(0, std::memcmp(first.data(), got, count * sizeof(uint16_t)))
        << "other bits in chunk order " << int(order);
  }
  // Half a unit of 8 bits, and the error of the sums.
  for (int64_t i = 0; i < count; ++i)
    ASSERT_NEAR(widen(first[i]), expected[i],
                0x1p-8 * std::fabs(expected[i]) +
                    2e-6 * std::sqrt(double(terms)) * largest)
        << "element " << i << " of " << count;
}

static calls::MatMul product(int64_t m, int64_t n, int64_t k, bool transposeA,
                             bool transposeB, int64_t batch = 1) {
  calls::MatMul config;
  config.batch = batch;
  config.m = m;
  config.n = n;
  config.k = k;
  config.transpose_a = transposeA;
  config.transpose_b = transposeB;
  return config;
}

TEST_F(NarrowTest, ProductsAreThoseOfF32) {
  auto parts = [](int64_t extent, int64_t parts) {
    return calls::filledParts(calls::ceilDiv(extent, calls::kBlock), parts);
  };
  for (calls::MatMul config :
       {product(100, 512, 784, false, true), product(1, 1, 1, false, false),
        product(512, 100, 70, true, false), product(33, 65, 17, true, true),
        product(17, 5, 9, false, false, 7), product(1, 300, 40, false, true),
        product(300, 1, 40, true, false), product(64, 64, 32, false, true, 5),
        // One term less than whole tiles.
        product(33, 41, 63, false, false), product(37, 17, 63, true, true),
        product(65, 16, 4095, false, true), product(134, 41, 2047, true, false),
        product(40, 32, 31, false, false, 2)})
    // In a slice that the library fits into, and in memory of the call.
    for (int64_t slice : {int64_t(4) << 20, int64_t(0)})
      for (auto [rows, columns] : {std::pair(1, 1), {2, 3}, {8, 8}}) {
        config.slice = slice;
        config.batch_parts = calls::filledParts(config.batch, rows);
        config.row_parts = parts(config.m, rows);
        config.column_parts = parts(config.n, columns);
        if (config.chunks() <= JOBRT_MAX_CHUNKS)
          check(config, config.k);
      }
}

TEST_F(NarrowTest, RandomProductsAreThoseOfF32) {
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    calls::MatMul config =
        product(uniform(1, 150), uniform(1, 150), uniform(1, 150),
                uniform(0, 1), uniform(0, 1), uniform(1, 3));
    config.slice = 1 << 20;
    check(config, config.k);
  }
}

/// n c h, oc, a square kernel, stride, padding.
static calls::Conv2d convolution(int64_t n, int64_t c, int64_t h, int64_t oc,
                                 int64_t k, int64_t stride, int64_t pad) {
  calls::Conv2d conv;
  conv.n = n;
  conv.c = c;
  conv.h = conv.w = h;
  conv.oc = oc;
  conv.kh = conv.kw = k;
  conv.oh = conv.ow = (h + 2 * pad - k) / stride + 1;
  conv.stride_h = conv.stride_w = stride;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = pad;
  conv.slice = 16 << 20;
  return conv;
}

TEST_F(NarrowTest, ConvolutionsAreThoseOfF32) {
  struct Row {
    calls::Conv2d conv;
    calls::Layout layout;
    int64_t batchParts, channelParts;
  };
  for (auto [conv, layout, batchParts, channelParts] :
       {Row{convolution(13, 1, 28, 32, 5, 1, 2), calls::Layout::kNCHW, 1, 1},
        {convolution(5, 32, 14, 64, 5, 1, 2), calls::Layout::kNCHW, 4, 3},
        {convolution(5, 32, 14, 64, 3, 1, 1), calls::Layout::kNHWC, 4, 3},
        {convolution(7, 3, 15, 17, 7, 2, 3), calls::Layout::kNCHW, 4, 1},
        {convolution(7, 3, 15, 17, 3, 2, 1), calls::Layout::kNHWC, 1, 3},
        {convolution(3, 16, 8, 48, 1, 1, 0), calls::Layout::kNCHW, 4, 3},
        {convolution(3, 16, 9, 48, 1, 2, 0), calls::Layout::kNHWC, 1, 1},
        {convolution(5, 5, 6, 7, 3, 1, 0), calls::Layout::kNCHW, 4, 1},
        // Pixels of the window that are never on the image.
        {convolution(4, 256, 2, 64, 7, 1, 3), calls::Layout::kNHWC, 1, 1},
        // Whole windows are padding.
        {convolution(2, 32, 5, 8, 2, 3, 4), calls::Layout::kNCHW, 1, 1},
        {convolution(3, 32, 8, 32, 3, 2, 7), calls::Layout::kNHWC, 1, 1},
        {convolution(1, 128, 6, 160, 3, 1, 1), calls::Layout::kNCHW, 1, 3}}) {
    conv.layout = static_cast<int64_t>(layout);
    conv.batch_parts = calls::filledParts(conv.n, batchParts);
    conv.tile = calls::filledParts(calls::ceilDiv(conv.n, conv.batch_parts), 3);
    auto channels = [parts = channelParts](int64_t count) {
      return calls::filledParts(calls::ceilDiv(count, calls::kBlock), parts);
    };
    conv.channel_parts = channels(conv.oc);
    check(calls::Conv2dForward{conv}, conv.c * conv.kh * conv.kw);
    check(calls::Conv2dFilterGrad{conv}, conv.n * conv.oh * conv.ow);
    conv.channel_parts = channels(conv.c);
    check(calls::Conv2dDataGrad{conv}, conv.oc * conv.kh * conv.kw);
  }
}

TEST(NarrowConfigTest, OtherTypesAreRefused) {
  Command command = makeCommand(product(4, 4, 4, false, false));
  command.config["type"] = static_cast<int64_t>(calls::Element::kF16);
  auto call = createCall(command);
  EXPECT_EQ(call.status().message(), "expects 'type' f32 or bf16 but got f16");
  command = makeCommand(product(4, 4, 4, false, false));
  command.config["slice"] = int64_t(64);
  EXPECT_EQ(createCall(command).status().message(),
            "expects 'slice' to be 0 but got 64");
  command = makeCommand(calls::Conv2dForward{convolution(1, 1, 4, 1, 1, 1, 0)});
  command.config["type"] = static_cast<int64_t>(calls::Element::kF16);
  EXPECT_EQ(createCall(command).status().message(),
            "expects 'type' f32 or bf16 but got f16");
}
