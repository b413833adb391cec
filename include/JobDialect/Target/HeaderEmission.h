//===- HeaderEmission.h - A C header for one artifact -----------*- C++ -*-===//
//
// See docs/c-api.md for what is in it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_TARGET_HEADEREMISSION_H
#define JOBDIALECT_TARGET_HEADEREMISSION_H

#include "JobDialect/Target/Artifact.h"

namespace mlir::job {

/// Writes a C header for the artifact of a lowered module: names, shapes and
/// sizes as constants, and a typed function a job over jobrt/c_api.h. The
/// file's stem is the prefix of all its names. Errors at the module.
LogicalResult writeHeader(ModuleOp module, const TargetDescription &target,
                          StringRef path);

} // namespace mlir::job

#endif // JOBDIALECT_TARGET_HEADEREMISSION_H
