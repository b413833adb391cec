//===- JobVerify.cpp - Check what a single op cannot see ------------------===//

#include "TrainingJob.h"

#include "JobDialect/Analysis/Counts.h"
#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/IR/AttributeNames.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBVERIFY
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Only jobs and variables stand in a module; every other op is part of a job.
static LogicalResult verifyModuleLevel(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (isa<JobDialect>(op.getDialect()) && !isa<FuncOp, VariableOp>(op))
      return op.emitError()
             << "expects '" << op.getName() << "' to be in a job function";
  return success();
}

/// A larger blob has no place in an artifact.
static LogicalResult verifyBytes(Location loc, Type type) {
  auto blob = dyn_cast<BlobType>(type);
  if (!blob || blob.getBytes() <= plan::kMaxSpaceBytes)
    return success();
  return emitError(loc) << "expects a blob of at most " << plan::kMaxSpaceBytes
                        << " bytes but got " << blob.getBytes();
}

static LogicalResult verifyBytes(FuncOp func) {
  for (BlockArgument argument : func.getArguments())
    if (failed(verifyBytes(argument.getLoc(), argument.getType())))
      return failure();
  for (Operation &op : func.getBody().front())
    for (Type type : op.getResultTypes())
      if (failed(verifyBytes(op.getLoc(), type)))
        return failure();
  return success();
}

static LogicalResult verifyArgumentNames(FuncOp func) {
  llvm::StringMap<unsigned> indexOf;
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    std::string name = func.getArgumentName(index);
    auto [entry, isNew] = indexOf.try_emplace(name, index);
    if (!isNew)
      return emitError(argument.getLoc())
             << "job @" << func.getSymName()
             << " expects names of arguments to be unique but got '" << name
             << "' for arguments " << entry->second << " and " << index;
  }
  return success();
}

/// Files and headers call results by their names.
static LogicalResult verifyResultNames(FuncOp func) {
  llvm::StringMap<unsigned> indexOf;
  for (unsigned index : llvm::seq<unsigned>(func.getResultTypes().size())) {
    std::string name = func.getResultName(index);
    auto [entry, isNew] = indexOf.try_emplace(name, index);
    if (!isNew)
      return emitError(func.getReturn().getLoc())
             << "job @" << func.getSymName()
             << " expects names of results to be unique but got '" << name
             << "' for results " << entry->second << " and " << index;
  }
  return success();
}

/// The initializer gives each variable its first value, from the seed alone.
static LogicalResult verifyInitializer(FuncOp func) {
  llvm::StringSet<> assigned;
  for (Operation &op : func.getBody().front()) {
    if (auto assign = dyn_cast<AssignOp>(op))
      assigned.insert(assign.getVariable());
    auto read = dyn_cast<ReadOp>(op);
    if (read && !assigned.contains(read.getVariable()))
      return read.emitError()
             << "expects @" << read.getVariable()
             << " to be assigned before it is read in @" << func.getSymName();
  }
  for (auto variable : func->getParentOfType<ModuleOp>().getOps<VariableOp>())
    if (!assigned.contains(variable.getSymName()))
      return func.emitError() << "expects @" << func.getSymName()
                              << " to assign every variable but got none for @"
                              << variable.getSymName();
  return success();
}

static LogicalResult verifyHasNoTraining(FuncOp func) {
  for (Operation &op : func.getBody().front())
    if (isa<LossOp, GradientOp, MinimizeOp, UpdateOp>(op))
      return op.emitError()
             << "expects '" << op.getName()
             << "' to be in a training job but got @" << func.getSymName()
             << " of kind " << stringifyJobKind(func.getKind());
  return success();
}

/// The seed; an attribute if it is a constant.
static OpFoldResult getSeed(RandomOpInterface op) {
  OpFoldResult seed = op.getSeedOrBlob();
  auto blob = dyn_cast<Value>(seed);
  DenseIntElementsAttr constant;
  if (!blob || !matchPattern(blob, m_Constant(&constant)))
    return seed;
  return IntegerAttr::get(constant.getElementType(),
                          constant.getSplatValue<APInt>());
}

