//===- JobCheckGradients.cpp - Compare gradients with differences ---------===//

#include "JobDialect/Reference/GradientCheck.h"
#include "JobDialect/Reference/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBCHECKGRADIENTS
#include "JobDialect/Reference/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;

namespace {
struct JobCheckGradients
    : public job::impl::JobCheckGradientsBase<JobCheckGradients> {
  using JobCheckGradientsBase::JobCheckGradientsBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    job::GradientCheckOptions options{seed, tolerance, step, samples};
    if (failed(job::checkGradients(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
