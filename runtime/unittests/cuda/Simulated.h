//===- Simulated.h - Sessions on the simulated CUDA -------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_SIMULATED_H
#define JOBRT_UNITTESTS_CUDA_SIMULATED_H

#include "simulators/cuda/control.h"
#include "unittests/cuda/CudaArtifact.h"

#include <algorithm>
#include <dlfcn.h>

/// The functions of control.h in the library that the driver opens.
#define SIMULATOR(function)                                                    \
  (reinterpret_cast<decltype(&function)>(                                      \
      dlsym(dlopen(JOBRT_SIMULATED_CUDA, RTLD_NOW | RTLD_LOCAL), #function)))

namespace jobrt::test {

/// Expects the error of the function that jobsim_set_failures() has made fail,
/// unless that one releases something or makes a context current for it. After
/// an error that CUDA cannot recover from, a later call may tell. Returns
/// whether one has failed.
inline bool expectCleanError(const Status &status, bool isUnrecoverable) {
  std::string function = SIMULATOR(jobsim_last_failure)();
  if (function.empty()) {
    EXPECT_TRUE(status.ok()) << status.toString();
    return false;
  }
  function = function.substr(0, function.find("_v"));
  auto isOneOf = [&](std::initializer_list<const char *> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](const char *part) {
      return function.find(part) != std::string::npos;
    });
  };
  if (status.ok())
    EXPECT_TRUE(isOneOf({"Free", "Destroy", "Unload", "Release",
                         "CtxGetCurrent", "CtxSetCurrent"}))
        << "no error of " << function;
  else
    EXPECT_TRUE(contains(status.message(), isUnrecoverable
                                               ? " failed with CU"
                                               : function + " failed with CU"))
        << status.message() << ", but it was " << function;
  return true;
}

/// Checks that a test leaves nothing.
class SimulatedCuda : public testing::Test {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    SIMULATOR(jobsim_set_failures)(nullptr);
    SIMULATOR(jobsim_relaunch)();
    SIMULATOR(jobsim_set_schedule)(JOBSIM_SCHEDULE_RANDOM);
    uint64_t seed = testSeed();
    SIMULATOR(jobsim_set_seed)(seed);
  }
  void TearDown() override { EXPECT_EQ(SIMULATOR(jobsim_report_leaks)(), 0u); }

  static std::shared_ptr<const Artifact> load(const nlohmann::json &manifest) {
    Expected<std::shared_ptr<const Artifact>> artifact =
        loadCudaArtifact(manifest);
    EXPECT_TRUE(artifact.ok()) << artifact.status().toString();
    return artifact.ok() ? *artifact : nullptr;
  }

  static Expected<std::unique_ptr<Session>>
  create(const std::shared_ptr<const Artifact> &artifact) {
    SessionOptions options;
    options.driver = "cuda";
    options.credits = 8;
    return Session::create(artifact, options);
  }
};

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_SIMULATED_H
