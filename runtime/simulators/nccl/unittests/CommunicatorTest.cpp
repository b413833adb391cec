//===- CommunicatorTest.cpp - Communicators of the stand-in for NCCL ------===//

#include "simulators/nccl/unittests/NcclTest.h"

using namespace nccl;

namespace {
class CommunicatorTest : public NcclTest {
protected:
  /// Two ranks that both fail, with these errors.
  void expectBoth(const std::function<int(int, Rank &)> &body,
                  std::vector<int> errors) {
    std::vector<int> results(2);
    runAll(2, [&](int i, Rank &rank) { results[i] = body(i, rank); });
    std::sort(results.begin(), results.end());
    std::sort(errors.begin(), errors.end());
    EXPECT_EQ(results, errors);
  }
  UniqueId makeId() {
    UniqueId id;
    EXPECT_OK(ncclGetUniqueId(&id));
    return id;
  }
};
} // namespace

TEST_F(CommunicatorTest, ArgumentsAreChecked) {
  UniqueId id = makeId();
  Config config;
  Comm comm;
  ranks[0].enter();
  EXPECT_EQ(ncclGetUniqueId(nullptr), kInvalidArgument);
  EXPECT_EQ(ncclCommInitRankConfig(nullptr, 1, id, 0, &config),
            kInvalidArgument);
  EXPECT_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, nullptr), kInvalidArgument);
  config.version = 21300;
  EXPECT_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, &config), kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("expects a configuration of NCCL 2.14 or later"));
  config = Config();
  config.blocking = 0;
  EXPECT_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, &config), kInvalidArgument);
  config = Config();
  EXPECT_EQ(ncclCommInitRankConfig(&comm, 2, id, 2, &config), kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("expects a rank below 2 but got 2"));
  UniqueId other{};
  EXPECT_EQ(ncclCommInitRankConfig(&comm, 1, other, 0, &config),
            kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("expects an id of ncclGetUniqueId"));
  EXPECT_STREQ(ncclGetLastError(nullptr), jobsim_last_fault());
}

TEST_F(CommunicatorTest, NeedsAContextThatDoesNotCapture) {
  UniqueId id = makeId();
  ASSERT_OK(cuCtxSetCurrent(nullptr));
  EXPECT_EQ(join(ranks[0], 1, 0, id), kUnhandledCudaError);
  ranks[0].enter();
  id = makeId();
  ASSERT_OK(cuStreamBeginCapture_v2(ranks[0].stream,
                                    jobrt::cuda::kCaptureThreadLocal));
  EXPECT_EQ(join(ranks[0], 1, 0, id), kUnhandledCudaError);
  Graph graph;
  EXPECT_NE(cuStreamEndCapture(ranks[0].stream, &graph), 0);
}

TEST_F(CommunicatorTest, AMissingRankIsFound) {
  jobsim_set_deadlock(50);
  ranks[0].enter();
  EXPECT_EQ(join(ranks[0], 2, 0, makeId()), kSystemError);
  EXPECT_TRUE(lastFaultHas("deadlock: waits for rank 1 of 2"));
}

TEST_F(CommunicatorTest, RanksThatDoNotFitTogether) {
  UniqueId id = makeId();
  // The one that has come waits for the other, which fails.
  expectBoth([&](int i, Rank &rank) { return join(rank, 2 + i, i, id); },
             {kInvalidArgument, kRemoteError});
  id = makeId();
  expectBoth([&](int, Rank &rank) { return join(rank, 2, 0, id); },
             {kInvalidUsage, kRemoteError});
  id = makeId();
  expectBoth(
      [&](int i, Rank &rank) {
        ranks[0].enter();
        return join(rank, 2, i, id);
      },
      {kInvalidUsage, kRemoteError});
}

TEST_F(CommunicatorTest, AFailureOfOneRankIsOneOfAll) {
  UniqueId id = makeId();
  jobsim_set_failures("ncclCommInitRankConfig:2");
  expectBoth(
      [&](int i, Rank &rank) {
        int result = join(rank, 2, i, id);
        // The one that is asked to fail has no reason.
        EXPECT_STREQ(ncclGetLastError(nullptr),
                     result == kSystemError
                         ? ""
                         : "ncclCommInitRankConfig: another rank has failed");
        return result;
      },
      {kSystemError, kRemoteError});
}

