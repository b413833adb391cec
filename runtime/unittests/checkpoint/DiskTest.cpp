//===- DiskTest.cpp - Disks that are full or read-only --------------------===//
//
// A save that cannot end says why, with path and bytes, and loses nothing: the
// older checkpoint loads, the session's variables stay, no folder is left.
//
//===----------------------------------------------------------------------===//

#include "unittests/checkpoint/SavedStates.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace jobrt;
using namespace jobrt::test;
namespace fs = std::filesystem;

/// What a failed save over the state `before` in `folder`, of a session at 2,
/// must say and must have left.
static void expectNothingLost(const Status &status, StatusCode code,
                              const std::string &reason,
                              const std::string &folder,
                              const std::string &path, Session &session) {
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), code) << status.message();
  std::string begin = "'" + path + "': cannot save " +
                      std::to_string(kVariableBytes) +
                      " bytes of variables: '" + folder;
  EXPECT_EQ(status.message().substr(0, begin.size()), begin);
  EXPECT_TRUE(contains(status.message(), ": " + reason));
  EXPECT_EQ(savedNumber(folder + "/old"), 1);
  EXPECT_EQ(numberOf(session), 2);
  EXPECT_EQ(countStaging(folder), 0);
  if (path != folder + "/old")
    EXPECT_FALSE(fs::exists(path));
}

static std::string pathOf(const std::string &folder,
                          ExistingCheckpoint existing) {
  return folder + (existing == ExistingCheckpoint::kReplace ? "/old" : "/new");
}

/// Calls `body` for each way to save, with a session at 2.
template <typename Body> static void forEachWay(Body body) {
  for (CheckpointLayout layout : kLayouts)
    for (ExistingCheckpoint existing : kExisting) {
      SCOPED_TRACE(describe(layout, existing));
      std::unique_ptr<Session> session = sessionAt(2);
      body(*session, layout, existing);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

static void saveOld(const std::string &folder, CheckpointLayout layout) {
  Status status = saveCheckpoint(*sessionAt(1), folder + "/old", layout);
  ASSERT_TRUE(status.ok()) << status.message();
}

//===----------------------------------------------------------------------===//
// Full
//===----------------------------------------------------------------------===//

namespace {
/// Lets no file of this process grow beyond `bytes`.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &saved);
    rlimit limit = saved;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &saved);
    std::signal(SIGXFSZ, handler);
  }

private:
  rlimit saved;
  void (*handler)(int);
};

/// A file system of a few pages in memory; needs the right to mount.
class SmallDisk {
public:
  explicit SmallDisk(const char *options)
      : path(folder.file("disk")),
        mounted(mkdir(path.c_str(), 0755) == 0 &&
                mount("tmpfs", path.c_str(), "tmpfs", 0, options) == 0) {
    if (!mounted)
      reason = std::strerror(errno);
  }
  ~SmallDisk() {
    if (mounted)
      umount2(path.c_str(), MNT_DETACH);
  }
  bool setReadOnly() {
    return mount(nullptr, path.c_str(), nullptr, MS_REMOUNT | MS_RDONLY,
                 nullptr) == 0;
  }
  /// Takes all pages but `count`.
  void leavePages(int64_t count) {
    struct statvfs info;
    ASSERT_EQ(statvfs(path.c_str(), &info), 0);
    ASSERT_GE(static_cast<int64_t>(info.f_bavail), count);
    writeFile(path + "/filler",
              std::string((info.f_bavail - count) * info.f_bsize, 'x'));
  }

  TemporaryFolder folder;
  std::string path;
  bool mounted;
  std::string reason;
};
} // namespace

TEST(DiskTest, AFileThatMayNotGrow) {
  forEachWay([](Session &session, CheckpointLayout layout,
                ExistingCheckpoint existing) {
    TemporaryFolder temporary;
    std::string folder = temporary.file("d");
    saveOld(folder, layout);
    std::string path = pathOf(folder, existing);
    Status status;
    {
      FileSizeLimit limit(100);
      status = saveCheckpoint(session, path, layout, existing);
    }
    expectNothingLost(status, StatusCode::kResourceExhausted, "file too large",
                      folder, path, session);
    // What was written, and what was not.
    EXPECT_TRUE(contains(status.message(), " bytes after the first 100: "));
  });
}

