//===- AttributeNames.cpp - Names of attributes of operations -------------===//

#include "JobDialect/IR/AttributeNames.h"
#include "JobDialect/Support/Suggestions.h"

using namespace mlir;

LogicalResult job::verifyAttributeNames(Operation *root, StringRef dialect) {
  auto verify = [&](Operation *op) -> WalkResult {
    if (op->getName().getDialectNamespace() != dialect)
      return success();
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (!attr.getName().strref().contains('.')) {
        InFlightDiagnostic error =
            op->emitOpError()
            << "expects attributes of its own or of a dialect but got "
            << attr.getName();
        SmallVector<StringRef> own;
        for (StringAttr name : op->getName().getAttributeNames())
          own.push_back(name);
        suggestName(error, attr.getName(), own);
        return error;
      }
    return success();
  };
  return failure(root->walk(verify).wasInterrupted());
}
