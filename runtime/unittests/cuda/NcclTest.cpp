//===- NcclTest.cpp - Ranks on the simulated CUDA -------------------------===//

#include "drivers/cuda/nccl/Communicator.h"
#include "unittests/cuda/RankTest.h"
#include "unittests/cuda/Simulated.h"

#include <cstring>
#include <latch>
#include <regex>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class NcclTest : public RankTest {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    RankTest::SetUp();
    unsetenv("JOBMLIR_NCCL_LIBRARY");
    SIMULATOR(jobsim_set_deadlock)(30000);
    SIMULATOR(jobsim_clear_fault)();
  }
};
} // namespace

TEST_F(NcclTest, InARepeatWithManyStepsInFlight) {
  json repeat = {
      {"op", "repeat"}, {"count", 3}, {"commands", {reduceInPlace(16)}}};
  for (int ranks : {2, 4}) {
    std::shared_ptr<const Artifact> artifact = load(
        ranks, {makeEntry("repeated", "f32", 4, 4, 4,
                          {copyCommand({"arena", 0, 16}, {"arena", 1024, 16}),
                           repeat}),
                sumEntry()});
    for (int schedule : {JOBSIM_SCHEDULE_RANDOM, JOBSIM_SCHEDULE_LAZY,
                         JOBSIM_SCHEDULE_EAGER}) {
      SIMULATOR(jobsim_set_schedule)(schedule);
      Sessions sessions = createAll(artifact, ranks);
      runAll(ranks, [&](int rank) {
        std::vector<Future> futures;
        for (int step = 0; step < 100; ++step) {
          std::vector<float> x(4, float(rank + step));
          Expected<Future> future = sessions[rank]->submit(
              step % 3 ? "repeated" : "sum", {{DType::kF32, {4}, x.data()}});
          ASSERT_TRUE(future.ok()) << future.status().toString();
          futures.push_back(*future);
        }
        for (int step = 0; step < 100; ++step) {
          ASSERT_TRUE(futures[step].wait().ok());
          float sum = ranks * step + ranks * (ranks - 1) / 2;
          if (step % 3)
            sum *= ranks * ranks;
          EXPECT_EQ(floats(futures[step].output(0)),
                    std::vector<float>(4, sum));
        }
      });
    }
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(NcclTest, OptionsThatAreNotThoseOfARank) {
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry()});
  EXPECT_EQ(artifact->ranks(), 2);
  expectError(
      Session::create(artifact).status(), StatusCode::kInvalidArgument,
      "expects a session of one of 2 ranks, as the artifact is for, but "
      "got one of 1");
  expectError(create(artifact, 2, 2, makeId()).status(),
              StatusCode::kInvalidArgument,
              "expects a rank from 0 to 1 but got 2");
  expectError(create(artifact, 2, 0, std::nullopt).status(),
              StatusCode::kInvalidArgument,
              "expects the id of a communicator for 2 ranks but got none");
  expectError(create(artifact, 2, 0, CommunicatorId()).status(),
              StatusCode::kInternal,
              "ncclCommInitRankConfig failed with the error 4 (invalid "
              "argument), 'ncclCommInitRankConfig: expects an id of "
              "ncclGetUniqueId': rank 0 of 2");
  // The null driver completes them, and the host has none.
  SessionOptions options;
  options.ranks = 2;
  options.driver = "null";
  Expected<std::unique_ptr<Session>> session =
      Session::create(artifact, options);
  ASSERT_TRUE(session.ok()) << session.status().toString();
  EXPECT_EQ(runFloats(**session, "sum", {1, 2, 3, 4}),
            std::vector<float>(4, 0));
  options.driver = "host";
  expectError(createCommunicatorId(options).status(),
              StatusCode::kUnimplemented, "the driver host has no collectives");
  options.driver = "other";
  expectError(createCommunicatorId(options).status(),
              StatusCode::kInvalidArgument, "expects a driver of host");
}

