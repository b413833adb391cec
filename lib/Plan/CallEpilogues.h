//===- CallEpilogues.h - Kernels that library calls compute too -*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H
#define JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H

#include "Epilogues.h"

namespace mlir::plan {

/// A call that also computes what a dispatch after it does.
struct CallEpilogue {
  CallConfigAttrInterface config;
  /// The bias, its last operand; null for an epilogue without one.
  Value bias;
};

/// The call with the epilogue that `dispatch` is, if it is one: its kernel
/// updates the call's result in place with a bias, a relu or both, and the
/// call's function has such an epilogue. Buffers of the arena need not have
/// offsets.
std::optional<CallEpilogue> findCallEpilogue(CallOp call, DispatchOp dispatch,
                                             KernelNests &nests);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_CALLEPILOGUES_H
