//===- CublasLtErrorTest.cpp - Algorithms, errors of cuBLASLt's stand-in --===//

#include "drivers/cuda/SharedLibrary.h"
#include "drivers/cuda/cublaslt/CublasLtApi.h"
#include "unittests/cuda/LibraryTest.h"
#include "unittests/cuda/Simulated.h"

#include <algorithm>
#include <filesystem>

using namespace jobrt;
using namespace jobrt::test;
using calls::CublasLtMatMul;
using cuda::DevicePointer;

namespace {
class CublasLtErrorTest : public LibraryTest {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    LibraryTest::SetUp();
  }
  void TearDown() override {
    LibraryTest::TearDown();
    unsetenv("JOBMLIR_CUBLASLT_LIBRARY");
  }
};
} // namespace

TEST_F(CublasLtErrorTest, TF32RoundsTheFactors) {
  CublasLtMatMul config{.m = 1, .n = 1, .k = 1};
  std::vector<float> values;
  for (int64_t tf32 : {0, 1}) {
    config.tf32 = tf32;
    auto call = libraries->prepare(makeCommand(config));
    ASSERT_TRUE(call.ok()) << call.status().toString();
    auto a = allocate(4), b = allocate(4), out = allocate(4);
    std::vector<std::byte> factor(4);
    float third = 1.0f / 3, one = 1;
    std::memcpy(factor.data(), &third, 4);
    copyIn(a->pointer(), factor);
    std::memcpy(factor.data(), &one, 4);
    copyIn(b->pointer(), factor);
    DevicePointer args[] = {a->pointer(), b->pointer(), out->pointer()};
    ASSERT_TRUE((*call)->enqueue(args, stream.get()).ok());
    std::memcpy(&values.emplace_back(), copyOut(out->pointer(), 4).data(), 4);
  }
  EXPECT_EQ(values[0], 1.0f / 3);
  EXPECT_EQ(values[1], 0x1.554p-2f);
}

TEST_F(CublasLtErrorTest, TellsTheAlgorithm) {
  CublasLtMatMul config{.m = 8, .n = 8, .k = 600};
  auto call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok());
  EXPECT_EQ((*call)->algorithm(),
            "algorithm 1, tile 0, stages 0, 0 bytes of workspace");
  config.workspace = 512;
  call = libraries->prepare(makeCommand(config));
  ASSERT_TRUE(call.ok());
  EXPECT_EQ((*call)->algorithm(), "algorithm 1, tile 0, stages 0, 2 parts of "
                                  "k, 512 bytes of workspace");
}

TEST_F(CublasLtErrorTest, ErrorsNameTheFunction) {
  Command command = makeCommand(CublasLtMatMul{.batch = 2, .workspace = 64});
  // The simulator knows the functions of a library that is open.
  ASSERT_TRUE(prepare(command).ok());
  for (auto [function, error, code] :
       {std::tuple{"cublasLtCreate", "CUBLAS_STATUS_ALLOC_FAILED",
                   StatusCode::kResourceExhausted},
        {"cublasLtMatmulDescCreate", "CUBLAS_STATUS_ALLOC_FAILED",
         StatusCode::kResourceExhausted},
        {"cublasLtMatmulDescSetAttribute", "CUBLAS_STATUS_INVALID_VALUE",
         StatusCode::kInternal},
        {"cublasLtMatrixLayoutCreate", "CUBLAS_STATUS_ALLOC_FAILED",
         StatusCode::kResourceExhausted},
        {"cublasLtMatrixLayoutSetAttribute", "CUBLAS_STATUS_INVALID_VALUE",
         StatusCode::kInternal},
        {"cublasLtMatmulPreferenceCreate", "CUBLAS_STATUS_ALLOC_FAILED",
         StatusCode::kResourceExhausted},
        {"cublasLtMatmulPreferenceSetAttribute", "CUBLAS_STATUS_INVALID_VALUE",
         StatusCode::kInternal},
        {"cublasLtMatmulAlgoGetHeuristic", "CUBLAS_STATUS_NOT_SUPPORTED",
         StatusCode::kUnimplemented}}) {
    // Each test has its own handle.
    libraries = std::make_unique<cuda::Libraries>(context);
    ASSERT_EQ(
        SIMULATOR(jobsim_set_failures)((std::string(function) + ":1").c_str()),
        0);
    expectError(prepare(command), code,
                std::string(function) + " failed with " + error + " (");
  }
  SIMULATOR(jobsim_set_failures)("cublasLtMatmul:1");
  auto call = libraries->prepare(command);
  ASSERT_TRUE(call.ok()) << call.status().toString();
  DevicePointer args[4] = {};
  expectError((*call)->enqueue(args, stream.get()), StatusCode::kInternal,
              "cublasLtMatmul failed with CUBLAS_STATUS_EXECUTION_FAILED (the "
              "function failed to launch on the GPU): the call");
}

