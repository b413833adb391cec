//===- NcclResultTest.cpp - What collectives compute ----------------------===//

#include "simulators/common/Elements.h"
#include "unittests/cuda/RankTest.h"

#include <cstring>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class NcclResultTest : public RankTest {
protected:
  void SetUp() override {
    RankTest::SetUp();
    Status status = createCommunicatorId().status();
    if (status.code() == StatusCode::kNotFound)
      GTEST_SKIP() << status.toString();
  }
};
} // namespace

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

TEST_F(NcclResultTest, EveryCollectiveTypeAndForm) {
  std::vector<Case> cases = allCases();
  for (int ranks : groupSizes()) {
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

TEST_F(NcclResultTest, ARingOfSendsAndReceives) {
  for (int ranks : groupSizes()) {
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
