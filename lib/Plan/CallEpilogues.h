//===- CallEpilogues.h - Kernels that library calls compute too -*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H
#define JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H

#include "Epilogues.h"

namespace mlir::plan {

/// A call that also computes what a dispatch after it does.
struct CallEpilogue {
  CallConfigAttrInterface config;
  /// What else it reads, its last operand: a bias, or the input of a gelu. Null
  /// for an epilogue without one.
  Value operand;
  /// Its results.
  SmallVector<Value, 2> outs;
};

/// The call with the epilogue that `dispatch` is, if it is one: its kernel
/// updates the call's result in place, and the call's function has an epilogue
/// that computes the same. Buffers of the arena need not have offsets.
std::optional<CallEpilogue> findCallEpilogue(CallOp call, DispatchOp dispatch,
                                             KernelNests &nests);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H
