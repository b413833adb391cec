//===- OperationTest.cpp - Collectives of the stand-in for NCCL -----------===//

#include "simulators/nccl/unittests/NcclTest.h"

using namespace nccl;

using OperationTest = NcclTest;
using Floats = std::vector<float>;

TEST_F(OperationTest, AllReduceInManyOrders) {
  for (int count : {1, 2, 4}) {
    connect(count);
    for (int round = 0; round < 50; ++round)
      runAll(count, [&](int i, Rank &rank) {
        float *x = rank.upload<float>({1.f + i, 10});
        float *y = rank.upload<float>({0, 0});
        EXPECT_OK(
            ncclAllReduce(x, y, 2, kFloat32, kSum, rank.comm, rank.stream));
        EXPECT_OK(
            ncclAllReduce(y, y, 2, kFloat32, kMax, rank.comm, rank.stream));
        float sum = count * (count + 1) / 2;
        EXPECT_EQ(rank.download(y, 2), (Floats{sum, 10.f * count}));
      });
    disconnect(count);
  }
}

TEST_F(OperationTest, PartsGoToTheirRanks) {
  connect(2);
  runAll(2, [&](int i, Rank &rank) {
    float *x = rank.upload<float>({1, 2, 3, 4 + float(i)});
    float *part = rank.upload<float>({0, 0});
    EXPECT_OK(
        ncclReduceScatter(x, part, 2, kFloat32, kProd, rank.comm, rank.stream));
    EXPECT_EQ(rank.download(part, 2), i ? (Floats{9, 20}) : (Floats{1, 4}));
    // In place: the rank's part.
    EXPECT_OK(ncclAllGather(x + 2 * i, x, 2, kFloat32, rank.comm, rank.stream));
    EXPECT_EQ(rank.download(x, 4), (Floats{1, 2, 3, 5}));
    EXPECT_OK(
        ncclBroadcast(x, x, 4, kFloat32, /*root=*/1, rank.comm, rank.stream));
    EXPECT_EQ(rank.download(x, 4), (Floats{1, 2, 3, 5}));
  });
  disconnect(2);
}

TEST_F(OperationTest, AnExchangeInAGroup) {
  connect(4);
  runAll(4, [&](int i, Rank &rank) {
    float *x = rank.upload<float>({float(i)});
    float *y = rank.upload<float>({0});
    ASSERT_OK(ncclGroupStart());
    EXPECT_OK(ncclSend(x, 1, kFloat32, (i + 1) % 4, rank.comm, rank.stream));
    EXPECT_OK(ncclRecv(y, 1, kFloat32, (i + 3) % 4, rank.comm, rank.stream));
    ASSERT_OK(ncclGroupEnd());
    EXPECT_EQ(rank.download(y, 1), Floats{float((i + 3) % 4)});
  });
  disconnect(4);
}

TEST_F(OperationTest, AnExchangeWithoutAGroupIsADeadlock) {
  jobsim_set_deadlock(50);
  connect(2);
  runAll(2, [&](int i, Rank &rank) {
    float *x = rank.upload<float>({float(i)});
    EXPECT_OK(ncclSend(x, 1, kFloat32, 1 - i, rank.comm, rank.stream));
    EXPECT_OK(ncclRecv(x, 1, kFloat32, 1 - i, rank.comm, rank.stream));
    EXPECT_EQ(rank.wait(), 702);
  });
  EXPECT_TRUE(lastFaultHas("ncclSend of 1 elements of type float32 of rank 0 "
                           "waits for rank 1"));
  runAll(2, [&](int, Rank &rank) { EXPECT_OK(ncclCommAbort(rank.comm)); });
}

TEST_F(OperationTest, AMissingRankIsADeadlock) {
  jobsim_set_deadlock(50);
  connect(2);
  ranks[0].enter();
  float *x = ranks[0].upload<float>({1});
  ASSERT_OK(
      ncclAllReduce(x, x, 1, kFloat32, kSum, ranks[0].comm, ranks[0].stream));
  // One that only queries finds it as well.
  Event event;
  ASSERT_OK(cuEventCreate(&event, jobrt::cuda::kEventDisableTiming));
  ASSERT_OK(cuEventRecord(event, ranks[0].stream));
  int result;
  while ((result = cuEventQuery(event)) == jobrt::cuda::kErrorNotReady) {
  }
  EXPECT_EQ(result, 702);
  EXPECT_TRUE(lastFaultHas("deadlock: ncclAllReduce of 1 elements of type "
                           "float32 (sum) of rank 0 waits for rank 1"));
  cuEventDestroy_v2(event);
  runAll(2, [&](int, Rank &rank) { EXPECT_OK(ncclCommAbort(rank.comm)); });
}

