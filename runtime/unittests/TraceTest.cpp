//===- TraceTest.cpp - What a trace says about the steps ------------------===//

#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {

/// A session whose steps go into a file.
class TraceTest : public testing::Test {
protected:
  void start(SessionOptions options = {}, int64_t steps = 100,
             const json &manifest = testManifest()) {
    session = makeSession(options, manifest);
    Status status = session->startTrace({path, steps});
    ASSERT_TRUE(status.ok()) << status.toString();
  }

  void run(const char *entry) {
    Expected<Future> future = session->run(entry, {x.view()});
    ASSERT_TRUE(future.ok()) << future.status().toString();
    (void)future->wait();
  }

  json readFile() {
    std::ifstream stream(path);
    json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(trace.is_discarded()) << "no JSON";
    return trace;
  }

  json finish() {
    Status status = session->finishTrace();
    EXPECT_TRUE(status.ok()) << status.toString();
    return readFile();
  }

  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  std::unique_ptr<Session> session;
  Blob x{1};
};

} // namespace

/// The rows of a category.
static std::vector<json> rowsOf(const json &trace, const std::string &category,
                                const std::string &phase = "X") {
  std::vector<json> rows;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == phase && event["cat"] == category)
      rows.push_back(event);
  return rows;
}

static bool isCommand(const json &event) {
  for (const char *category : {"dispatch", "call", "copy", "fill"})
    if (event["ph"] == "X" && event["cat"] == category &&
        event["args"].contains("command"))
      return true;
  return false;
}

/// A time of the file in nanoseconds.
static int64_t nanosecondsOf(const json &value) {
  return std::llround(value.get<double>() * 1000);
}

/// Rows of one track lie beside or inside each other.
static void expectNested(const json &trace) {
  std::map<int64_t, std::vector<std::pair<int64_t, int64_t>>> tracks;
  for (const json &event : trace["traceEvents"]) {
    if (event["ph"] != "X")
      continue;
    int64_t begin = nanosecondsOf(event["ts"]);
    int64_t duration = nanosecondsOf(event["dur"]);
    EXPECT_GE(begin, 0) << event;
    EXPECT_GE(duration, 0) << event;
    // Longer ones first when they begin together.
    tracks[event["tid"]].emplace_back(begin, -duration);
  }
  for (auto &[track, rows] : tracks) {
    std::sort(rows.begin(), rows.end());
    std::vector<int64_t> ends;
    for (auto [begin, minusDuration] : rows) {
      while (!ends.empty() && ends.back() <= begin)
        ends.pop_back();
      if (!ends.empty())
        EXPECT_LE(begin - minusDuration, ends.back()) << "track " << track;
      ends.push_back(begin - minusDuration);
    }
  }
}

TEST_F(TraceTest, EachCommandHasARowInEachStep) {
  for (int threads : {1, 3}) {
    SessionOptions options;
    options.threads = threads;
    start(options);
    for (const char *entry : {"train_job", "copy_job", "train_job"})
      run(entry);
    json trace = finish();
    expectNested(trace);
    EXPECT_EQ(trace["otherData"]["steps"], 3);
    EXPECT_EQ(trace["otherData"]["dropped_steps"], 0);
    EXPECT_EQ(trace["otherData"]["threads"], threads);

    std::vector<json> steps = rowsOf(trace, "step");
    ASSERT_EQ(steps.size(), 3u);
    for (const json &step : steps) {
      const EntryInfo &entry =
          *session->artifact().findEntry(step["name"].get<std::string>());
      EXPECT_EQ(step["args"]["commands"], entry.commands.size());
      EXPECT_EQ(step["args"]["failed"], false);
      size_t next = 0, chunks = 0, expectedChunks = 0;
      for (const json &event : trace["traceEvents"]) {
        if (event["ph"] != "X" ||
            event["args"]["step"] != step["args"]["step"] ||
            !event["args"].contains("command"))
          continue;
        if (event["cat"] == "chunk") {
          ++chunks;
          EXPECT_GE(nanosecondsOf(event["ts"]), nanosecondsOf(step["ts"]));
          continue;
        }
        EXPECT_EQ(event["args"]["command"], next);
        EXPECT_EQ(event["args"]["chunks"], entry.commands[next].chunks);
        EXPECT_EQ(event["args"]["flops"], entry.commands[next].flops);
        if (entry.commands[next].chunks > 1)
          expectedChunks += entry.commands[next].chunks;
        ++next;
      }
      EXPECT_EQ(next, entry.commands.size());
      EXPECT_EQ(chunks, expectedChunks);
    }
  }
}

