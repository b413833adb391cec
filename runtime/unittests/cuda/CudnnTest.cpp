//===- CudnnTest.cpp - Calls of cuDNN on its stand-in ---------------------===//

#include "drivers/cuda/cudnn/Cudnn.h"
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
  template <typename Config> void expectConv(const CudnnConv2d &conv);
  void expectConvs(const CudnnConv2d &conv) {
    expectConv<CudnnConv2dForward>(conv);
    expectConv<CudnnConv2dDataGrad>(conv);
    expectConv<CudnnConv2dFilterGrad>(conv);
  }
  std::string algorithmOf(const Command &command) {
    auto call = libraries->prepare(command);
    EXPECT_TRUE(call.ok()) << call.status().toString();
    return call.ok() ? (*call)->algorithm() : "";
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Configurations
//===----------------------------------------------------------------------===//

/// The same with the extents of its output.
static CudnnConv2d withOutput(CudnnConv2d conv) {
  auto extent = [](int64_t in, int64_t padding, int64_t kernel,
                   int64_t dilation, int64_t stride) {
    return (in + padding - dilation * (kernel - 1) - 1) / stride + 1;
  };
  conv.oh = extent(conv.h, conv.pad_top + conv.pad_bottom, conv.kh,
                   conv.dilation_h, conv.stride_h);
  conv.ow = extent(conv.w, conv.pad_left + conv.pad_right, conv.kw,
                   conv.dilation_w, conv.stride_w);
  return conv;
}

static CudnnConv2d simple(int64_t n, int64_t c, int64_t h, int64_t oc,
                          int64_t k, int64_t padding) {
  CudnnConv2d conv;
  conv.n = n;
  conv.c = c;
  conv.h = conv.w = h;
  conv.oc = oc;
  conv.kh = conv.kw = k;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = padding;
  return withOutput(conv);
}

/// Everything that differs from one dimension to the other.
static CudnnConv2d uneven() {
  CudnnConv2d conv;
  conv.n = 3;
  conv.c = 4;
  conv.h = 9;
  conv.w = 8;
  conv.oc = 6;
  conv.kh = 3;
  conv.kw = 2;
  conv.stride_h = 2;
  conv.pad_top = 1;
  conv.pad_right = 3;
  conv.dilation_w = 2;
  conv.groups = 2;
  return withOutput(conv);
}

/// Room for the copies of all arrays and for partial sums.
static constexpr int64_t kWorkspace = 1 << 20;

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
template <typename Config> void CudnnTest::expectConv(const CudnnConv2d &conv) {
  Config config{conv};
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
  auto workspace = allocate(config.workspace);
  args.push_back(workspace->pointer());
  auto call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok()) << call.status().toString();
  ASSERT_TRUE((*call)->enqueue(args.data(), stream.get()).ok());
  size_t bytes = factors[2].bytes.size();
  std::vector<std::byte> got = copyOut(args[2], bytes);

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
  double perSum = std::max(1.0, double(terms) / double(sums.size()));
  double unit = unitOf(config.element());
  for (size_t i = 0; i < sums.size(); ++i)
    ASSERT_NEAR(decode(config.element(), &got[i * size]), sums[i],
                1e-6 * std::sqrt(perSum) * (1 + magnitudes[i]) +
                    1.01 * unit * std::fabs(sums[i]) +
                    (config.tf32 ? 1e-3 * magnitudes[i] : 0))
        << "element " << i;
  expectReplay(**call, args, args[2], got);
}

