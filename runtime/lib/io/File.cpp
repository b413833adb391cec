//===- File.cpp - Files with errors as values -----------------------------===//

#include "lib/io/File.h"
#include "lib/base/SystemError.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace jobrt;
namespace fs = std::filesystem;

Status jobrt::fileError(StatusCode code, const std::string &path,
                        const std::string &message) {
  return Status(code, "'" + path + "': " + message);
}

Status jobrt::systemError(const std::string &path, std::string_view action) {
  int number = errno;
  StatusCode code = StatusCode::kIo;
  switch (number) {
  case ENOENT:
    code = StatusCode::kNotFound;
    break;
  case ENOMEM:
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
  case EMFILE:
  case ENFILE:
    code = StatusCode::kResourceExhausted;
    break;
  default:
    break;
  }
  return fileError(code, path,
                   "cannot " + std::string(action) + ": " +
                       describeSystemError(number));
}

File::File(File &&other) noexcept
    : name(std::move(other.name)), staged(std::exchange(other.staged, {})),
      destination(std::move(other.destination)),
      descriptor(std::exchange(other.descriptor, -1)), bytes(other.bytes) {}

File &File::operator=(File &&other) noexcept {
  std::swap(name, other.name);
  std::swap(staged, other.staged);
  std::swap(destination, other.destination);
  std::swap(descriptor, other.descriptor);
  std::swap(bytes, other.bytes);
  return *this;
}

File::~File() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!staged.empty())
    ::unlink(staged.c_str());
}

Expected<File> File::open(const std::string &path) {
  File file;
  file.name = path;
  // Not blocking, so that a pipe of that name is refused and not waited for.
  file.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.descriptor < 0)
    return systemError(path, "open");
  struct stat info;
  if (::fstat(file.descriptor, &info) != 0)
    return systemError(path, "open");
  if (!S_ISREG(info.st_mode))
    return fileError(StatusCode::kInvalidArgument, path,
                     S_ISDIR(info.st_mode)
                         ? "expects a file but got a folder"
                         : "expects a file but got a device or pipe");
  file.bytes = info.st_size;
  return Expected<File>(std::move(file));
}

Expected<File> File::create(const std::string &path) {
  File file;
  file.name = path;
  file.descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file.descriptor < 0)
    return systemError(path, "create");
  return Expected<File>(std::move(file));
}

bool File::createStaged(const struct stat *old) {
  std::error_code error;
  const fs::path target = fs::absolute(name, error);
  if (error) {
    errno = error.value();
    return false;
  }
  destination = target;
  // In the same folder, so that the rename stays on one file system. No
  // other process can foresee the name and put a file or a link there.
  std::random_device random;
  do {
    char file[32];
    std::snprintf(file, sizeof(file), "jobmlir-%08x%08x.tmp", random(),
                  random());
    std::string place = target.parent_path() / file;
    descriptor = ::open(place.c_str(),
                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        old ? old->st_mode & 0777 : 0666);
    if (descriptor >= 0)
      staged = std::move(place);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0 || !old)
    return descriptor >= 0;
  // Owner first: a change of owner takes bits of the mode.
  return ::fchown(descriptor, old->st_uid, old->st_gid) == 0 &&
         ::fchmod(descriptor, old->st_mode & 07777) == 0;
}

/// Whether a file is mounted there, as single files are in containers: it
/// cannot be replaced.
static bool isMountPoint(const std::string &path) {
  struct statx info;
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &info) == 0 &&
         (info.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

Expected<File> File::stage(const std::string &path) {
  struct stat old;
  const bool exists = ::lstat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT)
    return systemError(path, "create");
  if (exists) {
    // A rename would take the file from its other names.
    if (!S_ISREG(old.st_mode) || old.st_nlink > 1 || isMountPoint(path))
      return create(path);
    // A rename would replace a file that may not be written.
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      return systemError(path, "create");
  }
  File file;
  file.name = path;
  if (file.createStaged(exists ? &old : nullptr))
    return Expected<File>(std::move(file));
  switch (errno) {
  case EACCES:
  case EPERM:
  case EROFS:
  case ENAMETOOLONG:
  case EINVAL:
    // The file itself may be writable, though its folder is not, or though no
    // other file can have its name or owner. An owner that the user's namespace
    // does not have is an invalid argument.
    return create(path);
  default:
    return systemError(path, "create");
  }
}

Status File::readAt(int64_t offset, void *data, int64_t count) const {
  char *target = static_cast<char *>(data);
  while (count > 0) {
    ssize_t got = ::pread(descriptor, target, count, offset);
    if (got < 0) {
      if (errno == EINTR)
        continue;
      return systemError(name, "read");
    }
    if (got == 0)
      return fileError(StatusCode::kDataLoss, name,
                       "truncated: expects " + std::to_string(offset + count) +
                           " bytes but got " + std::to_string(offset));
    target += got;
    offset += got;
    count -= got;
  }
  return {};
}

Status File::write(const void *data, int64_t count) {
  const char *source = static_cast<const char *>(data);
  while (count > 0) {
    ssize_t put = ::write(descriptor, source, count);
    if (put < 0) {
      if (errno == EINTR)
        continue;
      int number = errno;
      std::string action = "write " + std::to_string(count) +
                           " bytes after the first " + std::to_string(bytes);
      errno = number;
      return systemError(name, action);
    }
    source += put;
    count -= put;
    bytes += put;
  }
  return {};
}

Status File::sync() {
  return ::fsync(descriptor) == 0 ? Status() : systemError(name, "sync");
}

Status File::close() {
  int closed = ::close(std::exchange(descriptor, -1));
  return closed == 0 ? Status() : systemError(name, "write");
}

Status File::publish() {
  if (Status status = close(); !status.ok() || staged.empty())
    return status;
  if (std::rename(staged.c_str(), destination.c_str()) != 0)
    return systemError(name, "create");
  staged.clear();
  return {};
}

Expected<std::string> jobrt::readText(const std::string &path, int64_t limit) {
  Expected<File> file = File::open(path);
  if (!file.ok())
    return file.status();
  if (file->size() > limit)
    return fileError(StatusCode::kDataLoss, path,
                     "expects at most " + std::to_string(limit) +
                         " bytes but got " + std::to_string(file->size()));
  std::string text(file->size(), '\0');
  if (Status status = file->readAt(0, text.data(), file->size()); !status.ok())
    return status;
  return text;
}

Status jobrt::writeSynced(const std::string &path, std::string_view contents) {
  Expected<File> file = File::create(path);
  if (!file.ok())
    return file.status();
  Status status = file->write(contents.data(), contents.size());
  if (status.ok())
    status = file->sync();
  return status.ok() ? file->close() : status;
}

Status jobrt::syncFolder(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError(path, "open");
  Status status;
  // Some network file systems cannot sync a folder and say so with EINVAL.
  if (::fsync(descriptor) != 0 && errno != EINVAL)
    status = systemError(path, "sync");
  ::close(descriptor);
  return status;
}

Status jobrt::checkElements(const std::string &path, const TensorView &value) {
  if (value.dtype != DType::kI1)
    return {};
  const auto *begin = static_cast<const uint8_t *>(value.data);
  const auto *end = begin + value.bytes();
  const auto *wrong =
      std::find_if(begin, end, [](uint8_t byte) { return byte > 1; });
  if (wrong == end)
    return {};
  return fileError(StatusCode::kDataLoss, path,
                   "expects 0 or 1 for element " +
                       std::to_string(wrong - begin) + " of " +
                       formatType(value.shape, value.dtype) + " but got " +
                       std::to_string(*wrong));
}
