//===- FailureTest.cpp - Calls that are asked to fail, failed contexts ----===//

#include "SimTest.h"

namespace {

class FailureTest : public SimTest {};

TEST_F(FailureTest, FailsTheNthCall) {
  DevicePointer data[3];
  ASSERT_EQ(jobsim_set_failures("cuMemAlloc_v2:2,cuMemsetD8Async:1:1"), 0);
  ASSERT_OK(cuMemAlloc_v2(&data[0], 4));
  EXPECT_EQ(cuMemAlloc_v2(&data[1], 4), kErrorOutOfMemory);
  ASSERT_OK(cuMemAlloc_v2(&data[1], 4));
  EXPECT_EQ(cuMemsetD8Async(data[0], 0, 4, stream), kErrorInvalidValue);
  EXPECT_EQ(jobsim_calls("cuMemAlloc_v2"), 3u);
  EXPECT_EQ(jobsim_calls("any"), 4u);
  jobsim_reset_counters();
  EXPECT_EQ(jobsim_calls("any"), 0u);
  EXPECT_OK(cuMemFree_v2(data[0]));
  EXPECT_OK(cuMemFree_v2(data[1]));
}

TEST_F(FailureTest, FailsTheNthCallOfAny) {
  DevicePointer data;
  ASSERT_EQ(jobsim_set_failures("any:3"), 0);
  ASSERT_OK(cuMemAlloc_v2(&data, 4));
  ASSERT_OK(cuMemsetD8Async(data, 0, 4, stream));
  // Fails and releases.
  EXPECT_NE(cuMemFree_v2(data), kSuccess);
  EXPECT_EQ(cuMemFree_v2(data), kErrorInvalidValue);
}

TEST_F(FailureTest, AFailedEndOfACaptureEndsIt) {
  Graph graph;
  ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  ASSERT_EQ(jobsim_set_failures("cuStreamEndCapture:1"), 0);
  EXPECT_NE(cuStreamEndCapture(stream, &graph), kSuccess);
  EXPECT_EQ(graph, nullptr);
  EXPECT_OK(cuStreamSynchronize(stream));
}

TEST_F(FailureTest, SomeErrorsFailTheContext) {
  size_t free, total;
  ASSERT_EQ(jobsim_set_failures("cuStreamSynchronize:1"), 0);
  EXPECT_EQ(cuStreamSynchronize(stream), kErrorLaunchFailed);
  EXPECT_EQ(cuMemGetInfo_v2(&free, &total), kErrorLaunchFailed);
  close();
  open();
  EXPECT_OK(cuMemGetInfo_v2(&free, &total));
}

TEST_F(FailureTest, RefusesUnknownText) {
  for (const char *text : {"cuMemAlloc", "cuNothing:1", "cuInit:0", "cuInit:x",
                           "cuInit:1:", "cuInit:1:0", "any:1:2:3"})
    EXPECT_EQ(jobsim_set_failures(text), -1) << text;
  // No stand-in for a library is open here.
  EXPECT_EQ(jobsim_set_failures("cublasLtMatmul:1"), 0);
  EXPECT_EQ(jobsim_set_failures("cublasMatmul:1"), -1);
  EXPECT_EQ(jobsim_set_failures(""), 0);
}

TEST_F(FailureTest, TellsTheFunctionThatHasFailed) {
  ASSERT_EQ(jobsim_set_failures("any:2"), 0);
  EXPECT_STREQ(jobsim_last_failure(), "");
  size_t free, total;
  EXPECT_OK(cuMemGetInfo_v2(&free, &total));
  EXPECT_STREQ(jobsim_last_failure(), "");
  EXPECT_NE(cuMemGetInfo_v2(&free, &total), kSuccess);
  EXPECT_STREQ(jobsim_last_failure(), "cuMemGetInfo_v2");
  ASSERT_EQ(jobsim_set_failures(nullptr), 0);
  EXPECT_STREQ(jobsim_last_failure(), "");
}

TEST_F(FailureTest, AFaultLastsAsLongAsTheProcess) {
  Context context;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  ASSERT_OK(launch("load_at", 1, 1, DevicePointer(0), int64_t(0)));
  expectFault(kErrorIllegalAddress, "out of bounds");
  // Retained once more: the same context.
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
  size_t free, total;
  EXPECT_EQ(cuMemGetInfo_v2(&free, &total), kErrorIllegalAddress);
  EXPECT_EQ(cuStreamSynchronize(stream), kErrorIllegalAddress);
  close();
  // Another context of the device.
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  ASSERT_OK(cuCtxSetCurrent(context));
  EXPECT_EQ(cuMemGetInfo_v2(&free, &total), kErrorIllegalAddress);
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
  open();
  DevicePointer data = upload(std::vector<int>{5});
  EXPECT_EQ(download<int>(data, 1)[0], 5);
}

TEST_F(FailureTest, OtherDevicesRunOn) {
  Context first, other;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&first, 0));
  ASSERT_OK(cuDevicePrimaryCtxRetain(&other, 1));
  ASSERT_OK(launch("load_at", 1, 1, DevicePointer(0), int64_t(0)));
  expectFault(kErrorIllegalAddress, "out of bounds");
  size_t free, total;
  ASSERT_OK(cuCtxSetCurrent(other));
  EXPECT_OK(cuMemGetInfo_v2(&free, &total));
  ASSERT_OK(cuCtxSetCurrent(first));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(1));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

} // namespace
