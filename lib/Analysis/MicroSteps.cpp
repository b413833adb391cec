//===- MicroSteps.cpp - Per-step and per-micro-step values ----------------===//

#include "JobDialect/Analysis/MicroSteps.h"

#include "JobDialect/Analysis/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBPRINTMICROSTEPS
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

MicroSteps::MicroSteps(FuncOp func) {
  for (Operation &op : func.getBody().front()) {
    int64_t count =
        llvm::TypeSwitch<Operation *, int64_t>(&op)
            .Case<UnpackOp, BroadcastMicroStepsOp>([](auto entry) -> int64_t {
              return static_cast<int64_t>(entry.getCount());
            })
            .Case<AccOp, PackOp, MicroStepsOp>([](auto) { return 1; })
            .Default([&](Operation *other) {
              int64_t largest = isMemoryEffectFree(other) ? 0 : 1;
              for (Value operand : other->getOperands())
                largest = std::max(largest, lookup(operand));
              return largest;
            });
    for (Value result : op.getResults())
      counts[result] = count;
  }
}

int64_t MicroSteps::lookup(Value value) const {
  auto it = counts.find(value);
  return it == counts.end() ? 1 : it->second;
}

namespace {
struct JobPrintMicroSteps
    : public job::impl::JobPrintMicroStepsBase<JobPrintMicroSteps> {
  void runOnOperation() override {
    MicroSteps steps(getOperation());
    for (Operation &op : getOperation().getBody().front()) {
      if (op.getNumResults() == 0)
        continue;
      InFlightDiagnostic remark = op.emitRemark();
      if (std::optional<int64_t> count = steps.getCount(op.getResult(0)))
        remark << "per-micro-step (" << *count << " micro-steps)";
      else if (steps.isConstant(op.getResult(0)))
        remark << "constant";
      else
        remark << "per-step";
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
