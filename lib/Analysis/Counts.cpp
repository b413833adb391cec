//===- Counts.cpp - Counts of bounded blobs -------------------------------===//

#include "JobDialect/Analysis/Counts.h"

using namespace mlir;
using namespace mlir::job;

/// The value that is computed, seen through transfers, and through the region
/// of a kernel from inside and from outside.
static Value getComputed(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
      if (!kernel)
        return value;
      value = kernel.getInputs()[argument.getArgNumber()];
      continue;
    }
    auto result = cast<OpResult>(value);
    if (auto transfer = dyn_cast<TransferOp>(result.getOwner())) {
      value = transfer.getOperand();
      continue;
    }
    auto kernel = dyn_cast<KernelOp>(result.getOwner());
    if (!kernel)
      return value;
    value = kernel.getBody().front().getTerminator()->getOperand(
        result.getResultNumber());
  }
}

/// Whether both are the same value. Kernels have copies of constants and of ops
/// that only change which elements are accessed.
static bool isSame(Value a, Value b) {
  a = getComputed(a);
  b = getComputed(b);
  if (a == b)
    return true;
  auto first = dyn_cast<OpResult>(a), second = dyn_cast<OpResult>(b);
  if (!first || !second ||
      first.getResultNumber() != second.getResultNumber() ||
      !isa<ConstantOp, StridedReadOpInterface>(first.getOwner()))
    return false;
  return OperationEquivalence::isEquivalentTo(
      first.getOwner(), second.getOwner(),
      [](Value x, Value y) { return success(isSame(x, y)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool job::isCountOf(Value count, Value bounded) {
  auto result = dyn_cast<OpResult>(getComputed(bounded));
  if (!result)
    return false;
  auto producer = dyn_cast<BoundedResultOpInterface>(result.getOwner());
  return producer && isSame(count, producer.getCountOf(result));
}

std::optional<unsigned> job::findCountResult(FuncOp func, unsigned index) {
  ReturnOp ret = func.getReturn();
  for (OpOperand &operand : ret->getOpOperands())
    if (isCountOf(operand.get(), ret.getOperand(index)))
      return operand.getOperandNumber();
  return std::nullopt;
}

LogicalResult job::verifyCounts(FuncOp func) {
  WalkResult walked = func.walk([](PadToStaticOp pad) -> WalkResult {
    if (isCountOf(pad.getCount(), pad.getOperand()))
      return WalkResult::advance();
    InFlightDiagnostic error = pad.emitOpError()
                               << "expects the count of its operand but got "
                                  "another blob";
    error.attachNote(pad.getCount().getLoc()) << "which is here";
    return error;
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (cast<BlobType>(type).isBounded() && !findCountResult(func, index))
      return func.getReturn().emitOpError()
             << "expects the count of operand " << index << ", of type " << type
             << ", among the operands but got none";
  return success();
}
