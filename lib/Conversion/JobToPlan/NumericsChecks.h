//===- NumericsChecks.h - NaN and infinity in kernels -----------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H

#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/IR/Operation.h"

namespace mlir::job {

/// Whether an op of a kernel's code can have a result that is not finite while
/// all operands are. Those that move, compare or choose cannot; an op that we
/// do not know can.
bool canMakeNonFinite(Operation *op);

/// Whether that holds for the op or one of those in its regions.
bool containsNonFiniteMaker(Operation *op);

/// What to check of a conversion: its result where the operand is finite, else
/// 0. A conversion of a NaN or infinity, which an op moved or selected, makes
/// none; one to a narrower type may be too large for it.
Value buildOverflow(OpBuilder &builder, Location loc, Value operand,
                    Value result);

/// A check of a float, whose number and count are still to be set.
plan::CheckOp createCheck(OpBuilder &builder, Location loc, Value value);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
