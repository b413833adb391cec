//===- JobToPlan.cpp - Jobs to programs of the plan dialect ---------------===//
//
// The pass, and what the programs of a module share; ProgramBuilder.h converts
// each job.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Passes.h"

#include "JobDialect/Support/Explain.h"

#include "NumericsChecks.h"
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

/// Puts the function of an equal kernel in place if there is one.
void ModuleContext::share(EmittedKernel &emitted, Location loc, StringRef job) {
  SmallVector<EmittedKernel> &sameType =
      kernels[emitted.func.getFunctionType()];
  auto it = llvm::find_if(sameType, [&](EmittedKernel &other) {
    return OperationEquivalence::isRegionEquivalentTo(
        &other.func.getBody(), &emitted.func.getBody(),
        OperationEquivalence::IgnoreLocations);
  });
  if (it != sameType.end()) {
    if (auto remark = explainDone(loc, ExplainCategory::Kernels, job))
      remark << "its code is that of " << it->func.getSymName()
             << ", which it shares";
    emitted.func.erase();
    emitted.func = it->func;
    emitted.chunks = it->chunks;
  } else {
    emitted.func.setSymName("kernel_" + std::to_string(numKernels++));
    symbols.insert(emitted.func);
    sameType.push_back(emitted);
  }
}

EmittedKernel ModuleContext::getKernel(KernelOp kernel,
                                       const KernelSignature &signature,
                                       bool checkNumerics,
                                       ArrayRef<KernelCheck> inputChecks) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted = emitKernel(builder, kernel, "kernel", signature,
                                     checkNumerics, inputChecks);
  share(emitted, kernel.getLoc(),
        kernel->getParentOfType<FuncOp>().getSymName());
  return emitted;
}

EmittedKernel
ModuleContext::getChecksOfKernel(KernelOp kernel,
                                 const KernelSignature &signature,
                                 ArrayRef<KernelCheck> inputChecks) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted =
      emitChecksOfKernel(builder, kernel, "kernel", signature, inputChecks);
  if (emitted.func)
    share(emitted, kernel.getLoc(),
          kernel->getParentOfType<FuncOp>().getSymName());
  return emitted;
}

EmittedKernel ModuleContext::getCheckKernel(Location loc, MemRefType type) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted = emitCheckKernel(builder, loc, "kernel", type);
  share(emitted, loc, "");
  return emitted;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertJobToPlanPass
    : public job::impl::ConvertJobToPlanBase<ConvertJobToPlanPass> {
  using ConvertJobToPlanBase::ConvertJobToPlanBase;

  void runOnOperation() override {
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
          TypeAttr::get(cast<BlobType>(variable.getType()).getMemRefType()),
          variable.getTrainableAttr(), /*offset=*/nullptr);
      variable.erase();
    }
  }
};

} // namespace
