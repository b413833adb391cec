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

/// Whether a float is neither a NaN nor infinite.
Value buildIsFinite(OpBuilder &builder, Location loc, Value value);

/// What to check of a conversion: its result where the operand is finite, else
/// 0. A conversion of a NaN or infinity, which an op moved or selected, makes
/// none; one to a narrower type may be too large for it.
Value buildOverflow(OpBuilder &builder, Location loc, Value operand,
                    Value result);

/// A check of a float, or a vector of floats; number and count are still to be
/// set.
plan::CheckOp createCheck(OpBuilder &builder, Location loc, Value value);

/// Inserts checks, each the only one of its kernel, in front of all stores of
/// computed floats to `results`.
void checkStores(Operation *body, ArrayRef<Value> results, Location loc);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
