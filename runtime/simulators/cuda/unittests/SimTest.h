//===- SimTest.h - What tests of the simulated CUDA share -------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_UNITTESTS_SIMTEST_H
#define JOBRT_SIMULATORS_CUDA_UNITTESTS_SIMTEST_H

#include "drivers/cuda/CudaApi.h"
#include "simulators/cuda/control.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using namespace jobrt::cuda;

extern "C" {
#define JOBSIM_DECLARE(name, symbol, parameters) Result symbol parameters;
JOBRT_FOR_EACH_CUDA_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
uint32_t jobsim_abi_version(void);
}

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

#define ASSERT_OK(call) ASSERT_EQ(call, kSuccess) << jobsim_last_fault()
#define EXPECT_OK(call) EXPECT_EQ(call, kSuccess) << jobsim_last_fault()

/// A context, a stream and the kernels; checks that a test which ends well
/// leaves nothing.
class SimTest : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("JOBSIM_DEVICES", "2", 0);
    jobsim_set_failures(nullptr);
    jobsim_clear_fault();
    jobsim_set_memory(size_t(1) << 30);
    jobsim_set_schedule(JOBSIM_SCHEDULE_RANDOM);
    if (!getenv("JOBSIM_SEED"))
      jobsim_set_seed(std::random_device()());
    RecordProperty("seed", std::to_string(jobsim_seed()));
    jobsim_report_leaks();
    ASSERT_OK(cuInit(0));
    open();
  }

  void TearDown() override {
    close();
    EXPECT_EQ(jobsim_report_leaks(), 0u);
    if (HasFailure())
      printf("JOBSIM_SEED=%llu\n", (unsigned long long)jobsim_seed());
  }

  /// As in a new process.
  void open() {
    jobsim_relaunch();
    Context context;
    ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
    ASSERT_OK(cuCtxSetCurrent(context));
    ASSERT_OK(cuStreamCreate(&stream, kStreamNonBlocking));
    std::string image = readFile(JOBSIM_TEST_KERNELS);
    ASSERT_OK(cuModuleLoadData(&module, image.data()));
  }

  /// In a context that has failed, the calls fail and release all the same.
  void close() {
    for (DevicePointer pointer : pointers)
      cuMemFree_v2(pointer);
    for (void *pointer : hostPointers)
      cuMemFreeHost(pointer);
    pointers.clear();
    hostPointers.clear();
    cuModuleUnload(module);
    cuStreamDestroy_v2(stream);
    EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), kSuccess);
  }

  DevicePointer allocate(size_t bytes) {
    DevicePointer pointer = 0;
    EXPECT_OK(cuMemAlloc_v2(&pointer, bytes));
    pointers.push_back(pointer);
    return pointer;
  }

  template <typename T> T *allocatePinned(size_t count) {
    void *pointer = nullptr;
    EXPECT_OK(cuMemHostAlloc(&pointer, count * sizeof(T), 0));
    hostPointers.push_back(pointer);
    return static_cast<T *>(pointer);
  }

  template <typename T> DevicePointer upload(const std::vector<T> &values) {
    DevicePointer pointer = allocate(values.size() * sizeof(T));
    EXPECT_OK(cuMemcpyHtoDAsync_v2(pointer, values.data(),
                                   values.size() * sizeof(T), stream));
    return pointer;
  }

  template <typename T>
  std::vector<T> download(DevicePointer pointer, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(cuMemcpyDtoHAsync_v2(values.data(), pointer, count * sizeof(T),
                                   stream));
    return values;
  }

  Function function(const char *name) {
    Function result = nullptr;
    EXPECT_OK(cuModuleGetFunction(&result, module, name));
    return result;
  }

  template <typename... Ts>
  Result launchOn(Stream where, const char *name, unsigned grid, unsigned block,
                  Ts... values) {
    void *parameters[] = {&values..., nullptr};
    return cuLaunchKernel(function(name), grid, 1, 1, block, 1, 1, 0, where,
                          parameters, nullptr);
  }

  template <typename... Ts>
  Result launch(const char *name, unsigned grid, unsigned block, Ts... values) {
    return launchOn(stream, name, grid, block, values...);
  }

  /// What was submitted fails the context with a fault of this text.
  void expectFault(Result error, const std::string &text) {
    EXPECT_EQ(cuStreamSynchronize(stream), error);
    EXPECT_NE(std::string(jobsim_last_fault()).find(text), std::string::npos)
        << jobsim_last_fault();
    size_t free, total;
    EXPECT_EQ(cuMemGetInfo_v2(&free, &total), error);
  }

  /// Runs `body` in many random orders.
  template <typename Body> void repeat(int times, Body body) {
    for (int i = 0; i < times && !HasFatalFailure() && !HasNonfatalFailure();
         ++i)
      body();
  }

  Stream stream = nullptr;
  Module module = nullptr;
  std::vector<DevicePointer> pointers;
  std::vector<void *> hostPointers;
};

#endif // JOBRT_SIMULATORS_CUDA_UNITTESTS_SIMTEST_H
