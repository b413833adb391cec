//===- NcclTest.cpp - Ranks on the simulated CUDA -------------------------===//
//
// Each rank is a session on a device of its own, created and used by a thread
// of its own, as several ranks of one process are.
//
//===----------------------------------------------------------------------===//

#include "simulators/common/Elements.h"
#include "simulators/cuda/control.h"
#include "unittests/cuda/CudaArtifact.h"

#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// The functions of control.h in the library that the driver opens.
#define SIMULATOR(function)                                                    \
  (reinterpret_cast<decltype(&function)>(                                      \
      dlsym(dlopen(JOBRT_SIMULATED_CUDA, RTLD_NOW | RTLD_LOCAL), #function)))

namespace {
using Sessions = std::vector<std::unique_ptr<Session>>;

class NcclTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    setenv("JOBSIM_DEVICES", "4", 1);
    unsetenv("JOBMLIR_NCCL_LIBRARY");
    SIMULATOR(jobsim_set_failures)(nullptr);
    SIMULATOR(jobsim_set_schedule)(JOBSIM_SCHEDULE_RANDOM);
    SIMULATOR(jobsim_set_deadlock)(30000);
    SIMULATOR(jobsim_clear_fault)();
    SIMULATOR(jobsim_set_seed)(testSeed());
  }
  void TearDown() override { EXPECT_EQ(SIMULATOR(jobsim_report_leaks)(), 0u); }

  static void runAll(int ranks, const std::function<void(int)> &body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] { body(rank); });
    for (std::thread &thread : threads)
      thread.join();
  }

  static Expected<std::unique_ptr<Session>>
  create(const std::shared_ptr<const Artifact> &artifact, int ranks, int rank,
         const std::optional<CommunicatorId> &id) {
    SessionOptions options;
    options.driver = "cuda:" + std::to_string(rank);
    options.credits = 8;
    options.ranks = ranks;
    options.rank = rank;
    options.communicatorId = id;
    return Session::create(artifact, options);
  }

  static std::optional<CommunicatorId> makeId() {
    Expected<CommunicatorId> id = createCommunicatorId();
    EXPECT_TRUE(id.ok()) << id.status().toString();
    return *id;
  }

  static Sessions createAll(const std::shared_ptr<const Artifact> &artifact,
                            int ranks) {
    Sessions sessions(ranks);
    std::optional<CommunicatorId> id = makeId();
    runAll(ranks, [&](int rank) {
      Expected<std::unique_ptr<Session>> session =
          create(artifact, ranks, rank, id);
      ASSERT_TRUE(session.ok()) << session.status().toString();
      sessions[rank] = std::move(*session);
    });
    return sessions;
  }

  static void expectError(const Status &status, StatusCode code,
                          const std::string &text) {
    EXPECT_EQ(status.code(), code) << status.toString();
    EXPECT_TRUE(contains(status.message(), text)) << status.message();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

static json port(const char *name, const std::string &dtype, int64_t size) {
  return {{"name", name},
          {"dtype", dtype},
          {"shape", json::array({size})},
          {"offset", 0}};
}

static json copyCommand(json from, json to) {
  return {{"op", "copy"}, {"args", {std::move(from), std::move(to)}}};
}

/// An entry of a test, whose input and output are in the arena while its
/// commands run: the input at 0, the output at 1024.
static json makeEntry(const std::string &name, const std::string &dtype,
                      int64_t bytes, int64_t inSize, int64_t outSize,
                      json commands) {
  json in = json::array({"arena", 0, inSize * bytes}),
       out = json::array({"arena", 1024, outSize * bytes});
  json all = {copyCommand({"input", 0, inSize * bytes}, in)};
  for (json &command : commands)
    all.push_back(std::move(command));
  all.push_back(copyCommand(out, {"output", 0, outSize * bytes}));
  return {{"name", name},
          {"kind", "predict"},
          {"inputs", {port("x", dtype, inSize)}},
          {"outputs", {port("y", dtype, outSize)}},
          {"result_structure", "0"},
          {"input_bytes", 1024},
          {"output_bytes", 1024},
          {"arena_bytes", 2048},
          {"workspace_bytes", 0},
          {"arena_lower_bound", 0},
          {"commands", std::move(all)}};
}

static json collective(const std::string &kind, const std::string &dtype,
                       json args, json reads, json writes) {
  return {{"op", "collective"},
          {"kind", kind},
          {"dtype", dtype},
          {"flops", 0},
          {"name", "exchange"},
          {"location", 1},
          {"args", std::move(args)},
          {"reads", std::move(reads)},
          {"writes", std::move(writes)}};
}

static json reduceInPlace(int64_t bytes, const char *reduction = "sum") {
  json command = collective("all_reduce", "f32",
                            {json::array({"arena", 1024, bytes})}, {0}, {0});
  command["reduction"] = reduction;
  return command;
}

static std::shared_ptr<const Artifact> load(int ranks, json entries) {
  json manifest = cudaManifest(testManifest());
  manifest["communicator"] = {{"ranks", ranks}};
  for (json &entry : entries)
    manifest["entries"].push_back(std::move(entry));
  Expected<std::shared_ptr<const Artifact>> artifact =
      loadCudaArtifact(manifest);
  EXPECT_TRUE(artifact.ok()) << artifact.status().toString();
  return artifact.ok() ? *artifact : nullptr;
}

/// y = the sum of x of all ranks, of four floats.
static json sumEntry(const std::string &name = "sum") {
  return makeEntry(
      name, "f32", 4, 4, 4,
      {copyCommand({"arena", 0, 16}, {"arena", 1024, 16}), reduceInPlace(16)});
}

static std::vector<float> runFloats(Session &session, const char *entry,
                                    std::vector<float> x) {
  TensorView view{DType::kF32, {int64_t(x.size())}, x.data()};
  Expected<Future> future = session.submit(entry, {view});
  EXPECT_TRUE(future.ok()) << future.status().toString();
  Status status = future->wait();
  EXPECT_TRUE(status.ok()) << status.toString();
  return status.ok() ? floats(future->output(0)) : std::vector<float>();
}

//===----------------------------------------------------------------------===//
// Every collective
//===----------------------------------------------------------------------===//

namespace {
struct Type {
  const char *name;
  DType dtype;
  int64_t bytes;
};

/// A collective with all that it depends on.
struct Case {
  std::string name;
  CollectiveKind kind;
  Reduction reduction;
  Type type;
  bool isInPlace;
};
} // namespace

static constexpr Type kTypes[] = {
    {"f16", DType::kF16, 2}, {"bf16", DType::kBF16, 2}, {"f32", DType::kF32, 4},
    {"f64", DType::kF64, 8}, {"i8", DType::kI8, 1},     {"ui8", DType::kUI8, 1},
    {"i32", DType::kI32, 4}, {"i64", DType::kI64, 8}};

/// Elements of each rank, or of each part.
static constexpr int64_t kElements = 5;

static void encode(DType dtype, double value, std::byte *to) {
  auto store = [&](auto stored) { std::memcpy(to, &stored, sizeof(stored)); };
  switch (dtype) {
  case DType::kF16:
    return store(jobsim::toF16(static_cast<float>(value)));
  case DType::kBF16:
    return store(jobsim::toBF16(static_cast<float>(value)));
  case DType::kF32:
    return store(static_cast<float>(value));
  case DType::kF64:
    return store(value);
  case DType::kI32:
    return store(static_cast<int32_t>(value));
  case DType::kI64:
    return store(static_cast<int64_t>(value));
  default:
    return store(static_cast<int8_t>(value));
  }
}

/// Element `i` of a rank: exact in every type, and so are all results.
static double valueOf(int rank, int64_t i) {
  return 1 + (3 * i + 2 * rank) % 4;
}

static std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const Type &type : kTypes)
    for (bool isInPlace : {false, true})
      for (CollectiveKind kind :
           {CollectiveKind::kAllReduce, CollectiveKind::kReduceScatter,
            CollectiveKind::kAllGather, CollectiveKind::kBroadcast})
        for (Reduction reduction :
             {Reduction::kSum, Reduction::kProd, Reduction::kMin,
              Reduction::kMax, Reduction::kAvg}) {
          bool isReduced = kind == CollectiveKind::kAllReduce ||
                           kind == CollectiveKind::kReduceScatter;
          bool isFloat = type.name[0] == 'f' || type.name[0] == 'b';
          if ((!isReduced && reduction != Reduction::kSum) ||
              (reduction == Reduction::kAvg && !isFloat))
            continue;
          cases.push_back({std::string(collectiveName(kind)) + "_" +
                               reductionName(reduction) + "_" + type.name +
                               (isInPlace ? "_in_place" : ""),
                           kind, reduction, type, isInPlace});
        }
  return cases;
}

