//===- SelectImplementations.cpp - Choosing library functions -------------===//

#include "JobDialect/Transforms/Passes.h"

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/Support/CallSplits.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBSELECTIMPLEMENTATIONS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The configuration of a convolution by cuDNN with the workspace that it needs
/// since its factors may be rounded to TF32; any other one as it is.
static Attribute resizeWorkspace(Attribute implementation, int64_t limit) {
  return TypeSwitch<Attribute, Attribute>(implementation)
      .Case<plan::CudnnConv2dAttr, plan::CudnnConv2dDataGradAttr,
            plan::CudnnConv2dFilterGradAttr>([&](auto attr) {
        auto config = attr.getConfig();
        splitWork(config, limit);
        return decltype(attr)::get(attr.getContext(), config);
      })
      .Default([](Attribute other) { return other; });
}

namespace {
struct JobSelectImplementations
    : public job::impl::JobSelectImplementationsBase<JobSelectImplementations> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (maxChunks >= 0 && maxChunks <= plan::kMaxChunks)
      return success();
    return emitError(UnknownLoc::get(context))
           << "expects max-chunks from 0 to " << plan::kMaxChunks << " but got "
           << maxChunks.getValue();
  }

  void runOnOperation() override {
    bool allowsTF32 = getOperation().getTf32().value_or(tf32);
    IntegerAttr limitAttr = getOperation().getWorkspaceLimitAttr();
    int64_t limit = limitAttr ? limitAttr.getInt() : kNoWorkspaceLimit;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is in a kernel is a part of it.
      if (isa<KernelOp>(op))
        return WalkResult::skip();
      auto call = dyn_cast<LibraryCallOpInterface>(op);
      if (!call || op->hasAttr(plan::kImplementationAttrName))
        return WalkResult::advance();
      Attribute implementation =
          maxChunks == 0 ? getImplementation(call)
                         : call.getCallConfig(getJobTarget(op), maxChunks);
      if (!implementation)
        implementation = plan::GeneratedKernelAttr::get(op->getContext());
      if (auto config = dyn_cast<plan::CallConfigAttrInterface>(implementation);
          config && allowsTF32)
        implementation = resizeWorkspace(config.getWithTF32(), limit);
      op->setAttr(plan::kImplementationAttrName, implementation);
      if (isa<plan::GeneratedKernelAttr>(implementation))
        ++numGenerated;
      else
        ++numCalls;
      return WalkResult::advance();
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
