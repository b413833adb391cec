//===- CudnnPoolTest.cpp - Poolings of cuDNN ------------------------------===//

#include "unittests/cuda/CudnnCases.h"
#include "unittests/cuda/LibraryTest.h"

using namespace jobrt;
using namespace jobrt::test;
using calls::CudnnAvgPool2d;
using calls::CudnnAvgPool2dBase;
using calls::CudnnAvgPool2dGrad;
using cuda::DevicePointer;

namespace {
class CudnnPoolTest : public LibraryTest {
protected:
  void SetUp() override {
    LibraryTest::SetUp();
    skipWithoutLibrary(CudnnAvgPool2d{unevenPool()});
  }

  template <typename Config> void expectPool(const CudnnAvgPool2dBase &pool);
  void expectPools(const CudnnAvgPool2dBase &pool) {
    expectPool<CudnnAvgPool2d>(pool);
    expectPool<CudnnAvgPool2dGrad>(pool);
  }
};
} // namespace

/// Calls `visit(output, input, cells)` for each element of each window that is
/// not padding, with the number of these elements.
template <typename Visit>
static void forEachCell(const CudnnAvgPool2dBase &pool, Visit visit) {
  auto place = [&](const std::vector<int64_t> &extents, int64_t plane,
                   int64_t h, int64_t w) {
    int64_t n = plane / pool.c, c = plane % pool.c;
    return pool.layout == int64_t(calls::Layout::kNHWC)
               ? ((n * extents[2] + h) * extents[3] + w) * pool.c + c
               : (plane * extents[2] + h) * extents[3] + w;
  };
  std::vector<int64_t> input = pool.inputExtents(),
                       output = pool.outputExtents();
  for (int64_t plane = 0; plane < pool.n * pool.c; ++plane)
    for (int64_t oh = 0; oh < pool.oh; ++oh)
      for (int64_t ow = 0; ow < pool.ow; ++ow) {
        int64_t top = oh * pool.stride_h - pool.pad_top,
                left = ow * pool.stride_w - pool.pad_left;
        int64_t h0 = std::max<int64_t>(top, 0),
                h1 = std::min(top + pool.kh, pool.h),
                w0 = std::max<int64_t>(left, 0),
                w1 = std::min(left + pool.kw, pool.w);
        for (int64_t h = h0; h < h1; ++h)
          for (int64_t w = w0; w < w1; ++w)
            visit(place(output, plane, oh, ow), place(input, plane, h, w),
                  (h1 - h0) * (w1 - w0));
      }
}

/// Runs the call once, and twice more in a graph, and compares with sums in
/// f64.
template <typename Config>
void CudnnPoolTest::expectPool(const CudnnAvgPool2dBase &pool) {
  Config config{pool};
  SCOPED_TRACE(testing::Message()
               << Config::kCallee << " of " << pool.kh << " x " << pool.kw
               << ", type " << pool.type << ", layout " << pool.layout);
  ASSERT_EQ(calls::check(config), "");
  std::mt19937_64 random(seed);
  size_t size = bytesOf(config.element());
  std::vector<calls::Buffer> buffers = config.buffers();
  int64_t bytes = calls::arrayBytes(buffers[1]);
  Factor factor = makeFactor(random, config.element(),
                             calls::arrayBytes(buffers[0]) / size);
  auto from = allocate(factor.bytes.size()), to = allocate(bytes);
  copyIn(from->pointer(), factor.bytes);
  std::vector<DevicePointer> args = {from->pointer(), to->pointer()};
  auto call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok()) << call.status().toString();
  ASSERT_TRUE((*call)->enqueue(args.data(), stream.get()).ok());
  std::vector<std::byte> got = copyOut(to->pointer(), bytes);

  std::vector<double> sums(bytes / size);
  forEachCell(pool, [&](int64_t output, int64_t input, int64_t cells) {
    sums[Config::kIsGradient ? input : output] +=
        factor.values[Config::kIsGradient ? output : input] / cells;
  });
  for (size_t i = 0; i < sums.size(); ++i)
    ASSERT_NEAR(decode(config.element(), &got[i * size]), sums[i],
                1e-5 + 1.01 * unitOf(config.element()) * std::fabs(sums[i]))
        << "element " << i;
  expectReplay(**call, args, to->pointer(), got);
}

TEST_F(CudnnPoolTest, PoolingsAreThoseOfLoops) {
  for (CudnnAvgPool2dBase pool : {unevenPool(), globalPool()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1}) {
        pool.type = type;
        pool.layout = layout;
        expectPools(pool);
      }
}

TEST_F(CudnnPoolTest, RefusesDamagedCommands) {
  CudnnAvgPool2dGrad config{unevenPool()};
  auto expectDamage = [&](const char *key, int64_t value,
                          const std::string &text) {
    Command command = makeCommand(config);
    command.config[key] = value;
    expectError(prepare(command), StatusCode::kDataLoss, text);
  };
  expectDamage("kh", 0, "expects 'kh' from 1 to 2147483647 but got 0");
  expectDamage("pad_right", 4, "expects 'pad_right' from 0 to 3 but got 4");
  expectDamage("ow", 7, "expects 'ow' to be 8 but got 7");
  expectDamage("n", 3, "expects 1152 bytes for grad_out but got 768");
}
