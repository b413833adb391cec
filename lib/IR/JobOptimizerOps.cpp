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
  return success();
}