TEST_F(CudnnTest, ConvolutionsAreThoseOfLoops) {
  CudnnConv2d depthwise = simple(2, 6, 7, 6, 3, 1);
  depthwise.groups = 6;
  for (CudnnConv2d conv : {simple(2, 3, 8, 5, 3, 1), simple(1, 1, 4, 1, 4, 0),
                           simple(3, 4, 5, 7, 1, 0), depthwise, uneven()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (int64_t workspace : {int64_t(0), kWorkspace}) {
          conv.type = type;
          conv.layout = layout;
          conv.workspace = workspace;
          expectConvs(conv);
        }
}

TEST_F(CudnnTest, TF32RoundsTheFactors) {
  CudnnConv2dForward config{simple(1, 1, 1, 1, 1, 0)};
  config.workspace = kWorkspace;
  std::vector<float> values;
  for (int64_t tf32 : {0, 1}) {
    config.tf32 = tf32;
    auto call = libraries->prepare(makeCommand(config));
    ASSERT_TRUE(call.ok()) << call.status().toString();
    auto input = allocate(4), filter = allocate(4), out = allocate(4),
         workspace = allocate(kWorkspace);
    std::vector<std::byte> factor(4);
    float third = 1.0f / 3, one = 1;
    std::memcpy(factor.data(), &third, 4);
    copyIn(input->pointer(), factor);
    std::memcpy(factor.data(), &one, 4);
    copyIn(filter->pointer(), factor);
    DevicePointer args[] = {input->pointer(), filter->pointer(), out->pointer(),
                            workspace->pointer()};
    ASSERT_TRUE((*call)->enqueue(args, stream.get()).ok());
    std::memcpy(&values.emplace_back(), copyOut(out->pointer(), 4).data(), 4);
  }
  EXPECT_EQ(values[0], 1.0f / 3);
  EXPECT_EQ(values[1], 0x1.554p-2f);
  CudnnConv2d conv = simple(2, 8, 9, 8, 3, 1);
  conv.tf32 = 1;
  conv.workspace = kWorkspace;
  expectConvs(conv);
}

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

/// Of the stand-in's engines, 5 to 9 may not be used, 4 is refused by the
/// library, 3 needs tensor cores, and 0 is what is left without workspace.
TEST_F(CudnnTest, TheEngineIsTheFirstThatMayBeUsed) {
  CudnnConv2dForward forward{simple(2, 3, 4, 5, 3, 1)};
  CudnnConv2dFilterGrad filterGrad{simple(2, 3, 4, 5, 3, 1)};
  int64_t arrays = 4 * (2 * 3 * 16 + 5 * 3 * 9 + 2 * 5 * 16);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 0, 0 bytes of workspace");
  forward.workspace = filterGrad.workspace = kWorkspace;
  EXPECT_EQ(algorithmOf(makeCommand(forward)), "engine 1, knobs 2=1, " +
                                                   std::to_string(arrays) +
                                                   " bytes of workspace");
  EXPECT_EQ(algorithmOf(makeCommand(filterGrad)),
            "engine 2, knobs 2=2 12=2, 1080 bytes of workspace");
  filterGrad.workspace = 1024;
  EXPECT_EQ(algorithmOf(makeCommand(filterGrad)),
            "engine 0, 0 bytes of workspace");
  forward.tf32 = 1;
  EXPECT_EQ(algorithmOf(makeCommand(forward)), "engine 3, knobs 2=3, " +
                                                   std::to_string(arrays) +
                                                   " bytes of workspace");
  forward.layout = int64_t(calls::Layout::kNHWC);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 3, knobs 2=3, 0 bytes of workspace");
  forward.tf32 = 0;
  forward.type = int64_t(calls::Element::kBF16);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 3, knobs 2=3, 0 bytes of workspace");
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

TEST_F(CudnnTest, ErrorsNameTheFunction) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = 64;
  Command command = makeCommand(config);
  // The simulator knows the functions of a library that is open.
  ASSERT_TRUE(prepare(command).ok());
  for (auto [function, error, code] :
       {std::tuple{"cudnnCreate",
                   "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED",
                   StatusCode::kResourceExhausted},
        {"cudnnBackendCreateDescriptor",
         "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
         StatusCode::kResourceExhausted},
        {"cudnnBackendSetAttribute", "CUDNN_STATUS_BAD_PARAM",
         StatusCode::kInternal},
        {"cudnnBackendGetAttribute", "CUDNN_STATUS_BAD_PARAM",
         StatusCode::kInternal},
        {"cudnnBackendFinalize", "CUDNN_STATUS_INTERNAL_ERROR",
         StatusCode::kInternal}}) {
    // Each test has its own handle.
    libraries = std::make_unique<cuda::Libraries>(context);
    ASSERT_EQ(
        SIMULATOR(jobsim_set_failures)((std::string(function) + ":1").c_str()),
        0);
    // What the library says has no line breaks here.
    expectError(prepare(command), code,
                std::string(function) + " failed with " + error +
                    " (the failure was asked for): ");
  }
  SIMULATOR(jobsim_set_failures)("cudnnBackendFinalize:1:3000");
  expectError(prepare(command), StatusCode::kUnimplemented,
              "cudnnBackendFinalize failed with CUDNN_STATUS_NOT_SUPPORTED");
}

/// Each call of the library that fails is an error, of `prepare` or of
/// `enqueue`, and leaves nothing behind.
TEST_F(CudnnTest, EachFailingCallIsAnError) {
  CudnnConv2dFilterGrad config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = kWorkspace;
  Command command = makeCommand(config);
  ASSERT_TRUE(prepare(command).ok());
  std::vector<std::unique_ptr<cuda::CudaMemory>> memories;
  std::vector<DevicePointer> args;
  for (const BufferRef &buffer : command.args) {
    memories.push_back(allocate(buffer.bytes));
    args.push_back(memories.back()->pointer());
  }
  for (const char *function :
       {"cudnnCreate", "cudnnSetStream", "cudnnBackendCreateDescriptor",
        "cudnnBackendSetAttribute", "cudnnBackendGetAttribute",
        "cudnnBackendFinalize", "cudnnBackendExecute"}) {
    bool hasFailed = true;
    int number = 0;
    while (hasFailed && number < 1000) {
      libraries = std::make_unique<cuda::Libraries>(context);
      std::string failure =
          std::string(function) + ":" + std::to_string(++number);
      ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
      auto call = libraries->prepare(command);
      Status status = call.ok() ? (*call)->enqueue(args.data(), stream.get())
                                : call.status();
      hasFailed = !status.ok();
      if (hasFailed) {
        EXPECT_TRUE(contains(status.message(),
                             std::string(function) + " failed with CUDNN_"))
            << failure << ": " << status.message();
      }
    }
    EXPECT_GT(number, 1) << function;
    EXPECT_LT(number, 1000) << function;
  }
  SIMULATOR(jobsim_set_failures)(nullptr);
  ASSERT_EQ(api().streamSynchronize(stream.get()), cuda::kSuccess);
}

TEST_F(CudnnTest, AnEngineThatIsNotCompiledIsNotUsed) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = kWorkspace;
  ASSERT_TRUE(prepare(makeCommand(config)).ok());
  // Six descriptors of the graph, one of the heuristics, the plan that is
  // refused, and that of engine 1.
  SIMULATOR(jobsim_set_failures)("cudnnBackendFinalize:9:4001");
  EXPECT_EQ(algorithmOf(makeCommand(config)), "engine 0, 0 bytes of workspace");
}

TEST_F(CudnnTest, NoEngineIsAnError) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  ASSERT_TRUE(prepare(makeCommand(config)).ok());
  // The heuristics do not support the graph: no mode suggests an engine.
  SIMULATOR(jobsim_set_failures)
  ("cudnnBackendFinalize:7:3000,cudnnBackendFinalize:8:3001");
  expectError(prepare(makeCommand(config)), StatusCode::kUnimplemented,
              "cuDNN has no deterministic engine for it with a workspace of 0 "
              "bytes");
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

TEST_F(CudnnTest, AMissingLibraryIsNotFound) {
  setenv("JOBMLIR_CUDNN_LIBRARY", "/nowhere/libcudnn.so", 1);
  Status status = prepare(makeCommand(CudnnConv2dForward()));
  expectError(status, StatusCode::kNotFound,
              "cannot open cuDNN: /nowhere/libcudnn.so: ");
  expectError(status, StatusCode::kNotFound,
              "; the environment variable JOBMLIR_CUDNN_LIBRARY names the "
              "library's file");
}

TEST_F(CudnnTest, ALibraryForTheOtherCudaIsRefused) {
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_OLD_CUDNN, 1);
  expectError(prepare(makeCommand(CudnnConv2dForward())),
              StatusCode::kInvalidArgument,
              "expects a cuDNN for the simulated CUDA but got '");
}

