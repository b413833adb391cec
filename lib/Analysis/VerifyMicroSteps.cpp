//===- VerifyMicroSteps.cpp - Steps and micro-steps do not mix ------------===//

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
  LogicalResult verifyOneStep(Operation *op);
  LogicalResult verifyEntry(Operation *op);
  LogicalResult verifyExit(Operation *op, int64_t count);
  LogicalResult verifyAlike(Operation *op);

  FuncOp func;
  MicroSteps steps;
  /// The first op that says how many micro-steps there are, and what it says.
  Operation *first = nullptr;
  int64_t firstCount = 0;
  /// For what needs results of micro-steps, one of those.
  DenseMap<Value, Operation *> resultOf;
};

} // namespace

/// A job has one loop.
LogicalResult Verifier::verifyCount(Operation *op, int64_t count) {
  if (!first) {
    first = op;
    firstCount = count;
  }
  if (count == firstCount)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitError() << "expects " << firstCount
                      << " micro-steps, as the job has, but got " << count;
  diagnostic.attachNote(first->getLoc()) << "the others are here";
  return diagnostic;
}

LogicalResult Verifier::verifyOneStep(Operation *op) {
  for (Value operand : op->getOperands())
    if (std::optional<int64_t> count = steps.getCount(operand))
      return op->emitError() << "expects a value of one step but got one of "
                             << *count << " micro-steps";
  return success();
}

/// What leads into micro-steps.
LogicalResult Verifier::verifyEntry(Operation *op) {
  if (failed(verifyOneStep(op)))
    return failure();
  Operation *result = resultOf.lookup(op->getOperand(0));
  if (!result)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitError() << "expects a value that is there before the micro-steps "
                         "but got one that needs their results";
  diagnostic.attachNote(result->getLoc()) << "the result is here";
  return diagnostic;
}

/// What leads out of them.
LogicalResult Verifier::verifyExit(Operation *op, int64_t count) {
  Value operand = op->getOperand(0);
  if (steps.isOfOneStep(operand))
    return op->emitError() << "expects a value of " << count
                           << " micro-steps but got one of one step";
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
    if (!steps.isOfOneStep(operand.get()))
      continue;
    InFlightDiagnostic diagnostic =
        op->emitError() << "expects operands of one step or of " << *count
                        << " micro-steps alike but got operand #"
                        << operand.getOperandNumber()
                        << " of one step among others of micro-steps";
    diagnostic.attachNote(operand.get().getLoc()) << "the operand is here";
    return diagnostic;
  }
  return success();
}

LogicalResult Verifier::run() {
  for (Operation &op : func.getBody().front()) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case<UnpackOp, RepeatOp>([&](auto entry) {
              return success(succeeded(verifyCount(entry, entry.getCount())) &&
                             succeeded(verifyEntry(entry)));
            })
            .Case<AccOp, PackOp>([&](auto exit) {
              resultOf[exit.getResult()] = exit;
              return success(succeeded(verifyCount(exit, exit.getCount())) &&
                             succeeded(verifyExit(exit, exit.getCount())));
            })
            .Case<AssignOp, ReturnOp, UpdateOp>(
                [&](auto end) { return verifyOneStep(end); })
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
