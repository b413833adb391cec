//===- Replaceable.h - What a save may replace ------------------*- C++ -*-===//

#ifndef JOBRT_LIB_CHECKPOINT_REPLACEABLE_H
#define JOBRT_LIB_CHECKPOINT_REPLACEABLE_H

#include "jobrt/status.h"

namespace jobrt {

/// Replacing removes what is in a folder, so that must be a checkpoint and
/// nothing besides (kAlreadyExists), or nothing. Names say too little, since
/// others use the same ones: the manifest, the list of checksums and
/// `snapshot_done` count by what is in them, and links do not count. Values
/// may be damaged or missing.
Status checkReplaceable(const std::string &folder);

} // namespace jobrt

#endif // JOBRT_LIB_CHECKPOINT_REPLACEABLE_H
