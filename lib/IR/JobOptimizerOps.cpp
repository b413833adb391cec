//===- JobOptimizerOps.cpp - What training minimizes ----------------------===//

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Support/Suggestions.h"

#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace mlir::job;

LogicalResult MinimizeOp::verify() {
  if (!getSchedule() == !getRate())
    return emitOpError() << "expects a schedule or a rate but got "
                         << (getRate() ? "both" : "neither");
  if (getWarmup() && !getSchedule())
    return emitOpError()
           << "expects no warm-up of a rate that the job computes "
              "but got one";
  double scale = getLossScale().convertToDouble();
  if (!(std::isfinite(scale) && scale > 0))
    return emitOpError() << "expects a positive loss scale but got " << scale;
  if (getDynamicLossScale() && scale != 1)
    return emitOpError() << "expects either a loss scale or a dynamic one but "
                            "got both";
  return success();
}

/// Verifies that a list names variables that are trainable.
static LogicalResult verifyTrainable(MinimizeOp op, ArrayAttr names,
                                     SymbolTableCollection &symbolTable) {
  if (!names)
    return success();
  for (auto symbol : names.getAsRange<FlatSymbolRefAttr>()) {
    auto variable = symbolTable.lookupNearestSymbolFrom<VariableOp>(op, symbol);
    if (variable && variable.getTrainable())
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError() << "expects a list of trainable variables but got "
                         << symbol << ", which is none";
    if (variable)
      diagnostic.attachNote(variable.getLoc()) << "the variable is here";
    else
      suggestSymbol<VariableOp>(diagnostic, op, symbol, [](VariableOp other) {
        return other.getTrainable();
      });
    return diagnostic;
  }
  return success();
}

static LogicalResult verifyLossScale(MinimizeOp op, DynamicLossScaleAttr scale,
                                     SymbolTableCollection &symbolTable) {
  Builder builder(op.getContext());
  auto expectState = [&](FlatSymbolRefAttr symbol,
                         Type element) -> LogicalResult {
    auto type = BlobType::get({1}, element);
    auto variable = symbolTable.lookupNearestSymbolFrom<VariableOp>(op, symbol);
    if (variable && variable.getType() == type && !variable.getTrainable())
      return success();
    InFlightDiagnostic diagnostic =
        op.emitOpError() << "expects " << symbol
                         << ", a part of the loss scale, "
                         << "to be a variable of type " << type
                         << " that is not trainable but got something else";
    if (variable)
      diagnostic.attachNote(variable.getLoc()) << "the variable is here";
    else
      suggestSymbol<VariableOp>(diagnostic, op, symbol, [&](VariableOp other) {
        return other.getType() == type;
      });
    return diagnostic;
  };
  if (failed(expectState(scale.getScale(), builder.getF32Type())))
    return failure();
  return expectState(scale.getGoodSteps(), builder.getI64Type());
}

LogicalResult MinimizeOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (std::optional<DynamicLossScaleAttr> scale = getDynamicLossScale())
    if (failed(verifyLossScale(*this, *scale, symbolTable)))
      return failure();
  if (std::optional<WeightDecayAttr> decay = getWeightDecay())
    if (failed(verifyTrainable(*this, decay->getVariables(), symbolTable)))
      return failure();
  return verifyTrainable(*this, getVariablesAttr(), symbolTable);
}
