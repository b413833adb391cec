//===- DriverTest.cpp - The driver cuda and its errors --------------------===//

#include "drivers/cuda/CudaCode.h"
#include "unittests/cuda/CudaArtifact.h"
#include "unittests/cuda/FakeCuda.h"

#include <dlfcn.h>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// The functions of FakeCuda.h in the library that the driver opens.
#define FAKE(function)                                                         \
  (reinterpret_cast<decltype(&function)>(                                      \
      dlsym(dlopen(JOBRT_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), #function)))

namespace {
class CudaDriverTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_FAKE_CUDA, 1);
    FAKE(fake_cuda_fail)(0, 0);
  }
  void TearDown() override { EXPECT_EQ(FAKE(fake_cuda_objects)(), 0); }

  static Expected<std::unique_ptr<Session>>
  create(const json &manifest, const char *driver = "cuda") {
    SessionOptions options;
    options.driver = driver;
    Expected<std::shared_ptr<const Artifact>> artifact =
        loadCudaArtifact(manifest);
    if (!artifact.ok())
      return artifact.status();
    return Session::create(*artifact, options);
  }
  static Status error(const json &manifest, const char *driver = "cuda") {
    Expected<std::unique_ptr<Session>> session = create(manifest, driver);
    EXPECT_FALSE(session.ok());
    return session.status();
  }
};
} // namespace

TEST_F(CudaDriverTest, ADeviceThatIsNotThereIsAnErrorWithThoseThatAre) {
  EXPECT_TRUE(create(cudaManifest(), "cuda:1").ok());
  Status status = error(cudaManifest(), "cuda:2");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "expects a CUDA device of 0 (Fake), 1 (Fake) but got 2");
  for (const char *driver : {"cuda:", "cuda:x", "cuda:-1", "cuda:1x"})
    EXPECT_EQ(error(cudaManifest(), driver).message(),
              "expects a driver cuda or cuda:0 and so on but got '" +
                  std::string(driver) + "'");
}

TEST_F(CudaDriverTest, ASessionRunsWhereItsJobsArePlaced) {
  json manifest = cudaManifest();
  EXPECT_TRUE(create(manifest, "").ok());
  manifest["devices"][0]["index"] = 1;
  EXPECT_TRUE(create(manifest, "").ok());
  manifest["devices"][0]["index"] = 2;
  EXPECT_TRUE(contains(error(manifest, "").message(), "but got 2"));
  EXPECT_TRUE(create(manifest, "cuda:1").ok());
}

TEST_F(CudaDriverTest, TheOptionsNameTheLibrary) {
  SessionOptions options;
  options.driver = "cuda";
  options.cudaLibrary = JOBRT_SIMULATED_CUDA;
  EXPECT_EQ(*codeTarget(options), "simulated");
  options.cudaLibrary = JOBRT_FAKE_CUDA_UNMARKED;
  EXPECT_EQ(*codeTarget(options), "sm_90");
  options.cudaLibrary = "/nowhere/libcuda.so";
  EXPECT_EQ(codeTarget(options).status().code(), StatusCode::kNotFound);
}

TEST_F(CudaDriverTest, ListsTheDevices) {
  auto list = [](const char *driver, const char *library = "") {
    SessionOptions options;
    options.driver = driver;
    options.cudaLibrary = library;
    Expected<std::vector<DeviceInfo>> devices = listDevices(options);
    if (!devices.ok())
      return devices.status().message();
    std::string text;
    for (const DeviceInfo &device : *devices)
      text += device.driver + " " + device.name + " " + device.target + "\n";
    return text;
  };
  EXPECT_EQ(list("cuda"), "cuda:0 Fake simulated\ncuda:1 Fake simulated\n");
  EXPECT_EQ(list("cuda", JOBRT_FAKE_CUDA_UNMARKED),
            "cuda:0 Fake sm_90\ncuda:1 Fake sm_90\n");
  EXPECT_EQ(list("host"), "host host \n");
  EXPECT_TRUE(contains(list("tpu"), "but got 'tpu'"));
  // What is named has to be there and of use.
  EXPECT_TRUE(contains(list("cuda", "/nowhere/libcuda.so"), "cannot open"));
  EXPECT_TRUE(contains(list("cuda", JOBRT_OLD_CUDA), "has no function"));
  setenv("FAKE_CUDA_INIT", "999", 1);
  EXPECT_TRUE(contains(list("cuda"), "cuInit failed with the error 999"));
  setenv("FAKE_CUDA_INIT", "100", 1);
  EXPECT_EQ(list("cuda"), "");
  unsetenv("FAKE_CUDA_INIT");
  for (int call = 1; call <= 10; ++call) {
    FAKE(fake_cuda_fail)(call, 999);
    EXPECT_TRUE(contains(list("cuda"), "failed with the error 999")) << call;
  }
  FAKE(fake_cuda_fail)(0, 0);
}

