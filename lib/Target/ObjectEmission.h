//===- ObjectEmission.h - From the LLVM dialect to objects ------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TARGET_OBJECTEMISSION_H
#define JOBDIALECT_LIB_TARGET_OBJECTEMISSION_H

#include "JobDialect/Target/Artifact.h"

namespace mlir::job {

/// An ELF object's bytes.
using ObjectFile = SmallVector<char, 0>;

/// ELF objects with the LLVM dialect ops and the `plan.constant`s of `module`,
/// in the order in which they are to be linked. Only kernels (`jobk_<n>`) and
/// the constant section have external symbols. Parts of the module are compiled
/// on the threads of its context; their number does not change a byte.
FailureOr<SmallVector<ObjectFile>> emitObjects(ModuleOp module,
                                               const TargetDescription &target);

/// One ELF object with the functions and globals of the LLVM dialect in `ops`;
/// those whose names `isExternal` accepts have external symbols. Errors are
/// emitted at `loc`.
FailureOr<ObjectFile> emitObject(Location loc, ArrayRef<Operation *> ops,
                                 function_ref<bool(StringRef)> isExternal,
                                 const TargetDescription &target);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TARGET_OBJECTEMISSION_H
