//===- Random.cpp - Kernels of random ops ---------------------------------===//
//
// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3" (2011), in plain integer arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/IR/JobOps.h"

using namespace mlir;
using namespace mlir::job;

namespace {
/// Arithmetic on 32-bit words; i32 constants are made as needed.
struct Philox {
  const KernelBuilder &b;
  Type i32 = b.getBuilder().getI32Type(), i64 = b.getBuilder().getI64Type();

  Value word(uint32_t value) const { return b.intConstant(i32, value); }
  Value low(Value value) const { return b.make<arith::TruncIOp>(i32, value); }
  Value high(Value value) const {
    return low(b.shr(value, b.intConstant(i64, 32)));
  }
  /// Both words of a product.
  std::pair<Value, Value> multiply(Value x, uint32_t factor) const {
    Value product = b.mul(b.make<arith::ExtUIOp>(i64, x),
                          b.intConstant(i64, int64_t(factor)));
    return {high(product), low(product)};
  }

  /// The 23 high bits of the first word for the key `seed` and the counter
  /// (index, id, step).
  Value build(Value seed, Value step, int64_t id, Value index) const {
    std::array<Value, 4> counter = {low(index), word(uint32_t(id)), low(step),
                                    high(step)};
    std::array<Value, 2> key = {low(seed), high(seed)};
    for (int round = 0; round < 10; ++round) {
      auto [high0, low0] = multiply(counter[0], 0xD2511F53);
      auto [high1, low1] = multiply(counter[2], 0xCD9E8D57);
      counter = {b.xorI(b.xorI(high1, counter[1]), key[0]), low1,
                 b.xorI(b.xorI(high0, counter[3]), key[1]), low0};
      key = {b.add(key[0], word(0x9E3779B9)), b.add(key[1], word(0xBB67AE85))};
    }
    return b.shr(counter[0], word(9));
  }
};

/// The index of the element in the blob that counts, of which the result may be
/// a part.
template <typename Op>
static Value buildIndex(const KernelBuilder &b, Op op,
                        const ElementIndices &indices) {
  std::optional<ShardAttr> shard = op.getShard();
  if (!shard)
    return indices.linear();
  auto constant = [&](int64_t value) {
    return b.intConstant(b.getBuilder().getI64Type(), value);
  };
  ArrayRef<int64_t> part = op.getType().getShape(), whole = shard->getShape();
  // Rows of the whole blob, which are contiguous there.
  if (part.drop_front() == whole.drop_front())
    return b.add(indices.linear(),
                 constant(shard->getWholeIndex(part, /*index=*/0)));
  Value index = constant(0);
  for (auto [dim, extent, offset] : llvm::enumerate(whole, shard->getOffsets()))
    index = b.add(b.mul(index, constant(extent)),
                  b.add(indices.dim(dim), constant(offset)));
  return index;
}

struct RandomUniformModel
    : ScalarKernelOpInterface::ExternalModel<RandomUniformModel,
                                             RandomUniformOp> {
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange operands,
                    const ElementIndices &indices) const {
    auto uniform = cast<RandomUniformOp>(op);
    KernelBuilder b(builder, op->getLoc(), uniform.getType().getElementType());
    Value bits = Philox{b}.build(operands[0], operands[1], uniform.getId(),
                                 buildIndex(b, uniform, indices));
    // Exact: the sum has 24 bits.
    Value number = b.make<arith::SIToFPOp>(b.getType(), bits);
    return b.mul(b.add(number, b.constant(0.5)), b.constant(0x1p-23));
  }
};

struct DropoutModel
    : ScalarKernelOpInterface::ExternalModel<DropoutModel, DropoutOp> {
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange operands,
                    const ElementIndices &indices) const {
    auto dropout = cast<DropoutOp>(op);
    KernelBuilder b(builder, op->getLoc(), dropout.getType().getElementType());
    Philox philox{b};
    double rate = dropout.getRate().convertToDouble();
    Value seed = b.intConstant(philox.i64, dropout.getSeed());
    Value bits = philox.build(seed, operands[1], dropout.getId(),
                              buildIndex(b, dropout, indices));
    // (bits + 0.5) * 2^-23 < rate in integers, without rounding the rate.
    auto dropped = uint32_t(std::ceil(rate * 0x1p23 - 0.5));
    Value isDropped =
        b.compare(arith::CmpIPredicate::ult, bits, philox.word(dropped));
    return b.select(isDropped, b.constant(0),
                    b.div(operands[0], b.constant(1 - rate)));
  }
};
} // namespace

void job::attachRandomModels(MLIRContext *context) {
  RandomUniformOp::attachInterface<RandomUniformModel>(*context);
  DropoutOp::attachInterface<DropoutModel>(*context);
}
