//===- Registration.cpp - Dialects, passes and models ---------------------===//

#include "JobDialect/Analysis/Passes.h"
#include "JobDialect/Codegen/Passes.h"
#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Reference/Passes.h"
#include "JobDialect/Target/CodeObjects.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace mlir::job;

void job::registerAllDialects(DialectRegistry &registry) {
  registry.insert<JobDialect, plan::PlanDialect>();
  // Kernels between the plan and machine code.
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
              linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
              memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect,
              tensor::TensorDialect, ub::UBDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);

  registerDecompositionModels(registry);
  registerGradientModels(registry);
  registerInitializerModels(registry);
  registerKernelModels(registry);
  registerOptimizerModels(registry);
  registerReferenceModels(registry);
  plan::registerScheduleModels(registry);
  registerPTX(registry);
  registerSimulatedCUDA(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerNVVMDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
}

void job::registerAllPasses() {
  registerJobAnalysisPasses();
  registerJobTransformsPasses();
  registerJobConversionPasses();
  registerJobReferencePasses();
  plan::registerCodegenPasses();
  plan::registerPlanPasses();
  registerGpuModuleToBinaryPass();
}