/// Two ranks whose calls do not fit together: both have a fault.
#define EXPECT_MISMATCH(call, text)                                            \
  do {                                                                         \
    connect(2);                                                                \
    runAll(2, [&](int i, Rank &rank) {                                         \
      float *x = rank.upload<float>({1, 2, 3, 4});                             \
      EXPECT_OK(call);                                                         \
      EXPECT_EQ(rank.wait(), 719);                                             \
    });                                                                        \
    EXPECT_TRUE(lastFaultHas(text));                                           \
    runAll(2, [&](int, Rank &rank) { EXPECT_OK(ncclCommAbort(rank.comm)); });  \
    TearDown();                                                                \
    SetUp();                                                                   \
  } while (false)

TEST_F(OperationTest, CallsThatDoNotFitTogether) {
  EXPECT_MISMATCH(
      ncclAllReduce(x, x, 1 + i, kFloat32, kSum, rank.comm, rank.stream),
      "meets ncclAllReduce of ");
  EXPECT_MISMATCH(ncclAllReduce(x, x, 1, i ? kFloat32 : kInt32, kSum, rank.comm,
                                rank.stream),
                  "of type int32 (sum) of rank 0");
  EXPECT_MISMATCH(
      ncclAllReduce(x, x, 1, kFloat32, i ? kSum : kMax, rank.comm, rank.stream),
      "(max) of rank 0");
  EXPECT_MISMATCH(
      ncclBroadcast(x, x, 1, kFloat32, /*root=*/i, rank.comm, rank.stream),
      "(root 1) of rank 1");
  EXPECT_MISMATCH(
      i ? ncclAllReduce(x, x, 1, kFloat32, kSum, rank.comm, rank.stream)
        : ncclBroadcast(x, x, 1, kFloat32, 0, rank.comm, rank.stream),
      "ncclBroadcast of 1 elements of type float32 (root 0) of rank 0");
  EXPECT_MISMATCH(i ? ncclSend(x, 2, kFloat32, 0, rank.comm, rank.stream)
                    : ncclRecv(x, 1, kFloat32, 1, rank.comm, rank.stream),
                  "ncclSend of 2 elements of type float32 of rank 1");
}

TEST_F(OperationTest, ArgumentsAreChecked) {
  connect(2);
  Rank &rank = ranks[1];
  rank.enter();
  float *x = rank.upload<float>({1, 2, 3, 4});
  Comm comm = rank.comm;
  Stream stream = rank.stream;
  EXPECT_EQ(ncclAllReduce(x, x, 1, 10, kSum, comm, stream), kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("ncclAllReduce: the stand-in has no type 10"));
  EXPECT_EQ(ncclAllReduce(x, x, 1, kFloat32, 5, comm, stream),
            kInvalidArgument);
  EXPECT_EQ(ncclAllReduce(x, x, 1, kInt32, kAvg, comm, stream),
            kInvalidArgument);
  EXPECT_EQ(ncclBroadcast(x, x, 1, kFloat32, 2, comm, stream),
            kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("expects a rank below 2 but got 2"));
  EXPECT_EQ(ncclAllReduce(nullptr, x, 1, kFloat32, kSum, comm, stream),
            kInvalidArgument);
  EXPECT_EQ(ncclAllReduce(x, x, 1, kFloat64, kSum, comm, stream), kSuccess);
  auto *odd = reinterpret_cast<float *>(reinterpret_cast<char *>(x) + 2);
  EXPECT_EQ(ncclAllReduce(odd, odd, 1, kFloat32, kSum, comm, stream),
            kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("aligned to their elements"));
  EXPECT_EQ(ncclAllReduce(x, x + 1, 2, kFloat32, kSum, comm, stream),
            kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("the buffers overlap and are not in place"));
  // The part of rank 0.
  EXPECT_EQ(ncclAllGather(x, x, 2, kFloat32, comm, stream), kInvalidArgument);
  EXPECT_EQ(ncclReduceScatter(x, x, 2, kFloat32, kSum, comm, stream),
            kInvalidArgument);
  EXPECT_EQ(ncclGroupEnd(), kInvalidUsage);
  // An error in a group is one of the group, which is dropped.
  ASSERT_OK(ncclGroupStart());
  EXPECT_OK(ncclSend(x, 1, kFloat32, 0, comm, stream));
  EXPECT_EQ(ncclRecv(x, 1, kFloat32, 2, comm, stream), kInvalidArgument);
  EXPECT_EQ(ncclGroupEnd(), kInvalidArgument);
  ranks[0].enter();
  EXPECT_EQ(ncclAllReduce(x, x, 1, kFloat32, kSum, comm, stream),
            kInvalidUsage);
  EXPECT_TRUE(lastFaultHas("expects the context of device 1, as the "
                           "communicator, but got that of 0"));
  // Ends what was submitted.
  rank.enter();
  std::thread aborting([&] { EXPECT_OK(ncclCommAbort(comm)); });
  std::thread other([&] { EXPECT_OK(ncclCommAbort(ranks[0].comm)); });
  EXPECT_OK(rank.wait());
  aborting.join();
  other.join();
}