TEST_F(NcclTest, ALibraryThatIsMissing) {
  std::shared_ptr<const Artifact> artifact = load(1, {sumEntry()});
  setenv("JOBMLIR_NCCL_LIBRARY", "/nowhere/libnccl.so", 1);
  expectError(create(artifact, 1, 0, std::nullopt).status(),
              StatusCode::kNotFound, "cannot open NCCL: /nowhere/libnccl.so");
  expectError(createCommunicatorId().status(), StatusCode::kNotFound,
              "the environment variable JOBMLIR_NCCL_LIBRARY names the "
              "library's file");
  setenv("JOBMLIR_NCCL_LIBRARY", JOBRT_OLD_NCCL, 1);
  expectError(createCommunicatorId().status(), StatusCode::kUnimplemented,
              "expects NCCL 2.18.0 or newer but got version 2.17.1 in");
  unsetenv("JOBMLIR_NCCL_LIBRARY");
}

/// What a rank's session says of a step.
static Status runStep(Session &session, const char *entry = "sum") {
  std::vector<float> x(4, 1);
  Expected<Future> future =
      session.submit(entry, {{DType::kF32, {4}, x.data()}});
  return future.ok() ? future->wait() : future.status();
}

TEST_F(NcclTest, AFailureOfOneRankIsOneOfAll) {
  json local = makeEntry("local", "f32", 4, 4, 4,
                         {copyCommand({"arena", 0, 16}, {"arena", 1024, 16})});
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry(), local});
  Sessions sessions = createAll(artifact, 2);
  runAll(2, [&](int rank) { EXPECT_TRUE(runStep(*sessions[rank]).ok()); });
  // One of the ranks cannot begin its step.
  SIMULATOR(jobsim_set_failures)("cuGraphLaunch:2");
  std::vector<Status> statuses(2);
  runAll(2, [&](int rank) { statuses[rank] = runStep(*sessions[rank]); });
  if (contains(statuses[1].message(), "cuGraphLaunch"))
    std::swap(statuses[0], statuses[1]);
  expectError(statuses[0], StatusCode::kInternal, "cuGraphLaunch failed with");
  expectError(statuses[1], StatusCode::kInternal,
              "job 'sum', step 2: 'exchange': all_reduce or a later "
              "collective: rank ");
  EXPECT_TRUE(contains(statuses[1].message(),
                       " has aborted the communicator of the 2 ranks"));
  EXPECT_EQ(statuses[1].location(), "train.py:20:8");
  // Later steps with collectives fail at once, others do not.
  for (int rank = 0; rank < 2; ++rank) {
    expectError(runStep(*sessions[rank]), StatusCode::kInternal,
                "'exchange': all_reduce: rank ");
    Status status = runStep(*sessions[rank], "local");
    EXPECT_TRUE(status.ok()) << status.toString();
  }
  // Another group can be made.
  sessions.clear();
  sessions = createAll(artifact, 2);
  runAll(2, [&](int rank) { EXPECT_TRUE(runStep(*sessions[rank]).ok()); });
}

TEST_F(NcclTest, ARankThatClosesBeforeItsFirstStepEndsTheOthers) {
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry()});
  Sessions sessions = createAll(artifact, 2);
  // Does not wait for the other one, which has graphs of the communicator.
  sessions[0].reset();
  expectError(runStep(*sessions[1]), StatusCode::kInternal,
              "rank 0 has aborted the communicator of the 2 ranks");
}

/// Rank 1 of 2 as another process has it: without the driver. Calls `body` with
/// its communicator, and aborts that.
static void runOtherRank(const CommunicatorId &id,
                         const std::function<void()> &body) {
  Expected<std::shared_ptr<const cuda::Api>> api = cuda::Api::open("");
  ASSERT_TRUE(api.ok()) << api.status().toString();
  Expected<std::shared_ptr<const cuda::nccl::Api>> library =
      cuda::nccl::Api::open(**api);
  ASSERT_TRUE(library.ok()) << library.status().toString();
  Expected<std::shared_ptr<cuda::DeviceContext>> context =
      cuda::DeviceContext::create(*api, 1);
  ASSERT_TRUE(context.ok()) << context.status().toString();
  ASSERT_TRUE((*context)->enter().ok());
  cuda::nccl::UniqueId unique;
  std::memcpy(unique.bytes, id.data(), id.size());
  cuda::nccl::Config config;
  cuda::nccl::Comm comm = nullptr;
  ASSERT_EQ((*library)->commInitRankConfig(&comm, 2, unique, 1, &config),
            cuda::nccl::kSuccess);
  body();
  EXPECT_EQ((*library)->commAbort(comm), cuda::nccl::kSuccess);
}

