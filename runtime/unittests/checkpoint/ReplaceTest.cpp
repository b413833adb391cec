//===- ReplaceTest.cpp - Replacing checkpoints, and leftovers -------------===//

#include "unittests/checkpoint/SavedStates.h"

#include <atomic>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace jobrt;
using namespace jobrt::test;
namespace fs = std::filesystem;

static Status replace(const std::string &path, int64_t number,
                      CheckpointLayout layout = CheckpointLayout::kNative) {
  return saveCheckpoint(*sessionAt(number), path, layout,
                        ExistingCheckpoint::kReplace);
}

static void expectReplaced(const std::string &path, int64_t number,
                           CheckpointLayout layout) {
  Status status = replace(path, number, layout);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(savedNumber(path), number);
}

TEST(ReplaceTest, OneLayoutByAnother) {
  for (CheckpointLayout before : kLayouts)
    for (CheckpointLayout after : kLayouts) {
      TemporaryFolder folder;
      std::string path = folder.file("c");
      expectReplaced(path, 1, before); // nothing is there
      expectReplaced(path, 2, after);
      // Nothing of the old one, and nothing beside it.
      EXPECT_EQ(std::distance(fs::directory_iterator(path), {}),
                after == CheckpointLayout::kNative ? 2 : kNumVariables + 2);
      EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("")), {}), 1);
    }
}

TEST(ReplaceTest, AnEmptyFolderIsTaken) {
  TemporaryFolder folder;
  fs::create_directory(folder.file("c"));
  expectReplaced(folder.file("c"), 1, CheckpointLayout::kNative);
}

TEST(ReplaceTest, ALinkStays) {
  TemporaryFolder folder;
  expectReplaced(folder.file("c"), 1, CheckpointLayout::kNative);
  fs::create_directory_symlink("c", folder.file("latest"));
  expectReplaced(folder.file("latest"), 2, CheckpointLayout::kNative);
  EXPECT_TRUE(fs::is_symlink(folder.file("latest")));
  EXPECT_EQ(savedNumber(folder.file("c")), 2);
}

TEST(ReplaceTest, HalfACheckpointIsReplaced) {
  TemporaryFolder folder;
  std::string path = folder.file("c");
  expectReplaced(path, 1, CheckpointLayout::kNative);
  fs::resize_file(path + "/variables.safetensors", 3);
  expectReplaced(path, 2, CheckpointLayout::kNative);
  fs::remove(path + "/variables.safetensors");
  expectReplaced(path, 3, CheckpointLayout::kNative);
  writeFile(path + "/manifest.json",
            R"({"format": 2, "file": "variables.safetensors"})");
  expectReplaced(path, 4, CheckpointLayout::kLegacy);
  fs::remove(path + "/snapshot_done");
  fs::remove(path + "/weight/out");
  expectReplaced(path, 5, CheckpointLayout::kLegacy);
  // As OneFlow makes it.
  fs::remove(path + "/checksums.json");
  writeFile(path + "/weight/meta", "shape { dim: 64 }");
  expectReplaced(path, 6, CheckpointLayout::kNative);
}

static void expectRefused(const std::string &path, const std::string &given) {
  Status status = replace(path, 2);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(status.message(), "'" + path +
                                  "': expects a checkpoint, an empty folder or "
                                  "none to replace but got " +
                                  given);
}

TEST(ReplaceTest, OtherThingsAreNotReplaced) {
  TemporaryFolder folder;
  std::string path = folder.file("c");
  fs::create_directory(path);
  writeFile(path + "/notes", "kept");
  expectRefused(path, "a folder of other things");
  EXPECT_TRUE(fs::exists(path + "/notes"));

  for (CheckpointLayout layout : kLayouts) {
    TemporaryFolder other;
    path = other.file("c");
    expectReplaced(path, 1, layout);
    writeFile(path + "/notes", "kept");
    expectRefused(path, "a checkpoint with 'notes' in it");
    fs::remove(path + "/notes");
    fs::create_directory(path + "/mine");
    writeFile(path + "/mine/notes", "kept");
    expectRefused(path, "a checkpoint with 'mine' in it");
    fs::remove_all(path + "/mine");
    fs::create_directory_symlink("..", path + "/mine");
    expectRefused(path, "a checkpoint with 'mine' in it");
    EXPECT_EQ(savedNumber(path), 1);
  }
  writeFile(folder.file("file"), "kept");
  Status status = replace(folder.file("file"), 2);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
  EXPECT_TRUE(contains(status.message(), "but got a file"));
}

/// Whether a folder with this file alone is left as it is.
static void expectKept(const std::string &name, const std::string &contents) {
  SCOPED_TRACE(name + ": " + contents);
  TemporaryFolder folder;
  std::string path = folder.file("c");
  fs::create_directories(fs::path(path + "/" + name).parent_path());
  writeFile(path + "/" + name, contents);
  expectRefused(path, "a folder of other things");
  EXPECT_EQ(fs::file_size(path + "/" + name), contents.size());
}

TEST(ReplaceTest, NamesAloneMakeNoCheckpoint) {
  expectKept("manifest.json", R"({"name": "my web app"})");
  expectKept("manifest.json", R"({"format": 1, "file": "index.html"})");
  expectKept("manifest.json", R"({"format": "a", "file":)"
                              R"( "variables.safetensors"})");
  expectKept("manifest.json", "[1]");
  expectKept("manifest.json", "kept");
  expectKept("manifest.json", "");
  expectKept("variables.safetensors", "kept");
  expectKept("snapshot_done", "kept");
  expectKept("checksums.json", "{}");
  expectKept("checksums.json", R"({"format": 1, "files": ["a"]})");
  expectKept("checksums.json", R"({"format": 1, "files": {"a": "0f"}})");
  for (const char *name : {"manifest.json", "variables.safetensors",
                           "snapshot_done", "checksums.json"})
    expectKept(std::string(name) + "/thesis", "kept");
}

