//===- LowerKernels.cpp - Kernels to the LLVM dialect ---------------------===//

#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "jobrt/abi.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_LOWERKERNELS
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// linalg and scf on memrefs to the LLVM dialect, with bare pointers.
static void buildLowering(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  // Subviews and casts become arithmetic on offsets.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(options));
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// Adds `jobk_<index>`, which takes the buffers as an array.
static LLVM::LLVMFuncOp
buildEntryPoint(OpBuilder &builder, LLVM::LLVMFuncOp kernel, unsigned index) {
  Location loc = kernel.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), {pointer, i64});
  auto entry = LLVM::LLVMFuncOp::create(
      builder, loc, JOBRT_KERNEL_PREFIX + std::to_string(index), type);
  OpBuilder inner(builder.getContext());
  Block *block = entry.addEntryBlock(inner);
  inner.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  for (unsigned i = 0, e = kernel.getNumArguments() - 1; i < e; ++i) {
    Value address =
        LLVM::GEPOp::create(inner, loc, pointer, pointer, block->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    arguments.push_back(LLVM::LoadOp::create(inner, loc, pointer, address));
  }
  arguments.push_back(block->getArgument(1));
  LLVM::CallOp::create(inner, loc, kernel, arguments);
  LLVM::ReturnOp::create(inner, loc, ValueRange());
  return entry;
}

namespace {

struct LowerKernelsPass : public job::impl::LowerKernelsBase<LowerKernelsPass> {
  /// A pipeline that a pass runs itself must have its dialects loaded before.
  void getDependentDialects(DialectRegistry &registry) const override {
    LowerKernelsBase::getDependentDialects(registry);
    OpPassManager pm(ModuleOp::getOperationName());
    buildLowering(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // The conversions see the kernels alone: programs keep their memrefs.
    OpBuilder builder(module.getContext());
    builder.setInsertionPointToEnd(module.getBody());
    auto kernels = ModuleOp::create(builder, module.getLoc());
    SymbolTable symbols(kernels);
    SmallVector<std::pair<plan::VariantOp, func::FuncOp>> functions;
    for (auto executable : module.getOps<plan::ExecutableOp>()) {
      plan::VariantOp variant = executable.getVariant(plan::kCPUName);
      func::FuncOp func = variant ? variant.getCode() : func::FuncOp();
      if (!func) {
        kernels.erase();
        executable.emitOpError() << "expects code for the CPU but got none";
        return signalPassFailure();
      }
      func->remove();
      func.setSymName(executable.getSymName());
      symbols.insert(func);
      functions.emplace_back(variant, func);
      // What follows trusts the code; the body has no more use.
      if (func::FuncOp body = executable.getBody())
        body.erase();
    }
    SmallVector<StringAttr> names;
    for (auto [variant, func] : functions)
      names.push_back(func.getSymNameAttr());
    OpPassManager pm(ModuleOp::getOperationName());
    buildLowering(pm);
    if (failed(runPipeline(pm, kernels)))
      return signalPassFailure();

    SymbolTable lowered(kernels);
    for (auto [index, name] : llvm::enumerate(names)) {
      auto kernel = lowered.lookup<LLVM::LLVMFuncOp>(name);
      // The plan's buffers never overlap and start at cache lines.
      for (unsigned i = 0, e = kernel.getNumArguments() - 1; i < e; ++i) {
        kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
        kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(JOBRT_ALIGNMENT));
      }
      kernel.setLinkage(LLVM::Linkage::Internal);
      // The name is the executable's in the module.
      kernel.setSymName((name.strref() + "_code").str());
      builder.setInsertionPointAfter(kernel);
      LLVM::LLVMFuncOp entry = buildEntryPoint(builder, kernel, index);
      functions[index].first.setFunctionAttr(
          FlatSymbolRefAttr::get(entry.getSymNameAttr()));
    }
    for (Operation &op : llvm::make_early_inc_range(*kernels.getBody()))
      op.moveBefore(kernels);
    kernels.erase();
  }
};

} // namespace
