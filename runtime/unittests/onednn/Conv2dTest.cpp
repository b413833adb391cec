//===- Conv2dTest.cpp - Convolutions against plain loops ------------------===//

#include "unittests/CallTest.h"

#include <cstring>

using namespace jobrt;
using namespace jobrt::test;

using Kind = calls::Conv2dKind;

static constexpr Kind kKinds[] = {Kind::kForward, Kind::kDataGrad,
                                  Kind::kFilterGrad};

/// Sets oh and ow.
static calls::Conv2d withOutput(calls::Conv2d conv) {
  auto extent = [](int64_t in, int64_t padding, int64_t kernel,
                   int64_t dilation, int64_t stride) {
    return (in + padding - (dilation * (kernel - 1) + 1)) / stride + 1;
  };
  conv.oh = extent(conv.h, conv.pad_top + conv.pad_bottom, conv.kh,
                   conv.dilation_h, conv.stride_h);
  conv.ow = extent(conv.w, conv.pad_left + conv.pad_right, conv.kw,
                   conv.dilation_w, conv.stride_w);
  return conv;
}

/// n c h w, oc, a square kernel, stride, padding.
static calls::Conv2d simple(int64_t n, int64_t c, int64_t h, int64_t oc,
                            int64_t k, int64_t stride, int64_t pad) {
  calls::Conv2d conv = {};
  conv.n = n, conv.c = c, conv.h = conv.w = h, conv.oc = oc;
  conv.kh = conv.kw = k;
  conv.stride_h = conv.stride_w = stride;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = pad;
  conv.dilation_h = conv.dilation_w = conv.groups = 1;
  return withOutput(conv);
}

static std::string describe(const calls::Conv2d &conv) {
  std::string text;
  auto add = [&](const char *name, std::initializer_list<int64_t> values) {
    text += name;
    for (int64_t value : values)
      text += " " + std::to_string(value);
    text += "; ";
  };
  add("input", {conv.n, conv.c, conv.h, conv.w});
  add("filter", {conv.oc, conv.kh, conv.kw});
  add("out", {conv.oh, conv.ow});
  add("stride", {conv.stride_h, conv.stride_w});
  add("pad", {conv.pad_top, conv.pad_left, conv.pad_bottom, conv.pad_right});
  add("dilation", {conv.dilation_h, conv.dilation_w});
  add("groups", {conv.groups});
  add("layout", {conv.layout});
  add("parts", {conv.batch_parts, conv.channel_parts});
  add("tile", {conv.tile});
  return text;
}

static int64_t inputCount(const calls::Conv2d &conv) {
  return conv.n * conv.c * conv.h * conv.w;
}
static int64_t filterCount(const calls::Conv2d &conv) {
  return conv.oc * (conv.c / conv.groups) * conv.kh * conv.kw;
}
static int64_t outputCount(const calls::Conv2d &conv) {
  return conv.n * conv.oc * conv.oh * conv.ow;
}

static Command makeCommand(const calls::Conv2d &conv, Kind kind) {
  switch (kind) {
  case Kind::kForward:
    return makeCommand(calls::Conv2dForward{conv});
  case Kind::kDataGrad:
    return makeCommand(calls::Conv2dDataGrad{conv});
  case Kind::kFilterGrad:
    return makeCommand(calls::Conv2dFilterGrad{conv});
  }
  return {};
}

/// The convolution in at most so many parts, with slices that suffice for the
/// fastest algorithms.
static calls::Conv2d split(calls::Conv2d conv, Kind kind, int64_t batchParts,
                           int64_t channelParts) {
  conv.batch_parts = calls::filledParts(conv.n, batchParts);
  int64_t channels = kind == Kind::kDataGrad ? conv.c : conv.oc;
  conv.channel_parts =
      conv.groups != 1
          ? 1
          : calls::filledParts(calls::ceilDiv(channels, calls::kBlock),
                               channelParts);
  conv.tile = calls::ceilDiv(calls::ceilDiv(conv.n, conv.batch_parts), 2);
  int64_t c = calls::roundToBlock(conv.c) + calls::kBlock * conv.groups,
          oc = calls::roundToBlock(conv.oc) + calls::kBlock * conv.groups;
  int64_t area = conv.kh * conv.kw, positions = conv.oh * conv.ow;
  conv.slice = 4 * (conv.tile * (c * conv.h * conv.w + oc * positions) +
                    (c * area + c) * positions + 8 * c * oc * area) +
               (1 << 15);
  conv.slice = calls::ceilDiv(conv.slice, 64) * 64;
  return conv;
}

