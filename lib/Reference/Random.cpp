//===- Random.cpp - Reference of random numbers ---------------------------===//

#include "JobDialect/Reference/Numerics.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

/// The index of an element of the result in the blob that counts.
template <typename Op> static int64_t getIndex(Op op, int64_t index) {
  std::optional<ShardAttr> shard = op.getShard();
  return shard ? shard->getWholeIndex(op.getType().getShape(), index) : index;
}

static LogicalResult computeRandomUniform(RandomUniformOp op,
                                          ReferenceOperands operands,
                                          ReferenceResults results) {
  int64_t seed = operands[0]->getIntegers()[0];
  int64_t step = operands[1]->getIntegers()[0];
  for (auto [index, value] : llvm::enumerate(results[0].getFloats()))
    value = philoxUniform(seed, step, op.getId(), getIndex(op, index));
  return success();
}

static LogicalResult computeDropout(DropoutOp op, ReferenceOperands operands,
                                    ReferenceResults results) {
  int64_t step = operands[1]->getIntegers()[0];
  double rate = op.getRate().convertToDouble();
  for (auto [index, value] : llvm::enumerate(results[0].getFloats())) {
    bool dropped = philoxUniform(op.getSeed(), step, op.getId(),
                                 getIndex(op, index)) < rate;
    value = dropped ? 0 : operands[0]->getFloats()[index] / (1 - rate);
  }
  return success();
}

void job::attachRandomReferences(MLIRContext *context) {
  RandomUniformOp::attachInterface<
      ReferenceModel<RandomUniformOp, computeRandomUniform>>(*context);
  DropoutOp::attachInterface<ReferenceModel<DropoutOp, computeDropout>>(
      *context);
}
