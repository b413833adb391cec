//===- ReplaceTest.cpp - Replacing checkpoints, and leftovers -------------===//

#include "unittests/checkpoint/SavedStates.h"

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
  expectReplaced(folder.file("c"), 1, CheckpointLayout::kNative);
  fs::remove(folder.file("c/manifest.json"));
  expectReplaced(folder.file("c"), 2, CheckpointLayout::kNative);
  // As other writers of the legacy layout make it.
  expectReplaced(folder.file("d"), 1, CheckpointLayout::kLegacy);
  writeFile(folder.file("d/weight/meta"), "shape { dim: 64 }");
  expectReplaced(folder.file("d"), 2, CheckpointLayout::kNative);
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
