//===- CodeObjects.h - Code for devices inside an artifact ------*- C++ -*-===//

#ifndef JOBDIALECT_TARGET_CODEOBJECTS_H
#define JOBDIALECT_TARGET_CODEOBJECTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::job {

/// Lets gpu-module-to-binary make code for `#plan.simulated_cuda`.
void registerSimulatedCUDA(DialectRegistry &registry);

/// Lets gpu-module-to-binary make text for `#plan.ptx`.
void registerPTX(DialectRegistry &registry);

/// The objects of the `gpu.binary`s of a module, in order.
SmallVector<gpu::ObjectAttr> getCodeObjects(ModuleOp module);

/// The target of an object as artifacts name it: "sm_90", "compute_90" or
/// "simulated".
std::string getCodeTarget(gpu::ObjectAttr object);

} // namespace mlir::job

#endif // JOBDIALECT_TARGET_CODEOBJECTS_H
