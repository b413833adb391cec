//===- ChecksTest.cpp - Steps that stop at a NaN or infinity --------------===//

#include "drivers/host/FiniteChecks.h"
#include "lib/executor/Manifest.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <atomic>
#include <cstring>
#include <limits>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// A dispatch whose chunks find what the input's first four words say.
static json checkedDispatch() {
  return {{"op", "dispatch"},
          {"kernel", 5},
          {"chunks", 4},
          {"flops", 0},
          {"args", {{"input", 0, 256}, {"arena", 0, 16}}},
          {"reads", {0}},
          {"writes", {1}},
          {"name", "fused"},
          {"location", 0},
          {"checks",
           {{{"name", "input x"}, {"location", -1}},
            {{"name", "log"}, {"location", 1}},
            {{"location", 0}}}}};
}

/// The good manifest whose 'copy_job' begins with that dispatch.
static json checkedManifest() {
  json manifest = testManifest();
  json &commands = manifest["entries"][3]["commands"];
  commands.insert(commands.begin(), checkedDispatch());
  return manifest;
}

/// What a chunk that looked at `checks` ops finds at op `index`.
static uint32_t word(int64_t index, bool isNaN, int64_t checks = 3) {
  return JOBRT_CHECK_FAILED | uint32_t(checks - index) << 1 | uint32_t(isNaN);
}

static Status runWith(Session &session, std::array<uint32_t, 4> words) {
  Blob x;
  std::memcpy(x.values.data(), words.data(), sizeof(words));
  Expected<Future> future = session.run("copy_job", {x.view()});
  return future.ok() ? future->wait() : future.status();
}