static int64_t inSize(const Case &test, int ranks) {
  return kElements * (test.kind == CollectiveKind::kReduceScatter ? ranks : 1);
}

static int64_t outSize(const Case &test, int ranks) {
  return kElements * (test.kind == CollectiveKind::kAllGather ? ranks : 1);
}

/// A copy of a part of a larger buffer to the beginning of one, or back. The
/// offset of a buffer is a multiple of 64, that of the copies in a repeat is
/// not: the last one is the one that counts.
static json copyPart(json from, json to, size_t moving, int rank) {
  if (rank == 0)
    return copyCommand(from, to);
  json &buffer = moving == 0 ? from : to;
  buffer.push_back(buffer[2]);
  return {{"op", "repeat"},
          {"count", rank + 1},
          {"commands", {copyCommand(from, to)}}};
}

/// The entry of a case for one rank. In place, the larger buffer is at 1536.
static json makeCase(const Case &test, int ranks, int rank) {
  int64_t bytes = test.type.bytes;
  int64_t in = inSize(test, ranks) * bytes, out = outSize(test, ranks) * bytes;
  json from = json::array({"arena", 0, in}),
       to = json::array({"arena", 1024, out});
  json larger = json::array({"arena", 1536, std::max(in, out)});
  json command = collective(collectiveName(test.kind), test.type.name,
                            {from, to}, {0}, {1});
  if (test.isInPlace)
    command = collective(collectiveName(test.kind), test.type.name, {larger},
                         {0}, {0});
  if (test.kind == CollectiveKind::kAllReduce ||
      test.kind == CollectiveKind::kReduceScatter)
    command["reduction"] = reductionName(test.reduction);
  if (test.kind == CollectiveKind::kBroadcast)
    command["peer"] = ranks - 1;
  json commands = json::array({command});
  if (test.isInPlace) {
    bool isGather = test.kind == CollectiveKind::kAllGather,
         isScatter = test.kind == CollectiveKind::kReduceScatter;
    json fill = {{"op", "fill"}, {"value", 255}, {"args", {larger}}};
    commands = json::array(
        {fill, copyPart(from, {"arena", 1536, in}, 1, isGather ? rank : 0),
         command, copyPart({"arena", 1536, out}, to, 0, isScatter ? rank : 0)});
  }
  return makeEntry(test.name, test.type.name, bytes, inSize(test, ranks),
                   outSize(test, ranks), std::move(commands));
}

