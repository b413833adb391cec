//===- JobRandomOps.cpp - Random numbers ----------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

/// The id and the element's index are one word of Philox's counter each.
static LogicalResult verifyCounter(Operation *op, int64_t id, BlobType type) {
  if (id < 0 || id > int64_t(UINT32_MAX))
    return op->emitOpError()
           << "expects an id of 32 bits without sign but got " << id;
  if (type.getNumElements() > int64_t(UINT32_MAX) + 1)
    return op->emitOpError()
           << "expects at most 2^32 elements but got " << type.getNumElements();
  return success();
}

LogicalResult RandomUniformOp::verify() {
  return verifyCounter(*this, getId(), getResult().getType());
}

LogicalResult DropoutOp::verify() {
  double rate = getRate().convertToDouble();
  if (!(rate >= 0 && rate < 1))
    return emitOpError() << "expects a rate in [0, 1) but got " << rate;
  return verifyCounter(*this, getId(), getResult().getType());
}