TEST_F(CudaDriverTest, DriversRefuseJobsForAnotherDevice) {
  Status status = error(cudaManifest(), "host");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(contains(status.message(),
                       "expects jobs compiled for the driver host but "
                       "'jobmlir_init' is for cuda"));
  SessionOptions options;
  options.driver = "cuda";
  Expected<std::unique_ptr<Session>> session =
      Session::create(loadTestArtifact(), options);
  ASSERT_FALSE(session.ok());
  EXPECT_TRUE(contains(session.status().message(),
                       "expects jobs compiled for the driver cuda but "
                       "'jobmlir_init' is for host"));
}

TEST_F(CudaDriverTest, ChoosesTheCodeForTheDevice) {
  std::vector<CodeBlob> code;
  for (const char *target : {"sm_80", "sm_86", "simulated", "sm_90", "sm_100"})
    code.push_back({target, "s", 1});
  auto choose = [&](int major, int minor) -> std::string {
    const CodeBlob *blob = cuda::selectCode(code, "sm_", major, minor);
    return blob ? blob->target : "";
  };
  EXPECT_EQ(choose(8, 0), "sm_80");
  EXPECT_EQ(choose(8, 9), "sm_86");
  EXPECT_EQ(choose(9, 0), "sm_90");
  EXPECT_EQ(choose(10, 3), "sm_100");
  EXPECT_EQ(choose(7, 5), "");
  EXPECT_EQ(choose(12, 0), "");
  EXPECT_EQ(cuda::selectCode(code, "simulated", 9, 0)->target, "simulated");
  EXPECT_EQ(cuda::selectCode(code, "compute_90", 9, 0), nullptr);
  // PTX where there is no cubin.
  for (const char *target : {"compute_80", "compute_90", "compute_100"})
    code.push_back({target, "s", 1});
  EXPECT_EQ(choose(8, 9), "sm_86");
  EXPECT_EQ(choose(9, 0), "sm_90");
  EXPECT_EQ(choose(7, 5), "");
  EXPECT_EQ(choose(11, 0), "compute_100");
  EXPECT_EQ(choose(12, 1), "compute_100");
  EXPECT_EQ(cuda::selectCode(code, "simulated", 9, 0)->target, "simulated");
  EXPECT_EQ(cuda::selectCode(code, "compute_90", 9, 0)->target, "compute_90");
  code.erase(code.begin() + 2);
  EXPECT_EQ(cuda::selectCode(code, "simulated", 9, 0)->target, "compute_90");
}

TEST_F(CudaDriverTest, CodeForOtherDevicesIsAnErrorThatNamesIt) {
  json manifest = cudaManifest();
  manifest["code"][0]["target"] = "sm_80";
  Status status = error(manifest);
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_TRUE(
      contains(status.message(),
               "expects code for simulated but the artifact has only sm_80"));
  manifest.erase("code");
  EXPECT_TRUE(contains(error(manifest).message(), "the artifact has none"));
}

TEST_F(CudaDriverTest, RefusesCodeThatIsCutOffOrNone) {
  json manifest = cudaManifest();
  manifest["code"][0]["bytes"] = 100;
  EXPECT_TRUE(contains(error(manifest).message(), "to be a whole ELF file"));
  manifest = cudaManifest();
  manifest["code"][0]["symbol"] = "jobmlir_constants";
  manifest["code"][0]["bytes"] = 64;
  EXPECT_TRUE(contains(error(manifest).message(), "to be a whole ELF file"));
  // PTX.
  manifest["code"][0]["symbol"] = "jobmlir_code_simulated";
  manifest["code"][0]["target"] = "compute_90";
  manifest["code"][0]["bytes"] = 3;
  EXPECT_TRUE(
      contains(error(manifest).message(), "to be text that ends with a NUL"));
  manifest["code"][0]["target"] = "simulated";
  manifest["code"][0]["symbol"] = "nowhere";
  EXPECT_TRUE(
      contains(error(manifest).message(), "the code has no symbol 'nowhere'"));
}

TEST_F(CudaDriverTest, CodeThatTheDriverDoesNotTakeIsAnErrorWithItsVersion) {
  setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
  auto *setFailures = reinterpret_cast<int (*)(const char *)>(
      dlsym(dlopen(JOBRT_SIMULATED_CUDA, RTLD_NOW | RTLD_LOCAL),
            "jobsim_set_failures"));
  setFailures("cuModuleLoadData:1:222");
  EXPECT_TRUE(contains(error(cudaManifest()).message(),
                       ": the code for simulated, by a driver for CUDA 13.0"));
  setFailures(nullptr);
}

TEST_F(CudaDriverTest, RefusesBlocksThatTheKernelDoesNotTake) {
  json manifest = cudaManifest();
  manifest["entries"][1]["commands"][2]["threads"] = 512;
  EXPECT_TRUE(contains(
      error(manifest).message(),
      "expects at most 256 threads in a block of 'jobk_1' but got 512"));
}

