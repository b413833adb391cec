//===- Activity.cpp - Which values gradients flow through -----------------===//

#include "JobDialect/Analysis/Activity.h"

#include "JobDialect/Analysis/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBPRINTACTIVITY
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static bool isFloatBlob(Value value) {
  auto type = dyn_cast<BlobType>(value.getType());
  return type && type.isFloat();
}

TrainedVariables::TrainedVariables(FuncOp func)
    : hasOthers(func.getOps<MinimizeOp>().empty()) {
  for (auto minimize : func.getOps<MinimizeOp>()) {
    ArrayAttr variables = minimize.getVariablesAttr();
    hasOthers |= !variables;
    if (variables)
      for (auto symbol : variables.getAsRange<FlatSymbolRefAttr>())
        listed.insert(symbol.getAttr());
  }
}

bool TrainedVariables::contains(VariableOp variable) const {
  return variable.getTrainable() &&
         (hasOthers || listed.contains(variable.getSymNameAttr()));
}

bool TrainedVariables::contains(ReadOp read) const {
  auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
      read, read.getVariableAttr());
  return variable && contains(variable);
}

Activity::Activity(FuncOp func) {
  TrainedVariables trained(func);
  Block &body = func.getBody().front();
  // A gradient that the job asks for is one as that of a variable.
  for (auto gradient : body.getOps<GradientOp>())
    varying.insert(gradient.getOperand());
  for (Operation &op : body) {
    if (isa<StopGradientOp>(op))
      continue;
    auto read = dyn_cast<ReadOp>(op);
    bool depends = read ? trained.contains(read)
                        : llvm::any_of(op.getOperands(), [&](Value value) {
                            return varies(value);
                          });
    if (depends)
      for (Value result : llvm::make_filter_range(op.getResults(), isFloatBlob))
        varying.insert(result);
  }
  for (Operation &op : llvm::reverse(body)) {
    bool isUseful =
        isa<LossOp>(op) || llvm::any_of(op.getResults(), [&](Value value) {
          return useful.contains(value);
        });
    if (isUseful)
      for (Value value : llvm::make_filter_range(op.getOperands(), isFloatBlob))
        useful.insert(value);
  }
}

namespace {
struct JobPrintActivity
    : public job::impl::JobPrintActivityBase<JobPrintActivity> {
  void runOnOperation() override {
    Activity activity(getOperation());
    for (Operation &op : getOperation().getBody().front())
      for (Value result : op.getResults())
        if (activity.isActive(result))
          op.emitRemark() << "active";
    markAllAnalysesPreserved();
  }
};
} // namespace
