//===- LowerKernels.cpp - Kernels to the LLVM dialect ---------------------===//

#include "../KernelCanonicalizer.h"
#include "ExpandNarrowFloats.h"

#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Targets.h"
#include "jobrt/abi.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

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
  pm.addPass(createKernelCanonicalizer());
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

/// Adds `jobk_<index>`, which takes the buffers as an array and passes the
/// scalars.
static LLVM::LLVMFuncOp buildEntryPoint(OpBuilder &builder,
                                        LLVM::LLVMFuncOp kernel,
                                        ArrayRef<Attribute> scalars,
                                        unsigned index) {
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
  unsigned numBuffers = kernel.getNumArguments() - scalars.size() - 1;
  for (unsigned i : llvm::seq(numBuffers)) {
    Value address =
        LLVM::GEPOp::create(inner, loc, pointer, pointer, block->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    arguments.push_back(LLVM::LoadOp::create(inner, loc, pointer, address));
  }
  for (Attribute scalar : scalars)
    arguments.push_back(
        LLVM::ConstantOp::create(inner, loc, cast<TypedAttr>(scalar)));
  arguments.push_back(block->getArgument(1));
  LLVM::CallOp::create(inner, loc, kernel, arguments);
  LLVM::ReturnOp::create(inner, loc, ValueRange());
  return entry;
}

namespace {

/// A kernel and its dispatches, by the scalars that they pass (null for none).
struct Kernel {
  plan::ExecutableOp executable;
  llvm::MapVector<ArrayAttr, SmallVector<plan::DispatchOp>> dispatches;
  StringAttr function;
  unsigned numBuffers = 0;
};

struct LowerKernelsPass : public job::impl::LowerKernelsBase<LowerKernelsPass> {
  /// A pipeline that a pass runs itself must have its dialects loaded before.
  void getDependentDialects(DialectRegistry &registry) const override {
    LowerKernelsBase::getDependentDialects(registry);
    OpPassManager pm(ModuleOp::getOperationName());
    buildLowering(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  LogicalResult takeCode(Kernel &kernel, SymbolTable &code);
  void addEntryPoints(const Kernel &kernel, LLVM::LLVMFuncOp function,
                      SymbolTable &symbols);

  unsigned numEntryPoints = 0;
};

} // namespace

/// Moves the code of a kernel into another module.
LogicalResult LowerKernelsPass::takeCode(Kernel &kernel, SymbolTable &code) {
  plan::VariantOp variant = kernel.executable.getVariant(kCPUTarget);
  func::FuncOp func = variant ? variant.getCode() : func::FuncOp();
  if (!func)
    return kernel.executable.emitOpError()
           << "expects code for the CPU but got none";
  kernel.numBuffers =
      llvm::count_if(func.getArgumentTypes(), llvm::IsaPred<MemRefType>);
  func->remove();
  func.setSymName(kernel.executable.getSymName());
  kernel.function = code.insert(func);
  // What follows trusts the code; the body has no more use.
  if (func::FuncOp body = kernel.executable.getBody())
    body.erase();
  return success();
}

/// Adds an entry point for each list of scalars. The first is that of the
/// kernel's executable, the others get executables of their own.
void LowerKernelsPass::addEntryPoints(const Kernel &kernel,
                                      LLVM::LLVMFuncOp function,
                                      SymbolTable &symbols) {
  // The plan's buffers never overlap and start at cache lines.
  OpBuilder builder(&getContext());
  for (unsigned i : llvm::seq(kernel.numBuffers)) {
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(JOBRT_ALIGNMENT));
  }
  function.setLinkage(LLVM::Linkage::Internal);
  // The name is the executable's in the module.
  function.setSymName((kernel.function.strref() + "_code").str());
  // Entry points share the code.
  function.setNoInline(kernel.dispatches.size() > 1);
  builder.setInsertionPointAfter(function);
  plan::ExecutableOp executable = kernel.executable;
  for (const auto &[scalars, dispatches] : kernel.dispatches) {
    if (!executable) {
      executable = plan::ExecutableOp(kernel.executable).clone();
      symbols.insert(executable, std::next(Block::iterator(kernel.executable)));
    }
    ArrayRef<Attribute> numbers;
    if (scalars)
      numbers = scalars.getValue();
    LLVM::LLVMFuncOp entry =
        buildEntryPoint(builder, function, numbers, numEntryPoints++);
    executable.getVariant(kCPUTarget)
        .setFunctionAttr(FlatSymbolRefAttr::get(entry.getSymNameAttr()));
    for (plan::DispatchOp dispatch : dispatches) {
      dispatch.setKernelAttr(
          FlatSymbolRefAttr::get(executable.getSymNameAttr()));
      dispatch.removeScalarsAttr();
    }
    executable = {};
  }
}

void LowerKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  numEntryPoints = 0;
  llvm::MapVector<Attribute, Kernel> kernels;
  for (auto executable : module.getOps<plan::ExecutableOp>())
    // What only other devices run is not for this pass.
    if (executable.getVariant(kCPUTarget) ||
        !executable.getVariant(kCUDATarget))
      kernels[FlatSymbolRefAttr::get(executable.getSymNameAttr())].executable =
          executable;
  module.walk([&](plan::DispatchOp dispatch) {
    if (auto it = kernels.find(dispatch.getKernelAttr());
        it != kernels.end() && plan::getTarget(dispatch) == kCPUTarget)
      it->second.dispatches[dispatch.getScalarsAttr()].push_back(dispatch);
  });

  // The conversions see the kernels alone: programs keep their memrefs.
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto codeModule = ModuleOp::create(builder, module.getLoc());
  SymbolTable code(codeModule);
  for (Kernel &kernel : llvm::make_second_range(kernels))
    if (failed(takeCode(kernel, code))) {
      codeModule.erase();
      return signalPassFailure();
    }
  expandNarrowFloats(codeModule);
  OpPassManager pm(ModuleOp::getOperationName());
  buildLowering(pm);
  if (failed(runPipeline(pm, codeModule)))
    return signalPassFailure();

  SymbolTable lowered(codeModule), symbols(module);
  for (Kernel &kernel : llvm::make_second_range(kernels)) {
    auto function = lowered.lookup<LLVM::LLVMFuncOp>(kernel.function);
    unsigned numScalars = function.getNumArguments() - kernel.numBuffers - 1;
    if (kernel.dispatches.empty() && numScalars > 0) {
      // Without scalars there is nothing to call.
      function.erase();
      plan::ExecutableOp executable = kernel.executable;
      if (executable.getVariant(kCUDATarget))
        executable.getVariant(kCPUTarget).erase();
      else
        symbols.erase(executable);
      continue;
    }
    if (kernel.dispatches.empty())
      kernel.dispatches[ArrayAttr()];
    addEntryPoints(kernel, function, symbols);
  }
  for (Operation &op : llvm::make_early_inc_range(*codeModule.getBody()))
    op.moveBefore(codeModule);
  codeModule.erase();
}
