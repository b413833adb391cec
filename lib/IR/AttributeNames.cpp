//===- AttributeNames.cpp - Names of attributes of operations -------------===//

#include "JobDialect/IR/AttributeNames.h"

using namespace mlir;

LogicalResult job::verifyAttributeNames(Operation *root, StringRef dialect) {
  auto verify = [&](Operation *op) -> WalkResult {
    if (op->getName().getDialectNamespace() != dialect)
      return success();
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (!attr.getName().strref().contains('.'))
        return op->emitOpError()
               << "expects attributes of its own or of a dialect but got "
               << attr.getName();
    return success();
  };
  return failure(root->walk(verify).wasInterrupted());
}
