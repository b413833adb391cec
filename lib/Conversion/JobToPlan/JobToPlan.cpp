//===- JobToPlan.cpp - Jobs to programs of the plan dialect ---------------===//
//
// The pass, and what the programs of a module share; ProgramBuilder.h converts
// each job.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Passes.h"

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "KernelRegions.h"
#include "ProgramBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::job {
#define GEN_PASS_DEF_CONVERTJOBTOPLAN
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// ModuleContext
//===----------------------------------------------------------------------===//

FlatSymbolRefAttr ModuleContext::getConstant(Location loc,
                                             DenseElementsAttr value) {
  FlatSymbolRefAttr &symbol = constants[value];
  if (symbol)
    return symbol;
  builder.setInsertionPointToStart(module.getBody());
  auto constant = plan::ConstantOp::create(
      builder, loc, "constant_" + std::to_string(numConstants++), value,
      /*offset=*/nullptr);
  symbols.insert(constant);
  return symbol = FlatSymbolRefAttr::get(constant.getSymNameAttr());
}

EmittedKernel ModuleContext::getKernel(KernelOp kernel,
                                       const KernelSignature &signature,
                                       bool checkNumerics) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted =
      emitKernel(builder, kernel, "kernel", signature, checkNumerics);
  plan::ExecutableOp executable = emitted.executable;
  executable.setSymName("kernel_" + std::to_string(numKernels++));
  symbols.insert(executable);
  // What the kernel does is explained under its own name.
  if (auto remark = explainDone(executable.getLoc(), ExplainCategory::Kernels,
                                kernel->getParentOfType<FuncOp>().getSymName()))
    remark << "runs as " << executable.getSymName();
  return emitted;
}

/// Declares the GPU of the jobs; the host is one where nothing is declared.
static void declareDevice(ModuleOp module) {
  for (auto func : module.getOps<FuncOp>()) {
    if (getJobTarget(func) != kCUDATarget)
      continue;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    // job-verify-placement leaves one device.
    uint32_t number = func.getPlacementAttr().getRanges().front().first;
    plan::DeviceOp::create(builder, func.getLoc(),
                           "gpu" + std::to_string(number),
                           plan::DeviceKind::CUDA, /*queues=*/1, number);
    return;
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertJobToPlanPass
    : public job::impl::ConvertJobToPlanBase<ConvertJobToPlanPass> {
  using ConvertJobToPlanBase::ConvertJobToPlanBase;

  void runOnOperation() override {
    bool isWide = !getOperation()
                       .walk([](Operation *op) {
                         // A function of a library may compute with any.
                         if (!computesWithStorageType(op) || getCallConfig(op))
                           return WalkResult::advance();
                         op->emitOpError("expects types that ops can compute "
                                         "with: run job-widen-types first");
                         return WalkResult::interrupt();
                       })
                       .wasInterrupted();
    if (!isWide)
      return signalPassFailure();
    // Text of kernels may be a person's.
    WalkResult verified = getOperation().walk([](KernelOp kernel) {
      return succeeded(verifyKernelRegion(kernel)) ? WalkResult::skip()
                                                   : WalkResult::interrupt();
    });
    if (verified.wasInterrupted())
      return signalPassFailure();
    declareDevice(getOperation());
    ModuleContext context(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      ProgramBuilder program(func, context, inPlace, checkNumerics);
      if (failed(program.convert()))
        return signalPassFailure();
      numInPlace += program.getNumInPlace();
    }
    for (auto variable :
         llvm::make_early_inc_range(getOperation().getOps<VariableOp>())) {
      OpBuilder builder(variable);
      plan::VariableOp::create(
          builder, variable.getLoc(), variable.getSymNameAttr(),
          TypeAttr::get(plan::getBufferType(
              cast<BlobType>(variable.getType()).getMemRefType(),
              plan::SpaceRole::Variables)),
          variable.getTrainableAttr(), /*offset=*/nullptr);
      variable.erase();
    }
  }
};

} // namespace
