//===- ChecksTest.cpp - Steps that stop at a NaN or infinity --------------===//

#include "lib/executor/Manifest.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <atomic>
#include <cstring>

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
