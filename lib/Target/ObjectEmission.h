//===- ObjectEmission.h - From the LLVM dialect to an object ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TARGET_OBJECTEMISSION_H
#define JOBDIALECT_LIB_TARGET_OBJECTEMISSION_H

#include "JobDialect/Target/Artifact.h"

namespace mlir::job {

/// An ELF object with the LLVM dialect ops and the `plan.constant`s of
/// `module`. Only kernels (`jobk_<n>`) and the constant section have external
/// symbols.
FailureOr<SmallVector<char, 0>> emitObject(ModuleOp module,
                                           const TargetDescription &target);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TARGET_OBJECTEMISSION_H
