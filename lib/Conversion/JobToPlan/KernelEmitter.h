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
  /// The results of which an element keeps its old value if a check fails for
  /// it. Their arguments are read and written.
  SmallVector<unsigned> guarded;
};

/// An executable.
struct EmittedKernel {
  plan::ExecutableOp executable;
  /// The locations of the ops that it checks for NaN and infinity, in their
  /// order. When there are any, the status is one more buffer at the end.
  SmallVector<Location> checks;
};

/// Builds the executable of `kernel`, with its body, at the builder's place.
/// With `checkNumerics`, the kernel checks what its ops compute.
EmittedKernel emitKernel(OpBuilder &builder, KernelOp kernel, StringRef name,
                         const KernelSignature &signature, bool checkNumerics);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H
