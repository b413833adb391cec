//===- TrainingJob.h - What a training job must fulfil ----------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_VERIFY_TRAININGJOB_H
#define JOBDIALECT_LIB_TRANSFORMS_VERIFY_TRAININGJOB_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// What a training job's losses and its optimizer must fulfil before and after
/// any pass; `job-verify` asks for more of what the user wrote. Passes
/// that rely on it call it themselves, so that each pass can run alone on any
/// text. Emits the errors.
LogicalResult verifyTrainingJob(FuncOp func);

/// Whether `job-autodiff` has built the gradients of a training job: it has
/// `job.update`, or, after `job-optimizer`, what these became.
bool hasGradients(FuncOp func);

/// Whether `job-optimizer` has expanded the updates: neither losses nor
/// `job.minimize` remain, and a trainable variable is assigned or the module
/// has its initializer.
bool hasExpandedUpdates(FuncOp func);

/// The ops that depend on a `job.gradient`, in their order.
SmallVector<Operation *> findGradientUsers(FuncOp func);

/// The error of losses that no trainable variable has a gradient for.
InFlightDiagnostic emitNoGradients(FuncOp func);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_VERIFY_TRAININGJOB_H