/// Two random ops with the same id and seed would draw the same numbers.
static LogicalResult verifyRandomStreams(FuncOp func) {
  DenseMap<std::pair<void *, uint64_t>, RandomOpInterface> opOf;
  for (auto op : func.getOps<RandomOpInterface>()) {
    auto [entry, isNew] =
        opOf.try_emplace({getSeed(op).getOpaqueValue(), op.getId()}, op);
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic =
        op.emitError() << "expects random ops of a job to differ in id or seed "
                          "but got id "
                       << static_cast<int64_t>(op.getId())
                       << " twice for one seed";
    diagnostic.attachNote(entry->second.getLoc()) << "the other op is here";
    return diagnostic;
  }
  return success();
}

/// Gradients of a loss that is marked twice, or that another loss is computed
/// from, would count twice, which is seldom meant. Asked of what the user wrote
/// alone: a loss times one becomes, when it is folded, what others may be
/// computed from.
static LogicalResult verifyLossesAreIndependent(FuncOp func) {
  SmallVector<LossOp> losses(func.getOps<LossOp>());
  DenseMap<Value, LossOp> lossOf;
  for (LossOp loss : losses) {
    auto [entry, isNew] = lossOf.try_emplace(loss.getValue(), loss);
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic =
        loss.emitError()
        << "expects losses to be independent but got the same blob twice";
    diagnostic.attachNote(entry->second.getLoc()) << "the other loss is here";
    return diagnostic;
  }
  // A loss that the value is computed from.
  DenseMap<Value, LossOp> source;
  for (Operation &op : func.getBody().front())
    for (Value operand : op.getOperands()) {
      LossOp loss = lossOf.lookup(operand);
      if (!loss)
        loss = source.lookup(operand);
      if (!loss)
        continue;
      for (Value result : op.getResults())
        source.try_emplace(result, loss);
    }
  for (LossOp loss : losses)
    if (LossOp other = source.lookup(loss.getValue())) {
      InFlightDiagnostic diagnostic =
          loss.emitError()
          << "expects losses to be independent but got one that is computed "
             "from another";
      diagnostic.attachNote(other.getLoc()) << "the other loss is here";
      return diagnostic;
    }
  return success();
}

static LogicalResult verifyJob(FuncOp func) {
  if (failed(verifyArgumentNames(func)) || failed(verifyResultNames(func)) ||
      failed(verifyBytes(func)) || failed(verifyCounts(func)) ||
      failed(verifyMicroSteps(func)))
    return failure();
  if (func.getKind() == JobKind::Init && failed(verifyInitializer(func)))
    return failure();
  bool isTrain = func.getKind() == JobKind::Train;
  // Text after the train pipeline.
  if (isTrain && hasExpandedUpdates(func))
    return success();
  // The gradient of a dropout draws the numbers of the dropout again.
  if (isTrain && hasGradients(func))
    return verifyTrainingJob(func);
  // The initializer tells its streams apart by the step, a hash of the name.
  if (func.getKind() != JobKind::Init && failed(verifyRandomStreams(func)))
    return failure();
  if (!isTrain)
    return verifyHasNoTraining(func);
  return failed(verifyTrainingJob(func)) ? failure()
                                         : verifyLossesAreIndependent(func);
}

namespace {
struct JobVerify : public job::impl::JobVerifyBase<JobVerify> {
  void runOnOperation() override {
    // One run reports the first error of each job.
    bool ok = succeeded(verifyModuleLevel(getOperation())) &&
              succeeded(verifyAttributeNames(
                  getOperation(), JobDialect::getDialectNamespace()));
    for (auto variable : getOperation().getOps<VariableOp>())
      ok &= succeeded(verifyBytes(variable.getLoc(), variable.getType()));
    for (FuncOp func : getOperation().getOps<FuncOp>())
      ok &= succeeded(verifyJob(func));
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
