//===- MatMul.cpp - Kernels of matrix products ----------------------------===//
//
// A call of a library, or a loop for types that it does not have.
//
//===----------------------------------------------------------------------===//

#include "CallConfig.h"
#include "LongSum.h"
#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/OperationCount.h"

using namespace mlir;
using namespace mlir::job;

/// What NVIDIA recommends on a GPU of compute capability 9: with less, cuBLASLt
/// has fewer algorithms. All calls of a queue share it.
static constexpr int64_t kCublasLtWorkspaceBytes = 32 << 20;

namespace {

struct MatMulCallModel
    : LibraryCallOpInterface::ExternalModel<MatMulCallModel, MatMulOp> {
  int64_t getCallFlops(Operation *op) const {
    auto matmul = cast<MatMulOp>(op);
    return getOperationCount(
        {2, matmul.getBatch(), matmul.getM(), matmul.getN(), matmul.getK()});
  }
  template <typename Config> static Config getProduct(MatMulOp matmul) {
    Config config;
    config.batch = matmul.getBatch();
    config.m = matmul.getM();
    config.n = matmul.getN();
    config.k = matmul.getK();
    config.transpose_a = matmul.getTransposeLhs();
    config.transpose_b = matmul.getTransposeRhs();
    return config;
  }

  Attribute getCallConfig(Operation *op, StringRef target,
                          int64_t maxChunks) const {
    auto matmul = cast<MatMulOp>(op);
    if (target == kCUDATarget) {
      auto config = getProduct<jobrt::calls::CublasLtMatMul>(matmul);
      std::optional<jobrt::calls::Element> element =
          getCallElement(matmul.getType().getElementType());
      if (!element)
        return {};
      config.type = static_cast<int64_t>(*element);
      config.workspace = kCublasLtWorkspaceBytes;
      return jobrt::calls::check(config).empty()
                 ? plan::CublasLtMatMulAttr::get(op->getContext(), config)
                 : Attribute();
    }
    auto config = getProduct<jobrt::calls::MatMul>(matmul);
    return makeCallConfig<plan::MatMulAttr>(
        op, target, config, [&] { splitWork(config, maxChunks); });
  }
};

/// One item is a row of a result.
struct MatMulLoopModel
    : LoopKernelOpInterface::ExternalModel<MatMulLoopModel, MatMulOp> {
  int64_t getNumItems(Operation *op, const TargetCosts &) const {
    auto matmul = cast<MatMulOp>(op);
    return matmul.getBatch() * matmul.getM();
  }
  int64_t getItemCost(Operation *op, const TargetCosts &) const {
    auto matmul = cast<MatMulOp>(op);
    return 2 * matmul.getN() * matmul.getK();
  }

  void buildItem(Operation *op, OpBuilder &builder, const TargetCosts &,
                 Value item, ValueRange operands, ValueRange results) const {
    auto matmul = cast<MatMulOp>(op);
    KernelBuilder b(builder, op->getLoc(), matmul.getType().getElementType());
    int64_t batch = matmul.getBatch();
    // A blob as an array of matrices.
    auto flatten = [&](Value blob) {
      ArrayRef<int64_t> shape = cast<MemRefType>(blob.getType()).getShape();
      return b.reshape(blob, {batch, shape.end()[-2], shape.end()[-1]});
    };
    Value lhs = flatten(operands[0]), rhs = flatten(operands[1]),
          result = flatten(results[0]);
    Value matrix = b.div(item, matmul.getM()), row = b.rem(item, matmul.getM());
    auto loadLhs = [&](Value k) {
      return matmul.getTransposeLhs() ? b.load(lhs, {matrix, k, row})
                                      : b.load(lhs, {matrix, row, k});
    };
    if (matmul.getTransposeRhs()) {
      b.loop(matmul.getN(), [&](Value j) {
        Value sum =
            buildSum(b, matmul.getK(), [&](ArrayRef<Value> k, Value partial) {
              Value term = b.mul(loadLhs(k[0]), b.load(rhs, {matrix, j, k[0]}));
              return b.add(partial, term);
            });
        b.store(sum, result, {matrix, row, j});
      });
      return;
    }
    // Neighbours in a row of rhs at once.
    KernelBuilder v =
        b.withType(VectorType::get(2 * plan::kDefaultLanes, b.getType()));
    v.forEachVector(
        matmul.getN(), {}, [&](Value column, Value mask, ValueRange) {
          auto loadRow = [&](Value k) -> Value {
            SmallVector<Value> at = {matrix, k, column};
            if (!mask)
              return v.make<vector::LoadOp>(cast<VectorType>(v.getType()), rhs,
                                            at);
            return v.make<vector::MaskedLoadOp>(cast<VectorType>(v.getType()),
                                                rhs, at, mask, v.constant(0));
          };
          Value sum =
              buildSum(v, matmul.getK(), [&](ArrayRef<Value> k, Value partial) {
                return v.add(partial,
                             v.mul(v.splat(loadLhs(k[0])), loadRow(k[0])));
              });
          SmallVector<Value> at = {matrix, row, column};
          if (mask)
            vector::MaskedStoreOp::create(builder, op->getLoc(), result, at,
                                          mask, sum);
          else
            vector::StoreOp::create(builder, op->getLoc(), sum, result, at);
          return SmallVector<Value>();
        });
  }
};

} // namespace

void job::attachMatMulModels(MLIRContext *context) {
  MatMulOp::attachInterface<MatMulCallModel, MatMulLoopModel>(*context);
}
