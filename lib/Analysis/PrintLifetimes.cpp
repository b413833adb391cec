//===- PrintLifetimes.cpp - Print lifetimes of buffers --------------------===//

#include "JobDialect/Analysis/Lifetimes.h"
#include "JobDialect/Analysis/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_PLANPRINTLIFETIMES
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;

namespace {

struct PlanPrintLifetimes
    : public job::impl::PlanPrintLifetimesBase<PlanPrintLifetimes> {
  void runOnOperation() override {
    const auto &lifetimes = getAnalysis<plan::Lifetimes>();
    for (auto buffer : plan::getOpsOfProgram<plan::AllocOp>(getOperation())) {
      auto type = cast<MemRefType>(buffer.getResult().getType());
      InFlightDiagnostic remark = buffer.emitRemark()
                                  << plan::getBufferBytes(type) << " bytes, ";
      if (const plan::Lifetime *lifetime = lifetimes.lookup(buffer))
        remark << "live from command " << lifetime->first << " to "
               << lifetime->last;
      else
        remark << "never used";
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
