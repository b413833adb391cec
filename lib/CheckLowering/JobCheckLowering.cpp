//===- JobCheckLowering.cpp - Compare stages with the reference -----------===//

#include "JobDialect/CheckLowering/CheckLowering.h"
#include "JobDialect/CheckLowering/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBCHECKLOWERING
#include "JobDialect/CheckLowering/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;

namespace {
struct JobCheckLowering
    : public job::impl::JobCheckLoweringBase<JobCheckLowering> {
  using JobCheckLoweringBase::JobCheckLoweringBase;

  /// A pipeline that a pass runs itself must have its dialects loaded before.
  void getDependentDialects(DialectRegistry &registry) const override {
    JobCheckLoweringBase::getDependentDialects(registry);
    OpPassManager pm(ModuleOp::getOperationName());
    // What is wrong with the text is said when the pass runs.
    if (succeeded(job::buildCheckedPipeline(
            pm, nullptr, pipeline, /*gpuTargets=*/{}, llvm::nulls())))
      pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (steps < 1) {
      getOperation().emitError("expects steps of at least 1 but got ")
          << steps.getValue();
      return signalPassFailure();
    }
    job::LoweringCheckOptions options{seed, steps, tolerance, pipeline};
    if (failed(job::checkLowering(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