TEST_F(CudaDriverTest, MemoryThatIsNotThereIsAnErrorWithTheLargestBlobs) {
  json manifest = cudaManifest();
  json &entry = manifest["entries"][1];
  entry["arena_bytes"] = int64_t(1) << 40;
  entry["peak"] = {
      {{"bytes", 256}, {"type", "64xf32"}, {"name", "hidden"}, {"location", 1}},
      {{"bytes", 64}, {"type", "16xf32"}, {"location", -1}}};
  Status status = error(manifest);
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(contains(
      status.message(),
      "expects 1099511629440 bytes of free memory on cuda:0 but it has "
      "536870912 of 1073741824: an arena of 1099511627776, variables of 320, "
      "inputs and outputs of 2 steps of 1152, a workspace of 128 and constants "
      "of "
      "64; the largest blobs of job 'train_job':\n"
      "  256 bytes, 64xf32 of 'hidden', train.py:20:8\n"
      "  64 bytes, 16xf32; the largest variables:\n"
      "  256 bytes, 64xf32 of 'weight', train.py:12:4\n"
      "  8 bytes, 1xi64 of 'count'"))
      << status.message();
  entry.erase("peak");
  EXPECT_TRUE(contains(error(manifest).message(),
                       " and constants of 64; the largest variables:"));
}

TEST_F(CudaDriverTest, PassesScalarsAfterTheBuffers) {
  json manifest = cudaManifest();
  json &command = manifest["entries"][2]["commands"].back();
  json output = command["args"][0];
  json scalars = {
      {"op", "dispatch"},
      {"kernel", "scalars"},
      {"chunks", 4},
      {"threads", 16},
      {"flops", 0},
      {"args", {output}},
      {"reads", json::array()},
      {"writes", {0}},
      {"scalars",
       json::array({json::array({"i32", -3}), json::array({"i64", 1000}),
                    json::array({"f32", 0.5}), json::array({"f64", 2})})}};
  json &commands = manifest["entries"][2]["commands"];
  commands.insert(commands.end() - 1, scalars);
  Expected<std::unique_ptr<Session>> session = create(manifest);
  ASSERT_TRUE(session.ok()) << session.status().toString();
  Blob x(1);
  Expected<Future> future = (*session)->run("predict_job", {x.view()});
  ASSERT_TRUE(future.ok());
  ASSERT_TRUE(future->wait().ok());
  EXPECT_EQ(floats(future->output(0)), std::vector<float>(64, 999.5f));
}

/// A session from its start to its end; its first error.
static Status live(const std::shared_ptr<const Artifact> &artifact) {
  SessionOptions options;
  options.driver = "cuda";
  Expected<std::unique_ptr<Session>> session =
      Session::create(artifact, options);
  if (!session.ok())
    return session.status();
  auto twice = [](std::span<const HostBuffer>) { return Status(); };
  for (const char *name : {"twice", "watch"})
    if (Status status = (*session)->registerFunction(name, twice); !status.ok())
      return status;
  if (Status status = (*session)->initialize(1); !status.ok())
    return status;
  Blob x(1);
  for (int i = 0; i < 3; ++i)
    for (const EntryInfo &entry : artifact->entries()) {
      if (entry.kind == JobKind::kInit)
        continue;
      Expected<Future> future = (*session)->submit(entry.name, {x.view()});
      if (!future.ok())
        return future.status();
    }
  if (Status status = (*session)->synchronize(); !status.ok())
    return status;
  return (*session)->readVariable("weight").status();
}

TEST_F(CudaDriverTest, EachFailingCallIsACleanError) {
  json manifest = queueManifest();
  manifest["entries"].push_back(hostCallManifest()["entries"].back());
  Expected<std::shared_ptr<const Artifact>> artifact =
      loadCudaArtifact(cudaManifest(manifest));
  ASSERT_TRUE(artifact.ok()) << artifact.status().toString();
  FAKE(fake_cuda_fail)(0, 0);
  Status good = live(*artifact);
  ASSERT_TRUE(good.ok()) << good.toString();
  long numCalls = FAKE(fake_cuda_calls)();
  EXPECT_GT(numCalls, 100);
  for (long call = 1; call <= numCalls; ++call) {
    FAKE(fake_cuda_fail)(call, cuda::kErrorLaunchFailed);
    Status status = live(*artifact);
    // How often the driver waits depends on the threads.
    if (FAKE(fake_cuda_calls)() >= call) {
      EXPECT_FALSE(status.ok()) << call;
      EXPECT_TRUE(
          contains(status.message(), " failed with CUDA_ERROR_LAUNCH_FAILED: "))
          << call;
    }
    EXPECT_EQ(FAKE(fake_cuda_objects)(), 0) << call;
  }
  FAKE(fake_cuda_fail)(0, 0);
  EXPECT_TRUE(live(*artifact).ok()) << "a new session works";
}

TEST_F(CudaDriverTest, TenThousandStepsInFlight) {
  Expected<std::unique_ptr<Session>> session = create(cudaManifest());
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(0).ok());
  Blob x(1);
  for (int i = 0; i < 10000; ++i)
    ASSERT_TRUE((*session)->submit("train_job", {x.view()}).ok());
  ASSERT_TRUE((*session)->synchronize().ok());
  Expected<Tensor> weight = (*session)->readVariable("weight");
  ASSERT_TRUE(weight.ok());
  EXPECT_EQ(floats(weight->view()), Blob(10000, 1).values);
}
