//===- CudaArtifact.cpp - Test artifacts for a GPU ------------------------===//

#include "unittests/cuda/CudaArtifact.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

static int64_t roundUp(int64_t bytes) {
  return (bytes + JOBRT_ALIGNMENT - 1) / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
}

/// Where the arena has a copy of the inputs and of the outputs.
namespace {
struct Mirrors {
  int64_t input, output;
};
} // namespace

static json copyCommand(json from, json to) {
  return {{"op", "copy"}, {"args", {std::move(from), std::move(to)}}};
}

static json eventCommand(const char *op, int64_t number, int64_t queue) {
  return {
      {"op", op}, {"event", number}, {"queue", queue}, {"args", json::array()}};
}

static void changeCommand(json &command, const Mirrors &mirrors,
                          int64_t firstEvent, int64_t &numEvents,
                          int64_t &numQueues) {
  std::string op = command["op"];
  if (op == "repeat") {
    for (json &inner : command["commands"])
      changeCommand(inner, mirrors, firstEvent, numEvents, numQueues);
    return;
  }
  numQueues = std::max(numQueues, command.value("queue", int64_t(0)) + 1);
  if (op == "record" || op == "wait") {
    command["event"] = command["event"].get<int64_t>() + firstEvent;
    numEvents += op == "record";
    return;
  }
  if (op == "host_call")
    return;
  for (json &arg : command["args"]) {
    bool isInput = arg[0] == "input", isOutput = arg[0] == "output";
    if (!isInput && !isOutput)
      continue;
    arg[0] = "arena";
    arg[1] = arg[1].get<int64_t>() + (isInput ? mirrors.input : mirrors.output);
  }
  if (op == "dispatch") {
    int64_t kernel = command["kernel"];
    command["kernel"] = "jobk_" + std::to_string(kernel);
    command["threads"] = kernel == 3 ? 1 : 16;
  } else if (op == "call") {
    json copy = copyCommand(command["args"][0], command["args"][1]);
    for (const char *key : {"queue", "name", "location"})
      if (command.contains(key))
        copy[key] = command[key];
    command = std::move(copy);
  }
}

static void changeEntry(json &entry) {
  int64_t inputBytes = entry["input_bytes"],
          outputBytes = entry["output_bytes"];
  Mirrors mirrors;
  mirrors.input = roundUp(entry["arena_bytes"]);
  mirrors.output = mirrors.input + roundUp(inputBytes);
  entry["arena_bytes"] = mirrors.output + roundUp(outputBytes);
  int64_t numEvents = 1, numQueues = 1;
  json commands = json::array();
  if (inputBytes > 0)
    commands.push_back(
        copyCommand(json::array({"input", 0, inputBytes}),
                    json::array({"arena", mirrors.input, inputBytes})));
  for (json &command : entry["commands"]) {
    int64_t before = numQueues;
    changeCommand(command, mirrors, /*firstEvent=*/1, numEvents, numQueues);
    if (before == 1 && commands.size() == 1)
      commands.push_back(eventCommand("record", 0, 0));
    for (int64_t queue = before; queue < numQueues; ++queue)
      commands.push_back(eventCommand("wait", 0, queue));
    commands.push_back(std::move(command));
  }
  for (int64_t queue = 1; queue < numQueues; ++queue) {
    commands.push_back(eventCommand("record", numEvents, queue));
    commands.push_back(eventCommand("wait", numEvents++, 0));
  }
  if (outputBytes > 0)
    commands.push_back(
        copyCommand(json::array({"arena", mirrors.output, outputBytes}),
                    json::array({"output", 0, outputBytes})));
  entry["commands"] = std::move(commands);
}

/// The code that test artifacts have.
static void addCode(json &manifest) {
  manifest["code"] = {
      {{"target", "simulated"},
       {"symbol", "jobmlir_code_simulated"},
       {"bytes", std::filesystem::file_size(JOBRT_TEST_CUDA_MODULE)}}};
  if (*JOBRT_TEST_GPU)
    manifest["code"].push_back(
        {{"target", JOBRT_TEST_GPU},
         {"symbol", "jobmlir_code_gpu"},
         {"bytes", std::filesystem::file_size(JOBRT_TEST_CUBIN)}});
}

json test::cudaManifest(json manifest) {
  manifest["devices"][0]["kind"] = "cuda";
  addCode(manifest);
  for (json &entry : manifest["entries"])
    changeEntry(entry);
  return manifest;
}

static std::string readCode(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  EXPECT_TRUE(stream.good());
  return bytes.str();
}

std::string test::cudaKernels() { return readCode(JOBRT_TEST_CUDA_CODE); }

Expected<std::shared_ptr<const Artifact>>
test::loadMixedArtifact(json manifest) {
  addCode(manifest);
  return loadContainer(
      makeContainer(readCode(JOBRT_TEST_MIXED_CODE), manifest.dump()));
}

Expected<std::shared_ptr<const Artifact>>
test::loadCudaArtifact(const json &manifest) {
  return loadContainer(makeContainer(cudaKernels(), manifest.dump()));
}

void test::useTestCuda() {
  setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_TEST_CUDA, /*overwrite=*/0);
}
