//===- GenerateCode.cpp - Bodies of kernels as loops for the CPU ----------===//

#include "LoopEmitter.h"

#include "JobDialect/Codegen/Passes.h"
#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANGENERATECPUCODE
#include "JobDialect/Codegen/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// The name of the function with the code of a variant.
static constexpr StringLiteral kCodeName = "cpu_code";

/// Builds the code of a variant from a body in one of its forms.
template <typename Form>
static LogicalResult generateCode(VariantOp variant, func::FuncOp body,
                                  CPUScheduleAttr schedule) {
  FailureOr<Form> form = Form::get(body);
  if (failed(form) || failed(verifySchedule(variant, *form, schedule)))
    return failure();
  int64_t chunks = getNumChunks(*form, schedule.getDistribute());
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
  auto func =
      func::FuncOp::create(builder, variant->getParentOp()->getLoc(), kCodeName,
                           builder.getFunctionType(types, {}));
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, func.getLoc());
  emitLoops(func, *form, schedule);
  variant.setFunctionAttr(FlatSymbolRefAttr::get(func.getSymNameAttr()));
  variant.setChunks(chunks);
  return success();
}

namespace {
struct PlanGenerateCPUCode
    : public plan::impl::PlanGenerateCPUCodeBase<PlanGenerateCPUCode> {
  void runOnOperation() override {
    ExecutableOp executable = getOperation();
    VariantOp variant = executable.getVariant(job::kCPUTarget);
    if (!variant) {
      executable.emitOpError()
          << "expects a plan.variant @" << job::kCPUTarget << " but got none";
      return signalPassFailure();
    }
    if (variant.getFunctionAttr())
      return;
    func::FuncOp body = executable.getBody();
    auto schedule =
        dyn_cast_if_present<CPUScheduleAttr>(variant.getScheduleAttr());
    if (!body || !schedule) {
      variant.emitOpError() << "expects a body and a #plan.cpu_schedule, or a "
                               "function, but got neither";
      return signalPassFailure();
    }
    if (failed(ItemLoop::isFormOf(body)
                   ? generateCode<ItemLoop>(variant, body, schedule)
                   : generateCode<KernelNest>(variant, body, schedule)))
      return signalPassFailure();
  }
};
} // namespace
