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

/// A kernel's function and the number of chunks that it is called for.
struct EmittedKernel {
  func::FuncOp func;
  int64_t chunks;
};

/// Builds the function of `kernel` at the builder's place: the buffers, then
/// the chunk, an index. The number of chunks depends on shapes only.
EmittedKernel emitKernel(OpBuilder &builder, KernelOp kernel, StringRef name,
                         const KernelSignature &signature);

/// True when `kernel` reads the input `index` only at the element that it is
/// about to write, so that a result may take the input's memory.
bool readsElementwise(KernelOp kernel, unsigned index);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELEMITTER_H
