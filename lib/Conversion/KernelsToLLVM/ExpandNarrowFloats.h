//===- ExpandNarrowFloats.h - Floats of 16 bits in integers -----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_KERNELSTOLLVM_EXPANDNARROWFLOATS_H
#define JOBDIALECT_LIB_CONVERSION_KERNELSTOLLVM_EXPANDNARROWFLOATS_H

#include "mlir/IR/Operation.h"

namespace mlir::job {

/// Expands conversions from and to f16 and bf16, and selections of them, in
/// `root`. LLVM calls functions of a compiler's library for them where the
/// machine has no instruction, and artifacts link libc and libm only. Rounds to
/// nearest even; a NaN stays a NaN.
void expandNarrowFloats(Operation *root);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_KERNELSTOLLVM_EXPANDNARROWFLOATS_H
