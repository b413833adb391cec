//===- LibraryTest.h - What tests of libraries on a GPU share ---*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_LIBRARYTEST_H
#define JOBRT_UNITTESTS_CUDA_LIBRARYTEST_H

#include "drivers/cuda/CudaCall.h"
#include "unittests/CallCommand.h"
#include "unittests/cuda/DeviceTest.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace jobrt::test {

/// A stream, and the libraries on it.
class LibraryTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    open();
  }
  void TearDown() override {
    close();
    DeviceTest::TearDown();
  }

  void open() {
    auto api = cuda::Api::open("");
    ASSERT_TRUE(api.ok()) << api.status().toString();
    auto made = cuda::DeviceContext::create(*api, 0);
    ASSERT_TRUE(made.ok()) << made.status().toString();
    context = *made;
    ASSERT_TRUE(context->enter().ok());
    stream = std::move(*cuda::createStream(*context));
    libraries = std::make_unique<cuda::Libraries>(context);
  }
  void close() {
    libraries.reset();
    stream = {};
    context.reset();
  }

  /// A library that is not on the machine is skipped, which tells why.
  template <typename Config> void skipWithoutLibrary(const Config &config) {
    if (HasFatalFailure())
      return;
    Status status = prepare(makeCommand(config));
    if (status.code() == StatusCode::kNotFound)
      GTEST_SKIP() << status.toString();
  }

  const cuda::Api &api() { return context->api(); }
  std::unique_ptr<cuda::CudaMemory> allocate(int64_t bytes) {
    auto memory =
        cuda::CudaMemory::create(context, MemoryKind::kDevice, bytes, "a test");
    EXPECT_TRUE(memory.ok()) << memory.status().toString();
    return std::move(*memory);
  }
  void copyIn(cuda::DevicePointer to, const std::vector<std::byte> &from) {
    ASSERT_EQ(api().memcpyHtoDAsync(to, from.data(), from.size(), stream.get()),
              cuda::kSuccess);
    // The array is pageable, and may go when this returns.
    ASSERT_EQ(api().streamSynchronize(stream.get()), cuda::kSuccess);
  }
  std::vector<std::byte> copyOut(cuda::DevicePointer from, size_t bytes) {
    std::vector<std::byte> to(bytes);
    EXPECT_EQ(api().memcpyDtoHAsync(to.data(), from, bytes, stream.get()),
              cuda::kSuccess);
    EXPECT_EQ(api().streamSynchronize(stream.get()), cuda::kSuccess);
    return to;
  }

  /// The error of a command.
  Status prepare(const Command &command) {
    return libraries->prepare(command).status();
  }
  void expectError(const Status &status, StatusCode code,
                   const std::string &text) {
    EXPECT_EQ(status.code(), code) << status.toString();
    EXPECT_TRUE(contains(status.message(), text)) << status.message();
  }

  /// A call in a graph that is replayed twice stores the same bits in `out`.
  void expectReplay(cuda::Call &call,
                    const std::vector<cuda::DevicePointer> &args,
                    cuda::DevicePointer out,
                    const std::vector<std::byte> &bits) {
    ASSERT_EQ(api().streamBeginCapture(stream.get(), cuda::kCaptureThreadLocal),
              cuda::kSuccess);
    ASSERT_TRUE(call.enqueue(args.data(), stream.get()).ok());
    cuda::Graph graph = nullptr;
    cuda::GraphExec exec = nullptr;
    ASSERT_EQ(api().streamEndCapture(stream.get(), &graph), cuda::kSuccess);
    ASSERT_EQ(api().graphInstantiate(&exec, graph, 0), cuda::kSuccess);
    ASSERT_EQ(api().graphDestroy(graph), cuda::kSuccess);
    for (int i = 0; i < 2; ++i) {
      copyIn(out, std::vector<std::byte>(bits.size()));
      ASSERT_EQ(api().graphLaunch(exec, stream.get()), cuda::kSuccess);
      EXPECT_EQ(copyOut(out, bits.size()), bits) << "the same bits";
    }
    ASSERT_EQ(api().graphExecDestroy(exec), cuda::kSuccess);
  }

  std::shared_ptr<cuda::DeviceContext> context;
  cuda::Owned<cuda::Stream> stream;
  std::unique_ptr<cuda::Libraries> libraries;
};

/// A factor: what it is, and what its bytes are.
struct Factor {
  std::vector<double> values;
  std::vector<std::byte> bytes;
};

inline size_t bytesOf(calls::Element element) {
  return element == calls::Element::kF32 ? 4 : 2;
}

inline double decode(calls::Element element, const std::byte *bytes) {
  if (element == calls::Element::kF32) {
    float value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  if (element == calls::Element::kBF16)
    return std::bit_cast<float>(uint32_t(bits) << 16);
  int exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  double value = exponent == 0 ? std::ldexp(mantissa, -24)
                               : std::ldexp(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

/// Random numbers below 1, all of which the type has.
inline Factor makeFactor(std::mt19937_64 &random, calls::Element element,
                         int64_t count) {
  Factor factor;
  for (int64_t i = 0; i < count; ++i) {
    std::byte bytes[4];
    if (element == calls::Element::kF32) {
      float value = std::uniform_real_distribution<float>(-1, 1)(random);
      std::memcpy(bytes, &value, sizeof(value));
    } else {
      // Below 1: any mantissa with a small exponent.
      auto bits = static_cast<uint16_t>(random());
      bits = element == calls::Element::kBF16 ? (bits & 0x80ff) | 0x3e00
                                              : (bits & 0x87ff) | 0x3000;
      std::memcpy(bytes, &bits, sizeof(bits));
    }
    factor.values.push_back(decode(element, bytes));
    factor.bytes.insert(factor.bytes.end(), bytes, bytes + bytesOf(element));
  }
  return factor;
}

/// What rounding to a type changes, relative to the number; 0 for f32, in which
/// sums are.
inline double unitOf(calls::Element element) {
  return element == calls::Element::kF32   ? 0
         : element == calls::Element::kF16 ? 0x1p-11
                                           : 0x1p-8;
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_LIBRARYTEST_H
