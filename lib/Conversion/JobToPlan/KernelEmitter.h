//===- KernelEmitter.h - Kernel regions to executables ----------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::job {

/// Where a kernel's values live: an argument number of the executable for each
/// input and each result. An input and a result that share a number are the
/// same memory (an update in place).
struct KernelSignature {
  SmallVector<unsigned> inputs, results;
  /// The types of the arguments.
  SmallVector<MemRefType> types;
  /// How many of the last arguments are written.
  unsigned numWritten = 0;
};

/// A check for NaN and infinity in a kernel.
struct KernelCheck {
  /// What is checked: the kernel's input of that number, else a result of an
  /// op in its region.
  std::optional<unsigned> input;
  Location loc;
};

/// A result that may be a NaN or infinity, and the op that made it.
struct UncheckedResult {
  unsigned index;
  Location loc;
};

/// An executable.
struct EmittedKernel {
  plan::ExecutableOp executable;
  /// The checks in their order. When there are any, the status is one more
  /// buffer at the end.
  SmallVector<KernelCheck> checks;
  /// Results that the kernel does not check itself.
  SmallVector<UncheckedResult> unchecked;
};

/// Builds the executable of `kernel`, with its body, at the builder's place.
/// With `checkNumerics`, the kernel checks what its scalar ops make, and before
/// those `inputChecks`, which canCheckInput() allows.
EmittedKernel emitKernel(OpBuilder &builder, KernelOp kernel, StringRef name,
                         const KernelSignature &signature,
                         bool checkNumerics = false,
                         ArrayRef<KernelCheck> inputChecks = {});

/// Whether the kernel reads every element of the input on its way, so that a
/// check costs little.
bool canCheckInput(KernelOp kernel, unsigned input);

/// Builds an executable that checks a buffer of floats and does nothing else.
EmittedKernel emitCheckKernel(OpBuilder &builder, Location loc, StringRef name,
                              MemRefType type);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H
