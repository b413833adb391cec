//===- RepeatTest.cpp - Commands that run several times -------------------===//

#include "lib/executor/Manifest.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <cstring>
#include <fstream>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// The good manifest whose 'copy_job' ends in a repeat that counts its
/// iterations and copies the first 5 floats of each row of 16 to the output:
///   0 call  1 fill count  2 copy count  (4 times: 3 count += 1  4 copy row)
///   5 copy count
static json repeatManifest() {
  json manifest = testManifest();
  json count = json::array({"bank", 256, 8});
  json add = {{"op", "dispatch"}, {"kernel", 3},  {"chunks", 1},  {"flops", 64},
              {"args", {count}},  {"reads", {0}}, {"writes", {0}}};
  json copyRow = {{"op", "copy"},
                  {"args",
                   {json::array({"input", 0, 20, 64}),
                    json::array({"output", 0, 20, 20})}}};
  json copyCount = {{"op", "copy"},
                    {"args", {count, json::array({"output", 256, 8})}}};
  json &commands = manifest["entries"][3]["commands"];
  commands.push_back(
      {{"op", "repeat"}, {"count", 4}, {"commands", {add, copyRow}}});
  commands.push_back(copyCount);
  return manifest;
}

TEST(RepeatTest, IsReadAsARangeOfCommands) {
  Expected<Manifest> manifest = parseManifest(repeatManifest().dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  const EntryInfo &entry = manifest->entries[3];
  ASSERT_EQ(entry.commands.size(), 6u);
  ASSERT_EQ(entry.repeats.size(), 1u);
  EXPECT_EQ(entry.repeats[0].begin, 3u);
  EXPECT_EQ(entry.repeats[0].end, 5u);
  EXPECT_EQ(entry.repeats[0].count, 4);
  EXPECT_EQ(entry.commands[4].args[0].stride, 64);
  EXPECT_EQ(entry.commands[5].args[0].stride, 0);
  std::vector<std::pair<size_t, int64_t>> executions,
      expected = {{0, -1}, {1, -1}, {2, -1}, {3, 0}, {4, 0}, {3, 1},
                  {4, 1},  {3, 2},  {4, 2},  {3, 3}, {4, 3}, {5, -1}};
  entry.forEachExecution([&](size_t index, int64_t iteration) {
    executions.emplace_back(index, iteration);
  });
  EXPECT_EQ(executions, expected);
}

namespace {
struct BadRow {
  const char *pointer, *value, *message;
};
} // namespace

static const BadRow kBadRows[] = {
    {"/count", "1", ".count: expects an integer from 2 to 65536 but got 1"},
    {"/count", "65537",
     ".count: expects an integer from 2 to 65536 but got 65537"},
    {"/commands", "[]", ".commands: expects at least one command but got none"},
    {"/commands", "{}", ".commands: expects an array but got an object"},
    {"/commands/0/op", "\"repeat\"",
     ".commands[0].op: expects one of dispatch, call, copy, fill, "
     "record, wait, host_call, collective but got 'repeat'"},
    {"/commands/1/args/0", "[\"input\", 64, 20, 64]",
     ".commands[1].args[0]: expects to end within the 256 bytes of the space "
     "input but ends at 276"},
    {"/commands/1/args/0", "[\"input\", 0]",
     ".commands[1].args[0]: expects [space, offset, bytes], with a stride or "
     "without, but got 2 elements"},
    {"/commands/1/args/0", "[\"input\", 0, 20, -64]",
     ".commands[1].args[0][3]: expects an integer from 0 to 70368744177664 but "
     "got -64"},
    {"/commands/1/args/0", "[\"output\", 64, 20, 64]",
     ".commands[1].args: expects buffers that do not overlap"},
    {"/commands/0/args/0", "[\"bank\", 0, 8, 8]",
     ".commands[0].args[0]: expects a stride that is a multiple of 64 but got "
     "8"},
};

TEST(RepeatTest, RefusesABadOne) {
  for (const BadRow &row : kBadRows) {
    json manifest = repeatManifest();
    manifest["entries"][3]["commands"][3][json::json_pointer(row.pointer)] =
        json::parse(row.value);
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    ASSERT_FALSE(parsed.ok()) << row.message;
    EXPECT_EQ(parsed.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(contains(parsed.status().message(),
                         std::string("entries[3].commands[3]") + row.message));
  }
}

TEST(RepeatTest, OnlyBuffersInARepeatMove) {
  json manifest = testManifest();
  manifest["entries"][1]["commands"][3]["args"][0] =
      json::array({"arena", 256, 256, 64});
  Expected<Manifest> parsed = parseManifest(manifest.dump());
  ASSERT_FALSE(parsed.ok());
  EXPECT_TRUE(contains(parsed.status().message(),
                       "expects [space, offset, bytes] but got 4 elements"));
}

TEST(RepeatTest, RefusesMoreCommandsThanAStepMayHave) {
  json manifest = repeatManifest();
  json &repeat = manifest["entries"][3]["commands"][3];
  repeat["count"] = 65536;
  json copy = {
      {"op", "fill"}, {"value", 0}, {"args", {json::array({"arena", 0, 64})}}};
  repeat["commands"] = json::array();
  for (int i = 0; i < 16400; ++i)
    repeat["commands"].push_back(copy);
  Expected<Manifest> parsed = parseManifest(manifest.dump());
  ASSERT_FALSE(parsed.ok());
  EXPECT_TRUE(contains(parsed.status().message(),
                       "expects at most 1073741824 commands a step but got "
                       "107479"));
}

/// Commands are counted, not their chunks: the compiler makes as many of these
/// as the shapes ask for.
TEST(RepeatTest, TakesAnyNumberOfChunks) {
  json manifest = repeatManifest();
  manifest["entries"][3]["commands"][3]["commands"][0]["chunks"] = 1 << 30;
  Expected<Manifest> parsed = parseManifest(manifest.dump());
  EXPECT_TRUE(parsed.ok()) << parsed.status().toString();
}

TEST(RepeatTest, RunsAllIterations) {
  for (const char *driver : {"host", "null"}) {
    SessionOptions options;
    options.driver = driver;
    std::unique_ptr<Session> session = makeSession(options, repeatManifest());
    ASSERT_TRUE(session->initialize(1).ok());
    Blob x(1, 1);
    // Other slots in each step: addresses move from a new start.
    for (int step = 0; step < 3; ++step) {
      Expected<Future> future = session->run("copy_job", {x.view()});
      ASSERT_TRUE(future.ok()) << future.status().toString();
      ASSERT_TRUE(future->wait().ok());
      bool computes = std::string_view(driver) == "host";
      std::vector<float> rows = floats(future->output(0));
      for (int i = 0; i < 20; ++i)
        EXPECT_EQ(rows[i], computes ? 1.0f + 16 * (i / 5) + i % 5 : 0.0f) << i;
      int64_t count;
      std::memcpy(&count, future->output(1).data, sizeof(count));
      EXPECT_EQ(count, computes ? 4 : 0);
    }
  }
}

TEST(RepeatTest, AnErrorInALaterIterationSaysThatVariablesMayHaveChanged) {
  json manifest = repeatManifest();
  json &commands = manifest["entries"][3]["commands"];
  // The call comes first in each iteration, what writes a variable behind it.
  commands[3]["commands"].insert(commands[3]["commands"].begin(), commands[0]);
  commands.erase(commands.begin(), commands.begin() + 2);
  int calls = 0;
  CallScope scope({.atFinish = [&] {
    return ++calls == 2 ? Status(StatusCode::kInternal, "broke") : Status();
  }});
  std::unique_ptr<Session> session = makeSession({}, manifest);
  ASSERT_TRUE(session->initialize(1).ok());
  Blob x(1);
  Expected<Future> future = session->run("copy_job", {x.view()});
  ASSERT_TRUE(future.ok());
  EXPECT_TRUE(contains(future->wait().message(),
                       "broke; variables may have been changed by this step"));
  EXPECT_EQ(calls, 2);
}

TEST(RepeatTest, ATraceNamesTheIteration) {
  std::unique_ptr<Session> session = makeSession({}, repeatManifest());
  ASSERT_TRUE(session->initialize(1).ok());
  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  ASSERT_TRUE(session->startTrace({path, 10}).ok());
  Blob x(1);
  Expected<Future> future = session->run("copy_job", {x.view()});
  ASSERT_TRUE(future.ok());
  ASSERT_TRUE(future->wait().ok());
  ASSERT_TRUE(session->finishTrace().ok());
  std::ifstream stream(path);
  json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(trace.is_discarded());
  std::vector<std::pair<int, int>> rows,
      expected = {{0, -1}, {1, -1}, {2, -1}, {3, 0}, {4, 0}, {3, 1},
                  {4, 1},  {3, 2},  {4, 2},  {3, 3}, {4, 3}, {5, -1}};
  for (const json &event : trace["traceEvents"]) {
    if (event["ph"] != "X")
      continue;
    const json &args = event["args"];
    if (event["cat"] == "step") {
      EXPECT_EQ(args["commands"], 12);
      EXPECT_EQ(args["flops"], 1000 + 4 * 64);
    }
    if (event["cat"] != "chunk" && args.contains("command"))
      rows.emplace_back(args["command"], args.value("micro_step", -1));
  }
  EXPECT_EQ(rows, expected);
}
