//===- LinalgToJob.cpp - Functions in linalg to jobs ----------------------===//

#include "JobDialect/Conversion/LinalgToJob.h"
#include "JobDialect/Conversion/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_CONVERTLINALGTOJOB
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static LogicalResult convert(func::FuncOp kernel) {
  SmallVector<Type> inputs, outputs;
  if (failed(getKernelTypes(kernel, inputs, outputs)))
    return failure();
  OpBuilder builder(kernel);
  auto func = FuncOp::create(builder, kernel.getLoc(), kernel.getSymName(),
                             builder.getFunctionType(inputs, outputs),
                             JobKind::Predict);
  builder.setInsertionPointToStart(&func.getBody().front());
  SmallVector<Value> results;
  if (failed(importKernel(builder, kernel, func.getArguments(), std::nullopt,
                          results)))
    return failure();
  ReturnOp::create(builder, kernel.getLoc(), results);
  kernel.erase();
  return success();
}

namespace {
struct ConvertLinalgToJob
    : public job::impl::ConvertLinalgToJobBase<ConvertLinalgToJob> {
  void runOnOperation() override {
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(convert(kernel)))
        return signalPassFailure();
  }
};
} // namespace
