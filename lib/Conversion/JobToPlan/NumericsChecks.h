//===- NumericsChecks.h - NaN and infinity in kernels -----------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H

#include "mlir/IR/Operation.h"

namespace mlir::job {

/// Whether an op of a kernel's code can have a result that is not finite while
/// all operands are. Those that move, compare or choose cannot; an op that we
/// do not know can.
bool canMakeNonFinite(Operation *op);

/// Whether that holds for the op or one of those in its regions.
bool containsNonFiniteMaker(Operation *op);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
