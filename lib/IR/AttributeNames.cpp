//===- AttributeNames.cpp - Names of attributes of operations -------------===//

#include "JobDialect/IR/AttributeNames.h"

using namespace mlir;

LogicalResult job::verifyAttributeNames(Operation *root, StringRef dialect) {
  auto verify =
      [&](Operation *op) {
        if (op->getName().getDialectNamespace() != dialect)
          return WalkResult::advance();
        for (NamedAttribute attr : op->getDiscardableAttrs()) {
          if (attr.getName().strref().contains('.'))
            continue;
          op->emitOpError()
              << "expects attributes of its own or of a dialect but got "
              << attr.getName();
          return WalkResult::interrupt();
        }
        return WalkResult::advance();
      };
  return failure(root->walk(verify).wasInterrupted());
}