TEST_F(CommunicatorTest, UseAfterItsEnd) {
  connect(1);
  ranks[0].enter();
  float *x = ranks[0].upload<float>({1});
  EXPECT_OK(ncclCommDestroy(ranks[0].comm));
  EXPECT_EQ(ncclCommDestroy(ranks[0].comm), kInvalidArgument);
  EXPECT_EQ(ncclCommAbort(ranks[0].comm), kInvalidArgument);
  Result error;
  EXPECT_EQ(ncclCommGetAsyncError(ranks[0].comm, &error), kInvalidArgument);
  EXPECT_EQ(
      ncclAllReduce(x, x, 1, kFloat32, kSum, ranks[0].comm, ranks[0].stream),
      kInvalidArgument);
  EXPECT_TRUE(lastFaultHas("ncclAllReduce: no such communicator"));
}

TEST_F(CommunicatorTest, AnAbortBesideAnOpenGroup) {
  connect(1);
  ranks[0].enter();
  float *x = ranks[0].upload<float>({1});
  ASSERT_OK(ncclGroupStart());
  ASSERT_OK(
      ncclAllReduce(x, x, 1, kFloat32, kSum, ranks[0].comm, ranks[0].stream));
  std::thread other([&] {
    ranks[0].enter();
    EXPECT_EQ(ncclCommAbort(ranks[0].comm), kInvalidUsage);
  });
  other.join();
  EXPECT_TRUE(lastFaultHas(
      "ncclCommAbort: another thread has calls of the communicator, which NCCL "
      "has freed"));
  EXPECT_OK(ncclGroupEnd());
}

TEST_F(CommunicatorTest, DestroyWaitsForGraphs) {
  connect(1);
  Rank &rank = ranks[0];
  rank.enter();
  float *x = rank.upload<float>({1});
  ASSERT_OK(
      cuStreamBeginCapture_v2(rank.stream, jobrt::cuda::kCaptureThreadLocal));
  ASSERT_OK(ncclAllReduce(x, x, 1, kFloat32, kSum, rank.comm, rank.stream));
  Graph graph;
  ASSERT_OK(cuStreamEndCapture(rank.stream, &graph));
  jobsim_set_deadlock(50);
  EXPECT_EQ(ncclCommDestroy(rank.comm), kInternalError);
  EXPECT_TRUE(
      lastFaultHas("ncclCommDestroy: deadlock: waits for graphs and streams"));
  EXPECT_OK(cuGraphDestroy(graph));
}

TEST_F(CommunicatorTest, AnAbortEndsOwnOperationsAndTellsMachinesOfTheNetwork) {
  setenv("JOBSIM_NETWORK", "1", 1);
  connect(2);
  unsetenv("JOBSIM_NETWORK");
  ranks[0].enter();
  float *x = ranks[0].upload<float>({1, 2});
  ASSERT_OK(
      ncclAllReduce(x, x, 2, kFloat32, kSum, ranks[0].comm, ranks[0].stream));
  Result error = kInternalError;
  EXPECT_OK(ncclCommGetAsyncError(ranks[0].comm, &error));
  EXPECT_EQ(error, kSuccess);
  ranks[1].enter();
  EXPECT_OK(ncclCommAbort(ranks[1].comm));
  EXPECT_OK(ncclCommGetAsyncError(ranks[0].comm, &error));
  EXPECT_EQ(error, kRemoteError);
  // The stream runs while the abort waits for the operation.
  ranks[0].enter();
  std::thread aborting([&] { EXPECT_OK(ncclCommAbort(ranks[0].comm)); });
  EXPECT_OK(ranks[0].wait());
  aborting.join();
  EXPECT_EQ(ranks[0].download(x, 2), (std::vector<float>{1, 2}));
}

TEST_F(CommunicatorTest, RanksOfAMachineAbortTogetherOrWait) {
  connect(2);
  std::thread first([&] { EXPECT_OK(ncclCommAbort(ranks[0].comm)); });
  ranks[1].enter();
  float *x = ranks[1].upload<float>({1, 2});
  ASSERT_OK(
      ncclAllReduce(x, x, 2, kFloat32, kSum, ranks[1].comm, ranks[1].stream));
  Result error = kInternalError;
  EXPECT_OK(ncclCommGetAsyncError(ranks[1].comm, &error));
  EXPECT_EQ(error, kSuccess);
  std::thread second([&] { EXPECT_OK(ncclCommAbort(ranks[1].comm)); });
  EXPECT_OK(ranks[1].wait());
  second.join();
  first.join();

  connect(2);
  jobsim_set_deadlock(50);
  EXPECT_EQ(ncclCommAbort(ranks[0].comm), kInternalError);
  EXPECT_TRUE(lastFaultHas("ncclCommAbort: deadlock: waits for graphs and "
                           "streams with operations, and for aborts of all "
                           "ranks of the machine"));
  EXPECT_OK(ncclCommAbort(ranks[1].comm));
}
