//===- SavedStates.h - Sessions whose state is one number -------*- C++ -*-===//
//
// For tests of what a save that did not end leaves behind: every element of
// every variable is the same number, so a checkpoint that mixes two saves, or
// lost a part of one, shows.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_CHECKPOINT_SAVEDSTATES_H
#define JOBRT_UNITTESTS_CHECKPOINT_SAVEDSTATES_H

#include "jobrt/checkpoint.h"
#include "unittests/TestArtifact.h"

#include <filesystem>
#include <unistd.h>

namespace jobrt::test {

inline constexpr CheckpointLayout kLayouts[] = {CheckpointLayout::kNative,
                                                CheckpointLayout::kLegacy};
inline constexpr ExistingCheckpoint kExisting[] = {
    ExistingCheckpoint::kRefuse, ExistingCheckpoint::kReplace};

/// Variables of a session of sessionAt(): enough for many files.
inline constexpr int kNumVariables = 12;
/// Their bytes: one of 8 bytes, the others of 256.
inline constexpr int64_t kVariableBytes = 8 + 256 * (kNumVariables - 1);

/// Makes all elements of all variables `number`.
inline void setNumber(Session &session, int64_t number) {
  std::vector<float> floats(kBlobSize, static_cast<float>(number));
  std::vector<std::pair<std::string, TensorView>> values;
  for (const VariableInfo &variable : session.artifact().variables()) {
    void *data = variable.dtype == DType::kI64 ? static_cast<void *>(&number)
                                               : floats.data();
    values.push_back({variable.name, {variable.dtype, variable.shape, data}});
  }
  Status status = session.writeVariables(values);
  EXPECT_TRUE(status.ok()) << status.message();
}

inline std::shared_ptr<const Artifact> makeStateArtifact() {
  nlohmann::json manifest = testManifest();
  for (int i = 0; i < kNumVariables - 2; ++i)
    manifest["variables"].push_back({{"name", "v" + std::to_string(i)},
                                     {"dtype", "f32"},
                                     {"shape", {kBlobSize}},
                                     {"offset", 320 + 256 * i},
                                     {"trainable", true},
                                     {"location", -1}});
  manifest["bank_bytes"] = 320 + 256 * (kNumVariables - 2);
  return loadTestArtifact(manifest);
}

/// A session whose elements are all `number`.
inline std::unique_ptr<Session> sessionAt(int64_t number) {
  static const std::shared_ptr<const Artifact> artifact = makeStateArtifact();
  SessionOptions options;
  options.threads = 1;
  Expected<std::unique_ptr<Session>> session =
      Session::create(artifact, options);
  EXPECT_TRUE(session.ok()) << session.status().message();
  setNumber(**session, number);
  return std::move(*session);
}

/// The number that all elements are; -1 when they differ.
inline int64_t numberOf(Session &session) {
  Expected<Tensor> count = session.readVariable("count");
  EXPECT_TRUE(count.ok()) << count.status().message();
  int64_t number = *static_cast<const int64_t *>(count->data());
  for (const VariableInfo &variable : session.artifact().variables()) {
    if (variable.dtype != DType::kF32)
      continue;
    Expected<Tensor> value = session.readVariable(variable.name);
    EXPECT_TRUE(value.ok()) << value.status().message();
    for (float element : floats(value->view()))
      if (element != static_cast<float>(number))
        return -1;
  }
  return number;
}

/// The number of the checkpoint at `path`, loaded into `session`; a failure
/// when it does not load.
inline int64_t savedNumber(const std::string &path, Session &session) {
  Status status = loadCheckpoint(session, path);
  EXPECT_TRUE(status.ok()) << status.message();
  return status.ok() ? numberOf(session) : -1;
}
inline int64_t savedNumber(const std::string &path) {
  return savedNumber(path, *sessionAt(0));
}

/// Where files live in memory, for tests of many saves; empty where there is no
/// such place.
inline std::string memoryDisk() {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "";
}

/// How many folders of saves under way or killed are in `parent`.
inline int countStaging(const std::string &parent) {
  int count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(parent))
    count +=
        entry.path().filename().string().rfind(".jobrt-checkpoint-", 0) == 0;
  return count;
}

inline std::string describe(CheckpointLayout layout,
                            ExistingCheckpoint existing) {
  return std::string(layout == CheckpointLayout::kNative ? "native"
                                                         : "legacy") +
         (existing == ExistingCheckpoint::kReplace ? ", replaced" : "");
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CHECKPOINT_SAVEDSTATES_H
