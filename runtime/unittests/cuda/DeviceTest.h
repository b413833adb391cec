//===- DeviceTest.h - Tests for a GPU and the simulated CUDA ----*- C++ -*-===//
//
// What jobrt_cuda_device_tests shares. Its tests compare results only, so they
// run on a GPU as well as on the simulated CUDA. Tests that make calls fail, or
// expect what a stand-in alone does, are in other programs.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_CUDA_DEVICETEST_H
#define JOBRT_UNITTESTS_CUDA_DEVICETEST_H

#include "simulators/cuda/control.h"
#include "unittests/cuda/CudaArtifact.h"

#include <cstdlib>
#include <dlfcn.h>

namespace jobrt::test {

/// On the simulated CUDA, orders of the streams are random, and a test leaves
/// nothing behind.
class DeviceTest : public testing::Test {
protected:
  void SetUp() override {
    useTestCuda();
    // For ranks. The simulator reads it at the first call of any test.
    setenv("JOBSIM_DEVICES", "4", 0);
    seed = testSeed();
    if (!isSimulated())
      return;
    find<decltype(jobsim_set_failures)>("jobsim_set_failures")(nullptr);
    find<decltype(jobsim_relaunch)>("jobsim_relaunch")();
    find<decltype(jobsim_set_schedule)>("jobsim_set_schedule")(
        JOBSIM_SCHEDULE_RANDOM);
    find<decltype(jobsim_set_seed)>("jobsim_set_seed")(seed);
  }
  void TearDown() override {
    if (isSimulated())
      EXPECT_EQ(find<decltype(jobsim_report_leaks)>("jobsim_report_leaks")(),
                0u);
  }

  static bool isSimulated() {
    return find<decltype(jobsim_seed)>("jobsim_seed") != nullptr;
  }

  uint64_t seed = 0;

private:
  /// A function of control.h; null on a GPU.
  template <typename Function> static Function *find(const char *name) {
    void *library =
        dlopen(std::getenv("JOBMLIR_CUDA_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function *>(library ? dlsym(library, name)
                                                : nullptr);
  }
};

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_DEVICETEST_H
