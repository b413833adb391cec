//===- LowerCUDAKernels.cpp - Kernels to the NVVM dialect -----------------===//

#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Targets.h"
#include "jobrt/abi.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_LOWERCUDAKERNELS
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Shared memory is accessed in vectors of at most so many bytes.
static constexpr int64_t kSharedAlignment = 16;

/// Leaves the gpu dialect and what the LLVM dialect has itself.
static void buildPreparation(OpPassManager &pm) {
  // Subviews and casts become arithmetic on offsets.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void buildCleanup(OpPassManager &pm) {
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Operations on vectors that the conversion to the LLVM dialect does not have.
static LogicalResult lowerVectors(gpu::GPUModuleOp kernels) {
  RewritePatternSet patterns(kernels.getContext());
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorGatherToConditionalLoadPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorStepLoweringPatterns(patterns);
  return applyPatternsGreedily(kernels, std::move(patterns));
}

/// Kernels to the LLVM and NVVM dialects, with bare pointers. Not
/// convert-gpu-to-nvvm, which calls a library of CUDA for operations that are
/// instructions, such as square roots.
static LogicalResult convertToNVVM(gpu::GPUModuleOp kernels,
                                   unsigned indexBits) {
  MLIRContext *context = kernels.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  options.overrideIndexBitwidth(indexBits);
  LLVMTypeConverter types(context, options);
  configureGpuToNVVMTypeConverter(types);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  populateGpuToNVVMConversionPatterns(types, patterns, /*benefit=*/1);
  ConversionTarget target(*context);
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect,
                           gpu::GPUDialect, math::MathDialect,
                           memref::MemRefDialect, vector::VectorDialect>();
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addLegalOp<gpu::GPUModuleOp, UnrealizedConversionCastOp>();
  return applyPartialConversion(kernels, target, std::move(patterns));
}

namespace {
struct LowerCUDAKernelsPass
    : public job::impl::LowerCUDAKernelsBase<LowerCUDAKernelsPass> {
  /// A pipeline that a pass runs itself must have its dialects loaded before.
  void getDependentDialects(DialectRegistry &registry) const override {
    LowerCUDAKernelsBase::getDependentDialects(registry);
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    buildPreparation(pm);
    buildCleanup(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override;
};
} // namespace

/// Makes a function of the gpu dialect of the code of a kernel.
static LogicalResult takeCode(plan::ExecutableOp executable,
                              plan::VariantOp variant, OpBuilder &builder) {
  func::FuncOp code = variant.getCode();
  auto schedule =
      dyn_cast_if_present<plan::CUDAScheduleAttr>(variant.getScheduleAttr());
  if (!schedule)
    return variant.emitOpError("expects a #plan.cuda_schedule, which says how "
                               "many threads a block has, but got none");
  SmallVector<memref::AllocaOp> allocas;
  code.walk([&](memref::AllocaOp alloca) {
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloca.getType()))
      allocas.push_back(alloca);
  });
  SmallVector<Type> shared(
      llvm::map_range(allocas, [](memref::AllocaOp alloca) -> Type {
        return alloca.getType();
      }));
  Location loc = code.getLoc();
  auto kernel = gpu::GPUFuncOp::create(
      builder, loc, executable.getSymName(),
      builder.getFunctionType(code.getArgumentTypes().drop_back(), {}), shared);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(schedule.getThreads()), 1, 1}));
  // The plan's buffers never overlap and start at cache lines.
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (!isa<MemRefType>(type))
      continue;
    kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
    kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(JOBRT_ALIGNMENT));
  }
  for (unsigned i : llvm::seq(allocas.size()))
    kernel.setWorkgroupAttributionAttr(
        i, LLVM::LLVMDialect::getAlignAttrName(),
        builder.getI64IntegerAttr(kSharedAlignment));

  OpBuilder::InsertionGuard guard(builder);
  Block &entry = kernel.getBody().front();
  builder.setInsertionPointToStart(&entry);
  IRMapping mapping;
  for (auto [from, to] :
       llvm::zip(code.getArguments().drop_back(), kernel.getArguments()))
    mapping.map(from, to);
  mapping.map(code.getArguments().back(),
              gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
  for (auto [alloca, memory] :
       llvm::zip(allocas, kernel.getWorkgroupAttributions()))
    mapping.map(alloca.getResult(), memory);
  for (Operation &op : code.getBody().front().without_terminator())
    if (auto alloca = dyn_cast<memref::AllocaOp>(op);
        !alloca || !mapping.contains(alloca.getResult()))
      builder.clone(op, mapping);
  gpu::ReturnOp::create(builder, loc);
  return success();
}

/// The bits of an index that is in the range of all elements of all buffers.
static unsigned getIndexBits(gpu::GPUModuleOp kernels) {
  unsigned bits = 32;
  kernels.walk([&](gpu::GPUFuncOp kernel) {
    for (Type type : kernel.getArgumentTypes())
      if (auto memref = dyn_cast<MemRefType>(type);
          memref &&
          memref.getNumElements() > std::numeric_limits<int32_t>::max() / 2)
        bits = 64;
  });
  return bits;
}

void LowerCUDAKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<plan::VariantOp> variants;
  for (auto executable : module.getOps<plan::ExecutableOp>())
    if (plan::VariantOp variant = executable.getVariant(kCUDATarget);
        variant && variant.getCode())
      variants.push_back(variant);
  if (variants.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), plan::kCUDAModuleName);
  builder.setInsertionPointToStart(kernels.getBody());
  for (plan::VariantOp variant : variants) {
    auto executable = cast<plan::ExecutableOp>(variant->getParentOp());
    if (failed(takeCode(executable, variant, builder)))
      return signalPassFailure();
  }
  StringRef name = gpu::GPUModuleOp::getOperationName();
  OpPassManager preparation(name), cleanup(name);
  buildPreparation(preparation);
  buildCleanup(cleanup);
  if (failed(lowerVectors(kernels)) ||
      failed(runPipeline(preparation, kernels)) ||
      failed(convertToNVVM(kernels, getIndexBits(kernels))) ||
      failed(runPipeline(cleanup, kernels)))
    return signalPassFailure();
  for (plan::VariantOp variant : variants) {
    variant.getCode().erase();
    auto executable = cast<plan::ExecutableOp>(variant->getParentOp());
    variant.setFunctionAttr(SymbolRefAttr::get(
        kernels.getSymNameAttr(),
        FlatSymbolRefAttr::get(executable.getSymNameAttr())));
    // What follows trusts the code; the body has no more use.
    if (func::FuncOp body = executable.getBody();
        body && plan::isLowered(executable))
      body.erase();
  }
}