TEST(ReplaceTest, ALinkMakesNoCheckpoint) {
  for (CheckpointLayout layout : kLayouts) {
    TemporaryFolder folder;
    expectReplaced(folder.file("c"), 1, layout);
    fs::create_directory(folder.file("d"));
    for (const char *name : {"manifest.json", "snapshot_done"})
      fs::create_symlink("../c/" + std::string(name), folder.file("d/") + name);
    expectRefused(folder.file("d"), "a folder of other things");
  }
}

/// Whether a checkpoint with other things at `name` is left as it is.
static void expectKeptBeside(const char *name, CheckpointLayout layout) {
  const std::string refusal =
      "a checkpoint with '" + std::string(name) + "' in it";
  SCOPED_TRACE(refusal);
  TemporaryFolder folder;
  std::string path = folder.file("c"), place = path + "/" + name;
  expectReplaced(path, 1, layout);
  fs::remove_all(place);
  writeFile(place, "kept");
  expectRefused(path, refusal);
  fs::remove(place);
  fs::create_directory(place);
  writeFile(place + "/notes", "kept");
  expectRefused(path, refusal);
  EXPECT_TRUE(fs::exists(place + "/notes"));
  fs::remove_all(place);
  fs::create_symlink("../elsewhere", place);
  expectRefused(path, refusal);
}

TEST(ReplaceTest, TheNamesOfACheckpointForOtherThings) {
  expectKeptBeside("snapshot_done", CheckpointLayout::kLegacy);
  expectKeptBeside("checksums.json", CheckpointLayout::kLegacy);
  // Those of the other layout.
  expectKeptBeside("manifest.json", CheckpointLayout::kLegacy);
  expectKeptBeside("variables.safetensors", CheckpointLayout::kLegacy);
  expectKeptBeside("snapshot_done", CheckpointLayout::kNative);
  expectKeptBeside("checksums.json", CheckpointLayout::kNative);
  expectKeptBeside("weight", CheckpointLayout::kNative);
}

//===----------------------------------------------------------------------===//
// Leftovers
//===----------------------------------------------------------------------===//

TEST(ReplaceTest, TheNextSaveRemovesWhatAKilledOneLeft) {
  TemporaryFolder folder;
  // Names that this process takes next, and those of another.
  for (int i = 0; i < 20; ++i)
    for (int pid : {static_cast<int>(getpid()), 1}) {
      std::string left = folder.file(
          ".jobrt-checkpoint-" + std::to_string(pid) + "-" + std::to_string(i));
      fs::create_directory(left);
      writeFile(left + "/variables.safetensors", "half");
    }
  writeFile(folder.file(".jobrt-checkpoint-notes"), "a file stays");
  expectReplaced(folder.file("c"), 1, CheckpointLayout::kNative);
  EXPECT_EQ(countStaging(folder.file("")), 1);
  EXPECT_TRUE(fs::exists(folder.file(".jobrt-checkpoint-notes")));
}

TEST(ReplaceTest, SavesUnderWayAreLeftAlone) {
  TemporaryFolder folder;
  std::string busy = folder.file(".jobrt-checkpoint-1-0");
  fs::create_directory(busy);
  int descriptor = open(busy.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(flock(descriptor, LOCK_EX), 0);
  expectReplaced(folder.file("c"), 1, CheckpointLayout::kNative);
  EXPECT_TRUE(fs::exists(busy));
  close(descriptor);
  expectReplaced(folder.file("c"), 2, CheckpointLayout::kNative);
  EXPECT_FALSE(fs::exists(busy));
}

TEST(ReplaceTest, ManySavesAtOnce) {
  TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      std::unique_ptr<Session> session = sessionAt(thread);
      for (int i = 0; i < 10; ++i) {
        std::string path = folder.file("c" + std::to_string(thread));
        Status status =
            saveCheckpoint(*session, path, CheckpointLayout::kLegacy,
                           ExistingCheckpoint::kReplace);
        EXPECT_TRUE(status.ok()) << status.message();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int thread = 0; thread < 4; ++thread)
    EXPECT_EQ(savedNumber(folder.file("c" + std::to_string(thread))), thread);
  EXPECT_EQ(countStaging(folder.file("")), 0);
}

TEST(ReplaceTest, ManySavesToOneNewPath) {
  TemporaryFolder folder(memoryDisk());
  constexpr int numThreads = 4, numPaths = 50;
  // All threads come to a path at once, which is not there before.
  std::atomic<int> arrivals{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < numThreads; ++thread)
    threads.emplace_back([&, thread] {
      std::unique_ptr<Session> session = sessionAt(thread);
      for (int i = 0; i < numPaths; ++i) {
        ++arrivals;
        while (arrivals < numThreads * (i + 1))
          std::this_thread::yield();
        Status status = saveCheckpoint(
            *session, folder.file("c" + std::to_string(i)),
            thread % 2 ? CheckpointLayout::kLegacy : CheckpointLayout::kNative,
            ExistingCheckpoint::kReplace);
        EXPECT_TRUE(status.ok()) << status.message();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < numPaths; ++i)
    EXPECT_GE(savedNumber(folder.file("c" + std::to_string(i))), 0);
  EXPECT_EQ(countStaging(folder.file("")), 0);
}