TEST_F(NcclTest, ARankOfAnotherMachineThatAborts) {
  setenv("JOBSIM_NETWORK", "1", 1);
  std::optional<CommunicatorId> id = makeId();
  unsetenv("JOBSIM_NETWORK");
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry()});
  std::latch isSubmitted(1);
  runAll(2, [&](int rank) {
    if (rank == 1)
      return runOtherRank(*id, [&] { isSubmitted.wait(); });
    Expected<std::unique_ptr<Session>> session = create(artifact, 2, 0, id);
    ASSERT_TRUE(session.ok()) << session.status().toString();
    std::vector<float> x(4, 1);
    Expected<Future> future =
        (*session)->submit("sum", {{DType::kF32, {4}, x.data()}});
    ASSERT_TRUE(future.ok()) << future.status().toString();
    isSubmitted.count_down();
    // The step may find it before or after its own collective is submitted.
    expectError(future->wait(), StatusCode::kInternal,
                "a collective failed with the error 6 (remote process exited "
                "or there was a network error)");
  });
}

TEST_F(NcclTest, ARankOfTheMachineThatDoesNotAbortIsLeftBehind) {
  auto patience = std::exchange(cuda::nccl::LocalRanks::patience,
                                std::chrono::milliseconds(50));
  std::optional<CommunicatorId> id = makeId();
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry()});
  std::latch isClosed(1);
  runAll(2, [&](int rank) {
    if (rank == 1)
      return runOtherRank(*id, [&] { isClosed.wait(); });
    EXPECT_TRUE(create(artifact, 2, 0, id).ok());
    isClosed.count_down();
  });
  cuda::nccl::LocalRanks::patience = patience;
  while (SIMULATOR(jobsim_report_leaks)() > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST_F(NcclTest, AnAbortWaitsForCallsAndNoneComesAfterIt) {
  Expected<std::shared_ptr<const cuda::Api>> api = cuda::Api::open("");
  ASSERT_TRUE(api.ok()) << api.status().toString();
  std::optional<CommunicatorId> id = makeId();
  SIMULATOR(jobsim_reset_counters)();
  Command command;
  command.kind = Command::Kind::kCollective;
  command.args.resize(1);
  command.args[0].bytes = 16;
  std::latch isOver(1);
  runAll(2, [&](int rank) {
    Expected<std::shared_ptr<cuda::DeviceContext>> context =
        cuda::DeviceContext::create(*api, rank);
    ASSERT_TRUE(context.ok()) << context.status().toString();
    ASSERT_TRUE((*context)->enter().ok());
    Expected<std::unique_ptr<cuda::nccl::Communicator>> communicator =
        cuda::nccl::Communicator::create(*context, 2, rank, *id);
    ASSERT_TRUE(communicator.ok()) << communicator.status().toString();
    if (rank == 1)
      return isOver.wait();
    auto memory = cuda::CudaMemory::create(*context, MemoryKind::kDevice, 16,
                                           "operand of a test");
    auto stream = cuda::createStream(**context);
    ASSERT_TRUE(memory.ok() && stream.ok());
    cuda::DevicePointer args[] = {(*memory)->pointer()};
    auto enqueue = [&](bool hasFollower) {
      return (*communicator)
          ->enqueue(command, hasFollower, args, stream->get());
    };
    EXPECT_TRUE(enqueue(/*hasFollower=*/true).ok());
    (*communicator)->abort();
    // Time for it to end the communicator while the group is open.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    Status status = enqueue(/*hasFollower=*/false);
    EXPECT_TRUE(status.ok()) << status.toString();
    EXPECT_EQ((*api)->streamSynchronize(stream->get()), cuda::kSuccess);
    expectError(enqueue(/*hasFollower=*/false), StatusCode::kInternal,
                "rank 0 has aborted the communicator of the 2 ranks");
    isOver.count_down();
  });
  EXPECT_EQ(SIMULATOR(jobsim_calls)("ncclAllReduce"), 2u);
  EXPECT_STREQ(SIMULATOR(jobsim_last_fault)(), "");
}

TEST_F(NcclTest, ARankThatDoesNotSubmitIsADeadlockInTheSimulator) {
  SIMULATOR(jobsim_set_deadlock)(100);
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry()});
  Sessions sessions = createAll(artifact, 2);
  expectError(runStep(*sessions[0]), StatusCode::kInternal,
              "CUDA_ERROR_LAUNCH_TIMEOUT");
  EXPECT_TRUE(contains(SIMULATOR(jobsim_last_fault)(),
                       "ncclAllReduce of 4 elements of type float32 (sum) of "
                       "rank 0 waits for rank 1"));
}