/// The index of an element of images, or of a filter, with `c` channels.
static int64_t getIndex(const calls::Conv2d &conv, int64_t c, int64_t h,
                        int64_t w, int64_t image, int64_t channel, int64_t row,
                        int64_t column) {
  if (conv.isChannelsLast())
    return ((image * h + row) * w + column) * c + channel;
  return ((image * c + channel) * h + row) * w + column;
}

/// Calls `visit(input index, filter index, output index)` for each product.
template <typename Visit>
static void forEachProduct(const calls::Conv2d &conv, Visit visit) {
  int64_t groupC = conv.c / conv.groups, groupOc = conv.oc / conv.groups;
  for (int64_t n = 0; n < conv.n; ++n)
    for (int64_t o = 0; o < conv.oc; ++o)
      for (int64_t y = 0; y < conv.oh; ++y)
        for (int64_t x = 0; x < conv.ow; ++x)
          for (int64_t i = 0; i < groupC; ++i)
            for (int64_t ky = 0; ky < conv.kh; ++ky)
              for (int64_t kx = 0; kx < conv.kw; ++kx) {
                int64_t iy =
                    y * conv.stride_h - conv.pad_top + ky * conv.dilation_h;
                int64_t ix =
                    x * conv.stride_w - conv.pad_left + kx * conv.dilation_w;
                if (iy < 0 || iy >= conv.h || ix < 0 || ix >= conv.w)
                  continue;
                int64_t c = o / groupOc * groupC + i;
                visit(getIndex(conv, conv.c, conv.h, conv.w, n, c, iy, ix),
                      getIndex(conv, groupC, conv.kh, conv.kw, o, i, ky, kx),
                      getIndex(conv, conv.oc, conv.oh, conv.ow, n, o, y, x));
              }
}

/// The exact result and the largest number of terms of one sum.
static std::vector<double> reference(const calls::Conv2d &conv, Kind kind,
                                     const float *a, const float *b,
                                     int64_t &terms) {
  std::vector<double> result;
  switch (kind) {
  case Kind::kForward:
    terms = conv.c / conv.groups * conv.kh * conv.kw;
    result.resize(outputCount(conv));
    forEachProduct(conv, [&](int64_t in, int64_t filter, int64_t out) {
      result[out] += double(a[in]) * b[filter];
    });
    break;
  case Kind::kDataGrad:
    terms = conv.oc / conv.groups * conv.kh * conv.kw;
    result.resize(inputCount(conv));
    forEachProduct(conv, [&](int64_t in, int64_t filter, int64_t out) {
      result[in] += double(a[out]) * b[filter];
    });
    break;
  case Kind::kFilterGrad:
    terms = conv.n * conv.oh * conv.ow;
    result.resize(filterCount(conv));
    forEachProduct(conv, [&](int64_t in, int64_t filter, int64_t out) {
      result[filter] += double(a[out]) * b[in];
    });
    break;
  }
  return result;
}

/// Runs one call in every order; checks value, bits and guards.
static void check(const calls::Conv2d &conv, Kind kind,
                  std::mt19937_64 &random) {
  Command command = makeCommand(conv, kind);
  SCOPED_TRACE(command.callee + ": " + describe(conv));
  int64_t chunks = command.chunks;
  auto call = createCall(command);
  ASSERT_TRUE(call.ok()) << call.status().message();

  std::vector<GuardedBuffer> buffers;
  for (const BufferRef &arg : command.args)
    buffers.emplace_back(arg.bytes);
  void *args[4];
  for (int i = 0; i < 4; ++i)
    args[i] = buffers[i].data();
  buffers[0].fillRandom(random);
  buffers[1].fillRandom(random);

  int64_t terms;
  std::vector<double> exact =
      reference(conv, kind, buffers[0].data(), buffers[1].data(), terms);
  std::vector<float> first;
  for (ChunkOrder order : kChunkOrders) {
    buffers[2].poison();
    buffers[3].poison();
    Status status = runCall(**call, chunks, args, order);
    ASSERT_TRUE(status.ok()) << status.message();
    for (int i = 0; i < 4; ++i)
      ASSERT_TRUE(buffers[i].guardsIntact()) << "buffer " << i;
    if (first.empty()) {
      first.assign(buffers[2].data(), buffers[2].data() + exact.size());
      expectClose(first.data(), exact, terms);
    }
    EXPECT_EQ(0, std::memcmp(first.data(), buffers[2].data(),
                             first.size() * sizeof(float)))
        << "other bits in chunk order " << int(order);
  }
}

static void checkAll(const calls::Conv2d &conv, int64_t batchParts,
                     int64_t channelParts, std::mt19937_64 &random) {
  for (calls::Layout layout : {calls::Layout::kNCHW, calls::Layout::kNHWC})
    for (Kind kind : kKinds) {
      calls::Conv2d config = split(conv, kind, batchParts, channelParts);
      config.layout = static_cast<int64_t>(layout);
      check(config, kind, random);
    }
}

