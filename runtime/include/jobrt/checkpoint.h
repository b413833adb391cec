//===- checkpoint.h - Saving and loading variables --------------*- C++ -*-===//
//
// There are two layouts, which loading detects from the files in the folder:
//
//   native   `variables.safetensors` and `manifest.json`
//   legacy   one folder per variable with its raw bytes (little endian,
//            row-major) in the file `out`, and an empty `snapshot_done`; with
//            kLegacyWithMeta its shape and type in the file `meta`, which
//            loading here does not read; and `checksums.json`, which OneFlow
//            ignores, with size and checksum of each file
//
// A checkpoint is written to a temporary sibling folder, every file and folder
// is fsynced, then the folder is renamed. If the process is killed at any time,
// the old or the new checkpoint is intact, and the next save to the same parent
// folder removes the temporary folder. An error while saving changes no
// checkpoint. Loading changes no variable unless the values of all are valid,
// checked by the checksums; the legacy layout of other writers has none.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CHECKPOINT_H
#define JOBRT_CHECKPOINT_H

#include "jobrt/session.h"

namespace jobrt {

enum class CheckpointLayout { kNative, kLegacy, kLegacyWithMeta };

/// What to do if a checkpoint exists at the path.
enum class ExistingCheckpoint {
  kRefuse,
  /// Exchange it atomically for the new one, then remove it. A folder that is
  /// not a checkpoint is still an error: it has to have the manifest, or
  /// `checksums.json` or an empty `snapshot_done`, and no files but those of
  /// that layout; values may be damaged or missing. Needs a file system that
  /// can exchange two folders (else kIo), which file systems of local disks
  /// can.
  kReplace
};

/// Writes all variables of the session. `path` must not exist, be an empty
/// folder, or be a checkpoint to replace (else kAlreadyExists). A full disk is
/// kResourceExhausted, another error of the system kIo; both messages name the
/// path, the bytes and the reason. Blocks; ordered after the steps queued
/// before.
JOBRT_API Status saveCheckpoint(
    Session &session, const std::string &path, CheckpointLayout layout,
    ExistingCheckpoint existing = ExistingCheckpoint::kRefuse);

/// Writes tensors of different names, as saveCheckpoint() writes variables.
JOBRT_API Status
saveTensors(const std::vector<std::pair<std::string, TensorView>> &tensors,
            const std::string &path, CheckpointLayout layout,
            ExistingCheckpoint existing = ExistingCheckpoint::kRefuse);

/// Reads all variables of the session. A variable that is missing in the
/// checkpoint or has a wrong size, shape or dtype is an error, which changes no
/// variable. Variables of the checkpoint that the session lacks are ignored.
/// What the system does not let read is kIo.
JOBRT_API Status loadCheckpoint(Session &session, const std::string &path);

/// NumPy's .npy files (version 1.0 and 2.0; C order; the dtypes of tensor.h).
/// An error leaves the file that was there; a device, pipe or link is written
/// in place.
JOBRT_API Expected<Tensor> readNpy(const std::string &path);
JOBRT_API Status writeNpy(const std::string &path, const TensorView &value);

/// Reads an IDX file of unsigned bytes (the format of MNIST), gzipped or not,
/// as a ui8 tensor with the file's shape.
JOBRT_API Expected<Tensor> readIdx(const std::string &path);

} // namespace jobrt

#endif // JOBRT_CHECKPOINT_H
