//===- Staging.cpp - Where a checkpoint is written ------------------------===//

#include "lib/checkpoint/Staging.h"
#include "lib/io/File.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace jobrt;
namespace fs = std::filesystem;

static constexpr const char *kPrefix = ".jobrt-checkpoint-";

Status jobrt::refuseExisting(const std::string &path,
                             const std::string &given) {
  return fileError(StatusCode::kAlreadyExists, path,
                   "expects an empty folder or none to save into but got " +
                       given);
}

Status jobrt::refuseNonEmpty(const std::string &path) {
  // Programs look for the words at the end, which OneFlow has.
  return refuseExisting(path, "one that is not empty: root directory of model "
                              "snapshot not empty");
}

//===----------------------------------------------------------------------===//
// Locks
//===----------------------------------------------------------------------===//

int jobrt::openFolder(const std::string &path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

Status jobrt::openError(const std::string &path, std::error_code error) {
  errno = error.value();
  return systemError(path, "open");
}

bool jobrt::isNameOf(const std::string &path, int descriptor) {
  struct stat open, named;
  return ::fstat(descriptor, &open) == 0 &&
         ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

enum class Lock {
  kTaken,      ///< it is the caller's
  kHeld,       ///< another process has it, or has removed the folder
  kUnsupported ///< the file system has no locks on folders
};

static Lock lockFolder(const std::string &path, int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? Lock::kHeld : Lock::kUnsupported;
  return isNameOf(path, descriptor) ? Lock::kTaken : Lock::kHeld;
}

void jobrt::removeLeftovers(const std::string &parent) {
  std::error_code error;
  fs::directory_iterator entry(parent, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().native().rfind(kPrefix, 0) != 0)
      continue;
    std::string path = entry->path();
    int descriptor = openFolder(path);
    if (descriptor < 0)
      continue;
    // A writer locks its folder, and a lock ends with its process. Without
    // locks it is unknown which folders are in use, so all stay.
    std::error_code ignored;
    if (lockFolder(path, descriptor) == Lock::kTaken)
      fs::remove_all(path, ignored);
    ::close(descriptor);
  }
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

StagingFolder::~StagingFolder() {
  std::error_code ignored;
  if (!folder.empty())
    fs::remove_all(folder, ignored);
  if (descriptor >= 0)
    ::close(descriptor);
}

Status StagingFolder::create(const std::string &parent) {
  static std::atomic<uint64_t> counter{0};
  for (;;) {
    std::string path = parent + "/" + kPrefix + std::to_string(::getpid()) +
                       "-" + std::to_string(counter.fetch_add(1));
    if (::mkdir(path.c_str(), 0777) != 0) {
      // Of a process with the same number, for example in a container.
      if (errno == EEXIST)
        continue;
      return systemError(path, "create");
    }
    int opened = openFolder(path);
    // In the moment before the lock another save may take it for a leftover.
    if (opened < 0 && errno == ENOENT)
      continue;
    if (opened < 0) {
      Status status = systemError(path, "open");
      ::rmdir(path.c_str());
      return status;
    }
    if (lockFolder(path, opened) == Lock::kHeld) {
      ::close(opened);
      continue;
    }
    folder = std::move(path);
    descriptor = opened;
    return {};
  }
}

static std::string parentOf(const std::string &path) {
  return fs::path(path).parent_path();
}

Status StagingFolder::publish(const std::string &destination) {
  if (std::rename(folder.c_str(), destination.c_str()) != 0) {
    // Another process was faster.
    if (errno == ENOTEMPTY || errno == EEXIST)
      return refuseNonEmpty(destination);
    if (errno == ENOTDIR)
      return refuseExisting(destination, "a file");
    if (errno == EBUSY)
      return refuseExisting(destination, "a mount point");
    return systemError(destination, "create");
  }
  Status status = syncFolder(parentOf(destination));
  // A name that may not last is taken back.
  if (status.ok() || std::rename(destination.c_str(), folder.c_str()) != 0)
    folder.clear();
  return status;
}

Status StagingFolder::replace(const std::string &destination) {
  auto exchange = [&] {
    return ::renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, destination.c_str(),
                       RENAME_EXCHANGE) == 0;
  };
  if (!exchange()) {
    if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)
      return fileError(StatusCode::kIo, destination,
                       "cannot replace: expects a file system that can "
                       "exchange two folders");
    if (errno == EBUSY)
      return refuseExisting(destination, "a mount point");
    return systemError(destination, "replace");
  }
  Status status = syncFolder(parentOf(destination));
  // Whichever of the two is the staging folder now goes with it.
  if (!status.ok())
    (void)exchange();
  return status;
}
