//===- Linker.h - From objects to a shared object ---------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TARGET_LINKER_H
#define JOBDIALECT_LIB_TARGET_LINKER_H

#include "JobDialect/Target/Artifact.h"

namespace mlir::job {

/// Links ELF objects into a shared object that needs nothing but libc and
/// libm, in this process. Anything else that it calls is an error at `loc`.
/// Thread-safe; concurrent calls wait for each other.
FailureOr<SmallVector<char, 0>>
linkSharedObject(Location loc, const TargetDescription &target,
                 ArrayRef<SmallVector<char, 0>> objects);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TARGET_LINKER_H
