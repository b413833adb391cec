//===- GenerateCode.cpp - Bodies of kernels as code for targets -----------===//

#include "../CPU/LoopEmitter.h"
#include "../CUDA/BlockEmitter.h"

#include "JobDialect/Codegen/Passes.h"
#include "JobDialect/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANGENERATECODE
#include "JobDialect/Codegen/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

static void emitCode(func::FuncOp func, const auto &form,
                     CPUScheduleAttr schedule) {
  emitLoops(func, form, schedule);
}

static void emitCode(func::FuncOp func, const auto &form,
                     CUDAScheduleAttr schedule) {
  emitBlock(func, form, schedule);
}

/// Builds the code of a variant from a body in one of its forms.
template <typename Form, typename Schedule>
static LogicalResult generateCode(VariantOp variant, func::FuncOp body,
                                  Schedule schedule) {
  FailureOr<Form> form = Form::get(body);
  if (failed(form) || failed(verifySchedule(variant, *form, schedule)))
    return failure();
  int64_t chunks =
      getNumChunks(cast<ScheduleAttrInterface>(Attribute(schedule)), *form);
  if (variant.getChunks().value_or(chunks) != static_cast<uint64_t>(chunks))
    return variant.emitOpError()
           << "expects " << chunks << " chunks, as the schedule makes, but got "
           << *variant.getChunks();

  OpBuilder builder(variant->getContext());
  SmallVector<Type> types;
  for (Type argument : body.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(argument);
    types.push_back(tensor ? getKernelBufferType(MemRefType::get(
                                 tensor.getShape(), tensor.getElementType()))
                           : argument);
  }
  types.push_back(builder.getIndexType());
  builder.setInsertionPointAfter(variant);
  auto func = func::FuncOp::create(builder, variant->getParentOp()->getLoc(),
                                   (variant.getSymName() + "_code").str(),
                                   builder.getFunctionType(types, {}));
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, func.getLoc());
  emitCode(func, *form, schedule);
  variant.setFunctionAttr(FlatSymbolRefAttr::get(func.getSymNameAttr()));
  variant.setChunks(chunks);
  return success();
}

template <typename Schedule>
static LogicalResult generateCode(VariantOp variant, func::FuncOp body,
                                  Schedule schedule) {
  return ItemLoop::isFormOf(body)
             ? generateCode<ItemLoop>(variant, body, schedule)
             : generateCode<KernelNest>(variant, body, schedule);
}

static LogicalResult generateCode(VariantOp variant, func::FuncOp body) {
  ScheduleAttrInterface schedule = variant.getScheduleAttr();
  if (!body || !schedule)
    return variant.emitOpError() << "expects a body and a schedule, or a "
                                    "function, but got neither";
  if (failed(verifyTarget(variant)))
    return failure();
  if (auto cpu = dyn_cast<CPUScheduleAttr>(schedule))
    return generateCode(variant, body, cpu);
  return generateCode(variant, body, cast<CUDAScheduleAttr>(schedule));
}

namespace {
struct PlanGenerateCode
    : public plan::impl::PlanGenerateCodeBase<PlanGenerateCode> {
  void runOnOperation() override {
    ExecutableOp executable = getOperation();
    SmallVector<VariantOp> variants(executable.getVariants());
    if (variants.empty()) {
      executable.emitOpError("expects a plan.variant but got none");
      return signalPassFailure();
    }
    for (VariantOp variant : variants)
      if (!variant.getFunctionAttr() &&
          failed(generateCode(variant, executable.getBody())))
        return signalPassFailure();
  }
};
} // namespace
