//===- ErrorTest.cpp - Errors and versions of the C API -------------------===//

#include "lib/c_api/Handles.h"
#include "unittests/c_api/CApiTest.h"

#include <stdexcept>

using namespace jobrt;
using namespace jobrt::test;

TEST(CErrorTest, Versions) {
  EXPECT_EQ(jobrt_c_api_version(), JOBRT_C_API_VERSION);
  EXPECT_STREQ(jobrt_version(), "0.1.0");
  EXPECT_EQ(jobrt_artifact_format_version(), JOBRT_FORMAT_VERSION);
}

TEST(CErrorTest, Names) {
  EXPECT_STREQ(jobrt_status_name(JOBRT_OK), "ok");
  EXPECT_STREQ(jobrt_status_name(JOBRT_IO), "input/output error");
  EXPECT_STREQ(jobrt_status_name(JOBRT_INTERNAL), "internal error");
  EXPECT_STREQ(jobrt_status_name(1000), "unknown error");
  EXPECT_STREQ(jobrt_status_name(-1), "unknown error");
}

TEST(CErrorTest, NullIsNoError) {
  EXPECT_EQ(jobrt_error_status(nullptr), JOBRT_OK);
  EXPECT_STREQ(jobrt_error_message(nullptr), "");
  EXPECT_STREQ(jobrt_error_location(nullptr), "");
  jobrt_error_destroy(nullptr);
}

TEST(CErrorTest, SuccessLeavesTheErrorAlone) {
  jobrt_error *const sentinel = reinterpret_cast<jobrt_error *>(64);
  jobrt_error *error = sentinel;
  jobrt_dtype dtype = -1;
  EXPECT_EQ(jobrt_dtype_parse("f64", &dtype, &error), JOBRT_OK);
  EXPECT_EQ(dtype, JOBRT_F64);
  EXPECT_EQ(error, sentinel);
}

TEST(CErrorTest, FailureLeavesTheResultAlone) {
  jobrt_dtype dtype = 77;
  EXPECT_EQ(jobrt_dtype_parse("f8", &dtype, nullptr), JOBRT_INVALID_ARGUMENT);
  EXPECT_EQ(dtype, 77);
}

TEST(CErrorTest, CarriesTheUsersLocation) {
  CSession session;
  CallScope scope({.beforeChunk = [](int64_t) {
    return Status(StatusCode::kInternal, "broke");
  }});
  CBlob x(1);
  jobrt_view input = x.view();
  jobrt_error *error = nullptr;
  EXPECT_EQ(jobrt_session_call(session.handle, "copy_job", &input, 1, nullptr,
                               0, &error),
            JOBRT_INTERNAL);
  EXPECT_STREQ(jobrt_error_location(error), "train.py:20:8");
  EXPECT_TRUE(contains(jobrt_error_message(error), "test.call: broke"));
  jobrt_error_destroy(error);
}

TEST(CErrorTest, NoExceptionLeaves) {
  expectError(JOBRT_RESOURCE_EXHAUSTED,
              "no memory left to report an error or to finish the call",
              [](jobrt_error **error) {
                return c_api::guarded(
                    error, []() -> Status { throw std::bad_alloc(); });
              });
  expectError(JOBRT_INTERNAL, "an unexpected exception",
              [](jobrt_error **error) {
                return c_api::guarded(error, []() -> Status {
                  throw std::runtime_error("surprise");
                });
              });
}
