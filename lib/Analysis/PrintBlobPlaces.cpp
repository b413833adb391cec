//===- PrintBlobPlaces.cpp - Print where the plan keeps blobs -------------===//

#include "JobDialect/Analysis/BlobPlaces.h"
#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/Analysis/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBPRINTBLOBPLACES
#include "JobDialect/Analysis/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static std::string describe(const BlobPlaces &places, OpResult result) {
  BlobPlace place = places.getPlace(result);
  std::string index = std::to_string(place.index);
  switch (place.kind) {
  case BlobPlace::Arena:
    return "in a buffer of its own";
  case BlobPlace::Input:
    return "in the buffer of input " + index;
  case BlobPlace::Variable:
    return "in variable '" + places.getVariable(result).getValue().str() + "'";
  case BlobPlace::Output:
    return "in output " + index;
  case BlobPlace::Sum:
    return "in sum " + index;
  case BlobPlace::Rows:
    return "in the rows of packed result " + index;
  }
  llvm_unreachable("unknown kind of place");
}

static void printBlock(Block &block, const BlobPlaces &places) {
  for (BlockArgument argument : block.getArguments())
    if (places.isCopied(argument))
      emitRemark(argument.getLoc()) << "the rows of each micro-step are copied";
  for (Operation &op : block) {
    if (isa<ReadOp>(op) && places.isCopied(op.getResult(0)))
      op.emitRemark("the value is copied");
    if (isa<KernelOp, MicroStepsOp, LibraryCallOpInterface, HostCallOp>(op))
      for (OpResult result : op.getResults())
        op.emitRemark() << "result " << result.getResultNumber() << " is "
                        << describe(places, result);
  }
}

namespace {

struct PrintBlobPlacesPass
    : public job::impl::JobPrintBlobPlacesBase<PrintBlobPlacesPass> {
  using JobPrintBlobPlacesBase::JobPrintBlobPlacesBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<FuncOp>()) {
      Block &block = func.getBody().front();
      BlobPlaces places(block, {inPlace, checkNumerics});
      func.emitRemark() << "job '" << func.getSymName() << "' needs "
                        << places.getPeakBytes()
                        << " bytes of the arena at the peak and "
                        << getFixedBytes(func) << " bytes beside the arena";
      printBlock(block, places);
      for (auto loop : block.getOps<MicroStepsOp>()) {
        Block &body = loop.getBody().front();
        printBlock(body, BlobPlaces(body, {inPlace, checkNumerics}));
      }
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
