//===- ScalarOps.h - Operations on scalars in bodies ------------*- C++ -*-===//
//
// The operations on scalars that the body of a plan.executable may have, in
// both of its forms: those of the arith dialect, and those of the math dialect
// that become instructions or calls that an artifact may make. Kernels call no
// other function of a math library, and their results are defined for all
// operands:
//
// - Types are integers of at most 64 bits, indices, f16, bf16, f32 and f64.
//   f16 and bf16 are converted, selected and moved only.
// - Integer ranges show that a divisor is not 0, and not -1 where it is signed,
//   and that a shift is by less bits than the type has.
// - There are no flags that make results undefined or depend on the code: fast
//   math, overflow, exactness, rounding.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CODEGEN_SCALAROPS_H
#define JOBDIALECT_CODEGEN_SCALAROPS_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::plan {

/// The integers that each value of an operation's regions may be, by the
/// operations that compute it. The first get() computes them.
class ScalarRanges {
public:
  explicit ScalarRanges(Operation *root) : root(root) {}

  ConstantIntRanges get(Value value);

private:
  Operation *root;
  std::unique_ptr<DataFlowSolver> solver;
};

/// Whether values in a body may have this type, vectors and tensors aside.
bool isBodyScalarType(Type type);

/// Whether this is an operation on scalars, which `verifyScalarOp` is for.
bool isScalarOp(Operation *op);

/// Fails with an error at an operation on scalars that breaks a rule.
LogicalResult verifyScalarOp(Operation *op, ScalarRanges &ranges);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_SCALAROPS_H