TEST_F(TraceTest, ARowSaysWhatTheUserWrote) {
  start();
  run("copy_job");
  json trace = finish();
  json call = rowsOf(trace, "call").at(1);
  EXPECT_EQ(call["name"], "hidden");
  json &args = call["args"];
  EXPECT_EQ(args["op"], "hidden");
  EXPECT_EQ(args["kernel"], "test.call");
  EXPECT_EQ(args["line"], "train.py:20:8");
  EXPECT_EQ(args["bytes_read"], 256);
  EXPECT_EQ(args["bytes_written"], 256);
  EXPECT_EQ(args["flops"], 1000);
  EXPECT_EQ(args["step"], 1);
  // The rates are those of the row's own numbers.
  double nanoseconds = static_cast<double>(nanosecondsOf(call["dur"]));
  EXPECT_NEAR(args["GFLOP/s"], 1000 / nanoseconds, 0.001);
  EXPECT_NEAR(args["GB/s"], 512 / nanoseconds, 0.001);
  // A command without a name has its kernel's.
  json fill = rowsOf(trace, "fill").at(0);
  EXPECT_EQ(fill["name"], "fill");
  EXPECT_EQ(fill["args"]["op"], "");
  EXPECT_EQ(fill["args"]["bytes_read"], 0);
  EXPECT_EQ(fill["args"]["bytes_written"], 8);
}

TEST_F(TraceTest, MoreOperationsThanFitAreTheLargestNumber) {
  json manifest = testManifest();
  json &entry = manifest["entries"][2];
  ASSERT_EQ(entry["commands"].size(), 2u);
  for (json &command : entry["commands"])
    command["flops"] = INT64_MAX - 1;
  start({}, 100, manifest);
  run(entry["name"].get<std::string>().c_str());
  std::vector<json> steps = rowsOf(finish(), "step");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0]["args"]["flops"], INT64_MAX);
}

TEST_F(TraceTest, NamesItsTracks) {
  SessionOptions options;
  options.threads = 2;
  start(options);
  run("train_job");
  std::set<std::string> names;
  json trace = finish();
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "M" && event["args"].contains("name"))
      names.insert(event["args"]["name"].get<std::string>());
  for (const char *name : {"jobmlir test.so", "steps and worker 0", "worker 1",
                           "completions", "callbacks"})
    EXPECT_TRUE(names.count(name)) << name;
  EXPECT_EQ(names.size(), 6u) << "and the caller";
}

TEST_F(TraceTest, DropsTheOldestSteps) {
  start({}, 2);
  for (int i = 0; i < 5; ++i)
    run("train_job");
  json trace = finish();
  EXPECT_EQ(trace["otherData"]["steps"], 2);
  EXPECT_EQ(trace["otherData"]["dropped_steps"], 3);
  std::set<int> numbers;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "X")
      numbers.insert(event["args"]["step"].get<int>());
  EXPECT_EQ(numbers, (std::set<int>{4, 5}));
}

