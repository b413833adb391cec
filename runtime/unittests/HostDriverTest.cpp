//===- HostDriverTest.cpp - What the processor makes of an artifact -------===//

#include "drivers/host/CpuFeatures.h"
#include "unittests/TestArtifact.h"

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// The error of a session on an artifact with the test's kernels. The null
/// driver takes the artifact.
static Status loadError(const json &manifest) {
  std::shared_ptr<const Artifact> artifact = loadTestArtifact(manifest);
  SessionOptions options;
  options.driver = "null";
  EXPECT_TRUE(Session::create(artifact, options).ok());
  Expected<std::unique_ptr<Session>> session = Session::create(artifact);
  EXPECT_FALSE(session.ok());
  return session.status();
}

TEST(HostDriverTest, ProcessorFeatures) {
  json manifest = testManifest();
  manifest["target"]["features"] = {"sse2", "warp-drive"};
  Status unknown = loadError(manifest);
  EXPECT_EQ(unknown.code(), StatusCode::kUnimplemented);
#if defined(__x86_64__)
  EXPECT_TRUE(contains(unknown.message(),
                       "expects the processor feature 'warp-drive', which this "
                       "runtime does not know"));
  EXPECT_TRUE(checkCpuFeatures({"sse2", "x87", "64bit"}).ok());
  // No processor has both of these.
  Status missing = checkCpuFeatures({"sse2", "fma4", "avx512vp2intersect"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.code(), StatusCode::kUnimplemented);
  EXPECT_TRUE(contains(missing.message(),
                       "expects processor features that this machine lacks: "));
#endif
}

TEST(HostDriverTest, KernelThatTheCodeLacks) {
  json manifest = testManifest();
  manifest["entries"][1]["commands"][0]["kernel"] = 77;
  manifest["entries"][1]["commands"][0]["location"] = 1;
  Status status = loadError(manifest);
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_TRUE(contains(
      status.message(),
      "test.so': entry 'train_job': the code has no kernel 'jobk_77'"));
  EXPECT_EQ(status.location(), "train.py:20:8");
}

TEST(HostDriverTest, UnknownLibraryFunction) {
  json manifest = testManifest();
  manifest["entries"][3]["commands"][0]["callee"] = "onednn.teleport";
  Status status = loadError(manifest);
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_TRUE(contains(status.message(),
                       "entry 'copy_job': this runtime has no library function "
                       "'onednn.teleport'"));
  EXPECT_EQ(status.location(), "train.py:20:8");
}
