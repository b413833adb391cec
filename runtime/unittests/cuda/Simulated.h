//===- Simulated.h - Sessions on the simulated CUDA -------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_SIMULATED_H
#define JOBRT_UNITTESTS_CUDA_SIMULATED_H

#include "simulators/cuda/control.h"
#include "unittests/cuda/CudaArtifact.h"

#include <dlfcn.h>

/// The functions of control.h in the library that the driver opens.
#define SIMULATOR(function)                                                    \
  (reinterpret_cast<decltype(&function)>(                                      \
      dlsym(dlopen(JOBRT_SIMULATED_CUDA, RTLD_NOW | RTLD_LOCAL), #function)))

namespace jobrt::test {

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