TEST(ChecksTest, AreRead) {
  Expected<Manifest> manifest = parseManifest(checkedManifest().dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  const Command &command = manifest->entries[3].commands[0];
  ASSERT_EQ(command.checks.size(), 3u);
  EXPECT_EQ(command.checks[0].name, "input x");
  EXPECT_EQ(command.checks[0].location, "");
  EXPECT_EQ(command.checks[1].name, "log");
  EXPECT_EQ(command.checks[1].location, "train.py:20:8");
  EXPECT_EQ(command.checks[2].name, "");
}

TEST(ChecksTest, WhatAManifestMayNotSay) {
  struct {
    const char *pointer;
    json value;
    const char *message;
  } rows[] = {
      {"/checks", json::array(),
       "entries[3].commands[0].checks: expects 1 to 4194303 checks but got 0"},
      {"/checks", 3,
       "entries[3].commands[0].checks: expects an array but got 3"},
      {"/checks/1/location", 99,
       "entries[3].commands[0].checks[1].location: expects an integer from -1 "
       "to 1 but got 99"},
      {"/checks/1/name", 1,
       "entries[3].commands[0].checks[1].name: expects a string but got 1"},
      {"/args/1/2", 12,
       "entries[3].commands[0].args: expects a last buffer of at least 16 "
       "bytes that is only written, for the status words of the checks"},
      {"/reads", json::array({0, 1}),
       "entries[3].commands[0].args: expects a last buffer of at least 16 "
       "bytes that is only written, for the status words of the checks"},
  };
  for (auto &row : rows) {
    json manifest = checkedManifest();
    manifest["entries"][3]["commands"][0][json::json_pointer(row.pointer)] =
        row.value;
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    ASSERT_FALSE(parsed.ok()) << row.message;
    EXPECT_EQ(parsed.status().message(), row.message);
  }
}

TEST(ChecksTest, AFiniteStepRuns) {
  std::unique_ptr<Session> session = makeSession({}, checkedManifest());
  // Exponents below the highest one, whatever the bits under them.
  EXPECT_TRUE(runWith(*session, {0, 1, 0x7f7fffff, 0x7f000001}).ok());
}

TEST(ChecksTest, TheFirstOpIsNamed) {
  std::unique_ptr<Session> session = makeSession({}, checkedManifest());
  struct {
    std::array<uint32_t, 4> words;
    const char *message, *location;
  } rows[] = {
      {{0, 0, 0, word(0, true)},
       "job 'copy_job', 'input x': expects finite values but got NaN in step 1",
       ""},
      {{0, word(2, true), word(1, false), word(2, false)},
       "job 'copy_job', 'log': expects finite values but got infinity in step "
       "2",
       "train.py:20:8"},
      // In one chunk an infinity, in another one NaN.
      {{word(1, true), word(1, false), 0, 0},
       "job 'copy_job', 'log': expects finite values but got NaN in step 3",
       "train.py:20:8"},
      {{word(2, false), 0, 0, 0},
       "job 'copy_job': expects finite values but got infinity in step 4",
       "train.py:12:4"},
  };
  for (auto &row : rows) {
    Status status = runWith(*session, row.words);
    EXPECT_EQ(status.code(), StatusCode::kNotFinite);
    EXPECT_EQ(status.message(), std::string(row.message) +
                                    " of this job; variables are as they were "
                                    "before this step");
    EXPECT_EQ(status.location(), row.location);
  }
}

TEST(ChecksTest, TheRestOfTheStepIsLeftOut) {
  std::unique_ptr<Session> session = makeSession({}, checkedManifest());
  std::atomic<int> calls{0};
  CallScope scope({.beforeChunk = [&](int64_t) {
    ++calls;
    return Status();
  }});
  EXPECT_FALSE(runWith(*session, {word(0, false), 0, 0, 0}).ok());
  EXPECT_EQ(calls, 0);
  // The next step is one as any other.
  EXPECT_TRUE(runWith(*session, {0, 0, 0, 0}).ok());
  EXPECT_EQ(calls, 4);
}

TEST(ChecksTest, VariablesThatWereWrittenBefore) {
  json manifest = checkedManifest();
  json &commands = manifest["entries"][3]["commands"];
  json fill = {{"op", "fill"}, {"value", 0}, {"args", {{"bank", 0, 64}}}};
  commands.insert(commands.begin(), fill);
  std::unique_ptr<Session> session = makeSession({}, manifest);
  Status status = runWith(*session, {word(1, true), 0, 0, 0});
  EXPECT_TRUE(contains(status.message(),
                       "; variables may have been changed by this step"));
}

//===----------------------------------------------------------------------===//
// Inputs and library calls
//===----------------------------------------------------------------------===//

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

static Status runWith(Session &session, Blob &x) {
  Expected<Future> future = session.run("copy_job", {x.view()});
  return future.ok() ? future->wait() : future.status();
}

/// 'copy_job' with checks of its input or of its call.
static json checkedCopy(bool checksInput, bool checksCall) {
  json manifest = testManifest();
  json &entry = manifest["entries"][3];
  if (checksInput) {
    entry["inputs"][0]["checked"] = true;
    entry["inputs"][0]["location"] = 1;
  }
  if (checksCall)
    entry["commands"][0]["checked"] = true;
  return manifest;
}

TEST(ChecksTest, MalformedInputsAndCalls) {
  struct {
    json patch;
    const char *message;
  } rows[] = {
      {{{"inputs", {{"checked", 1}}}},
       "entries[3].inputs[0].checked: expects a boolean but got 1"},
      {{{"inputs", {{"dtype", "i32"}}}},
       "entries[3].inputs[0].checked: expects floats to be checked but got "
       "64xi32"},
      {{{"inputs", {{"location", nullptr}}}},
       "entries[3].inputs[0]: expects a member 'location'"},
      {{{"inputs", {{"location", 99}}}},
       "entries[3].inputs[0].location: expects an integer from -1 to 1 but got "
       "99"},
      {{{"commands", {{"checked", 1}}}},
       "entries[3].commands[0].checked: expects a boolean but got 1"},
      {{{"commands", {{"reads", {0, 1}}, {"writes", json::array()}}}},
       "entries[3].commands[0].checked: expects results to be checked but got "
       "none"},
  };
  for (auto &row : rows) {
    json manifest = checkedCopy(true, true);
    // A null removes the member.
    for (auto &[list, members] : row.patch.items())
      manifest["entries"][3][list][0].merge_patch(members);
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    ASSERT_FALSE(parsed.ok()) << row.message;
    EXPECT_EQ(parsed.status().message(), row.message);
  }
}

TEST(ChecksTest, AnInputIsCheckedBeforeTheFirstCommand) {
  std::unique_ptr<Session> session = makeSession({}, checkedCopy(true, false));
  std::atomic<int> calls{0};
  CallScope scope({.beforeChunk = [&](int64_t) {
    ++calls;
    return Status();
  }});
  Blob x;
  EXPECT_TRUE(runWith(*session, x).ok());
  EXPECT_EQ(calls, 4);
  for (auto [value, name] : {std::pair(kInfinity, "infinity"), {kNaN, "NaN"}}) {
    x.values[0] = kInfinity;
    x.values[40] = value;
    Status status = runWith(*session, x);
    EXPECT_EQ(status.code(), StatusCode::kNotFinite);
    EXPECT_TRUE(contains(status.message(),
                         std::string("job 'copy_job', 'input x': expects "
                                     "finite values but got ") +
                             name))
        << status.message();
    EXPECT_TRUE(contains(status.message(),
                         "; variables are as they were before this step"));
    EXPECT_EQ(status.location(), "train.py:20:8");
    EXPECT_EQ(calls, 4);
  }
}

TEST(ChecksTest, AnInputThatIsNotCheckedMayBeAnything) {
  std::unique_ptr<Session> session = makeSession({}, testManifest());
  Blob x;
  x.values[3] = kNaN;
  EXPECT_TRUE(runWith(*session, x).ok());
}

TEST(ChecksTest, ACallChecksItsResults) {
  json manifest = checkedCopy(false, true);
  manifest["entries"][3]["commands"][0]["name"] = "product";
  manifest["entries"][3]["commands"][0]["location"] = 1;
  for (int threads : {1, 3}) {
    std::unique_ptr<Session> session =
        makeSession({.threads = threads}, manifest);
    Blob x;
    EXPECT_TRUE(runWith(*session, x).ok());
    x.values[63] = kInfinity;
    Status status = runWith(*session, x);
    EXPECT_EQ(status.code(), StatusCode::kNotFinite);
    EXPECT_EQ(status.message(),
              "job 'copy_job', 'product': expects finite values but got "
              "infinity in step 2 of this job; variables are as they were "
              "before this step");
    EXPECT_EQ(status.location(), "train.py:20:8");
    x.values[63] = 1;
    EXPECT_TRUE(runWith(*session, x).ok());
  }
}

/// A dispatch of kernel 5, which takes its status words from the first elements
/// of y, and as its epilogue an update of the variable.
static json checkedUpdate() {
  json manifest = testManifest();
  json y = json::array({"output", 0, 256});
  json check = checkedDispatch();
  json update = {
      {"op", "dispatch"},
      {"kernel", 2},
      {"chunks", 4},
      {"epilogue", true},
      {"flops", 64},
      {"reads", json::array({0, 1})},
      {"writes", json::array({1})},
      {"location", 0},
      {"args",
       {json::array({"input", 0, 256}), json::array({"bank", 0, 256})}}};
  json &commands = manifest["entries"][3]["commands"];
  commands.insert(commands.begin(), {check, update});
  return manifest;
}

TEST(ChecksTest, AnEpilogueDoesNotUpdateAVariableAfterAFailedCheck) {
  for (int threads : {1, 2, 3}) {
    std::unique_ptr<Session> session =
        makeSession({.threads = threads}, checkedUpdate());
    ASSERT_TRUE(session->initialize(1).ok());
    Blob before(1), x(1, 0);
    ASSERT_TRUE(session->writeVariable("weight", before.view()).ok());
    uint32_t found = word(1, true);
    std::memcpy(&x.values[2], &found, sizeof(found));
    Status status = runWith(*session, x);
    EXPECT_EQ(status.code(), StatusCode::kNotFinite);
    EXPECT_TRUE(contains(status.message(), "'log'")) << status.message();
    EXPECT_TRUE(contains(status.message(),
                         "; variables may have been changed by this step"));
    Expected<Tensor> weight = session->readVariable("weight");
    ASSERT_TRUE(weight.ok());
    std::vector<float> after = floats(weight->view());
    for (int64_t i = 16; i < kBlobSize; ++i)
      EXPECT_EQ(after[i] == before.values[i], i >= 32 && i < 48) << i;
  }
}

TEST(ChecksTest, EveryElementTypeIsChecked) {
  auto check = [](DType dtype, auto number) {
    std::vector<decltype(number)> values(10000);
    values[9999] = number;
    return checkFinite(values.data(), 10000, dtype);
  };
  constexpr uint32_t infinite = JOBRT_CHECK_FAILED | 2;
  EXPECT_EQ(check(DType::kF32, kInfinity), infinite);
  EXPECT_EQ(check(DType::kF32, -kInfinity), infinite);
  EXPECT_EQ(check(DType::kF32, kNaN), infinite | 1);
  EXPECT_EQ(check(DType::kF32, std::numeric_limits<float>::max()), 0u);
  EXPECT_EQ(check(DType::kF64, double(kInfinity)), infinite);
  EXPECT_EQ(check(DType::kF64, double(kNaN)), infinite | 1);
  EXPECT_EQ(check(DType::kF64, std::numeric_limits<double>::max()), 0u);
  EXPECT_EQ(check(DType::kF16, uint16_t(0x7c00)), infinite);
  EXPECT_EQ(check(DType::kF16, uint16_t(0xfe00)), infinite | 1);
  EXPECT_EQ(check(DType::kF16, uint16_t(0x7bff)), 0u);
  EXPECT_EQ(check(DType::kBF16, uint16_t(0xff80)), infinite);
  EXPECT_EQ(check(DType::kBF16, uint16_t(0x7f81)), infinite | 1);
  EXPECT_EQ(check(DType::kBF16, uint16_t(0x7f7f)), 0u);
  EXPECT_EQ(check(DType::kI32, int32_t(0x7f800000)), 0u);
}

namespace {
struct NoCall : LibraryCall {
  Status execute(void *const *, int64_t) override { return {}; }
};
} // namespace

TEST(ChecksTest, EachElementOfAResultIsCheckedByItsChunk) {
  calls::MatMul config;
  config.batch = 3, config.m = 40, config.n = 50, config.k = 1;
  config.batch_parts = 2, config.row_parts = 3, config.column_parts = 2;
  ASSERT_EQ(calls::check(config), "");
  Command command;
  command.kind = Command::Kind::kCall;
  command.chunks = config.chunks();
  int64_t count = config.batch * config.m * config.n;
  command.args.resize(3);
  command.args[2].bytes = 4 * count;
  command.args[2].isWritten = true;
  std::vector<float> result(count);
  void *args[] = {nullptr, nullptr, result.data()};

  NoCall blocked;
  blocked.setBlockedResult(config);
  ResultChecks checks(command, blocked);
  NoCall whole;
  ResultChecks rest(command, whole);
  for (int64_t i = 0; i < count; ++i) {
    result[i] = kNaN;
    int64_t batch = i / (config.m * config.n), row = i / config.n % config.m,
            column = i % config.n;
    int64_t expected = (batch / 2 * 3 + row / 16) * 2 + column / 32;
    for (int64_t chunk = 0; chunk < command.chunks; ++chunk)
      ASSERT_EQ(checks.checkChunk(args, chunk) != 0, chunk == expected)
          << i << ", chunk " << chunk;
    ASSERT_EQ(checks.checkRest(args), 0u);
    ASSERT_EQ(rest.checkChunk(args, 0), 0u);
    ASSERT_NE(rest.checkRest(args), 0u);
    result[i] = 0;
  }
}
