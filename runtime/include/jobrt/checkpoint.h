//===- checkpoint.h - Saving and loading variables --------------*- C++ -*-===//
//
// Two layouts, recognised on loading by what is in the folder:
//
//   native   `variables.safetensors` and `manifest.json`
//   legacy   one folder a variable with its raw bytes (little endian,
//            row-major) in the file `out`, and an empty `snapshot_done`
//
// A checkpoint is written to a temporary folder beside its place, every file
// and folder fsynced, then renamed: a kill at any moment leaves the old state
// or the new one, and the next save beside it removes the temporary folder. An
// error while saving changes no checkpoint. Loading changes nothing unless all
// of it is good.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CHECKPOINT_H
#define JOBRT_CHECKPOINT_H

#include "jobrt/session.h"

namespace jobrt {

enum class CheckpointLayout { kNative, kLegacy };

/// What to do about a checkpoint that is at the path already.
enum class ExistingCheckpoint {
  kRefuse,
  /// Exchanged for the new one in one step, then removed. Refused all the same
  /// when anything but a checkpoint is there. Needs a file system that can
  /// exchange two folders (else kIo), as those of local disks can.
  kReplace
};

/// Writes all variables of the session. `path` must not exist or be an empty
/// folder, or a checkpoint to replace (else kAlreadyExists). A full disk is
/// kResourceExhausted, what the system refuses kIo; both name the path, the
/// bytes and the reason. Blocks; ordered after the steps queued before.
JOBRT_API Status saveCheckpoint(
    Session &session, const std::string &path, CheckpointLayout layout,
    ExistingCheckpoint existing = ExistingCheckpoint::kRefuse);

/// Reads all variables of the session; a variable missing in the checkpoint, a
/// wrong size, shape or dtype is an error and leaves every variable as it was.
/// Variables that only the checkpoint has are ignored.
JOBRT_API Status loadCheckpoint(Session &session, const std::string &path);

/// NumPy's .npy files (version 1.0 and 2.0; C order; the dtypes of tensor.h).
JOBRT_API Expected<Tensor> readNpy(const std::string &path);
JOBRT_API Status writeNpy(const std::string &path, const TensorView &value);

/// The IDX files of MNIST (gzipped or not), unsigned bytes as they are stored:
/// returned as i8 bits with the file's shape.
JOBRT_API Expected<Tensor> readIdx(const std::string &path);

} // namespace jobrt

#endif // JOBRT_CHECKPOINT_H