static double reduceAll(Reduction reduction, int ranks, int64_t i) {
  double result = valueOf(0, i);
  for (int rank = 1; rank < ranks; ++rank) {
    double other = valueOf(rank, i);
    result = reduction == Reduction::kProd  ? result * other
             : reduction == Reduction::kMin ? std::min(result, other)
             : reduction == Reduction::kMax ? std::max(result, other)
                                            : result + other;
  }
  return reduction == Reduction::kAvg ? result / ranks : result;
}

/// Element `i` of what a rank gets.
static double expected(const Case &test, int ranks, int rank, int64_t i) {
  switch (test.kind) {
  case CollectiveKind::kAllReduce:
    return reduceAll(test.reduction, ranks, i);
  case CollectiveKind::kReduceScatter:
    return reduceAll(test.reduction, ranks, rank * kElements + i);
  case CollectiveKind::kAllGather:
    return valueOf(static_cast<int>(i / kElements), i % kElements);
  default:
    return valueOf(ranks - 1, i);
  }
}

static void runCase(Session &session, const Case &test, int ranks, int rank) {
  int64_t in = inSize(test, ranks), out = outSize(test, ranks);
  std::vector<std::byte> x(in * test.type.bytes), y(out * test.type.bytes);
  for (int64_t i = 0; i < in; ++i)
    encode(test.type.dtype, valueOf(rank, i), &x[i * test.type.bytes]);
  for (int64_t i = 0; i < out; ++i)
    encode(test.type.dtype, expected(test, ranks, rank, i),
           &y[i * test.type.bytes]);
  Expected<Future> future =
      session.submit(test.name, {{test.type.dtype, {in}, x.data()}});
  ASSERT_TRUE(future.ok()) << future.status().toString();
  Status status = future->wait();
  ASSERT_TRUE(status.ok()) << status.toString();
  EXPECT_EQ(std::memcmp(future->outputData(0), y.data(), y.size()), 0)
      << test.name << " on rank " << rank << " of " << ranks;
}

