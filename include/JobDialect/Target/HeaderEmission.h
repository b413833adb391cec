//===- HeaderEmission.h - A C header for one artifact -----------*- C++ -*-===//
//
// docs/c-api.md describes its contents.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_TARGET_HEADEREMISSION_H
#define JOBDIALECT_TARGET_HEADEREMISSION_H

#include "JobDialect/Target/Artifact.h"

namespace mlir::job {

/// Writes a C header for the artifact of a lowered module: names, shapes and
/// sizes as constants, and one typed function per job, based on jobrt/c_api.h.
/// The stem of the file name is the prefix of all names. Errors are emitted at
/// the module.
LogicalResult writeHeader(ModuleOp module, const TargetDescription &target,
                          StringRef path);

} // namespace mlir::job

#endif // JOBDIALECT_TARGET_HEADEREMISSION_H