TEST_F(CublasLtErrorTest, ALibraryForTheOtherCudaIsRefused) {
  setenv("JOBMLIR_CUBLASLT_LIBRARY", JOBRT_OLD_CUBLASLT, 1);
  expectError(prepare(makeCommand(CublasLtMatMul())),
              StatusCode::kInvalidArgument,
              "expects a cuBLASLt for the simulated CUDA but got '");
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUBLASLT_LIBRARY", JOBRT_SIMULATED_CUBLASLT, 1);
  expectError(cuda::cublaslt::Api::open(**real).status(),
              StatusCode::kInvalidArgument,
              "expects a cuBLASLt for CUDA but got '");
}

TEST_F(CublasLtErrorTest, AnOldLibraryIsRefused) {
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUBLASLT_LIBRARY", JOBRT_OLD_CUBLASLT, 1);
  expectError(cuda::cublaslt::Api::open(**real).status(),
              StatusCode::kUnimplemented,
              "expects cuBLASLt 12 or newer but got version 11.5 in '");
  setenv("JOBMLIR_CUBLASLT_LIBRARY", JOBRT_OLD_CUDA, 1);
  expectError(cuda::cublaslt::Api::open(**real).status(),
              StatusCode::kUnimplemented,
              "has no function 'cublasLtCreate': expects a newer cuBLASLt");
}

TEST_F(CublasLtErrorTest, PythonPackagesAreSearched) {
  std::string folder = testing::TempDir() + "/jobrt-packages";
  std::string packages = folder + "/lib/python3.12/site-packages";
  std::filesystem::create_directories(packages + "/nvidia/cu13/lib");
  std::filesystem::copy_file(JOBRT_OLD_CUBLASLT,
                             packages + "/nvidia/cu13/lib/libjobrt-test.so",
                             std::filesystem::copy_options::overwrite_existing);
  setenv("VIRTUAL_ENV", folder.c_str(), 1);
  EXPECT_EQ(cuda::findPackageFolders().front(), packages);
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  const char *names[] = {"libjobrt-test.so"}, *folders[] = {"other", "cu13"};
  auto library = cuda::openLibrary(
      **real, {"a test", "JOBRT_TEST_NO_VARIABLE", names, folders, ""});
  ASSERT_TRUE(library.ok()) << library.status().toString();
  EXPECT_EQ(library->path, packages + "/nvidia/cu13/lib/libjobrt-test.so");
  unsetenv("VIRTUAL_ENV");
  std::filesystem::remove_all(folder);
}

/// The folder above that of this program, as above that of a package.
TEST_F(CublasLtErrorTest, TheFolderBesideThisCodeIsSearched) {
  auto own = std::filesystem::canonical("/proc/self/exe");
  auto folders = cuda::findPackageFolders();
  EXPECT_NE(std::find(folders.begin(), folders.end(),
                      own.parent_path().parent_path().string()),
            folders.end());
}

TEST_F(CublasLtErrorTest, AMissingLibraryIsNotFound) {
  setenv("JOBMLIR_CUBLASLT_LIBRARY", "/nowhere/libcublasLt.so", 1);
  Status status = prepare(makeCommand(CublasLtMatMul()));
  expectError(status, StatusCode::kNotFound,
              "cannot open cuBLASLt: /nowhere/libcublasLt.so: ");
  expectError(status, StatusCode::kNotFound,
              "; the environment variable JOBMLIR_CUBLASLT_LIBRARY names the "
              "library's file");
}
