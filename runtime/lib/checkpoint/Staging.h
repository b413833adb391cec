//===- Staging.h - Where a checkpoint is written ----------------*- C++ -*-===//
//
// A checkpoint is written to a folder beside its destination and moved there
// in one step. The folder is locked as long as it is written, which tells the
// folders of saves under way from those that a killed process left.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_CHECKPOINT_STAGING_H
#define JOBRT_LIB_CHECKPOINT_STAGING_H

#include "jobrt/status.h"

#include <system_error>

namespace jobrt {

/// The error for a destination that may not be saved to: `given` says what is
/// there.
Status refuseExisting(const std::string &path, const std::string &given);

/// The error for a folder with entries.
Status refuseNonEmpty(const std::string &path);

/// Opens a folder that is no link; negative and `errno` if that fails.
int openFolder(const std::string &path);

/// The error for a path that std::filesystem cannot look at.
Status openError(const std::string &path, std::error_code error);

/// Whether `path` is the name of the open folder still.
bool isNameOf(const std::string &path, int descriptor);

/// A folder beside the destination; what it holds at the end is removed. For
/// one thread.
class StagingFolder {
public:
  StagingFolder() = default;
  StagingFolder(const StagingFolder &) = delete;
  StagingFolder &operator=(const StagingFolder &) = delete;
  ~StagingFolder();

  /// Makes it, empty, in the folder `parent`.
  Status create(const std::string &parent);
  const std::string &path() const { return folder; }

  /// Moves it to `destination`, which is an empty folder or not there. An
  /// error leaves `destination` without a checkpoint.
  Status publish(const std::string &destination);
  /// Puts it in the place of the folder `destination`, which goes. An error
  /// leaves that as it was.
  Status replace(const std::string &destination);

private:
  std::string folder;
  int descriptor = -1;
};

/// Removes the staging folders in `parent` whose process was killed. What
/// cannot be removed stays: no save depends on it.
void removeLeftovers(const std::string &parent);

} // namespace jobrt

#endif // JOBRT_LIB_CHECKPOINT_STAGING_H
