//===- TrainingJob.cpp - What a training job must fulfil ------------------===//

#include "TrainingJob.h"

#include "JobDialect/Analysis/Activity.h"
#include "JobDialect/Analysis/MicroSteps.h"

using namespace mlir;
using namespace mlir::job;

/// Verifies that no variable is updated by two job.minimize.
static LogicalResult verifyGroups(ArrayRef<MinimizeOp> minimizes) {
  auto emit = [](MinimizeOp minimize, MinimizeOp other) -> InFlightDiagnostic {
    InFlightDiagnostic diagnostic = minimize.emitError();
    diagnostic.attachNote(other.getLoc()) << "the first one is here";
    return diagnostic;
  };
  MinimizeOp withoutList;
  DenseMap<Attribute, MinimizeOp> ownerOf;
  for (MinimizeOp minimize : minimizes) {
    ArrayAttr variables = minimize.getVariablesAttr();
    if (!variables && withoutList)
      return emit(minimize, withoutList)
             << "training job @"
             << minimize->getParentOfType<FuncOp>().getSymName()
             << " expects one job.minimize without a list of variables but got "
                "another";
    if (!variables) {
      withoutList = minimize;
      continue;
    }
    for (Attribute symbol : variables) {
      auto [entry, isNew] = ownerOf.try_emplace(symbol, minimize);
      if (!isNew)
        return emit(minimize, entry->second)
               << "expects each variable in one list of a job but got "
               << symbol << " in another";
    }
  }
  return success();
}

static LogicalResult verifyMinimize(FuncOp func) {
  SmallVector<MinimizeOp> minimizes(func.getOps<MinimizeOp>());
  if (minimizes.empty())
    return func.emitError()
           << "training job @" << func.getSymName()
           << " expects an optimizer (job.minimize) but got none";
  MinimizeOp first = minimizes.front();
  for (MinimizeOp other : llvm::drop_begin(minimizes)) {
    if (other.getLossScaleAttr() == first.getLossScaleAttr() &&
        other.getDynamicLossScaleAttr() == first.getDynamicLossScaleAttr())
      continue;
    InFlightDiagnostic diagnostic =
        other.emitError()
        << "expects all job.minimize of a job to have the same "
           "loss scale but got another one";
    diagnostic.attachNote(first.getLoc()) << "the first one is here";
    return diagnostic;
  }
  return verifyGroups(minimizes);
}

static LogicalResult verifyLossSizes(FuncOp func, ArrayRef<LossOp> losses) {
  LossOp first = losses.front();
  MicroSteps steps(func);
  int64_t expected = steps.getNumLossElements(first);
  for (LossOp loss : losses.drop_front()) {
    int64_t elements = steps.getNumLossElements(loss);
    if (elements == expected)
      continue;
    InFlightDiagnostic diagnostic =
        loss.emitError() << "expects all losses of a job to have " << expected
                         << " elements but got " << elements;
    diagnostic.attachNote(first.getLoc())
        << "the first loss is of type " << first.getValue().getType();
    return diagnostic;
  }
  return success();
}

SmallVector<Operation *> job::findGradientUsers(FuncOp func) {
  DenseSet<Value> derived;
  SmallVector<Operation *> users;
  for (Operation &op : func.getBody().front().without_terminator()) {
    bool isUser = llvm::any_of(
        op.getOperands(), [&](Value value) { return derived.contains(value); });
    if (isUser)
      users.push_back(&op);
    if (isUser || isa<GradientOp>(op))
      derived.insert(op.result_begin(), op.result_end());
  }
  return users;
}

/// What is computed from a gradient moves to the end of the job, where the
/// gradient is known.
static LogicalResult verifyGradientUsers(FuncOp func) {
  for (Operation *user : findGradientUsers(func))
    if (!isMemoryEffectFree(user) && !isa<HostCallOp>(user))
      return user->emitError()
             << "expects ops without effects and calls of host functions to "
                "depend on a job.gradient but got "
             << user->getName();
  return success();
}

bool job::hasExpandedUpdates(FuncOp func) {
  if (!func.getOps<LossOp>().empty() || !func.getOps<MinimizeOp>().empty() ||
      !func.getOps<UpdateOp>().empty())
    return false;
  // The initializer is the last thing that the train pipeline adds.
  auto module = func->getParentOfType<ModuleOp>();
  if (module && llvm::any_of(module.getOps<FuncOp>(), [](FuncOp other) {
        return other.getKind() == JobKind::Init;
      }))
    return true;
  return llvm::any_of(func.getOps<AssignOp>(), [&](AssignOp assign) {
    auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
        func, assign.getVariableAttr());
    return variable && variable.getTrainable();
  });
}

bool job::hasGradients(FuncOp func) {
  return !func.getOps<UpdateOp>().empty() || hasExpandedUpdates(func);
}

LogicalResult job::verifyTrainingJob(FuncOp func) {
  SmallVector<LossOp> losses(func.getOps<LossOp>());
  if (losses.empty())
    return func.emitError() << "training job @" << func.getSymName()
                            << " expects a loss (job.loss) but got none";
  if (failed(verifyMinimize(func)) || failed(verifyLossSizes(func, losses)) ||
      failed(verifyGradientUsers(func)))
    return failure();

  Activity activity(func);
  if (llvm::none_of(losses, [&](LossOp loss) {
        return activity.varies(loss.getValue());
      }))
    return emitNoGradients(func);
  return success();
}

InFlightDiagnostic job::emitNoGradients(FuncOp func) {
  return (*func.getOps<LossOp>().begin()).emitError()
         << "expects the losses to depend on a trainable variable";
}