TEST_F(TraceTest, ShowsCallsQueuesWaitsAndCallbacks) {
  SessionOptions options;
  options.credits = 2;
  start(options);
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Expected<Future> first = session->submit("copy_job", {x.view()});
  Expected<Future> second = session->submit("copy_job", {x.view()});
  ASSERT_TRUE(first.ok() && second.ok());
  std::atomic<int> calls{0};
  second->onDone([&](const Future &) { ++calls; });
  std::thread opener([&] {
    // Long enough for the wait below to begin.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  EXPECT_TRUE(second->wait().ok());
  opener.join();
  json trace = finish();
  EXPECT_EQ(calls, 1);
  expectNested(trace);
  for (const char *phase : {"b", "e"}) {
    std::vector<json> queued = rowsOf(trace, "queue", phase);
    ASSERT_EQ(queued.size(), 2u);
    EXPECT_EQ(queued[1]["id"], 2);
  }
  // The second step waited in the queue for the first one to end.
  double waited = rowsOf(trace, "queue", "e")[1]["ts"].get<double>() -
                  rowsOf(trace, "queue", "b")[1]["ts"].get<double>();
  EXPECT_GT(waited, 10'000.0);
  std::vector<json> callbacks = rowsOf(trace, "callback");
  ASSERT_EQ(callbacks.size(), 1u);
  EXPECT_EQ(callbacks[0]["args"]["step"], 2);
  int copies = 0, waits = 0;
  for (const json &event : trace["traceEvents"]) {
    copies += event["name"] == "copy inputs";
    waits += event["name"] == "wait for a step";
  }
  EXPECT_EQ(copies, 2);
  EXPECT_EQ(waits, 1);
  EXPECT_EQ(rowsOf(trace, "completion").size(), 2u);
}

TEST_F(TraceTest, AFailedStepEndsAtItsCommand) {
  start();
  CallScope scope({.beforeChunk = [](int64_t) {
    return Status(StatusCode::kInternal, "broke");
  }});
  run("copy_job");
  json trace = finish();
  std::vector<json> steps = rowsOf(trace, "step");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0]["args"]["failed"], true);
  EXPECT_EQ(steps[0]["args"]["commands"], 1);
  EXPECT_EQ(std::count_if(trace["traceEvents"].begin(),
                          trace["traceEvents"].end(), isCommand),
            1);
}

TEST_F(TraceTest, StepsWithoutCommandsAreStepsToo) {
  SessionOptions options;
  options.driver = "null";
  start(options);
  run("train_job");
  EXPECT_EQ(rowsOf(finish(), "step").size(), 1u);
}

TEST_F(TraceTest, ATraceWithoutSteps) {
  start();
  json trace = finish();
  EXPECT_EQ(trace["otherData"]["steps"], 0);
  EXPECT_TRUE(rowsOf(trace, "step").empty());
}

TEST_F(TraceTest, TheNextTraceBeginsAnew) {
  start();
  run("train_job");
  finish();
  run("train_job");
  ASSERT_TRUE(session->startTrace({path, 10}).ok());
  run("copy_job");
  std::vector<json> steps = rowsOf(finish(), "step");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0]["args"]["step"], 3);
  EXPECT_EQ(steps[0]["name"], "copy_job");
}

TEST_F(TraceTest, StepsInFlightAtTheEndsAreWhole) {
  start();
  // Calls from another thread while traces come and go.
  std::atomic<bool> stop{false};
  std::thread caller([&] {
    while (!stop) {
      Expected<Future> future = session->submit("train_job", {x.view()});
      future->onDone([](const Future &) {});
      (void)future->wait();
    }
  });
  for (int i = 0; i < 20; ++i) {
    json trace = finish();
    expectNested(trace);
    for (const json &step : rowsOf(trace, "step"))
      EXPECT_EQ(step["args"]["commands"], 5);
    ASSERT_TRUE(session->startTrace({path, 3}).ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  stop = true;
  caller.join();
}

TEST_F(TraceTest, TheEndOfTheSessionWritesIt) {
  start();
  run("train_job");
  session.reset();
  EXPECT_EQ(rowsOf(readFile(), "step").size(), 1u);
}

TEST_F(TraceTest, TheProcessMayChangeItsFolder) {
  session = makeSession();
  namespace fs = std::filesystem;
  const fs::path before = fs::current_path(), after = folder.file("other");
  fs::create_directory(after);
  fs::current_path(folder.file(""));
  Status started = session->startTrace({"trace.json"});
  fs::current_path(after);
  run("train_job");
  Status finished = session->finishTrace();
  // An error that comes later names the path that was given, too.
  Status restarted = session->startTrace({"later.json"});
  fs::create_directory("later.json");
  fs::current_path(before);
  Status failed = session->finishTrace();

  ASSERT_TRUE(started.ok()) << started.toString();
  ASSERT_TRUE(finished.ok()) << finished.toString();
  EXPECT_EQ(rowsOf(readFile(), "step").size(), 1u);
  ASSERT_TRUE(restarted.ok()) << restarted.toString();
  EXPECT_EQ(failed.message(), "'later.json': cannot create: is a directory");
  // No temporary file is left.
  std::set<std::string> left;
  for (const auto &entry : fs::recursive_directory_iterator(folder.file("")))
    left.insert(entry.path().filename());
  EXPECT_EQ(left, (std::set<std::string>{"trace.json", "other", "later.json"}));
}

TEST_F(TraceTest, ATemporaryFileHasAShortNameOfItsOwn) {
  start();
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder.file("")))
    files.push_back(entry.path().filename());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_TRUE(
      std::regex_match(files[0], std::regex("jobmlir-[0-9a-f]{16}\\.tmp")))
      << files[0];
  finish();
}

