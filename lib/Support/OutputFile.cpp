//===- OutputFile.cpp - Files that a user asked for -----------------------===//

#include "JobDialect/Support/OutputFile.h"
#include "JobDialect/Support/SystemError.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::job;

static std::error_code writeTo(llvm::raw_fd_ostream &os,
                               ArrayRef<StringRef> contents) {
  for (StringRef part : contents)
    os << part;
  os.flush();
  std::error_code code = os.error();
  // Else the stream's destructor ends the process.
  os.clear_error();
  return code;
}

/// Writes to an open file and closes it.
static std::error_code writeAndClose(int descriptor,
                                     ArrayRef<StringRef> contents, bool sync) {
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  std::error_code code = writeTo(os, contents);
  if (!code && sync && ::fsync(descriptor) != 0)
    code = llvm::errnoAsErrorCode();
  if (::close(descriptor) != 0 && !code)
    code = llvm::errnoAsErrorCode();
  return code;
}

static std::error_code writeInPlace(StringRef path,
                                    ArrayRef<StringRef> contents) {
  int descriptor = ::open(path.str().c_str(),
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return llvm::errnoAsErrorCode();
  return writeAndClose(descriptor, contents, /*sync=*/false);
}

/// Creates a file in `folder` under a name that no other process can foresee.
/// llvm::sys::fs::TempFile would replace each % in the name of the folder, too.
static std::error_code createTemporary(const std::string &folder, mode_t mode,
                                       std::string &path, int &descriptor) {
  std::random_device random;
  do {
    path = folder;
    llvm::raw_string_ostream(path)
        << llvm::format("/jobmlir-%08x%08x.tmp", random(), random());
    descriptor =
        ::open(path.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor < 0 ? llvm::errnoAsErrorCode() : std::error_code();
}

/// Makes the rename itself durable.
static void syncFolder(const std::string &folder) {
  int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Gives the new file the owner and mode of the old one. Owner first: a change
/// of owner takes bits of the mode.
static std::error_code copyOwnerAndMode(const struct stat &old,
                                        int descriptor) {
  int owner = ::fchown(descriptor, old.st_uid, old.st_gid);
  std::error_code code = owner ? llvm::errnoAsErrorCode() : std::error_code();
  // The owner can read the new file, also where the old one was in the cache
  // and could not be read.
  if (::fchmod(descriptor, (old.st_mode & 07777) | S_IRUSR) != 0 && !code)
    code = llvm::errnoAsErrorCode();
  return code;
}

/// Replaces what is there, if anything, by a new file. With `keepsOwner` it
/// fails where that cannot have the owner of the old one; otherwise a file of
/// another owner tells nothing about the new one.
static std::error_code replace(const std::string &path,
                               ArrayRef<StringRef> contents, bool keepsOwner) {
  struct stat old;
  const bool copies = ::lstat(path.c_str(), &old) == 0 &&
                      S_ISREG(old.st_mode) &&
                      (keepsOwner || old.st_uid == ::geteuid());
  // In the same folder, so that the rename stays on one file system.
  std::string folder = llvm::sys::path::parent_path(path).str();
  if (folder.empty())
    folder = ".";
  std::string temporary;
  int descriptor;
  if (std::error_code code = createTemporary(
          folder, copies ? old.st_mode & 0777 : 0666, temporary, descriptor))
    return code;
  llvm::sys::RemoveFileOnSignal(temporary);
  llvm::scope_exit remove([&] {
    (void)llvm::sys::fs::remove(temporary);
    llvm::sys::DontRemoveFileOnSignal(temporary);
  });
  if (copies)
    if (std::error_code code = copyOwnerAndMode(old, descriptor);
        code && keepsOwner) {
      ::close(descriptor);
      return code;
    }
  if (std::error_code code = writeAndClose(descriptor, contents, /*sync=*/true))
    return code;
  if (std::error_code code = llvm::sys::fs::rename(temporary, path))
    return code;
  remove.release();
  llvm::sys::DontRemoveFileOnSignal(temporary);
  syncFolder(folder);
  return {};
}

/// Whether a file is mounted there, as single files are in containers: it
/// cannot be replaced.
static bool isMountPoint(const std::string &path) {
  struct statx info;
  return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &info) == 0 &&
         (info.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

/// writeFile() for paths that are not standard output.
static std::error_code writeOrReplace(const std::string &path,
                                      ArrayRef<StringRef> contents) {
  struct stat old;
  if (::lstat(path.c_str(), &old) == 0) {
    if (!S_ISREG(old.st_mode) || old.st_nlink > 1 || isMountPoint(path))
      return writeInPlace(path, contents);
    // A rename would replace a file that may not be written.
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      return llvm::errnoAsErrorCode();
  }
  std::error_code code = replace(path, contents, /*keepsOwner=*/true);
  // An owner that the user's namespace does not have is an invalid argument.
  for (std::errc cannotCreate :
       {std::errc::permission_denied, std::errc::operation_not_permitted,
        std::errc::read_only_file_system, std::errc::filename_too_long,
        std::errc::invalid_argument})
    if (code == cannotCreate)
      return writeInPlace(path, contents);
  return code;
}

static llvm::Error makeError(const Twine &what, std::error_code code) {
  if (!code)
    return llvm::Error::success();
  return llvm::createStringError(code, "cannot write " + what + ": " +
                                           describeSystemError(code));
}

llvm::Error job::writeFile(StringRef path, ArrayRef<StringRef> contents) {
  if (path == "-")
    return makeError("to standard output", writeTo(llvm::outs(), contents));
  return makeError("'" + path + "'", writeOrReplace(path.str(), contents));
}

llvm::Error job::replaceFile(StringRef path, ArrayRef<StringRef> contents) {
  return makeError("'" + path + "'",
                   replace(path.str(), contents, /*keepsOwner=*/false));
}

LogicalResult job::writeOutputFile(Location loc, StringRef path,
                                   StringRef text) {
  if (llvm::Error error = writeFile(path, text))
    return emitError(loc) << llvm::toString(std::move(error));
  return success();
}
