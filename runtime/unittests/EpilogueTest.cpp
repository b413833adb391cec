//===- EpilogueTest.cpp - Dispatches that follow chunk by chunk -----------===//

#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include "lib/executor/Manifest.h"

#include <algorithm>
#include <fstream>
#include <set>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

static json &commandsOf(json &manifest) {
  for (json &entry : manifest["entries"])
    if (entry["name"] == "copy_job")
      return entry["commands"];
  ADD_FAILURE() << "no copy_job";
  return manifest;
}

/// copy_job with two epilogues of its call: y += constant, twice.
static json epilogueManifest(bool isEpilogue = true) {
  json manifest = testManifest();
  json &commands = commandsOf(manifest);
  json y = json::array({"output", 0, 256});
  json add = {{"op", "dispatch"},
              {"kernel", 4},
              {"chunks", 4},
              {"flops", 64},
              {"reads", json::array({0, 1})},
              {"writes", json::array({2})},
              {"name", "bias"},
              {"location", 0},
              {"args", {y, json::array({"constant", 0, 64}), y}}};
  if (isEpilogue)
    add["epilogue"] = true;
  commands.insert(commands.begin() + 1, {add, add});
  return manifest;
}

static std::unique_ptr<Session> makeEpilogueSession(int threads,
                                                    bool isEpilogue = true) {
  SessionOptions options;
  options.threads = threads;
  return makeSession(options, epilogueManifest(isEpilogue));
}

static std::vector<float> run(Session &session, Blob &x) {
  Expected<Future> future = session.run("copy_job", {x.view()});
  EXPECT_TRUE(future.ok() && future->wait().ok());
  return floats(future->output(0));
}

TEST(EpilogueTest, ResultsAreThoseOfCommandsInOrder) {
  CallScope scope;
  auto plain = makeEpilogueSession(1, /*isEpilogue=*/false);
  for (int threads : {1, 2, 3}) {
    auto session = makeEpilogueSession(threads);
    for (int i = 0; i < 100; ++i) {
      Blob x(0.1f * static_cast<float>(i), 0.3f);
      EXPECT_EQ(run(*session, x), run(*plain, x)) << threads << " threads";
    }
  }
}

/// The rows of chunks of a command, in the order of time.
static std::vector<json> chunksOf(const json &trace) {
  std::vector<json> rows;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["cat"] == "chunk")
      rows.push_back(event);
  std::stable_sort(rows.begin(), rows.end(), [](const json &a, const json &b) {
    return a["ts"] < b["ts"];
  });
  return rows;
}

static json traceOneStep(int threads) {
  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  auto session = makeEpilogueSession(threads);
  EXPECT_TRUE(session->startTrace({path, /*steps=*/1}).ok());
  Blob x(1, 1);
  run(*session, x);
  EXPECT_TRUE(session->finishTrace().ok());
  std::ifstream stream(path);
  return json::parse(stream, nullptr, /*allow_exceptions=*/false);
}

TEST(EpilogueTest, AChunkFollowsItsChunk) {
  CallScope scope;
  std::vector<json> rows = chunksOf(traceOneStep(1));
  ASSERT_EQ(rows.size(), 12u);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(rows[i]["args"]["chunk"], i / 3);
    EXPECT_EQ(rows[i]["args"]["command"], i % 3);
  }
}

TEST(EpilogueTest, AWorkerRunsAllOfAChunk) {
  CallScope scope;
  for (int i = 0; i < 20; ++i) {
    std::set<std::pair<int, int>> tracks;
    for (const json &row : chunksOf(traceOneStep(3)))
      tracks.emplace(row["args"]["chunk"].get<int>(), row["tid"].get<int>());
    EXPECT_EQ(tracks.size(), 4u);
  }
}

