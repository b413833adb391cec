//===- JobInsertTransfers.cpp - Copy blobs between devices ----------------===//

#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Analysis/BlobPlaces.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBINSERTTRANSFERS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {
/// Inserts the transfers of one job.
class TransferInserter {
public:
  explicit TransferInserter(FuncOp func) : builder(func.getContext()) {}

  void run(Block &block);

  unsigned numTransfers = 0, numRepeated = 0;

private:
  Value getOn(Value value, PlacementAttr placement);
  bool isCheaperToRepeat(Operation *op) const;

  OpBuilder builder;
  /// What stands for a value on another device.
  DenseMap<std::pair<Value, Attribute>, Value> copies;
};
} // namespace

/// Whether an op runs again on the device of a user, so that its operand is
/// transferred instead, which is less.
bool TransferInserter::isCheaperToRepeat(Operation *op) const {
  if (isa<ConstantOp, ReshapeOp>(op))
    return true;
  auto getBytes = [](Value value) {
    return cast<BlobType>(value.getType()).getBytes();
  };
  return isa<StridedReadOpInterface>(op) &&
         getBytes(op->getOperand(0)) < getBytes(op->getResult(0));
}

/// The value in the memory of a device.
Value TransferInserter::getOn(Value value, PlacementAttr placement) {
  PlacementAttr devices = getBlobDevices(value);
  // Every device reads arguments of the job, and reshapes of them.
  if (!devices || devices == placement)
    return value;
  Operation *def = value.getDefiningOp();
  if (Value copy = copies.lookup({value, placement}))
    return copy;
  OpBuilder::InsertionGuard guard(builder);
  Value copy;
  if (def && isCheaperToRepeat(def)) {
    IRMapping mapping;
    for (Value operand : def->getOperands())
      mapping.map(operand, getOn(operand, placement));
    builder.setInsertionPointAfter(def);
    Operation *clone = builder.clone(*def, mapping);
    setPlacement(clone, placement);
    copy = clone->getResult(0);
    ++numRepeated;
  } else {
    builder.setInsertionPointAfterValue(value);
    copy = TransferOp::create(builder, value.getLoc(), value, placement);
    ++numTransfers;
  }
  return copies[{value, placement}] = copy;
}

void TransferInserter::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto loop = dyn_cast<MicroStepsOp>(op)) {
      run(loop.getBody().front());
      continue;
    }
    // A result is copied to the memory of the host.
    if (isa<TransferOp, ReshapeOp>(op) || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    PlacementAttr placement = getPlacement(&op);
    for (OpOperand &operand : op.getOpOperands())
      operand.set(getOn(operand.get(), placement));
  }
}

namespace {
struct JobInsertTransfers
    : public job::impl::JobInsertTransfersBase<JobInsertTransfers> {
  void runOnOperation() override {
    TransferInserter inserter(getOperation());
    inserter.run(getOperation().getBody().front());
    numTransfers += inserter.numTransfers;
    numRepeated += inserter.numRepeated;
    if (inserter.numTransfers + inserter.numRepeated == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace
