//===- GraphTest.cpp - Captures and graphs --------------------------------===//

#include "SimTest.h"

#include <functional>
#include <set>
#include <thread>

namespace {

class GraphTest : public SimTest {
protected:
  void SetUp() override {
    SimTest::SetUp();
    ASSERT_OK(cuStreamCreate(&second, kStreamNonBlocking));
    ASSERT_OK(cuEventCreate(&fork, kEventDisableTiming));
    ASSERT_OK(cuEventCreate(&join, kEventDisableTiming));
    data = allocate(8);
    result = allocatePinned<int>(2);
  }

  void TearDown() override {
    if (exec)
      cuGraphExecDestroy(exec);
    if (graph)
      cuGraphDestroy(graph);
    cuStreamDestroy_v2(second);
    cuEventDestroy_v2(fork);
    cuEventDestroy_v2(join);
    SimTest::TearDown();
  }

  void begin() {
    ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  }
  void end() {
    ASSERT_OK(cuStreamEndCapture(stream, &graph));
    ASSERT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  }
  /// The capture has failed before.
  void endInvalid() {
    EXPECT_EQ(cuMemsetD8Async(data, 1, 4, stream),
              kErrorStreamCaptureInvalidated);
    EXPECT_EQ(cuStreamEndCapture(stream, &graph),
              kErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
    // The stream works as before.
    ASSERT_OK(cuMemsetD8Async(data, 1, 4, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
  }
  void waitOn(Stream waiting, Event event, Stream recording) {
    ASSERT_OK(cuEventRecord(event, recording));
    ASSERT_OK(cuStreamWaitEvent(waiting, event, 0));
  }

  Stream second = nullptr;
  Event fork = nullptr, join = nullptr;
  Graph graph = nullptr;
  GraphExec exec = nullptr;
  DevicePointer data = 0;
  int *result = nullptr;
};

TEST_F(GraphTest, ReplaysForkAndJoin) {
  begin();
  ASSERT_OK(cuMemsetD8Async(data, 1, 8, stream));
  waitOn(second, fork, stream);
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, stream));
  ASSERT_OK(cuMemsetD8Async(data + 4, 3, 4, second));
  waitOn(stream, join, second);
  ASSERT_OK(cuMemcpyDtoHAsync_v2(result, data, 8, stream));
  end();
  // Nothing has run.
  EXPECT_EQ(result[0], -1);
  repeat(100, [&] {
    result[0] = result[1] = 0;
    ASSERT_OK(cuGraphLaunch(exec, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
    ASSERT_EQ(result[0], 0x02020202);
    ASSERT_EQ(result[1], 0x03030303);
  });
}

TEST_F(GraphTest, ShowsMissingWaitInside) {
  begin();
  ASSERT_OK(cuMemsetD8Async(data, 1, 4, stream));
  waitOn(second, fork, stream);
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, stream));
  // Should wait for that.
  ASSERT_OK(cuMemcpyDtoHAsync_v2(result, data, 4, second));
  waitOn(stream, join, second);
  end();
  int early = 0, late = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK(cuGraphLaunch(exec, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
    (*result == 0x01010101 ? early : late)++;
  }
  EXPECT_GT(early, 20);
  EXPECT_GT(late, 20);
}

TEST_F(GraphTest, KeepsParametersAndOrdersItself) {
  DevicePointer count = upload(std::vector<uint32_t>(1));
  ASSERT_OK(cuStreamSynchronize(stream));
  begin();
  {
    DevicePointer local = count;
    ASSERT_OK(launch("count_atomically", 1, 10, local));
    local = 0;
  }
  ASSERT_OK(cuMemcpyDtoHAsync_v2(result, count, 4, stream));
  end();
  ASSERT_OK(cuGraphDestroy(graph));
  graph = nullptr;
  // On two streams: one launch after the other all the same.
  for (int i = 0; i < 10; ++i)
    ASSERT_OK(cuGraphLaunch(exec, i % 2 ? stream : second));
  ASSERT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(*result, 100);
}

TEST_F(GraphTest, ADestroyedGraphRunsOn) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  begin();
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, stream));
  end();
  ASSERT_OK(cuGraphLaunch(exec, stream));
  ASSERT_OK(cuGraphExecDestroy(exec));
  EXPECT_EQ(cuGraphLaunch(exec, stream), kErrorInvalidHandle);
  exec = nullptr;
  EXPECT_EQ(download<int>(data, 1)[0], 0x02020202);
}

