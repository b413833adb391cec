//===- CudnnTest.cpp - Calls of cuDNN -------------------------------------===//

#include "unittests/cuda/CudnnCases.h"
#include "unittests/cuda/LibraryTest.h"

using namespace jobrt;
using namespace jobrt::test;
using calls::CudnnConv2d;
using calls::CudnnConv2dDataGrad;
using calls::CudnnConv2dFilterGrad;
using calls::CudnnConv2dForward;
using cuda::DevicePointer;
using Kind = calls::Conv2dKind;

namespace {
class CudnnTest : public LibraryTest {
protected:
  void SetUp() override {
    LibraryTest::SetUp();
    skipWithoutLibrary(CudnnConv2dForward{simple(1, 1, 1, 1, 1, 0)});
  }

  template <typename Config> void expectConv(const Config &config);
  void expectConvs(const CudnnConv2d &conv) {
    expectConv(CudnnConv2dForward{conv});
    expectConv(CudnnConv2dDataGrad{conv});
    expectConv(CudnnConv2dFilterGrad{conv});
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The place of an element of NCHW or OIHW.
static int64_t placeOf(const CudnnConv2d &conv,
                       const std::vector<int64_t> &extents, int64_t n,
                       int64_t c, int64_t h, int64_t w) {
  if (conv.layout == int64_t(calls::Layout::kNHWC))
    return ((n * extents[2] + h) * extents[3] + w) * extents[1] + c;
  return ((n * extents[1] + c) * extents[2] + h) * extents[3] + w;
}

/// Calls `visit(input, filter, output)` with the places of each product of the
/// convolution.
template <typename Visit>
static void forEachProduct(const CudnnConv2d &conv, Visit visit) {
  std::vector<int64_t> input = conv.inputExtents(),
                       filter = conv.filterExtents(),
                       output = conv.outputExtents();
  int64_t groupC = conv.c / conv.groups, groupOc = conv.oc / conv.groups;
  for (int64_t n = 0; n < conv.n; ++n)
    for (int64_t oc = 0; oc < conv.oc; ++oc)
      for (int64_t oh = 0; oh < conv.oh; ++oh)
        for (int64_t ow = 0; ow < conv.ow; ++ow)
          for (int64_t c = 0; c < groupC; ++c)
            for (int64_t kh = 0; kh < conv.kh; ++kh)
              for (int64_t kw = 0; kw < conv.kw; ++kw) {
                int64_t h = oh * conv.stride_h + kh * conv.dilation_h -
                            conv.pad_top,
                        w = ow * conv.stride_w + kw * conv.dilation_w -
                            conv.pad_left;
                if (h < 0 || h >= conv.h || w < 0 || w >= conv.w)
                  continue;
                visit(placeOf(conv, input, n, oc / groupOc * groupC + c, h, w),
                      placeOf(conv, filter, oc, c, kh, kw),
                      placeOf(conv, output, n, oc, oh, ow));
              }
}

/// Runs the call once, and twice more in a graph, and compares with sums in
/// f64.
template <typename Config> void CudnnTest::expectConv(const Config &config) {
  const CudnnConv2d &conv = config;
  SCOPED_TRACE(testing::Message()
               << Config::kCallee << " " << conv.n << " x " << conv.c << " x "
               << conv.h << " x " << conv.w << " to " << conv.oc
               << " channels, " << conv.groups << " groups, type " << conv.type
               << ", layout " << conv.layout << ", workspace "
               << conv.workspace);
  ASSERT_EQ(calls::check(config), "");
  std::mt19937_64 random(seed);
  std::vector<calls::Buffer> buffers = config.buffers();
  std::vector<Factor> factors;
  std::vector<std::unique_ptr<cuda::CudaMemory>> memories;
  std::vector<DevicePointer> args;
  size_t size = bytesOf(config.element());
  for (const calls::Buffer &buffer : buffers) {
    factors.push_back(
        makeFactor(random, config.element(), calls::arrayBytes(buffer) / size));
    memories.push_back(allocate(calls::arrayBytes(buffer)));
    args.push_back(memories.back()->pointer());
    if (!buffer.isResult)
      copyIn(args.back(), factors.back().bytes);
  }
  size_t out = buffers.size() - 1;
  auto workspace = allocate(config.workspace);
  args.push_back(workspace->pointer());
  auto call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok()) << call.status().toString();
  ASSERT_TRUE((*call)->enqueue(args.data(), stream.get()).ok());
  size_t bytes = factors[out].bytes.size();
  std::vector<std::byte> got = copyOut(args[out], bytes);

  std::vector<double> sums(bytes / size), magnitudes(bytes / size);
  int64_t terms = 0;
  forEachProduct(conv, [&](int64_t input, int64_t filter, int64_t output) {
    int64_t result = output;
    double product;
    if (Config::kKind == Kind::kForward) {
      product = factors[0].values[input] * factors[1].values[filter];
    } else if (Config::kKind == Kind::kDataGrad) {
      product = factors[0].values[output] * factors[1].values[filter];
      result = input;
    } else {
      product = factors[0].values[output] * factors[1].values[input];
      result = filter;
    }
    sums[result] += product;
    magnitudes[result] += std::fabs(product);
    ++terms;
  });
  if constexpr (Config::kKind == Kind::kForward) {
    for (size_t i = 0; config.hasBias() && i < sums.size(); ++i) {
      double bias = factors[2].values[i / config.biasRun() % config.oc];
      sums[i] += bias;
      magnitudes[i] += std::fabs(bias);
      if (config.hasRelu())
        sums[i] = std::max(sums[i], 0.0);
    }
  }
  double perSum = std::max(1.0, double(terms) / double(sums.size()));
  double unit = unitOf(config.element());
  for (size_t i = 0; i < sums.size(); ++i)
    ASSERT_NEAR(decode(config.element(), &got[i * size]), sums[i],
                1e-6 * std::sqrt(perSum) * (1 + magnitudes[i]) +
                    1.01 * unit * std::fabs(sums[i]) +
                    (config.tf32 ? 1e-3 * magnitudes[i] : 0))
        << "element " << i;
  expectReplay(**call, args, args[out], got);
}

TEST_F(CudnnTest, ConvolutionsAreThoseOfLoops) {
  CudnnConv2d depthwise = simple(2, 6, 7, 6, 3, 1);
  depthwise.groups = 6;
  for (CudnnConv2d conv : {simple(2, 3, 8, 5, 3, 1), simple(1, 1, 4, 1, 4, 0),
                           simple(3, 4, 5, 7, 1, 0), depthwise, uneven()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (int64_t workspace : {int64_t(0), kWorkspace}) {
          // The vendor's library need not have an engine without workspace.
          if (workspace == 0 && !isSimulated())
            continue;
          conv.type = type;
          conv.layout = layout;
          conv.workspace = workspace;
          expectConvs(conv);
        }
}

/// The stand-in computes these with oneDNN, where there is one.
TEST_F(CudnnTest, LargeConvolutionsAreThoseOfLoops) {
  CudnnConv2d depthwise = simple(4, 96, 20, 96, 3, 1),
              grouped = simple(2, 32, 13, 48, 3, 1),
              dilated = simple(2, 16, 24, 16, 3, 2);
  depthwise.groups = 96;
  grouped.groups = 4;
  dilated.dilation_h = dilated.dilation_w = 2;
  dilated.stride_h = 2;
  dilated.pad_left = 0;
  for (CudnnConv2d conv :
       {simple(2, 32, 12, 48, 3, 1), depthwise, grouped, withOutput(dilated)})
    for (int64_t layout : {0, 1}) {
      conv.layout = layout;
      conv.workspace = 8 * kWorkspace;
      expectConvs(conv);
    }
  CudnnConv2dForward narrow{simple(2, 32, 12, 48, 3, 1)};
  narrow.type = int64_t(calls::Element::kBF16);
  narrow.epilogue = int64_t(calls::Epilogue::kBiasRelu);
  narrow.workspace = kWorkspace;
  expectConv(narrow);
}

TEST_F(CudnnTest, EpiloguesAreThoseOfLoops) {
  for (CudnnConv2d conv :
       {simple(2, 3, 8, 5, 3, 1), simple(3, 4, 5, 7, 1, 0), uneven()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (auto epilogue :
             {calls::Epilogue::kBias, calls::Epilogue::kBiasRelu}) {
          CudnnConv2dForward config{conv};
          config.type = type;
          config.layout = layout;
          config.epilogue = static_cast<int64_t>(epilogue);
          config.workspace = kWorkspace;
          expectConv(config);
        }
}

TEST_F(CudnnTest, TF32RoundsTheFactors) {
  CudnnConv2d conv = simple(2, 8, 9, 8, 3, 1);
  conv.tf32 = 1;
  conv.workspace = kWorkspace;
  expectConvs(conv);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(CudnnTest, RefusesDamagedCommands) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = 64;
  auto expectDamage = [&](auto change, const std::string &text) {
    Command command = makeCommand(config);
    change(command);
    expectError(prepare(command), StatusCode::kDataLoss, text);
  };
  expectDamage([](Command &command) { command.config["n"] = int64_t(0); },
               "expects 'n' from 1 to 2147483647 but got 0");
  expectDamage([](Command &command) { command.config["layout"] = int64_t(2); },
               "expects 'layout' from 0 to 1 but got 2");
  expectDamage([](Command &command) { command.config.erase("layout"); },
               "expects 'layout' in the configuration");
  expectDamage([](Command &command) { command.config["n"] = int64_t(3); },
               "expects 576 bytes for input but got 384");
  expectDamage([](Command &command) { command.config["type"] = int64_t(1); },
               "expects 192 bytes for input but got 384");
  expectDamage([](Command &command) { command.config["oh"] = int64_t(3); },
               "expects 'oh' to be 4 but got 3");
  expectDamage(
      [](Command &command) { command.config["workspace"] = int64_t(128); },
      "expects a workspace of 128 bytes, by its configuration, but "
      "got 64");
  Command command = makeCommand(config);
  command.callee = "cudnn.nothing";
  expectError(prepare(command), StatusCode::kUnimplemented,
              "has no such function");
}
