//===- MatMul.cpp - Gradients of matrix products --------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

/// With C = op(A) op(B): d op(A) = dC op(B)^T and d op(B) = op(A)^T dC. Where
/// op transposes, the two factors change places; no matrix is ever transposed
/// in memory.
static void matMulGradient(MatMulOp op, Gradient &gradient) {
  Value lhs = op.getLhs(), rhs = op.getRhs(), grad = gradient.get();
  bool transposeLhs = op.getTransposeLhs(), transposeRhs = op.getTransposeRhs();
  if (gradient.isNeeded(0))
    gradient.set(
        0, transposeLhs
               ? gradient.create<MatMulOp>(rhs, grad, transposeRhs, true)
               : gradient.create<MatMulOp>(grad, rhs, false, !transposeRhs));
  if (gradient.isNeeded(1))
    gradient.set(
        1, transposeRhs
               ? gradient.create<MatMulOp>(grad, lhs, true, transposeLhs)
               : gradient.create<MatMulOp>(lhs, grad, !transposeLhs, false));
}

void job::attachMatMulGradients(MLIRContext &context) {
  attachGradient<MatMulOp, matMulGradient>(context);
}