TEST_F(NcclTest, EveryCollectiveTypeAndForm) {
  std::vector<Case> cases = allCases();
  for (int ranks : {1, 2, 4}) {
    std::optional<CommunicatorId> id = makeId();
    std::vector<std::shared_ptr<const Artifact>> artifacts;
    for (int rank = 0; rank < ranks; ++rank) {
      json entries = json::array();
      for (const Case &test : cases)
        entries.push_back(makeCase(test, ranks, rank));
      artifacts.push_back(load(ranks, std::move(entries)));
    }
    Sessions sessions(ranks);
    runAll(ranks, [&](int rank) {
      Expected<std::unique_ptr<Session>> session =
          create(artifacts[rank], ranks, rank, id);
      ASSERT_TRUE(session.ok()) << session.status().toString();
      sessions[rank] = std::move(*session);
      // The second time, graphs are replayed.
      for (int time = 0; time < 2; ++time)
        for (const Case &test : cases)
          runCase(*sessions[rank], test, ranks, rank);
    });
  }
}

TEST_F(NcclTest, ARingOfSendsAndReceives) {
  for (int ranks : {1, 2, 4}) {
    std::optional<CommunicatorId> id = makeId();
    runAll(ranks, [&](int rank) {
      json send = collective("send", "f32", {json::array({"arena", 0, 16})},
                             {0}, json::array());
      send["peer"] = (rank + 1) % ranks;
      json recv = collective("recv", "f32", {json::array({"arena", 1024, 16})},
                             json::array(), {0});
      recv["peer"] = (rank + ranks - 1) % ranks;
      recv["joined"] = true;
      std::shared_ptr<const Artifact> artifact =
          load(ranks, {makeEntry("ring", "f32", 4, 4, 4, {send, recv})});
      Expected<std::unique_ptr<Session>> session =
          create(artifact, ranks, rank, id);
      ASSERT_TRUE(session.ok()) << session.status().toString();
      for (int step = 0; step < 5; ++step) {
        float mine = 10 * step + rank;
        float other = 10 * step + (rank + ranks - 1) % ranks;
        EXPECT_EQ(runFloats(**session, "ring", {mine, 1, 2, 3}),
                  (std::vector<float>{other, 1, 2, 3}));
      }
    });
  }
}

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
  expectError(
      statuses[1], StatusCode::kInternal,
      "job 'sum', step 2: 'exchange': all_reduce or a later collective: "
      "a collective failed with the error 6 (remote process exited or "
      "there was a network error)");
  EXPECT_EQ(statuses[1].location(), "train.py:20:8");
  // Later steps with collectives fail at once, others do not.
  for (int rank = 0; rank < 2; ++rank) {
    expectError(runStep(*sessions[rank]), StatusCode::kInternal,
                "'exchange': all_reduce: an earlier error has ended the "
                "communicator of the 2 ranks");
    Status status = runStep(*sessions[rank], "local");
    EXPECT_TRUE(status.ok()) << status.toString();
  }
  // Another group can be made.
  sessions.clear();
  sessions = createAll(artifact, 2);
  runAll(2, [&](int rank) { EXPECT_TRUE(runStep(*sessions[rank]).ok()); });
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
    SIMULATOR(jobsim_set_failures)(("any:" + std::to_string(call)).c_str());
    for (const Status &status : live())
      failed += !status.ok();
    SIMULATOR(jobsim_set_failures)(nullptr);
    SIMULATOR(jobsim_report_leaks)();
  }
  EXPECT_GT(failed, 50);
  SIMULATOR(jobsim_set_deadlock)(30000);
  for (const Status &status : live())
    EXPECT_TRUE(status.ok()) << status.toString();
}
