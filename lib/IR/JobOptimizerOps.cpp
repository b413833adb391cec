//===- JobOptimizerOps.cpp - What training minimizes ----------------------===//

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace mlir::job;

LogicalResult MinimizeOp::verify() {
  double scale = getLossScale().convertToDouble();
  if (!(std::isfinite(scale) && scale > 0))
    return emitOpError() << "expects a positive loss scale but got " << scale;
  if (getDynamicLossScale() && scale != 1)
    return emitOpError() << "expects either a loss scale or a dynamic one but "
                            "got both";
  return success();
}

LogicalResult MinimizeOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  std::optional<DynamicLossScaleAttr> scale = getDynamicLossScale();
  if (!scale)
    return success();
  Builder builder(getContext());
  auto expectState = [&](FlatSymbolRefAttr symbol,
                         Type element) -> LogicalResult {
    auto type = BlobType::get({1}, element);
    auto variable =
        symbolTable.lookupNearestSymbolFrom<VariableOp>(*this, symbol);
    if (variable && variable.getType() == type && !variable.getTrainable())
      return success();
    InFlightDiagnostic diagnostic =
        emitOpError() << "expects " << symbol << ", a part of the loss scale, "
                      << "to be a variable of type " << type
                      << " that is not trainable but got something else";
    if (variable)
      diagnostic.attachNote(variable.getLoc()) << "the variable is here";
    return diagnostic;
  };
  if (failed(expectState(scale->getScale(), builder.getF32Type())))
    return failure();
  return expectState(scale->getGoodSteps(), builder.getI64Type());
}
