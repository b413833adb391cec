//===- MatMul.cpp - Reference of matrix products --------------------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

static LogicalResult computeMatMul(MatMulOp op, ReferenceOperands operands,
                                   ReferenceResults results) {
  const double *lhs = operands[0]->getFloats().data();
  const double *rhs = operands[1]->getFloats().data();
  double *result = results[0].getFloats().data();
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  // Strides of rows and columns as the product sees them.
  int64_t lhsRow = op.getTransposeLhs() ? 1 : k;
  int64_t lhsColumn = op.getTransposeLhs() ? m : 1;
  int64_t rhsRow = op.getTransposeRhs() ? 1 : n;
  int64_t rhsColumn = op.getTransposeRhs() ? k : 1;
  for (int64_t b = 0; b < op.getBatch(); ++b) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum +=
              lhs[i * lhsRow + p * lhsColumn] * rhs[p * rhsRow + j * rhsColumn];
        result[i * n + j] = sum;
      }
    lhs += m * k;
    rhs += k * n;
    result += m * n;
  }
  return success();
}

void job::attachMatMulReferences(MLIRContext *context) {
  MatMulOp::attachInterface<ReferenceModel<MatMulOp, computeMatMul>>(*context);
}
