//===- File.h - Files with errors as values ---------------------*- C++ -*-===//
//
// Thin layer over the system calls. Every message names the file. A File is
// for one thread at a time; all functions block on the disk.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_IO_FILE_H
#define JOBRT_LIB_IO_FILE_H

#include "jobrt/tensor.h"

#include <sys/stat.h>

namespace jobrt {

/// "'path': <message>".
Status fileError(StatusCode code, const std::string &path,
                 const std::string &message);

/// What the system says (`errno`), with the code that goes with it: kNotFound,
/// kResourceExhausted (memory, disk space, quota, file size) or kIo.
Status systemError(const std::string &path, std::string_view action);

/// An open file.
class File {
public:
  File() = default;
  File(File &&other) noexcept;
  File &operator=(File &&other) noexcept;
  ~File();

  /// A regular file, to read.
  static Expected<File> open(const std::string &path);
  /// A new or emptied file, to write.
  static Expected<File> create(const std::string &path);
  /// A file to write that takes the place of `path` by publish(). Without it,
  /// what was there stays. The owner and mode of what was there remain. A
  /// device, pipe, link, mounted file or file of several names is written in
  /// place, and so is a file where no other one can be created.
  static Expected<File> stage(const std::string &path);

  const std::string &path() const { return name; }
  /// Size in bytes when it was opened to read, or as far as it was written.
  int64_t size() const { return bytes; }
  /// Fails (kDataLoss) when the file ends before `count` bytes.
  Status readAt(int64_t offset, void *data, int64_t count) const;
  Status write(const void *data, int64_t count);
  /// Waits until the contents are on the disk.
  Status sync();
  /// Reports what a write that was put off had to say.
  Status close();
  /// Closes a file of stage() and moves it to its path.
  Status publish();

private:
  /// Creates the temporary file of stage(), with the owner and mode of `old`, a
  /// file or none; false and `errno` on failure.
  bool createStaged(const struct stat *old);

  std::string name;
  /// Where a file of stage() is, empty when it is in place, and where it goes.
  /// Both are absolute: the process may change its folder in between.
  std::string staged, destination;
  int descriptor = -1;
  int64_t bytes = 0;
};

/// The whole of a file of at most `limit` bytes.
Expected<std::string> readText(const std::string &path, int64_t limit);

/// Writes and syncs a whole file.
Status writeSynced(const std::string &path, std::string_view contents);

/// Waits until the names in a folder are on the disk.
Status syncFolder(const std::string &path);

/// Bytes of i1 elements are 0 or 1; anything else is damage (kDataLoss).
Status checkElements(const std::string &path, const TensorView &value);

} // namespace jobrt

#endif // JOBRT_LIB_IO_FILE_H
