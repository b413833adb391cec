//===- JobStepCounter.cpp - Give each job its step counter ----------------===//

#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBSTEPCOUNTER
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static std::string getCounterName(FuncOp func) {
  if (std::optional<StringRef> name = func.getStepCounter())
    return name->str();
  return ("System-Train-TrainStep-" + func.getSymName()).str();
}

/// The counter of `func`, made when it is not there. Null after an error.
static VariableOp getCounter(FuncOp func, SymbolTable &symbols) {
  std::string name = getCounterName(func);
  OpBuilder builder(func);
  auto type = BlobType::get({1}, builder.getI64Type());
  if (Operation *present = symbols.lookup(name)) {
    auto counter = dyn_cast<VariableOp>(present);
    if (counter && counter.getType() == type && !counter.getTrainable())
      return counter;
    InFlightDiagnostic diagnostic =
        present->emitError()
        << "expects @" << name << " to be a step counter, a variable of type "
        << type
        << " that is not trainable, but got "
           "something else";
    diagnostic.attachNote(func.getLoc()) << "the job that counts is here";
    return {};
  }
  auto counter =
      VariableOp::create(builder, func.getLoc(), name, type,
                         cast<InitializerAttrInterface>(
                             ConstantInitAttr::get(builder.getContext(), 0.0)),
                         /*trainable=*/false, /*placement=*/nullptr,
                         /*sharding=*/nullptr, /*seed=*/nullptr,
                         /*permutation=*/nullptr,
                         /*expanded_shape=*/nullptr);
  symbols.insert(counter);
  return counter;
}

/// Reads the counter at the start of the job and adds one at its end.
static void buildCounting(FuncOp func, VariableOp counter,
                          MutableArrayRef<StepOp> steps) {
  bool advances = llvm::any_of(func.getOps<AssignOp>(), [&](AssignOp assign) {
    return assign.getVariable() == counter.getSymName();
  });
  if (advances && steps.empty())
    return;
  Location loc = steps.empty() ? func.getLoc() : steps.front().getLoc();
  auto type = cast<BlobType>(counter.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  auto read = ReadOp::create(builder, loc, type, counter.getSymName());
  for (StepOp step : steps) {
    step.getResult().replaceAllUsesWith(read);
    step.erase();
  }
  if (advances)
    return;
  builder.setInsertionPoint(func.getReturn());
  Value one = ConstantOp::create(builder, loc, type, 1.0);
  Value next = AddOp::create(builder, loc, read, one);
  AssignOp::create(builder, loc, counter.getSymName(), next);
}

namespace {
struct JobStepCounter : public job::impl::JobStepCounterBase<JobStepCounter> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<FuncOp> funcs(getOperation().getOps<FuncOp>());
    for (FuncOp func : funcs) {
      SmallVector<StepOp> steps(func.getOps<StepOp>());
      if (func.getKind() != JobKind::Train && steps.empty())
        continue;
      VariableOp counter = getCounter(func, symbols);
      if (!counter)
        return signalPassFailure();
      buildCounting(func, counter, steps);
    }
  }
};
} // namespace
