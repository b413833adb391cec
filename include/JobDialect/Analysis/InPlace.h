//===- InPlace.h - Which kernels may overwrite their inputs -----*- C++ -*-===//
//
// A result may take the memory of an input when every element of the input is
// read, for the last time, by whoever writes the result's element at the same
// index. That is about one kernel. Whether anybody looks at the input later is
// another question: answered here for variables, which live longer than the
// job, and left to the caller for blobs.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_INPLACE_H
#define JOBDIALECT_ANALYSIS_INPLACE_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// The op of a kernel that is computed by its own loops, or null.
LoopKernelOpInterface getLoopKernel(KernelOp kernel);

/// True when result number `result` of `kernel` may be written into the memory
/// of input number `input`: the types agree, the input is read element by
/// element, and the result is no reduction. No two results may take one input.
bool canOverwrite(KernelOp kernel, unsigned input, unsigned result);

/// An assignment, and why its value may not be written straight into the
/// variable; empty when it may: from the op that makes it on, nobody looks at
/// the old value.
struct VariableUpdate {
  AssignOp assign;
  StringRef obstacle;

  bool isInPlace() const { return obstacle.empty(); }
};

/// The assignments of a job, in their order. No two that are in place have the
/// same value.
SmallVector<VariableUpdate> findVariableUpdates(FuncOp func);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_INPLACE_H
