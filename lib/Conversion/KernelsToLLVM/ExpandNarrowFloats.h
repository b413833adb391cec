//===- ExpandNarrowFloats.h - Floats of 16 bits in integers -----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_KERNELSTOLLVM_EXPANDNARROWFLOATS_H
#define JOBDIALECT_LIB_CONVERSION_KERNELSTOLLVM_EXPANDNARROWFLOATS_H

#include "mlir/IR/Operation.h"

namespace mlir::job {

/// Expands conversions from and to f16 and bf16 in `root`, and makes i16 of
/// those that functions move: loads, selects and stores. LLVM calls functions
/// of a compiler's library for both where the machine has no instruction, also
/// for moves, once it makes vectors of them; artifacts link libc and libm only.
/// Rounds to nearest even; a NaN stays a NaN.
void expandNarrowFloats(Operation *root);

/// Expands the conversions only.
void expandNarrowConversions(Operation *root);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_KERNELSTOLLVM_EXPANDNARROWFLOATS_H