TEST(DiskTest, FullAtEveryPage) {
  forEachWay([](Session &session, CheckpointLayout layout,
                ExistingCheckpoint existing) {
    SmallDisk disk("size=512k");
    if (!disk.mounted)
      GTEST_SKIP() << "no right to mount a small disk: " << disk.reason;
    saveOld(disk.path, layout);
    std::string path = pathOf(disk.path, existing);
    int64_t pages = 0;
    for (;; ++pages) {
      SCOPED_TRACE("pages left: " + std::to_string(pages));
      ASSERT_LT(pages, 64);
      disk.leavePages(pages);
      Status status = saveCheckpoint(session, path, layout, existing);
      fs::remove(disk.path + "/filler");
      if (status.ok())
        break;
      expectNothingLost(status, StatusCode::kResourceExhausted,
                        "no space left on device", disk.path, path, session);
    }
    EXPECT_EQ(savedNumber(path), 2);
    // A file takes at least a page.
    EXPECT_GE(pages, layout == CheckpointLayout::kNative ? 2 : kNumVariables);
  });
}

/// No folder can take the place of one where a disk is mounted.
TEST(DiskTest, AMountPoint) {
  forEachWay([](Session &session, CheckpointLayout layout,
                ExistingCheckpoint existing) {
    SmallDisk disk("size=512k");
    if (!disk.mounted)
      GTEST_SKIP() << "no right to mount a small disk: " << disk.reason;
    Status status = saveCheckpoint(session, disk.path, layout, existing);
    EXPECT_EQ(status.code(), StatusCode::kAlreadyExists);
    EXPECT_TRUE(contains(status.message(),
                         "expects an empty folder or none to save into but got "
                         "a mount point"))
        << status.message();
    EXPECT_TRUE(fs::is_empty(disk.path));
    EXPECT_TRUE(
        saveCheckpoint(session, disk.path + "/in", layout, existing).ok());
  });
}

TEST(DiskTest, NoFileLeftAtEveryFile) {
  forEachWay([](Session &session, CheckpointLayout layout,
                ExistingCheckpoint existing) {
    SmallDisk disk("size=1m,nr_inodes=96");
    if (!disk.mounted)
      GTEST_SKIP() << "no right to mount a small disk: " << disk.reason;
    saveOld(disk.path, layout);
    std::string path = pathOf(disk.path, existing);
    int64_t files = 0;
    for (;; ++files) {
      SCOPED_TRACE("files left: " + std::to_string(files));
      ASSERT_LT(files, 64);
      fs::create_directory(disk.path + "/filler");
      struct statvfs info;
      ASSERT_EQ(statvfs(disk.path.c_str(), &info), 0);
      for (int64_t i = info.f_favail; i > files; --i)
        writeFile(disk.path + "/filler/" + std::to_string(i), "");
      Status status = saveCheckpoint(session, path, layout, existing);
      fs::remove_all(disk.path + "/filler");
      if (status.ok())
        break;
      expectNothingLost(status, StatusCode::kResourceExhausted,
                        "no space left on device", disk.path, path, session);
    }
    EXPECT_EQ(savedNumber(path), 2);
    // Folders count as files do.
    EXPECT_GE(files, layout == CheckpointLayout::kNative ? 3 : kNumVariables);
  });
}

//===----------------------------------------------------------------------===//
// Read-only
//===----------------------------------------------------------------------===//

TEST(DiskTest, AReadOnlyFileSystem) {
  forEachWay([](Session &session, CheckpointLayout layout,
                ExistingCheckpoint existing) {
    SmallDisk disk("size=512k");
    if (!disk.mounted)
      GTEST_SKIP() << "no right to mount a small disk: " << disk.reason;
    saveOld(disk.path, layout);
    ASSERT_TRUE(disk.setReadOnly());
    std::string path = pathOf(disk.path, existing);
    expectNothingLost(saveCheckpoint(session, path, layout, existing),
                      StatusCode::kIo, "read-only file system", disk.path, path,
                      session);
  });
}

TEST(DiskTest, AFolderWithoutTheRightToWrite) {
  forEachWay([](Session &session, CheckpointLayout layout,
                ExistingCheckpoint existing) {
    TemporaryFolder temporary;
    std::string folder = temporary.file("d");
    saveOld(folder, layout);
    // Others may look, nobody may write.
    fs::permissions(temporary.file(""), fs::perms(0755));
    fs::permissions(folder, fs::perms(0555));
    std::string path = pathOf(folder, existing);
    Status status;
    {
      Unprivileged user;
      if (!user.ok)
        GTEST_SKIP() << "root, who may write anywhere, cannot become another "
                        "user here";
      status = saveCheckpoint(session, path, layout, existing);
    }
    fs::permissions(folder, fs::perms(0755));
    expectNothingLost(status, StatusCode::kIo, "permission denied", folder,
                      path, session);
  });
}
