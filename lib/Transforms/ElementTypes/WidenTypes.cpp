//===- WidenTypes.cpp - Compute in types that ops can compute with --------===//

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBWIDENTYPES
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The blob with elements of the type to compute with.
static BlobType widen(Type type) {
  auto blob = cast<BlobType>(type);
  return blob.withElementType(getComputeType(blob.getElementType()));
}

/// Makes an op compute with wide blobs, with casts around it.
static void widenOp(Operation *op) {
  PlacementListener listener;
  PlacementScope scope(listener, getOwnPlacement(op));
  OpBuilder builder(op, &listener);
  for (OpOperand &operand : op->getOpOperands())
    if (computesWithStorageType(operand))
      operand.set(CastOp::create(builder, op->getLoc(),
                                 widen(operand.get().getType()),
                                 operand.get()));
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    if (!computesWithStorageType(result))
      continue;
    Type type = result.getType();
    result.setType(widen(type));
    if (result.use_empty())
      continue;
    auto narrow = CastOp::create(builder, op->getLoc(), type, result);
    result.replaceAllUsesExcept(narrow, narrow);
  }
}

namespace {
struct JobWidenTypes : public job::impl::JobWidenTypesBase<JobWidenTypes> {
  using Base::Base;

  /// Whether a function of a library computes an op with the types that it has.
  bool isCall(Operation *op) const {
    plan::CallConfigAttrInterface config = getCallConfig(op);
    if (!config)
      return false;
    StringRef feature = config.getRequiredFeature();
    return feature.empty() || llvm::is_contained(cpuFeatures, feature) ||
           op->hasAttr(plan::kImplementationAttrName);
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (computesWithStorageType(op) && !isCall(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      widenOp(op);
    numWidened += ops.size();
    if (ops.empty())
      markAllAnalysesPreserved();
  }
};
} // namespace
