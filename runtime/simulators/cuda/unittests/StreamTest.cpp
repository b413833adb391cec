//===- StreamTest.cpp - The order of streams and events -------------------===//

#include "SimTest.h"

#include <thread>

namespace {

class StreamTest : public SimTest {
protected:
  void SetUp() override {
    SimTest::SetUp();
    ASSERT_OK(cuStreamCreate(&second, kStreamNonBlocking));
    ASSERT_OK(cuEventCreate(&event, 0));
    ASSERT_OK(cuEventCreate(&other, 0));
    data = allocate(4);
    result = allocatePinned<int>(1);
  }

  void TearDown() override {
    cuStreamDestroy_v2(second);
    cuEventDestroy_v2(event);
    cuEventDestroy_v2(other);
    SimTest::TearDown();
  }

  /// Fills on one stream and reads on the other; the bytes read.
  int fillAndRead(bool wait) {
    EXPECT_OK(cuMemsetD8Async(data, 1, 4, stream));
    EXPECT_OK(cuStreamSynchronize(stream));
    EXPECT_OK(cuMemsetD8Async(data, 2, 4, stream));
    EXPECT_OK(cuEventRecord(event, stream));
    if (wait) {
      EXPECT_OK(cuStreamWaitEvent(second, event, 0));
    }
    EXPECT_OK(cuMemcpyDtoHAsync_v2(result, data, 4, second));
    EXPECT_OK(cuStreamSynchronize(second));
    EXPECT_OK(cuStreamSynchronize(stream));
    return *result;
  }

  Stream second = nullptr;
  Event event = nullptr, other = nullptr;
  DevicePointer data = 0;
  int *result = nullptr;
};

TEST_F(StreamTest, WaitsForEvents) {
  repeat(200, [&] { ASSERT_EQ(fillAndRead(true), 0x02020202); });
}

TEST_F(StreamTest, ShowsMissingWait) {
  int early = 0, late = 0;
  for (int i = 0; i < 200; ++i)
    (fillAndRead(false) == 0x02020202 ? late : early)++;
  EXPECT_GT(early, 20);
  EXPECT_GT(late, 20);
}

TEST_F(StreamTest, DropsTheWaitsThatATestNames) {
  auto countEarly = [&] {
    int early = 0;
    for (int i = 0; i < 200; ++i)
      early += fillAndRead(true) != 0x02020202;
    return early;
  };
  jobsim_drop_waits(0, 1);
  EXPECT_GT(countEarly(), 20);
  jobsim_drop_waits(0, 0);
  EXPECT_EQ(countEarly(), 0);
}

TEST_F(StreamTest, ShowsMissingSynchronization) {
  int early = 0;
  for (int i = 0; i < 200; ++i) {
    *result = 0;
    EXPECT_OK(cuMemsetD8Async(data, 2, 4, stream));
    EXPECT_OK(cuMemcpyDtoHAsync_v2(result, data, 4, stream));
    early += *result == 0;
    EXPECT_OK(cuStreamSynchronize(stream));
  }
  EXPECT_GT(early, 20);
}

TEST_F(StreamTest, RepeatsFromItsSeed) {
  auto run = [&] {
    std::string results;
    jobsim_set_seed(7);
    for (int i = 0; i < 100; ++i)
      results += char('0' + (fillAndRead(false) & 15));
    return results;
  };
  std::string first = run();
  EXPECT_EQ(run(), first);
  EXPECT_EQ(jobsim_seed(), 7u);
}

TEST_F(StreamTest, EagerRunsAtTheCall) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_EAGER);
  *result = 0;
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, stream));
  ASSERT_OK(cuMemcpyDtoHAsync_v2(result, data, 4, stream));
  EXPECT_EQ(*result, 0x02020202);
}

TEST_F(StreamTest, AnEventIsTheLastRecord) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  // Never recorded: done.
  EXPECT_EQ(cuEventQuery(event), kSuccess);
  EXPECT_EQ(cuEventSynchronize(event), kSuccess);
  EXPECT_EQ(cuStreamWaitEvent(second, event, 0), kSuccess);
  ASSERT_OK(cuMemsetD8Async(data, 1, 4, stream));
  ASSERT_OK(cuEventRecord(event, stream));
  ASSERT_OK(cuEventSynchronize(event));
  EXPECT_EQ(cuEventQuery(event), kSuccess);
}

TEST_F(StreamTest, QueriesGetThere) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  for (int i = 0; i < 100; ++i)
    ASSERT_OK(cuMemsetD8Async(data, 1, 4, stream));
  ASSERT_OK(cuEventRecord(event, stream));
  int queries = 0;
  Result result;
  while ((result = cuEventQuery(event)) == kErrorNotReady)
    ++queries;
  EXPECT_EQ(result, kSuccess);
  EXPECT_GT(queries, 10);
}

