//===- RankTest.h - Sessions of several ranks -------------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_RANKTEST_H
#define JOBRT_UNITTESTS_CUDA_RANKTEST_H

#include "unittests/cuda/DeviceTest.h"

#include <functional>
#include <thread>

namespace jobrt::test {

using Sessions = std::vector<std::unique_ptr<Session>>;

/// Each rank is a session on a device of its own, created and used by a thread
/// of its own, as several ranks of one process are.
class RankTest : public DeviceTest {
protected:
  /// The numbers of ranks that there are devices for.
  static std::vector<int> groupSizes() {
    SessionOptions options;
    options.driver = "cuda";
    Expected<std::vector<DeviceInfo>> devices = listDevices(options);
    EXPECT_TRUE(devices.ok()) << devices.status().toString();
    std::vector<int> sizes = {1, 2, 4};
    std::erase_if(sizes, [&](int ranks) {
      return ranks > static_cast<int>(devices->size());
    });
    return sizes;
  }

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

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

inline nlohmann::json port(const char *name, const std::string &dtype,
                           int64_t size) {
  return {{"name", name},
          {"dtype", dtype},
          {"shape", nlohmann::json::array({size})},
          {"offset", 0}};
}

inline nlohmann::json copyCommand(nlohmann::json from, nlohmann::json to) {
  return {{"op", "copy"}, {"args", {std::move(from), std::move(to)}}};
}

/// An entry of a test, whose input and output are in the arena while its
/// commands run: the input at 0, the output at 1024.
inline nlohmann::json makeEntry(const std::string &name,
                                const std::string &dtype, int64_t bytes,
                                int64_t inSize, int64_t outSize,
                                nlohmann::json commands) {
  nlohmann::json in = nlohmann::json::array({"arena", 0, inSize * bytes}),
                 out = nlohmann::json::array({"arena", 1024, outSize * bytes});
  nlohmann::json all = {copyCommand({"input", 0, inSize * bytes}, in)};
  for (nlohmann::json &command : commands)
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

inline nlohmann::json collective(const std::string &kind,
                                 const std::string &dtype, nlohmann::json args,
                                 nlohmann::json reads, nlohmann::json writes) {
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

inline nlohmann::json reduceInPlace(int64_t bytes,
                                    const char *reduction = "sum") {
  nlohmann::json command =
      collective("all_reduce", "f32",
                 {nlohmann::json::array({"arena", 1024, bytes})}, {0}, {0});
  command["reduction"] = reduction;
  return command;
}

inline std::shared_ptr<const Artifact> load(int ranks, nlohmann::json entries) {
  nlohmann::json manifest = cudaManifest(testManifest());
  manifest["communicator"] = {{"ranks", ranks}};
  for (nlohmann::json &entry : entries)
    manifest["entries"].push_back(std::move(entry));
  Expected<std::shared_ptr<const Artifact>> artifact =
      loadCudaArtifact(manifest);
  EXPECT_TRUE(artifact.ok()) << artifact.status().toString();
  return artifact.ok() ? *artifact : nullptr;
}

/// y = the sum of x of all ranks, of four floats.
inline nlohmann::json sumEntry(const std::string &name = "sum") {
  return makeEntry(
      name, "f32", 4, 4, 4,
      {copyCommand({"arena", 0, 16}, {"arena", 1024, 16}), reduceInPlace(16)});
}

inline std::vector<float> runFloats(Session &session, const char *entry,
                                    std::vector<float> x) {
  TensorView view{DType::kF32, {int64_t(x.size())}, x.data()};
  Expected<Future> future = session.submit(entry, {view});
  EXPECT_TRUE(future.ok()) << future.status().toString();
  Status status = future->wait();
  EXPECT_TRUE(status.ok()) << status.toString();
  return status.ok() ? floats(future->output(0)) : std::vector<float>();
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_RANKTEST_H
