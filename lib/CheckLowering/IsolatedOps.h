//===- IsolatedOps.h - Ops each as a job of its own -------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CHECKLOWERING_ISOLATEDOPS_H
#define JOBDIALECT_LIB_CHECKLOWERING_ISOLATEDOPS_H

#include "ArtifactRun.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::job {

/// Compiles jobs that have been through job-form-kernels.
using CompileFn =
    llvm::function_ref<FailureOr<std::unique_ptr<ArtifactRun>>(ModuleOp)>;

/// Compiles every kernel and library call of the module alone and compares each
/// on the values that it has when the jobs run, from `variables` and on the
/// inputs of `seed`. The first that differs is an error at the op, if it is a
/// kernel at the op in it that differs alone. Returns the number of those that
/// were compared.
FailureOr<int64_t>
checkIsolatedOps(ModuleOp module,
                 const std::map<std::string, ReferenceTensor> &variables,
                 int64_t seed, CompileFn compile);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CHECKLOWERING_ISOLATEDOPS_H
