//===- VerifyMicroSteps.cpp - Verify the use of micro-steps ---------------===//

#include "JobDialect/Analysis/MicroSteps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

namespace {

class Verifier {
public:
  explicit Verifier(FuncOp func) : func(func), steps(func) {}

  LogicalResult run();

private:
  LogicalResult verifyCount(Operation *op, int64_t count);
  LogicalResult verifyPerStep(Operation *op);
  LogicalResult verifyEntry(Operation *op);
  LogicalResult verifyExit(Operation *op, int64_t count);
  LogicalResult verifyAlike(Operation *op);

  FuncOp func;
  MicroSteps steps;
  /// The first op with a micro-step count, and its count.
  Operation *first = nullptr;
  int64_t firstCount = 0;
  /// For a value that depends on results of micro-steps, one of those results.
  DenseMap<Value, Operation *> resultOf;
};

} // namespace

/// All micro-steps of a job run in one loop, which has one count.
LogicalResult Verifier::verifyCount(Operation *op, int64_t count) {
  if (!first) {
    first = op;
    firstCount = count;
  }
  if (count == firstCount)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitError() << "expects " << firstCount
                      << " micro-steps, as elsewhere in the job, but got "
                      << count;
  diagnostic.attachNote(first->getLoc()) << "the other count is here";
  return diagnostic;
}

LogicalResult Verifier::verifyPerStep(Operation *op) {
  for (Value operand : op->getOperands())
    if (std::optional<int64_t> count = steps.getCount(operand))
      return op->emitError() << "expects a per-step value but got a "
                                "per-micro-step value ("
                             << *count << " micro-steps)";
  return success();
}

/// Verifies an op that enters the micro-steps.
LogicalResult Verifier::verifyEntry(Operation *op) {
  if (failed(verifyPerStep(op)))
    return failure();
  Operation *result = resultOf.lookup(op->getOperand(0));
  if (!result)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitError() << "expects an operand that is independent of results of "
                         "micro-steps but got one that depends on them";
  diagnostic.attachNote(result->getLoc()) << "the result is here";
  return diagnostic;
}

/// Verifies an op that leaves the micro-steps.
LogicalResult Verifier::verifyExit(Operation *op, int64_t count) {
  Value operand = op->getOperand(0);
  if (steps.isPerStep(operand))
    return op->emitError() << "expects a per-micro-step value (" << count
                           << " micro-steps) but got a per-step value";
  return success();
}

LogicalResult Verifier::verifyAlike(Operation *op) {
  std::optional<int64_t> count;
  for (Value operand : op->getOperands())
    if (!count)
      count = steps.getCount(operand);
  if (!count)
    return success();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!steps.isPerStep(operand.get()))
      continue;
    InFlightDiagnostic diagnostic =
        op->emitError() << "expects all operands to be per-step or all "
                           "per-micro-step but got per-step operand #"
                        << operand.getOperandNumber()
                        << " beside per-micro-step operands (" << *count
                        << " micro-steps)";
    diagnostic.attachNote(operand.get().getLoc()) << "the operand is here";
    return diagnostic;
  }
  return success();
}

LogicalResult Verifier::run() {
  for (Operation &op : func.getBody().front()) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case<UnpackOp, BroadcastMicroStepsOp>([&](auto entry) {
              return success(succeeded(verifyCount(entry, entry.getCount())) &&
                             succeeded(verifyEntry(entry)));
            })
            .Case<AccOp, PackOp>([&](auto exit) {
              resultOf[exit.getResult()] = exit;
              return success(succeeded(verifyCount(exit, exit.getCount())) &&
                             succeeded(verifyExit(exit, exit.getCount())));
            })
            .Case<AssignOp, ReturnOp, UpdateOp, MinimizeOp>(
                [&](auto end) { return verifyPerStep(end); })
            .Default([&](Operation *other) { return verifyAlike(other); });
    if (failed(result))
      return failure();
    for (Value operand : op.getOperands())
      if (Operation *source = resultOf.lookup(operand))
        for (Value value : op.getResults())
          resultOf.try_emplace(value, source);
  }
  return success();
}

LogicalResult job::verifyMicroSteps(FuncOp func) {
  return Verifier(func).run();
}
