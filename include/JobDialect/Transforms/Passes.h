//===- Passes.h - Passes from job to job ------------------------*- C++ -*-===//

#ifndef JOBDIALECT_TRANSFORMS_PASSES_H
#define JOBDIALECT_TRANSFORMS_PASSES_H

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::job {

#define GEN_PASS_DECL
#include "JobDialect/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/Transforms/Passes.h.inc"

/// Registers the models of DecomposableOpInterface.
void registerDecompositionModels(DialectRegistry &registry);
/// Registers the models of DifferentiableOpInterface.
void registerGradientModels(DialectRegistry &registry);
/// Registers the models of the optimizer, schedule and warm-up interfaces.
void registerOptimizerModels(DialectRegistry &registry);
/// Registers the models of InitializerAttrInterface.
void registerInitializerModels(DialectRegistry &registry);

} // namespace mlir::job

#endif // JOBDIALECT_TRANSFORMS_PASSES_H
