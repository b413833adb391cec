//===- Container.h - The artifact's file ------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TARGET_CONTAINER_H
#define JOBDIALECT_LIB_TARGET_CONTAINER_H

#include "JobDialect/Target/Artifact.h"

namespace mlir::job {

/// Writes the shared object, the manifest and the footer (docs/artifact.md) to
/// `path`, which holds the old file or the whole new one at any moment. Errors
/// at `loc`.
LogicalResult writeContainer(Location loc, ArrayRef<char> sharedObject,
                             StringRef manifest, StringRef path);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TARGET_CONTAINER_H