TEST_F(StreamTest, MeasuresTime) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  float time = -1;
  EXPECT_EQ(cuEventElapsedTime(&time, event, other), kErrorInvalidHandle);
  ASSERT_OK(cuEventRecord(event, stream));
  ASSERT_OK(cuEventRecord(other, stream));
  EXPECT_EQ(cuEventElapsedTime(&time, event, other), kErrorNotReady);
  ASSERT_OK(cuEventSynchronize(other));
  ASSERT_OK(cuEventElapsedTime(&time, event, other));
  EXPECT_GE(time, 0);
  Event untimed;
  ASSERT_OK(cuEventCreate(&untimed, kEventDisableTiming));
  ASSERT_OK(cuEventRecord(untimed, stream));
  EXPECT_EQ(cuEventElapsedTime(&time, event, untimed), kErrorInvalidHandle);
  ASSERT_OK(cuEventDestroy_v2(untimed));
}

TEST_F(StreamTest, RefusesHandlesOfDestroyedObjects) {
  Stream gone;
  ASSERT_OK(cuStreamCreate(&gone, 0));
  ASSERT_OK(cuStreamDestroy_v2(gone));
  EXPECT_EQ(cuStreamSynchronize(gone), kErrorInvalidHandle);
  EXPECT_EQ(cuStreamDestroy_v2(gone), kErrorInvalidHandle);
  EXPECT_EQ(cuStreamSynchronize(nullptr), kErrorInvalidHandle);
  EXPECT_STREQ(jobsim_last_fault(), "the simulated CUDA has no default stream");
}

TEST_F(StreamTest, RefusesObjectsOfOtherContexts) {
  Context own, foreign;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&own, 0));
  ASSERT_OK(cuDevicePrimaryCtxRetain(&foreign, 1));
  ASSERT_OK(cuCtxSetCurrent(foreign));
  Event foreignEvent;
  ASSERT_OK(cuEventCreate(&foreignEvent, 0));
  auto expectRefused = [&](Result refused, const char *reason) {
    EXPECT_EQ(refused, kErrorInvalidHandle);
    EXPECT_STREQ(jobsim_last_fault(), reason);
    jobsim_clear_fault();
  };
  const char *stranger = "the stream belongs to a context that is not current";
  expectRefused(cuStreamSynchronize(stream), stranger);
  expectRefused(cuStreamWaitEvent(stream, foreignEvent, 0), stranger);
  expectRefused(cuEventRecord(foreignEvent, stream), stranger);
  expectRefused(cuMemsetD8Async(data, 1, 4, stream), stranger);
  expectRefused(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal), stranger);

  ASSERT_OK(cuCtxSetCurrent(own));
  expectRefused(cuEventRecord(foreignEvent, stream),
                "cuEventRecord of an event of another context");
  // Nothing was recorded; a wait for such an event is allowed.
  EXPECT_OK(cuEventQuery(foreignEvent));
  EXPECT_OK(cuStreamWaitEvent(stream, foreignEvent, 0));
  EXPECT_OK(cuStreamSynchronize(stream));
  ASSERT_OK(cuEventDestroy_v2(foreignEvent));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(1));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

TEST_F(StreamTest, ADestroyedStreamFinishes) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  Stream gone;
  ASSERT_OK(cuStreamCreate(&gone, 0));
  ASSERT_OK(cuMemsetD8Async(data, 3, 4, gone));
  ASSERT_OK(cuEventRecord(event, gone));
  ASSERT_OK(cuStreamDestroy_v2(gone));
  ASSERT_OK(cuEventSynchronize(event));
  EXPECT_EQ(download<int>(data, 1)[0], 0x03030303);
}

TEST_F(StreamTest, ManyThreadsSubmit) {
  Context context;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      ASSERT_OK(cuCtxSetCurrent(context));
      Stream own;
      DevicePointer bytes;
      ASSERT_OK(cuStreamCreate(&own, 0));
      ASSERT_OK(cuMemAlloc_v2(&bytes, 1));
      for (int step = 0; step < 100; ++step) {
        unsigned char value = 0;
        ASSERT_OK(cuMemsetD8Async(bytes, 10 * i + step % 10, 1, own));
        ASSERT_OK(cuMemcpyDtoHAsync_v2(&value, bytes, 1, own));
        ASSERT_EQ(value, 10 * i + step % 10);
      }
      ASSERT_OK(cuMemFree_v2(bytes));
      ASSERT_OK(cuStreamDestroy_v2(own));
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

} // namespace
