//===- SplitMaskedLoads.h - Parts of loads that no lane takes ---*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TARGET_SPLITMASKEDLOADS_H
#define JOBDIALECT_LIB_TARGET_SPLITMASKEDLOADS_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::job {

/// Cuts masked loads that are wider than a register into loads of registers
/// where the lanes of a register are known to be off, and leaves these out.
///
/// LLVM 22 cuts them itself when it selects instructions. With AVX and without
/// AVX-512 a part whose mask becomes zero only then, such as a splat and a
/// constant, is a load without a mask: its lanes are wrong, and it may read
/// beyond the buffer.
void splitMaskedLoads(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TARGET_SPLITMASKEDLOADS_H
