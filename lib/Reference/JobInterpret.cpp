//===- JobInterpret.cpp - Run a job by the reference interpreter ----------===//

#include "JobDialect/Reference/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBINTERPRET
#include "JobDialect/Reference/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {
struct JobInterpret : public job::impl::JobInterpretBase<JobInterpret> {
  using JobInterpretBase::JobInterpretBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(interpret()))
      signalPassFailure();
  }

private:
  LogicalResult interpret();
  LogicalResult findJobs(SmallVectorImpl<FuncOp> &jobs);
};
} // namespace

LogicalResult JobInterpret::findJobs(SmallVectorImpl<FuncOp> &jobs) {
  ModuleOp module = getOperation();
  for (auto job : module.getOps<FuncOp>())
    if (entry.empty() ? job.getKind() != JobKind::Init
                      : job.getSymName() == StringRef(entry))
      jobs.push_back(job);
  if (jobs.empty() && !entry.empty())
    return module.emitError() << "expects a job of the module but got @"
                              << StringRef(entry) << ", which is none";
  return success();
}

LogicalResult JobInterpret::interpret() {
  ModuleOp module = getOperation();
  if (steps < 0)
    return module.emitError("expects steps of at least 0 but got ")
           << steps.getValue();
  SmallVector<FuncOp> jobs;
  if (failed(findJobs(jobs)) || failed(verifyFitsMemory(module)))
    return failure();
  Interpreter interpreter(module, {roundEachOp});
  // Without an init job a read says what is missing.
  if (llvm::any_of(module.getOps<FuncOp>(),
                   [](FuncOp job) { return job.getKind() == JobKind::Init; }))
    if (failed(interpreter.initializeVariables(seed)))
      return failure();

  for (FuncOp job : jobs)
    for (int64_t step = 0; step < steps; ++step) {
      SmallVector<ReferenceTensor> results;
      if (failed(interpreter.run(job.getSymName(), drawInputs(job, seed),
                                 results)))
        return failure();
      for (auto [index, result] : llvm::enumerate(results))
        emitRemark(job.getLoc())
            << job.getResultName(index) << " = " << result.toString(digits);
    }
  if (printVariables)
    for (auto variable : module.getOps<VariableOp>())
      if (const ReferenceTensor *value =
              interpreter.getVariable(variable.getSymName()))
        emitRemark(variable.getLoc())
            << variable.getSymName() << " = " << value->toString(digits);
  return success();
}