namespace {
/// By the parts of the batch and of the channels, each a test of its own: all
/// together take minutes under a sanitizer.
class Conv2dParts : public testing::TestWithParam<std::pair<int, int>> {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Conv2d, Conv2dParts,
                         testing::Values(std::pair(1, 1), std::pair(8, 1),
                                         std::pair(1, 8), std::pair(3, 4)));

TEST_P(Conv2dParts, KnownShapes) {
  auto [batchParts, channelParts] = GetParam();
  std::mt19937_64 random(testSeed());
  calls::Conv2d grouped = simple(6, 64, 9, 32, 3, 1, 1);
  grouped.groups = 4;
  calls::Conv2d depthwise = simple(5, 24, 10, 24, 3, 2, 1);
  depthwise.groups = 24;
  calls::Conv2d dilated = simple(4, 8, 12, 20, 3, 1, 2);
  dilated.dilation_h = dilated.dilation_w = 2;
  dilated = withOutput(dilated);
  for (const calls::Conv2d &conv :
       {simple(13, 1, 28, 32, 5, 1, 2), simple(9, 32, 14, 64, 5, 1, 2),
        simple(7, 3, 15, 17, 7, 2, 3), simple(3, 16, 8, 48, 1, 1, 0),
        simple(3, 16, 9, 48, 1, 2, 0), grouped, depthwise, dilated,
        simple(1, 128, 6, 160, 3, 1, 1), simple(9, 144, 2, 128, 3, 1, 1),
        simple(3, 32, 24, 48, 3, 1, 1), simple(2, 3, 40, 64, 7, 2, 3)})
    checkAll(conv, batchParts, channelParts, random);
}

/// A random configuration of moderate size.
static calls::Conv2d randomConfig(std::mt19937_64 &random) {
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (;;) {
    calls::Conv2d conv = {};
    conv.n = uniform(1, 9);
    conv.groups = uniform(0, 3) ? 1 : uniform(2, 6);
    conv.c = conv.groups * (uniform(0, 1) ? uniform(1, 5) : uniform(1, 36));
    conv.oc = conv.groups * (uniform(0, 1) ? uniform(1, 5) : uniform(1, 36));
    conv.h = uniform(1, 13), conv.w = uniform(1, 13);
    conv.kh = uniform(1, 5), conv.kw = uniform(1, 5);
    conv.stride_h = uniform(1, 3), conv.stride_w = uniform(1, 3);
    conv.pad_top = uniform(0, 3), conv.pad_bottom = uniform(0, 3);
    conv.pad_left = uniform(0, 3), conv.pad_right = uniform(0, 3);
    conv.dilation_h = uniform(1, 3), conv.dilation_w = uniform(1, 3);
    if (conv.dilation_h * (conv.kh - 1) + 1 >
            conv.h + conv.pad_top + conv.pad_bottom ||
        conv.dilation_w * (conv.kw - 1) + 1 >
            conv.w + conv.pad_left + conv.pad_right)
      continue;
    return withOutput(conv);
  }
}

TEST(Conv2d, RandomConfigs) {
  std::mt19937_64 random(testSeed());
  for (int i = 0; i < 150 && !::testing::Test::HasFailure(); ++i) {
    calls::Conv2d conv = randomConfig(random);
    auto parts = [&] {
      return std::uniform_int_distribution<int64_t>(1, 5)(random);
    };
    checkAll(conv, parts(), parts(), random);
  }
}

/// Steps and paddings as large as they may be.
TEST(Conv2d, LargeSteps) {
  std::mt19937_64 random(testSeed());
  calls::Conv2d single = simple(3, 4, 6, 8, 3, 1, 1);
  single.stride_h = single.stride_w = INT32_MAX;
  calls::Conv2d point = simple(3, 4, 6, 8, 1, 1, 0);
  point.dilation_h = point.dilation_w = INT32_MAX;
  calls::Conv2d far = simple(2, 4, 3, 8, 3, 9000, JOBRT_CONV2D_MAX_PADDING);
  calls::Conv2d wide = simple(2, 4, 5, 8, 3, 1, JOBRT_CONV2D_MAX_PADDING);
  wide.dilation_h = wide.dilation_w = JOBRT_CONV2D_MAX_PADDING;
  for (const calls::Conv2d &conv : {single, point, far, wide})
    for (int64_t parts : {1, 2})
      checkAll(withOutput(conv), parts, 1, random);
}

TEST(Conv2d, SmallWorkspaceTakesAnotherAlgorithm) {
  std::mt19937_64 random(testSeed());
  for (int64_t parts : {1, 3})
    for (Kind kind : kKinds) {
      calls::Conv2d conv = split(simple(6, 8, 9, 16, 3, 1, 1), kind, parts, 1);
      conv.slice = kind == Kind::kFilterGrad
                       ? 2 * ((4 * filterCount(conv) + 63) / 64 * 64)
                       : 64;
      check(conv, kind, random);
    }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void expectRefused(const std::function<void(Command &)> &damage,
                          const std::string &message) {
  Command command = makeCommand(
      split(simple(2, 4, 6, 8, 3, 1, 1), Kind::kForward, 1, 1), Kind::kForward);
  command.location = "train.py:7:2";
  damage(command);
  auto call = createCall(command);
  ASSERT_FALSE(call.ok()) << message;
  EXPECT_EQ(call.status().code(), StatusCode::kDataLoss);
  EXPECT_EQ(call.status().message(), message);
  EXPECT_EQ(call.status().location(), "train.py:7:2");
}

TEST(Conv2d, DamagedConfigIsRefused) {
  auto set = [](const char *key, int64_t value) {
    return [=](Command &command) { command.config[key] = value; };
  };
  expectRefused([](Command &command) { command.config.erase("kw"); },
                "expects 'kw' in the configuration");
  expectRefused(set("relu", 1), "has no configuration key 'relu'");
  expectRefused(set("stride_h", 0),
                "expects 'stride_h' from 1 to 2147483647 but "
                "got 0");
  expectRefused(set("pad_left", -1),
                "expects 'pad_left' from 0 to 16384 but got -1");
  expectRefused(set("pad_bottom", 16385),
                "expects 'pad_bottom' from 0 to 16384 but got "
                "16385");
  expectRefused(set("groups", 3), "expects 'c' to be a "
                                  "multiple of the 3 groups but got 4");
  expectRefused(set("oh", 7), "expects 'oh' to be 6 but got 7");
  expectRefused(set("ow", 5), "expects 'ow' to be 6 but got 5");
  expectRefused(set("dilation_w", 9),
                "expects a padded input of at least 19 for "
                "'ow' but got 8");
  expectRefused(set("h", INT32_MAX),
                "expects a padded input of at most 2147483647 "
                "for 'oh' but got 2147483649");
}

/// Every number at the edges of 32 and 64 bits, for every key: none of them
/// makes a call, and nothing overflows on the way.
TEST(Conv2d, AbsurdNumbersAreRefused) {
  for (Kind kind : kKinds) {
    Command good =
        makeCommand(split(simple(2, 4, 6, 8, 3, 1, 1), kind, 1, 1), kind);
    for (const auto &[key, value] : good.config)
      for (int64_t absurd :
           {INT64_MIN, INT64_MIN + 1, int64_t(INT32_MIN), int64_t(-1),
            int64_t(INT32_MAX), int64_t(1) << 31, int64_t(1) << 32,
            int64_t(1) << 60, INT64_MAX - 1, INT64_MAX}) {
        Command command = good;
        command.config[key] = absurd;
        auto call = createCall(command);
        ASSERT_FALSE(call.ok()) << key << " " << absurd;
        EXPECT_EQ(call.status().code(), StatusCode::kDataLoss);
      }
  }
}

TEST(Conv2d, DamagedBuffersAreRefused) {
  expectRefused([](Command &command) { command.args.pop_back(); },
                "expects 4 buffers but got 3");
  expectRefused([](Command &command) { command.args[1].bytes += 64; },
                "expects 1152 bytes for filter but got 1216");
  expectRefused([](Command &command) { command.chunks = 0; },
                "expects 1 chunks, by its configuration, but got 0");
  expectRefused([](Command &command) { command.args[3].space = Space::kBank; },
                "expects the last buffer in the space workspace "
                "but got one in bank");
  expectRefused(
      [](Command &command) {
        for (const char *key : {"n", "c"})
          command.config[key] = INT32_MAX;
      },
      "the size of input overflows");
  expectRefused([](Command &command) { command.args[3].bytes -= 64; },
                "expects a workspace of 382976 bytes, by its configuration, "
                "but got 382912");
  calls::Conv2d conv = simple(2, 4, 6, 8, 3, 1, 1);
  conv.batch_parts = 2;
  auto call = createCall(makeCommand(conv, Kind::kFilterGrad));
  ASSERT_FALSE(call.ok());
  EXPECT_EQ(call.status().code(), StatusCode::kDataLoss);
  EXPECT_EQ(call.status().message(), "expects a workspace of at least 2304 "
                                     "bytes a chunk but got 64");
}
