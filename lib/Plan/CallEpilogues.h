//===- CallEpilogues.h - Kernels that library calls compute too -*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H
#define JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H

#include "Epilogues.h"

namespace mlir::plan {

/// A call that also computes what a dispatch after it does.
struct CallEpilogue {
  CallConfigAttrInterface config;
  /// What else it reads, its last operands: an array that it adds, then a bias
  /// or the input of a gelu.
  SmallVector<Value, 2> operands;
  /// Its results.
  SmallVector<Value, 2> outs;
};

/// The call with the epilogue that `dispatch` is, if it is one: its kernel
/// updates the call's result in place, and the call's function has an epilogue
/// that computes the same. Buffers of the arena need not have offsets.
std::optional<CallEpilogue> findCallEpilogue(CallOp call, DispatchOp dispatch,
                                             KernelNests &nests);

/// The call with the addition that `dispatch` is, if it is one: its kernel only
/// adds a buffer, or a buffer and a bias, to the call's result, its operand
/// number `product`, and the call's function can add an array.
std::optional<CallEpilogue> findCallAddition(CallOp call, DispatchOp dispatch,
                                             unsigned product,
                                             KernelNests &nests);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H