TEST_F(GraphTest, LaunchesEmptyGraph) {
  begin();
  end();
  ASSERT_OK(cuGraphLaunch(exec, stream));
  ASSERT_OK(cuStreamSynchronize(stream));
}

TEST_F(GraphTest, FindsUnjoinedStream) {
  begin();
  ASSERT_OK(cuMemsetD8Async(data, 1, 8, stream));
  waitOn(second, fork, stream);
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, second));
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), kErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  // Both streams are out of the capture.
  ASSERT_OK(cuStreamSynchronize(second));
}

TEST_F(GraphTest, FindsWorkBehindTheJoin) {
  begin();
  ASSERT_OK(cuMemsetD8Async(data, 1, 8, stream));
  waitOn(second, fork, stream);
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, second));
  waitOn(stream, join, second);
  ASSERT_OK(cuMemsetD8Async(data, 3, 4, second));
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), kErrorStreamCaptureUnjoined);
}

TEST_F(GraphTest, RefusesUnpinnedCopies) {
  int local = 0;
  begin();
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(data, &local, 4, stream),
            kErrorStreamCaptureUnsupported);
  endInvalid();
  begin();
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&local, data, 4, stream),
            kErrorStreamCaptureUnsupported);
  endInvalid();
}

TEST_F(GraphTest, ShowsCopyThatIsNotCaptured) {
  int *value = allocatePinned<int>(1);
  *value = 1;
  begin();
  // Should be on the stream that captures.
  ASSERT_OK(cuMemcpyHtoDAsync_v2(data, value, 4, second));
  ASSERT_OK(cuMemcpyDtoHAsync_v2(result, data, 4, stream));
  end();
  ASSERT_OK(cuStreamSynchronize(second));
  for (int i = 2; i < 5; ++i) {
    *value = i;
    ASSERT_OK(cuGraphLaunch(exec, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
    EXPECT_EQ(*result, 1) << "the copy is not in the graph";
  }
}

TEST_F(GraphTest, RecordsTimesInAGraph) {
  Event before, after;
  ASSERT_OK(cuEventCreate(&before, 0));
  ASSERT_OK(cuEventCreate(&after, 0));
  // Outside of a capture it is another call's.
  EXPECT_EQ(cuEventRecordWithFlags(before, stream, kEventRecordExternal),
            kErrorInvalidValue);
  begin();
  EXPECT_OK(cuEventRecordWithFlags(before, stream, kEventRecordExternal));
  ASSERT_OK(cuMemsetD8Async(data, 2, 4, stream));
  EXPECT_OK(cuEventRecordWithFlags(after, stream, kEventRecordExternal));
  EXPECT_EQ(cuEventRecordWithFlags(after, stream, 0), kErrorInvalidValue);
  end();
  float milliseconds = -1;
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, before, after),
            kErrorInvalidHandle)
      << "no launch has recorded them";
  float last = 0;
  for (int i = 0; i < 3; ++i) {
    Event start;
    ASSERT_OK(cuEventCreate(&start, 0));
    ASSERT_OK(cuEventRecord(start, stream));
    ASSERT_OK(cuGraphLaunch(exec, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
    EXPECT_OK(cuEventElapsedTime(&last, start, before));
    EXPECT_GE(last, 0);
    EXPECT_OK(cuEventElapsedTime(&milliseconds, start, after));
    EXPECT_GE(milliseconds, last);
    ASSERT_OK(cuEventDestroy_v2(start));
  }
  ASSERT_OK(cuEventDestroy_v2(before));
  ASSERT_OK(cuEventDestroy_v2(after));
}

/// Calls a function with zeros.
template <typename... Ts> Result callWithZeros(Result (*function)(Ts...)) {
  return function(Ts()...);
}

TEST_F(GraphTest, ForbiddenCallsInvalidateTheCapture) {
  DevicePointer pointer = 0;
  void *host = nullptr;
  float time;
  Module other;
  std::string image = readFile(JOBSIM_TEST_KERNELS);
  const std::pair<std::string, std::function<Result()>> calls[] = {
      {"cuStreamSynchronize", [&] { return cuStreamSynchronize(stream); }},
      // Of another stream as well.
      {"cuStreamSynchronize", [&] { return cuStreamSynchronize(second); }},
      {"cuEventQuery", [&] { return cuEventQuery(fork); }},
      {"cuEventSynchronize", [&] { return cuEventSynchronize(fork); }},
      {"cuEventElapsedTime",
       [&] { return cuEventElapsedTime(&time, fork, join); }},
      {"cuMemAlloc_v2", [&] { return cuMemAlloc_v2(&pointer, 4); }},
      {"cuMemFree_v2", [&] { return cuMemFree_v2(data); }},
      {"cuMemHostAlloc", [&] { return cuMemHostAlloc(&host, 4, 0); }},
      {"cuMemFreeHost", [&] { return cuMemFreeHost(result); }},
      {"cuModuleLoadData",
       [&] { return cuModuleLoadData(&other, image.data()); }},
      {"cuModuleUnload", [&] { return cuModuleUnload(module); }},
  };
  std::set<std::string> tested, forbidden;
  for (const auto &[name, call] : calls) {
    SCOPED_TRACE(name);
    tested.insert(name);
    begin();
    EXPECT_EQ(call(), kErrorStreamCaptureUnsupported);
    EXPECT_EQ(jobsim_last_fault(),
              name + " on a thread that captures a stream, or during a global "
                     "capture");
    endInvalid();
  }
  // Nothing was released.
  ASSERT_OK(launch("count_launches", 1, 1, data));
  ASSERT_OK(cuMemcpyDtoHAsync_v2(result, data, 4, stream));
  ASSERT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(*result, 1);

  // Every function that a capture forbids has a row above: it is refused before
  // it looks at its arguments.
  Context context, again;
  ASSERT_OK(cuCtxGetCurrent(&context));
#define TRY(name, symbol, parameters)                                          \
  /* For cuCtxSetCurrent() and cuDevicePrimaryCtxRelease(). */                 \
  ASSERT_OK(cuDevicePrimaryCtxRetain(&again, 0));                              \
  begin();                                                                     \
  if (callWithZeros(symbol) == kErrorStreamCaptureUnsupported)                 \
    forbidden.insert(#symbol);                                                 \
  ASSERT_OK(cuCtxSetCurrent(context));                                         \
  cuStreamEndCapture(stream, &graph);                                          \
  if (graph)                                                                   \
    ASSERT_OK(cuGraphDestroy(graph));                                          \
  graph = nullptr;                                                             \
  if (std::string(#symbol) != "cuDevicePrimaryCtxRelease_v2")                  \
    ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
  JOBRT_FOR_EACH_CUDA_FUNCTION(TRY)
#undef TRY
  EXPECT_EQ(tested, forbidden);
}

TEST_F(GraphTest, OtherThreadsAreFreeDuringACapture) {
  Context context;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  begin();
  Result freeCall, ofCaptured, ofOrigin;
  std::thread([&] {
    cuCtxSetCurrent(context);
    freeCall = cuStreamSynchronize(second);
  }).join();
  EXPECT_EQ(freeCall, kSuccess);
  ASSERT_OK(cuMemsetD8Async(data, 1, 4, stream));
  ASSERT_OK(cuEventRecord(fork, stream));
  std::thread([&] {
    cuCtxSetCurrent(context);
    ofCaptured = cuEventQuery(fork);
    ofOrigin = cuStreamSynchronize(stream);
  }).join();
  EXPECT_EQ(ofCaptured, 907);
  EXPECT_EQ(ofOrigin, kErrorStreamCaptureUnsupported);
  endInvalid();
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

TEST_F(GraphTest, AGlobalCaptureRestrictsOtherThreads) {
  Context context;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  for (int mode : {kCaptureGlobal, kCaptureThreadLocal, kCaptureRelaxed}) {
    ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureGlobal));
    Result result, invalid;
    int before = mode, after = 3;
    std::thread([&] {
      cuCtxSetCurrent(context);
      EXPECT_OK(cuThreadExchangeStreamCaptureMode(&before));
      result = cuStreamSynchronize(second);
      invalid = cuThreadExchangeStreamCaptureMode(&after);
    }).join();
    EXPECT_EQ(before, kCaptureGlobal);
    EXPECT_EQ(invalid, kErrorInvalidValue);
    bool isAllowed = mode != kCaptureGlobal;
    EXPECT_EQ(result, isAllowed ? kSuccess : kErrorStreamCaptureUnsupported);
    EXPECT_EQ(cuStreamEndCapture(stream, &graph),
              isAllowed ? kSuccess : kErrorStreamCaptureInvalidated);
    if (isAllowed)
      ASSERT_OK(cuGraphDestroy(graph));
  }
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

TEST_F(GraphTest, KeepsCapturesApart) {
  // A record outside of the capture.
  ASSERT_OK(cuEventRecord(fork, second));
  begin();
  EXPECT_EQ(cuStreamWaitEvent(stream, fork, 0), kErrorStreamCaptureIsolation);
  endInvalid();
  // Two captures.
  begin();
  ASSERT_OK(cuStreamBeginCapture_v2(second, kCaptureThreadLocal));
  ASSERT_OK(cuEventRecord(fork, second));
  EXPECT_EQ(cuStreamWaitEvent(stream, fork, 0), 902);
  Graph none;
  EXPECT_EQ(cuStreamEndCapture(second, &none), kErrorStreamCaptureInvalidated);
  endInvalid();
  // The event of a capture that is over.
  EXPECT_EQ(cuStreamWaitEvent(stream, fork, 0), kErrorStreamCaptureIsolation);
  EXPECT_EQ(cuEventQuery(fork), 907);
}

TEST_F(GraphTest, RefusesWrongBeginsAndEnds) {
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), 401);
  EXPECT_EQ(cuStreamBeginCapture_v2(stream, 3), kErrorInvalidValue);
  begin();
  EXPECT_EQ(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal), 401);
  waitOn(second, fork, stream);
  EXPECT_EQ(cuStreamEndCapture(second, &graph), 903);
  endInvalid();
}

TEST_F(GraphTest, OnlyARelaxedCaptureEndsOnAnotherThread) {
  Context context;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  for (int mode : {kCaptureGlobal, kCaptureThreadLocal, kCaptureRelaxed}) {
    SCOPED_TRACE(mode);
    ASSERT_OK(cuStreamBeginCapture_v2(stream, mode));
    jobsim_clear_fault();
    Result ended = kSuccess;
    std::thread([&] {
      cuCtxSetCurrent(context);
      ended = cuStreamEndCapture(stream, &graph);
    }).join();
    if (mode == kCaptureRelaxed) {
      ASSERT_OK(ended);
      continue;
    }
    EXPECT_EQ(ended, 908);
    EXPECT_STREQ(jobsim_last_fault(), "cuStreamEndCapture on a thread that has "
                                      "not begun the capture");
    endInvalid();
  }
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

TEST_F(GraphTest, RefusesAGraphInsideOfAnother) {
  begin();
  ASSERT_OK(cuMemsetD8Async(data, 1, 4, stream));
  end();
  ASSERT_OK(cuGraphDestroy(graph));
  begin();
  EXPECT_EQ(cuGraphLaunch(exec, stream), kErrorStreamCaptureUnsupported);
  EXPECT_STREQ(jobsim_last_fault(),
               "the simulated CUDA has no graphs inside of graphs");
  endInvalid();
  ASSERT_OK(cuGraphLaunch(exec, stream));
  ASSERT_OK(cuStreamSynchronize(stream));
}

TEST_F(GraphTest, FindsFreedMemoryAtReplay) {
  DevicePointer freed;
  ASSERT_OK(cuMemAlloc_v2(&freed, 4));
  begin();
  ASSERT_OK(cuMemsetD8Async(freed, 1, 4, stream));
  end();
  ASSERT_OK(cuMemFree_v2(freed));
  ASSERT_OK(cuGraphLaunch(exec, stream));
  expectFault(kErrorIllegalAddress, "freed before it ran");
}

} // namespace
