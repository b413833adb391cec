//===- ApiTest.cpp - Opening CUDA's library -------------------------------===//

#include "drivers/cuda/CudaApi.h"
#include "unittests/TestArtifact.h"

using namespace jobrt;
using namespace jobrt::test;
using jobrt::cuda::Api;

/// A variable of the environment, for a while.
namespace {
class VariableScope {
public:
  VariableScope(const char *name, const char *value) : name(name) {
    if (const char *text = getenv(name))
      old = text;
    setenv(name, value, 1);
  }
  ~VariableScope() { old ? setenv(name, old->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> old;
};
} // namespace

TEST(CudaApiTest, OpensTheLibraryThatIsNamed) {
  auto api = Api::open(JOBRT_FAKE_CUDA);
  ASSERT_TRUE(api.ok()) << api.status().toString();
  EXPECT_EQ((*api)->path, JOBRT_FAKE_CUDA);
  EXPECT_TRUE((*api)->isSimulated);
  int count = 0;
  EXPECT_EQ((*api)->deviceGetCount(&count), cuda::kSuccess);
  EXPECT_EQ(count, 2);
  VariableScope scope("JOBMLIR_CUDA_LIBRARY", JOBRT_FAKE_CUDA_UNMARKED);
  auto other = Api::open("");
  ASSERT_TRUE(other.ok()) << other.status().toString();
  EXPECT_EQ((*other)->path, JOBRT_FAKE_CUDA_UNMARKED);
  EXPECT_FALSE((*other)->isSimulated);
}

TEST(CudaApiTest, ALibraryThatIsMissingIsNotFound) {
  auto api = Api::open("/nowhere/libcuda.so");
  ASSERT_FALSE(api.ok());
  EXPECT_EQ(api.status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(contains(api.status().message(),
                       "cannot open CUDA's library '/nowhere/libcuda.so': "));
}

TEST(CudaApiTest, AFunctionThatIsMissingIsNamed) {
  auto api = Api::open(JOBRT_OLD_CUDA);
  ASSERT_FALSE(api.ok());
  EXPECT_EQ(api.status().code(), StatusCode::kUnimplemented);
  EXPECT_TRUE(contains(api.status().message(),
                       "has no function 'cuDriverGetVersion': expects the "
                       "library of a newer CUDA driver"));
}

TEST(CudaApiTest, ADriverThatIsTooOldIsAnError) {
  VariableScope scope("FAKE_CUDA_VERSION", "11080");
  auto api = Api::load(JOBRT_FAKE_CUDA);
  ASSERT_FALSE(api.ok());
  EXPECT_EQ(api.status().code(), StatusCode::kUnimplemented);
  EXPECT_EQ(api.status().message(),
            "expects a driver for CUDA 12.1 or newer but got one for CUDA "
            "11.8: '" JOBRT_FAKE_CUDA "'");
  setenv("FAKE_CUDA_VERSION", "12010", 1);
  EXPECT_TRUE(Api::load(JOBRT_FAKE_CUDA).ok());
}

TEST(CudaApiTest, AnInitThatFailsIsAnError) {
  {
    VariableScope scope("FAKE_CUDA_INIT", "100");
    auto api = Api::open(JOBRT_FAKE_CUDA);
    ASSERT_FALSE(api.ok());
    EXPECT_EQ(api.status().code(), StatusCode::kNotFound);
    EXPECT_TRUE(contains(api.status().message(),
                         "cuInit failed with CUDA_ERROR_NO_DEVICE: '"));
  }
  VariableScope scope("FAKE_CUDA_INIT", "999");
  auto api = Api::open(JOBRT_FAKE_CUDA);
  ASSERT_FALSE(api.ok());
  EXPECT_EQ(api.status().code(), StatusCode::kInternal);
  EXPECT_TRUE(
      contains(api.status().message(), "cuInit failed with the error 999: '"));
}

TEST(CudaApiTest, ErrorsNameFunctionAndPurpose) {
  auto api = Api::open(JOBRT_FAKE_CUDA);
  ASSERT_TRUE(api.ok());
  EXPECT_TRUE((*api)->check(cuda::kSuccess, "cuMemAlloc", "x").ok());
  Status status = (*api)->check(cuda::kErrorOutOfMemory, "cuMemAlloc",
                                "the arena of 12 bytes");
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (out of memory): "
            "the arena of 12 bytes");
}
