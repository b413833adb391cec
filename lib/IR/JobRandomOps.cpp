//===- JobRandomOps.cpp - Random numbers ----------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::job;

/// The id and the element's index are one word of Philox's counter each.
static LogicalResult verifyCounter(Operation *op, int64_t id, BlobType type,
                                   std::optional<ShardAttr> shard) {
  auto emitError = [&] { return op->emitOpError(); };
  if (id < 0 || id > int64_t(UINT32_MAX))
    return emitError() << "expects an id of 32 bits without sign but got "
                       << id;
  std::optional<int64_t> numElements = type.getNumElements();
  if (shard) {
    if (failed(shard->verifyBlob(emitError, type)))
      return failure();
    numElements = 1;
    for (int64_t extent : shard->getShape())
      numElements =
          numElements ? llvm::checkedMul(*numElements, extent) : std::nullopt;
  }
  if (!numElements)
    return emitError() << "expects a shard of a blob of at most 2^32 elements";
  if (*numElements > int64_t(UINT32_MAX) + 1)
    return emitError() << "expects at most 2^32 elements but got "
                       << *numElements;
  return success();
}

LogicalResult RandomUniformOp::verify() {
  return verifyCounter(*this, getId(), getResult().getType(), getShard());
}

LogicalResult DropoutOp::verify() {
  double rate = getRate().convertToDouble();
  if (!(rate >= 0 && rate < 1))
    return emitOpError() << "expects a rate in [0, 1) but got " << rate;
  return verifyCounter(*this, getId(), getResult().getType(), getShard());
}