TEST_F(CudnnTest, AnOldLibraryIsRefused) {
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_OLD_CUDNN, 1);
  expectError(cuda::cudnn::Api::open(**real).status(),
              StatusCode::kUnimplemented,
              "expects cuDNN 9 but got version 8.9 in '");
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_OLD_CUDA, 1);
  expectError(cuda::cudnn::Api::open(**real).status(),
              StatusCode::kUnimplemented,
              "has no function 'cudnnGetVersion': expects a newer cuDNN");
}

/// The vendor's library finalizes operations without a GPU.
TEST_F(CudnnTest, TheVendorsLibraryAcceptsTheOperations) {
  if (!*JOBRT_VENDOR_CUDNN)
    GTEST_SKIP() << "no libcudnn.so.9 on this machine";
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_VENDOR_CUDNN, 1);
  auto cudnn = cuda::cudnn::Api::open(**real);
  ASSERT_TRUE(cudnn.ok()) << cudnn.status().toString();
  for (CudnnConv2d conv : {simple(2, 3, 8, 5, 3, 1), uneven()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (Kind kind : {Kind::kForward, Kind::kDataGrad, Kind::kFilterGrad}) {
          conv.type = type;
          conv.layout = layout;
          auto operation = cuda::cudnn::createConv2d(**cudnn, conv, kind);
          EXPECT_TRUE(operation.ok()) << operation.status().toString();
        }
  // An output of another height.
  CudnnConv2d wrong = uneven();
  ++wrong.oh;
  expectError(
      cuda::cudnn::createConv2d(**cudnn, wrong, Kind::kForward).status(),
      StatusCode::kInternal,
      "cudnnBackendFinalize failed with CUDNN_STATUS_BAD_PARAM");
}
