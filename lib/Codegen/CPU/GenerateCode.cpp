//===- GenerateCode.cpp - Bodies of kernels as loops for the CPU ----------===//

#include "LoopEmitter.h"

#include "JobDialect/Codegen/Passes.h"

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

namespace {
struct PlanGenerateCPUCode
    : public plan::impl::PlanGenerateCPUCodeBase<PlanGenerateCPUCode> {
  void runOnOperation() override {
    ExecutableOp executable = getOperation();
    VariantOp variant = executable.getVariant(kCPUName);
    if (!variant) {
      executable.emitOpError()
          << "expects a plan.variant @" << kCPUName << " but got none";
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
    FailureOr<KernelNest> nest = KernelNest::get(body);
    if (failed(nest) || failed(verifySchedule(variant, *nest, schedule)))
      return signalPassFailure();

    int64_t chunks = getNumChunks(*nest, schedule);
    if (variant.getChunks().value_or(chunks) != static_cast<uint64_t>(chunks)) {
      variant.emitOpError()
          << "expects " << chunks << " chunks, as the schedule makes, but got "
          << *variant.getChunks();
      return signalPassFailure();
    }

    OpBuilder builder(&getContext());
    SmallVector<Type> types;
    for (RankedTensorType type : nest->arguments)
      types.push_back(getKernelBufferType(
          MemRefType::get(type.getShape(), type.getElementType())));
    types.push_back(builder.getIndexType());
    builder.setInsertionPointAfter(variant);
    auto func = func::FuncOp::create(builder, executable.getLoc(), kCPUCodeName,
                                     builder.getFunctionType(types, {}));
    Block *entry = func.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    func::ReturnOp::create(builder, func.getLoc());
    emitLoops(func, *nest, schedule);
    variant.setFunctionAttr(FlatSymbolRefAttr::get(func.getSymNameAttr()));
    variant.setChunks(chunks);
  }
};
} // namespace