TEST_F(OperationTest, MemoryOfAnotherDeviceIsAFault) {
  connect(1);
  ranks[1].enter();
  float *other = ranks[1].upload<float>({1});
  ranks[0].enter();
  ASSERT_OK(ncclAllReduce(other, other, 1, kFloat32, kSum, ranks[0].comm,
                          ranks[0].stream));
  EXPECT_EQ(ranks[0].wait(), jobrt::cuda::kErrorIllegalAddress);
  EXPECT_TRUE(lastFaultHas("ncclAllReduce: read of 4 bytes of the send buffer "
                           "of memory that is not the device's"));
  EXPECT_OK(ncclCommAbort(ranks[0].comm));
}

TEST_F(OperationTest, OperationsOnStreamsWithoutAnOrderAreAFault) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  connect(2);
  Rank &rank = ranks[0];
  rank.enter();
  Stream second;
  ASSERT_OK(cuStreamCreate(&second, jobrt::cuda::kStreamNonBlocking));
  float *x = rank.upload<float>({1});
  ASSERT_OK(ncclAllReduce(x, x, 1, kFloat32, kSum, rank.comm, rank.stream));
  ASSERT_OK(ncclAllReduce(x, x, 1, kFloat32, kSum, rank.comm, second));
  EXPECT_EQ(rank.wait(), 719);
  EXPECT_TRUE(lastFaultHas("begins while another operation of the communicator "
                           "runs: expects streams that are in order"));
  cuStreamDestroy_v2(second);
  runAll(2, [&](int, Rank &other) { EXPECT_OK(ncclCommAbort(other.comm)); });
}

TEST_F(OperationTest, AGraphRunsAgain) {
  connect(2);
  runAll(2, [&](int, Rank &rank) {
    float *x = rank.upload<float>({1});
    ASSERT_OK(
        cuStreamBeginCapture_v2(rank.stream, jobrt::cuda::kCaptureThreadLocal));
    for (int i = 0; i < 3; ++i)
      ASSERT_OK(ncclAllReduce(x, x, 1, kFloat32, kSum, rank.comm, rank.stream));
    Graph graph;
    ASSERT_OK(cuStreamEndCapture(rank.stream, &graph));
    GraphExec exec;
    ASSERT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    ASSERT_OK(cuGraphDestroy(graph));
    for (int i = 0; i < 3; ++i)
      ASSERT_OK(cuGraphLaunch(exec, rank.stream));
    EXPECT_EQ(rank.download(x, 1), Floats{512});
    ASSERT_OK(cuGraphExecDestroy(exec));
  });
  disconnect(2);
}

TEST_F(OperationTest, CallsCanBeMadeToFail) {
  connect(1);
  Rank &rank = ranks[0];
  rank.enter();
  float *x = rank.upload<float>({1});
  jobsim_set_failures("ncclAllReduce:1:6,ncclGroupEnd:1");
  EXPECT_EQ(ncclAllReduce(x, x, 1, kFloat32, kSum, rank.comm, rank.stream),
            kRemoteError);
  ASSERT_OK(ncclGroupStart());
  EXPECT_EQ(ncclGroupEnd(), kInternalError);
  EXPECT_EQ(ncclGroupEnd(), kInvalidUsage);
  disconnect(1);
}
