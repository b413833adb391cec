//===- Passes.h - Passes to other dialects ----------------------*- C++ -*-===//

#ifndef JOBDIALECT_CONVERSION_PASSES_H
#define JOBDIALECT_CONVERSION_PASSES_H

#include "JobDialect/IR/JobOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::job {

#define GEN_PASS_DECL
#include "JobDialect/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/Conversion/Passes.h.inc"

/// Registers the models of the kernel interfaces (KernelOpInterfaces.td).
void registerKernelModels(DialectRegistry &registry);

} // namespace mlir::job

#endif // JOBDIALECT_CONVERSION_PASSES_H
