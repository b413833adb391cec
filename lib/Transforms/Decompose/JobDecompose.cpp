//===- JobDecompose.cpp - Compute ops by other ops ------------------------===//

#include "Decompose.h"

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBDECOMPOSE
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

struct JobDecomposePass : public job::impl::JobDecomposeBase<JobDecomposePass> {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto decomposable = dyn_cast<DecomposableOpInterface>(op);
      if (!decomposable || decomposable.isKernel())
        continue;
      PlacementListener listener;
      PlacementScope scope(listener, getOwnPlacement(&op));
      OpBuilder builder(&op, &listener);
      SmallVector<Value> results = decomposable.decompose(builder);
      op.replaceAllUsesWith(results);
      op.erase();
      ++numDecomposed;
    }
  }
};

} // namespace

void job::registerDecompositionModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachIndexDecompositions(*context);
    attachLossDecompositions(*context);
    attachNormDecompositions(*context);
    attachReduceDecompositions(*context);
    attachStructureDecompositions(*context);
  });
}
