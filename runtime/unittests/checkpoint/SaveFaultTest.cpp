//===- SaveFaultTest.cpp - System calls that fail, one after the other ----===//
//
// Lets the n-th system call of a save fail, for every n: it says so and
// changes nothing, or did not need it. Replaces the system's functions, so it
// is a program of its own.
//
//===----------------------------------------------------------------------===//

#include "unittests/checkpoint/SavedStates.h"

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace jobrt;
using namespace jobrt::test;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// The system, with faults
//===----------------------------------------------------------------------===//

namespace {
enum class Fault {
  kOnce,      ///< one call fails
  kDiskFull,  ///< from one call on, all that need space fail
  kSlow,      ///< writes are interrupted, or write one byte
  kNoExchange ///< the file system cannot exchange two folders
};
struct Faults {
  bool armed = false;
  Fault fault = Fault::kOnce;
  long countdown = 0;
  bool wasReached = false;
};
} // namespace

static thread_local Faults faults;

/// Whether the present call fails, with `error`.
static bool fails(int error, bool needsSpace) {
  if (!faults.armed || faults.fault == Fault::kSlow ||
      faults.fault == Fault::kNoExchange)
    return false;
  if (faults.countdown > 0) {
    --faults.countdown;
    return false;
  }
  if (faults.fault == Fault::kOnce ? faults.wasReached : !needsSpace)
    return false;
  faults.wasReached = true;
  errno = error;
  return true;
}

static int openFile(const char *path, int flags, va_list list) {
  bool creates = flags & O_CREAT;
  mode_t mode = creates ? va_arg(list, mode_t) : 0;
  if (fails(creates ? ENOSPC : EIO, creates))
    return -1;
  return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

extern "C" {
int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int descriptor = openFile(path, flags, list);
  va_end(list);
  return descriptor;
}
int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int descriptor = openFile(path, flags, list);
  va_end(list);
  return descriptor;
}
ssize_t write(int descriptor, const void *data, size_t count) {
  if (faults.armed && faults.fault == Fault::kSlow && ++faults.countdown % 2) {
    errno = EINTR;
    return -1;
  }
  if (fails(ENOSPC, true))
    return -1;
  bool slow = faults.armed && faults.fault == Fault::kSlow;
  return syscall(SYS_write, descriptor, data,
                 slow ? std::min<size_t>(count, 1) : count);
}
int fsync(int descriptor) {
  // No disk is waited for: what survives a power cut cannot be tested here.
  return fails(EIO, false) ? -1 : 0;
}
int close(int descriptor) {
  // The descriptor is gone either way.
  int result = syscall(SYS_close, descriptor);
  return fails(EIO, false) ? -1 : result;
}
int mkdir(const char *path, mode_t mode) noexcept {
  return fails(ENOSPC, true) ? -1 : syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}
int rename(const char *from, const char *to) noexcept {
  return fails(EIO, false)
             ? -1
             : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat2(int fromFolder, const char *from, int toFolder, const char *to,
              unsigned flags) noexcept {
  if (faults.armed && faults.fault == Fault::kNoExchange) {
    errno = EINVAL;
    return -1;
  }
  return fails(EIO, false)
             ? -1
             : syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags);
}
}