TEST_F(TraceTest, ACallbackMayFinishIt) {
  start();
  Status status(StatusCode::kInternal, "not called");
  Expected<Future> future = session->submit("train_job", {x.view()});
  ASSERT_TRUE(future.ok());
  future->onDone([&](const Future &) { status = session->finishTrace(); });
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_TRUE(status.ok()) << status.toString();
  EXPECT_EQ(rowsOf(readFile(), "step").size(), 1u);
}

TEST_F(TraceTest, SaysWhatIsWrong) {
  session = makeSession();
  EXPECT_EQ(session->finishTrace().message(),
            "expects a trace to be running but there is none");
  EXPECT_EQ(session->finishTrace().code(), StatusCode::kInvalidArgument);
  std::string lost = folder.file("gone/trace.json");
  EXPECT_EQ(session->startTrace({lost}).message(),
            "'" + lost + "': cannot create: no such file or directory");
  EXPECT_EQ(session->startTrace({lost}).code(), StatusCode::kNotFound);
  EXPECT_EQ(session->startTrace({path, 0}).message(),
            "expects a number of steps to keep from 1 to 1000000 but got 0");
  ASSERT_TRUE(session->startTrace({path}).ok());
  Status second = session->startTrace({folder.file("other.json")});
  EXPECT_EQ(second.message(),
            "'" + path +
                "': expects no trace to be running but one is, into this file");
  EXPECT_EQ(second.code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::ifstream(folder.file("other.json")).good());
  // The one that runs goes on.
  run("train_job");
  EXPECT_EQ(rowsOf(finish(), "step").size(), 1u);
}

TEST_F(TraceTest, RefusesMoreMemoryThanAnybodyHas) {
  json manifest = testManifest();
  manifest["entries"][1]["commands"][0]["chunks"] = 1 << 30;
  session = makeSession({}, manifest);
  Status status = session->startTrace({path, 1});
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "expects at most 0 steps to keep, of more than "
                              "4294967296 bytes each, but got 1");
}

/// 2^59 records of chunks, whose bytes no integer holds.
TEST_F(TraceTest, RefusesMoreRecordsThanCanBeCounted) {
  json manifest = testManifest();
  json count = json::array({"bank", 256, 8});
  json add = {{"op", "dispatch"}, {"kernel", 3},     {"chunks", 1 << 30},
              {"flops", 64},      {"args", {count}}, {"reads", {0}},
              {"writes", {0}}};
  manifest["entries"][3]["commands"].push_back(
      {{"op", "repeat"},
       {"count", 65536},
       {"commands", json(std::vector<json>(8192, add))}});
  session = makeSession({}, manifest);
  Status status = session->startTrace({path, 1});
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "expects at most 0 steps to keep, of more than "
                              "4294967296 bytes each, but got 1");
}

TEST_F(TraceTest, AFullDiskIsAnError) {
  session = makeSession();
  if (!std::ifstream("/dev/full").good())
    GTEST_SKIP() << "no /dev/full";
  ASSERT_TRUE(session->startTrace({"/dev/full"}).ok());
  run("train_job");
  Status status = session->finishTrace();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(contains(status.message(), "'/dev/full': cannot write "));
  EXPECT_TRUE(contains(status.message(), "no space left on device"));
}
