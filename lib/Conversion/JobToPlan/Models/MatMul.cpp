//===- MatMul.cpp - Kernels of matrix products ----------------------------===//
//
// f32 goes to a library; f64, which serves gradient checks more than speed, is
// a loop.
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"
#include "Models.h"
#include "ScalarBuilder.h"

#include "JobDialect/IR/JobOps.h"
#include "jobrt/abi.h"

using namespace mlir;
using namespace mlir::job;

namespace {

struct MatMulCallModel
    : LibraryCallOpInterface::ExternalModel<MatMulCallModel, MatMulOp> {
  LibraryCall getLibraryCall(Operation *op) const {
    auto matmul = cast<MatMulOp>(op);
    int64_t m = matmul.getM(), n = matmul.getN(), k = matmul.getK();
    LibraryCall call;
    call.callee = "onednn.matmul";
    call.config = {{"m", m},
                   {"n", n},
                   {"k", k},
                   {"transpose_a", matmul.getTransposeLhs()},
                   {"transpose_b", matmul.getTransposeRhs()}};
    call.chunks = jobrt_matmul_chunks(m, n, k);
    return call;
  }
};

/// One item is a row of the result.
struct MatMulLoopModel
    : LoopKernelOpInterface::ExternalModel<MatMulLoopModel, MatMulOp> {
  int64_t getNumItems(Operation *op) const { return cast<MatMulOp>(op).getM(); }
  int64_t getItemCost(Operation *op) const {
    auto matmul = cast<MatMulOp>(op);
    return 2 * matmul.getN() * matmul.getK();
  }

  void buildItem(Operation *op, OpBuilder &builder, Value item,
                 ValueRange operands, ValueRange results) const {
    auto matmul = cast<MatMulOp>(op);
    LoopBuilder b(builder, op->getLoc());
    ScalarBuilder s(builder, op->getLoc(), matmul.getType().getElementType());
    Value lhs = operands[0], rhs = operands[1], result = results[0];
    auto loadLhs = [&](Value k) {
      return matmul.getTransposeLhs() ? b.load(lhs, {k, item})
                                      : b.load(lhs, {item, k});
    };
    Value zero = s.constant(0);
    if (matmul.getTransposeRhs()) {
      b.loop(matmul.getN(), [&](Value j) {
        Value sum =
            b.reduce(matmul.getK(), zero,
                     [&](Value k, ValueRange carried) -> SmallVector<Value> {
                       Value term = s.mul(loadLhs(k), b.load(rhs, {j, k}));
                       return {s.add(carried[0], term)};
                     })[0];
        b.store(sum, result, {item, j});
      });
      return;
    }
    // Rows of rhs times one number each, so that the inner loop is over
    // neighbours in memory.
    b.loop(matmul.getN(), [&](Value j) { b.store(zero, result, {item, j}); });
    b.loop(matmul.getK(), [&](Value k) {
      Value factor = loadLhs(k);
      b.loop(matmul.getN(), [&](Value j) {
        Value term = s.mul(factor, b.load(rhs, {k, j}));
        b.store(s.add(b.load(result, {item, j}), term), result, {item, j});
      });
    });
  }
};

} // namespace

void job::attachMatMulModels(MLIRContext *context) {
  MatMulOp::attachInterface<MatMulCallModel, MatMulLoopModel>(*context);
}