/// Commands that ran at once share the time, so that no time counts twice.
TEST(EpilogueTest, SpansOfATraceDoNotOverlap) {
  CallScope scope;
  json trace = traceOneStep(2);
  std::vector<std::pair<double, double>> spans;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["args"].contains("command") &&
        event["cat"] != "chunk")
      spans.emplace_back(event["ts"].get<double>(),
                         event["ts"].get<double>() +
                             event["dur"].get<double>());
  ASSERT_EQ(spans.size(), 5u);
  // Chunks of epilogues are inside of other commands: no track has both.
  std::set<int> ofCommands, ofChunks;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "X" && event["args"].contains("command"))
      (event["cat"] == "chunk" ? ofChunks : ofCommands)
          .insert(event["tid"].get<int>());
  EXPECT_EQ(ofCommands.size(), 1u);
  EXPECT_FALSE(ofChunks.contains(*ofCommands.begin()));
  for (size_t i = 1; i < spans.size(); ++i)
    EXPECT_LE(spans[i - 1].second, spans[i].first + 1e-9);
}

TEST(EpilogueTest, ATraceOfAFailedStepEndsAtTheCall) {
  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  CallScope scope({[](int64_t chunk) {
    return chunk == 1 ? Status(StatusCode::kInternal, "no luck") : Status();
  }});
  auto session = makeEpilogueSession(2);
  ASSERT_TRUE(session->startTrace({path, /*steps=*/1}).ok());
  Blob x(1, 1);
  EXPECT_FALSE(session->run("copy_job", {x.view()})->wait().ok());
  ASSERT_TRUE(session->finishTrace().ok());
  std::ifstream stream(path);
  json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  std::vector<json> chunks = chunksOf(trace);
  EXPECT_EQ(chunks.size(), 4u);
  for (const json &chunk : chunks)
    EXPECT_EQ(chunk["args"]["command"], 0);
}

TEST(EpilogueTest, AChunkThatFailsHasNoEpilogue) {
  std::atomic<bool> fails = true;
  CallScope scope({[&](int64_t chunk) {
    return chunk == 2 && fails ? Status(StatusCode::kInternal, "no luck")
                               : Status();
  }});
  for (int threads : {1, 3}) {
    fails = true;
    auto session = makeEpilogueSession(threads);
    Blob x(1, 1);
    Expected<Future> future = session->run("copy_job", {x.view()});
    ASSERT_TRUE(future.ok());
    Status status = future->wait();
    EXPECT_TRUE(contains(status.message(), "'hidden': test.call: no luck"));
    EXPECT_TRUE(contains(status.message(),
                         "variables are as they were before this step"));
    // The next step is as if nothing had happened.
    fails = false;
    EXPECT_EQ(run(*session, x)[32], 33 + 2 * 0.5f);
  }
}

//===----------------------------------------------------------------------===//
// Manifests
//===----------------------------------------------------------------------===//

static void expectRefused(const std::function<void(json &commands)> &damage) {
  json manifest = epilogueManifest();
  damage(commandsOf(manifest));
  auto parsed = parseManifest(manifest.dump());
  ASSERT_FALSE(parsed.ok());
  EXPECT_TRUE(contains(
      parsed.status().message(),
      "expects a dispatch after a call or a dispatch on its queue with as many "
      "chunks but got another command"));
}

TEST(EpilogueTest, ManifestsThatAreWrongAreRefused) {
  EXPECT_TRUE(parseManifest(epilogueManifest().dump()).ok());
  expectRefused([](json &commands) { commands[1]["chunks"] = 3; });
  expectRefused([](json &commands) { commands[2]["queue"] = 1; });
  expectRefused([](json &commands) { commands.erase(0); });
  expectRefused([](json &commands) { commands[0]["epilogue"] = true; });
  expectRefused([](json &commands) {
    commands.insert(commands.begin() + 1, commands[3]);
  });
  // What a repeat ends with is not what comes before the command after it.
  expectRefused([](json &commands) {
    commands[0] = {{"op", "repeat"},
                   {"count", 2},
                   {"commands", json::array({commands[0]})}};
  });
}
