//===- NcclTest.h - What tests of the stand-in for NCCL share ---*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_NCCL_UNITTESTS_NCCLTEST_H
#define JOBRT_SIMULATORS_NCCL_UNITTESTS_NCCLTEST_H

#include "drivers/cuda/nccl/NcclApi.h"
#include "simulators/cuda/control.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace nccl = jobrt::cuda::nccl;
using jobrt::cuda::Context;
using jobrt::cuda::Device;
using jobrt::cuda::DevicePointer;
using jobrt::cuda::Event;
using jobrt::cuda::Function;
using jobrt::cuda::Graph;
using jobrt::cuda::GraphExec;
using jobrt::cuda::Module;
using jobrt::cuda::Result;
using jobrt::cuda::Stream;
using nccl::Comm;
using nccl::Config;
using nccl::UniqueId;

extern "C" {
#define JOBSIM_DECLARE(name, symbol, parameters)                               \
  jobrt::cuda::Result symbol parameters;
JOBRT_FOR_EACH_CUDA_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
#define JOBSIM_DECLARE(name, symbol, result, parameters)                       \
  result symbol parameters;
JOBRT_FOR_EACH_NCCL_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
}

#define ASSERT_OK(call) ASSERT_EQ(call, 0) << jobsim_last_fault()
#define EXPECT_OK(call) EXPECT_EQ(call, 0) << jobsim_last_fault()

/// One rank: a device with a stream, and memory of floats.
class Rank {
public:
  void open(int newDevice) {
    device = newDevice;
    ASSERT_OK(cuDevicePrimaryCtxRetain(&context, device));
    enter();
    ASSERT_OK(cuStreamCreate(&stream, jobrt::cuda::kStreamNonBlocking));
  }
  void close() {
    enter();
    for (DevicePointer pointer : pointers)
      cuMemFree_v2(pointer);
    pointers.clear();
    cuStreamDestroy_v2(stream);
    EXPECT_OK(cuDevicePrimaryCtxRelease_v2(device));
  }
  void enter() { ASSERT_OK(cuCtxSetCurrent(context)); }

  template <typename T> T *upload(const std::vector<T> &values) {
    DevicePointer pointer = 0;
    size_t bytes = values.size() * sizeof(T);
    EXPECT_OK(cuMemAlloc_v2(&pointer, bytes));
    pointers.push_back(pointer);
    EXPECT_OK(cuMemcpyHtoDAsync_v2(pointer, values.data(), bytes, stream));
    return reinterpret_cast<T *>(pointer);
  }
  template <typename T> std::vector<T> download(const T *from, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(cuMemcpyDtoHAsync_v2(values.data(),
                                   reinterpret_cast<DevicePointer>(from),
                                   count * sizeof(T), stream));
    return values;
  }
  jobrt::cuda::Result wait() { return cuStreamSynchronize(stream); }

  int device = 0;
  Context context = nullptr;
  Stream stream = nullptr;
  Comm comm = nullptr;
  std::vector<DevicePointer> pointers;
};

/// Ranks that are threads; checks that a test which ends well leaves nothing.
class NcclTest : public testing::Test {
protected:
  static constexpr int kMaxRanks = 4;

  void SetUp() override {
    setenv("JOBSIM_DEVICES", "4", 0);
    jobsim_set_failures(nullptr);
    jobsim_clear_fault();
    jobsim_relaunch();
    jobsim_set_schedule(JOBSIM_SCHEDULE_RANDOM);
    jobsim_set_deadlock(30000);
    if (!getenv("JOBSIM_SEED"))
      jobsim_set_seed(std::random_device()());
    jobsim_report_leaks();
    ASSERT_OK(cuInit(0));
    for (int i = 0; i < kMaxRanks; ++i)
      ranks[i].open(i);
  }
  void TearDown() override {
    for (Rank &rank : ranks)
      rank.close();
    EXPECT_EQ(jobsim_report_leaks(), 0u);
    if (HasFailure())
      printf("JOBSIM_SEED=%llu\n", (unsigned long long)jobsim_seed());
  }

  /// Runs the body for each rank on a thread of its own.
  void runAll(int count, const std::function<void(int, Rank &)> &body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        ranks[i].enter();
        body(i, ranks[i]);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  static int join(Rank &rank, int count, int number, const UniqueId &id) {
    Config config;
    return ncclCommInitRankConfig(&rank.comm, count, id, number, &config);
  }
  void connect(int count) {
    UniqueId id;
    ASSERT_OK(ncclGetUniqueId(&id));
    runAll(count,
           [&](int i, Rank &rank) { ASSERT_OK(join(rank, count, i, id)); });
  }
  void disconnect(int count) {
    for (int i = 0; i < count; ++i) {
      ranks[i].enter();
      EXPECT_OK(ncclCommDestroy(ranks[i].comm));
    }
  }
  static testing::AssertionResult lastFaultHas(const std::string &text) {
    std::string fault = jobsim_last_fault();
    if (fault.find(text) != std::string::npos)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << "the last fault is '" << fault << "'";
  }

  Rank ranks[kMaxRanks];
};

#endif // JOBRT_SIMULATORS_NCCL_UNITTESTS_NCCLTEST_H