TEST_F(NcclTest, RanksWithDifferentProgramsAreAFaultInTheSimulator) {
  json other = sumEntry();
  other["commands"][2]["reduction"] = "max";
  std::shared_ptr<const Artifact> artifacts[] = {load(2, {sumEntry()}),
                                                 load(2, {other})};
  std::optional<CommunicatorId> id = makeId();
  runAll(2, [&](int rank) {
    Expected<std::unique_ptr<Session>> session =
        create(artifacts[rank], 2, rank, id);
    ASSERT_TRUE(session.ok()) << session.status().toString();
    EXPECT_FALSE(runStep(**session).ok());
  });
  EXPECT_TRUE(contains(SIMULATOR(jobsim_last_fault)(), " meets ncclAllReduce"));
}

/// Whether an error names a function of CUDA or NCCL.
static bool namesFunction(const std::string &message) {
  static const std::regex function("\\b(cu|nccl)[A-Z]\\w+ failed with ");
  // What cuModuleGetFunction() does not find has a message of its own.
  return std::regex_search(message, function) ||
         contains(message, ": the code for simulated has no kernel 'jobk_");
}

TEST_F(NcclTest, EachFailingCallIsACleanError) {
  std::shared_ptr<const Artifact> artifact = load(2, {sumEntry()});
  // Sessions of two ranks from start to end; the first error of each.
  auto live = [&] {
    std::vector<Status> statuses(2);
    Expected<CommunicatorId> id = createCommunicatorId();
    if (!id.ok())
      return std::vector<Status>{id.status(), id.status()};
    runAll(2, [&](int rank) {
      Expected<std::unique_ptr<Session>> session =
          create(artifact, 2, rank, *id);
      statuses[rank] = session.status();
      for (int step = 0; step < 3 && statuses[rank].ok(); ++step)
        statuses[rank] = runStep(**session);
    });
    return statuses;
  };
  for (const Status &status : live())
    ASSERT_TRUE(status.ok()) << status.toString();
  SIMULATOR(jobsim_reset_counters)();
  live();
  uint64_t calls = SIMULATOR(jobsim_calls)("any");
  ASSERT_GT(calls, 50u);
  // A rank that fails before it comes leaves the other one waiting.
  SIMULATOR(jobsim_set_deadlock)(50);
  int failed = 0;
  for (uint64_t call = 1; call <= calls; ++call) {
    const std::string failure = "any:" + std::to_string(call);
    SCOPED_TRACE(failure);
    ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
    SIMULATOR(jobsim_clear_fault)();
    bool isAnyError = false, isNamed = false;
    for (const Status &status : live()) {
      if (status.ok())
        continue;
      ++failed;
      isAnyError = true;
      if (namesFunction(status.message()))
        isNamed = true;
      else
        expectError(status, StatusCode::kInternal,
                    " has aborted the communicator of the 2 ranks");
    }
    EXPECT_EQ(isNamed, isAnyError) << "both ranks blame the other one";
    // No work was on a device any more when its session had gone.
    EXPECT_FALSE(contains(SIMULATOR(jobsim_last_fault)(), "free"))
        << SIMULATOR(jobsim_last_fault)();
    SIMULATOR(jobsim_set_failures)(nullptr);
    SIMULATOR(jobsim_relaunch)();
    EXPECT_EQ(SIMULATOR(jobsim_report_leaks)(), 0u);
  }
  EXPECT_GT(failed, 50);
  SIMULATOR(jobsim_set_deadlock)(30000);
  for (const Status &status : live())
    EXPECT_TRUE(status.ok()) << status.toString();
}