/// Saves with a fault at the n-th call.
static Status saveWithFault(Session &session, const std::string &path,
                            CheckpointLayout layout,
                            ExistingCheckpoint existing, Fault fault, long n,
                            bool &wasReached) {
  faults = {true, fault, n, false};
  Status status = saveCheckpoint(session, path, layout, existing);
  wasReached = faults.wasReached;
  faults = {};
  return status;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// One save with a fault; whether the fault was reached.
static bool failAt(CheckpointLayout layout, ExistingCheckpoint existing,
                   Fault fault, long n, Session &session, Session &reader) {
  TemporaryFolder temporary(memoryDisk());
  std::string folder = temporary.file("d"), path = folder + "/c";
  bool replaces = existing == ExistingCheckpoint::kReplace;
  setNumber(session, 1);
  Status status =
      saveCheckpoint(session, replaces ? path : folder + "/old", layout);
  EXPECT_TRUE(status.ok()) << status.message();
  setNumber(session, 2);

  bool wasReached = false;
  status = saveWithFault(session, path, layout, existing, fault, n, wasReached);
  EXPECT_EQ(numberOf(session), 2);
  EXPECT_EQ(countStaging(folder), 0);
  if (status.ok()) {
    EXPECT_EQ(savedNumber(path, reader), 2);
    return wasReached;
  }
  EXPECT_TRUE(wasReached);
  std::string begin = "'" + path + "': cannot save " +
                      std::to_string(kVariableBytes) +
                      " bytes of variables: '" + temporary.file("");
  EXPECT_EQ(status.message().substr(0, begin.size() - 1),
            begin.substr(0, begin.size() - 1));
  bool isFull = status.code() == StatusCode::kResourceExhausted;
  EXPECT_TRUE(isFull || status.code() == StatusCode::kIo);
  EXPECT_TRUE(contains(status.message(), isFull ? ": no space left on device"
                                                : ": input/output error"));
  if (replaces)
    EXPECT_EQ(savedNumber(path, reader), 1);
  else
    EXPECT_FALSE(fs::exists(path));
  return true;
}

static void failEverywhere(Fault fault, long atLeastNative,
                           long atLeastLegacy) {
  for (CheckpointLayout layout : kLayouts)
    for (ExistingCheckpoint existing : kExisting) {
      std::unique_ptr<Session> session = sessionAt(0), reader = sessionAt(0);
      long n = 0;
      for (;; ++n) {
        SCOPED_TRACE(describe(layout, existing) + ", call " +
                     std::to_string(n));
        ASSERT_LT(n, 1000);
        if (!failAt(layout, existing, fault, n, *session, *reader))
          break;
        if (testing::Test::HasFailure())
          return;
      }
      EXPECT_GE(n, layout == CheckpointLayout::kNative ? atLeastNative
                                                       : atLeastLegacy);
    }
}

TEST(SaveFaultTest, OneCallFails) {
  // A file: open, write, fsync, close; a folder: mkdir, open, fsync, close.
  failEverywhere(Fault::kOnce, 2 * 4 + 2 * 4, kNumVariables * 8);
}

TEST(SaveFaultTest, TheDiskIsFullFromOneCallOn) {
  failEverywhere(Fault::kDiskFull, 2 * 2 + 1, kNumVariables * 3);
}

TEST(SaveFaultTest, SlowWritesAreWhole) {
  for (CheckpointLayout layout : kLayouts) {
    TemporaryFolder folder;
    std::unique_ptr<Session> session = sessionAt(7);
    bool ignored;
    Status status =
        saveWithFault(*session, folder.file("c"), layout,
                      ExistingCheckpoint::kRefuse, Fault::kSlow, 0, ignored);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(savedNumber(folder.file("c")), 7);
  }
}

TEST(SaveFaultTest, TheFileSystemCannotExchangeFolders) {
  TemporaryFolder folder;
  std::string path = folder.file("c");
  std::unique_ptr<Session> session = sessionAt(1);
  for (CheckpointLayout layout : kLayouts) {
    std::filesystem::remove_all(path);
    ASSERT_TRUE(saveCheckpoint(*session, path, layout).ok());
    setNumber(*session, 2);
    bool ignored;
    Status status =
        saveWithFault(*session, path, layout, ExistingCheckpoint::kReplace,
                      Fault::kNoExchange, 0, ignored);
    EXPECT_EQ(status.code(), StatusCode::kIo);
    EXPECT_TRUE(contains(status.message(),
                         "'" + path +
                             "': cannot replace: expects a file system that "
                             "can exchange two folders"))
        << status.message();
    EXPECT_EQ(savedNumber(path), 1);
    EXPECT_EQ(countStaging(folder.file("")), 0);
    setNumber(*session, 1);
  }
}
