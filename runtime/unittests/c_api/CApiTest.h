//===- CApiTest.h - What the tests of the C API share -----------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_C_API_CAPITEST_H
#define JOBRT_UNITTESTS_C_API_CAPITEST_H

#include "jobrt/c_api.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

namespace jobrt::test {

/// An artifact of testManifest() by way of the C API.
class CArtifact {
public:
  explicit CArtifact(const nlohmann::json &manifest = testManifest()) {
    registerTestCall();
    path = folder.file("test.so");
    writeFile(path, makeContainer(testKernels(), manifest.dump()));
    EXPECT_EQ(jobrt_artifact_load(path.c_str(), &handle, nullptr), JOBRT_OK);
  }
  ~CArtifact() { jobrt_artifact_destroy(handle); }

  TemporaryFolder folder;
  std::string path;
  jobrt_artifact *handle = nullptr;
};

/// A session on it, initialized with seed 1.
class CSession {
public:
  explicit CSession(
      jobrt_session_options options = JOBRT_SESSION_OPTIONS_INIT) {
    EXPECT_EQ(jobrt_session_create(artifact.handle, &options, &handle, nullptr),
              JOBRT_OK);
    EXPECT_EQ(jobrt_session_initialize(handle, 1, nullptr), JOBRT_OK);
  }
  ~CSession() { jobrt_session_destroy(handle); }

  CArtifact artifact;
  jobrt_session *handle = nullptr;
};

/// A blob as the C API takes it.
class CBlob {
public:
  explicit CBlob(float start = 0, float step = 0) : blob(start, step) {}
  jobrt_view view() const { return {JOBRT_F32, 1, shape, blob.values.data()}; }
  jobrt_buffer buffer() { return {JOBRT_F32, 1, shape, blob.values.data()}; }
  Blob blob;
  int64_t shape[1] = {kBlobSize};
};

/// `call(error)` fails with that code and message (the whole of it), both with
/// and without a place for the error.
template <typename Call>
void expectError(jobrt_status code, const std::string &message, Call call) {
  jobrt_error *error = nullptr;
  EXPECT_EQ(call(&error), code);
  EXPECT_EQ(jobrt_error_status(error), code);
  EXPECT_EQ(jobrt_error_message(error), message);
  jobrt_error_destroy(error);
  EXPECT_EQ(call(nullptr), code);
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_C_API_CAPITEST_H
