//===- SimulatedCUDA.cpp - Code objects for the simulated CUDA ------------===//

#include "Linker.h"
#include "ObjectEmission.h"

#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Target/CodeObjects.h"
#include "simulators/cuda/kernel_abi.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::job;

/// A shared library for the host with the kernels of the module.
static FailureOr<SmallVector<char, 0>>
makeCodeObject(gpu::GPUModuleOp module, plan::SimulatedCUDAAttr target) {
  Location loc = module.getLoc();
  FailureOr<TargetDescription> description =
      TargetDescription::create(loc, target.getCpu(), target.getFeatures());
  if (failed(description))
    return failure();
  // The module's other targets get the kernels as they are. Lowering looks for
  // the data layout of a module around them.
  OwningOpRef<ModuleOp> parent = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockBegin(parent->getBody());
  auto simulated = cast<gpu::GPUModuleOp>(builder.clone(*module));
  PassManager pm(module.getContext());
  pm.addNestedPass<gpu::GPUModuleOp>(createSimulateCUDAKernels());
  if (failed(pm.run(*parent)))
    return failure();
  SmallVector<Operation *> ops(
      llvm::make_pointer_range(simulated.getBody()->getOperations()));
  // LLVM calls functions of compilers' libraries by name, when code for the
  // processor is selected: they look unused until then.
  auto isExternal = [](StringRef name) {
    return name == JOBSIM_MODULE_SYMBOL || name.starts_with("__");
  };
  FailureOr<ObjectFile> object = emitObject(loc, ops, isExternal, *description);
  if (failed(object))
    return failure();
  return linkSharedObject(loc, *description, *object);
}

namespace {
struct SimulatedCUDAModel
    : public gpu::TargetAttrInterface::FallbackModel<SimulatedCUDAModel> {
  std::optional<SmallVector<char, 0>>
  serializeToObject(Attribute attribute, Operation *module,
                    const gpu::TargetOptions &) const {
    FailureOr<SmallVector<char, 0>> object =
        makeCodeObject(cast<gpu::GPUModuleOp>(module),
                       cast<plan::SimulatedCUDAAttr>(attribute));
    if (failed(object))
      return std::nullopt;
    return std::move(*object);
  }

  Attribute createObject(Attribute attribute, Operation *module,
                         const SmallVector<char, 0> &object,
                         const gpu::TargetOptions &) const {
    return gpu::ObjectAttr::get(
        attribute.getContext(), attribute, gpu::CompilationTarget::Binary,
        StringAttr::get(attribute.getContext(),
                        StringRef(object.data(), object.size())),
        /*properties=*/nullptr, /*kernels=*/nullptr);
  }
};
} // namespace

void job::registerSimulatedCUDA(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, plan::PlanDialect *) {
    plan::SimulatedCUDAAttr::attachInterface<SimulatedCUDAModel>(*context);
  });
}
