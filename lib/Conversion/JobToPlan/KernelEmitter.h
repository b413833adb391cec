//===- KernelEmitter.h - Kernel regions to functions ------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H

#include "JobDialect/IR/JobOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::job {

/// Where a kernel's values live: an argument number of the kernel's function
/// for each input and each result. An input and a result that share a number
/// are the same memory (an update in place).
struct KernelSignature {
  SmallVector<unsigned> inputs, results;
  /// The types of the function's arguments, without the chunk.
  SmallVector<MemRefType> types;
};

/// A check for NaN and infinity in a kernel (NumericsChecks.h).
struct KernelCheck {
  /// What is checked: the kernel's input of that number, else a result of an
  /// op in its region.
  std::optional<unsigned> input;
  Location loc;
};

/// A result that may be a NaN or infinity, and whose op is to blame for it.
struct UncheckedResult {
  unsigned index;
  Location loc;
};

/// A kernel's function and the number of chunks that it is called for.
struct EmittedKernel {
  func::FuncOp func;
  int64_t chunks;
  /// The checks in their order. When there are any, the function has one more
  /// buffer, of the status type, before the chunk.
  SmallVector<KernelCheck> checks;
  /// Results of the kernel that no check in a kernel can see.
  SmallVector<UncheckedResult> unchecked;
};

/// Builds the function of `kernel` at the builder's place: the buffers, then
/// the chunk, an index. The number of chunks depends on shapes only. With
/// `checkNumerics`, which canCheckInside() allows, the function checks what its
/// scalar ops make, and before those `inputChecks`, which canCheckInput()
/// allows.
EmittedKernel emitKernel(OpBuilder &builder, KernelOp kernel, StringRef name,
                         const KernelSignature &signature,
                         bool checkNumerics = false,
                         ArrayRef<KernelCheck> inputChecks = {});

/// Whether a kernel's own loops may check: not when they make sums or products
/// of floats. LLVM orders the terms as suits the whole loop, and checks must
/// not change a bit of what is computed.
bool canCheckInside(KernelOp kernel);

/// Builds a function that makes the checks of such a kernel and computes
/// nothing else; the signature has no results. Without a function when there is
/// nothing to check.
EmittedKernel emitChecksOfKernel(OpBuilder &builder, KernelOp kernel,
                                 StringRef name,
                                 const KernelSignature &signature,
                                 ArrayRef<KernelCheck> inputChecks);

/// Whether the kernel reads every element of the input on its way, so that a
/// check costs little.
bool canCheckInput(KernelOp kernel, unsigned input);

/// Builds a function that checks a buffer of floats and does nothing else.
EmittedKernel emitCheckKernel(OpBuilder &builder, Location loc, StringRef name,
                              MemRefType type);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H
