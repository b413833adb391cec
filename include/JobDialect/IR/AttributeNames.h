//===- AttributeNames.h - Names of attributes of operations -----*- C++ -*-===//

#ifndef JOBDIALECT_IR_ATTRIBUTENAMES_H
#define JOBDIALECT_IR_ATTRIBUTENAMES_H

#include "mlir/IR/Operation.h"

namespace mlir::job {

/// Fails at the first operation of a dialect in `root` with an attribute that
/// is neither one of the operation nor of a dialect: a misspelt one would have
/// no effect.
LogicalResult verifyAttributeNames(Operation *root, StringRef dialect);

} // namespace mlir::job

#endif // JOBDIALECT_IR_ATTRIBUTENAMES_H
