//===- BodyChecks.cpp - Checks for NaN in a kernel's body -----------------===//

#include "BodyBuilder.h"

#include "NumericsChecks.h"

#include "jobrt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::job;

/// Whether the reduction of finite elements can be a NaN or infinity: from the
/// code that it becomes.
static bool combinesToNonFinite(ReductionKernelOpInterface reduction) {
  Block scratch;
  OpBuilder builder(reduction.getContext());
  builder.setInsertionPointToStart(&scratch);
  Location loc = reduction.getLoc();
  Value result = scratch.addArgument(
      getElementTypeOrSelf(reduction->getResult(0).getType()), loc);
  Value element = scratch.addArgument(
      getElementTypeOrSelf(reduction->getOperand(0).getType()), loc);
  reduction.buildCombine(builder, result, element);
  return llvm::any_of(
      scratch, [](Operation &op) { return containsNonFiniteMaker(&op); });
}

/// Whether a check is needed of what the reduction computes.
bool BodyBuilder::isChecked(ReductionKernelOpInterface reduction) const {
  if (!checkNumerics)
    return false;
  return decomposed.contains(reduction) ? decomposedResults.contains(reduction)
                                        : combinesToNonFinite(reduction);
}

/// Checks the result of an op, once in the kernel.
void BodyBuilder::addCheck(Operation *op, Value scalar) {
  checkedScalars.push_back(scalar);
  if (checks.contains(op) || checks.size() == JOBRT_MAX_CHECKS)
    return;
  auto result = decomposedResults.find(op);
  Location at =
      result == decomposedResults.end() ? op->getLoc() : result->second;
  checks[op] = createCheck(*inner, at, scalar);
}

/// Whether a value is a result that keeps its old elements where a check fails.
bool BodyBuilder::isGuarded(Value value) const {
  auto it = yieldedAs.find(value);
  return it != yieldedAs.end() && llvm::any_of(it->second, [&](unsigned index) {
           return llvm::is_contained(signature.guarded, index);
         });
}

/// The new element of a result that is guarded, unless a check has failed for
/// it in this pass.
Value BodyBuilder::guard(Value value, Value scalar) {
  if (checkedScalars.empty() || !isGuarded(value))
    return scalar;
  Value isFinite;
  for (Value checked : checkedScalars) {
    Value flag = buildIsFinite(*inner, loc, checked);
    isFinite =
        isFinite
            ? arith::AndIOp::create(*inner, loc, isFinite, flag).getResult()
            : flag;
  }
  unsigned index = yieldedAs.lookup(value).front();
  View view =
      collapse(body.getArgument(signature.results[index]), getPlaces(value));
  Value old = addInput(view.tensor, getMap(view.groups));
  return arith::SelectOp::create(*inner, loc, isFinite, scalar, old);
}

/// Numbers the checks in program order.
void BodyBuilder::numberChecks(EmittedKernel &emitted) {
  SmallVector<std::pair<Operation *, plan::CheckOp>> ofOps =
      checks.takeVector();
  llvm::sort(ofOps, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (auto [number, entry] : llvm::enumerate(ofOps)) {
    plan::CheckOp check = entry.second;
    emitted.checks.push_back(check.getLoc());
    check.setNumber(number);
    check.setCount(ofOps.size());
  }
  if (ofOps.empty())
    return;
  MemRefType status = plan::getStatusType(b.getContext());
  plan::appendArgument(
      body, RankedTensorType::get(status.getShape(), status.getElementType()),
      loc);
}
