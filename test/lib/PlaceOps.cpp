//===- PlaceOps.cpp - Random devices for the ops of jobs ------------------===//
//
// Places ops on the CPU and on two GPUs at random, for tests of jobs on several
// devices. Neighbours are often on one device, as they are in jobs that people
// write. Knows ops by name only, like the other passes of this library.
//
//===----------------------------------------------------------------------===//

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <random>

using namespace mlir;

namespace {
struct PlaceOpsPass
    : public PassWrapper<PlaceOpsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlaceOpsPass)
  PlaceOpsPass() = default;
  PlaceOpsPass(const PlaceOpsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-place-ops"; }
  StringRef getDescription() const override {
    return "Place jobs and ops on random devices";
  }
  void runOnOperation() override;

  Option<unsigned> seed{*this, "seed", llvm::cl::desc("Of the random devices"),
                        llvm::cl::init(0)};
};
} // namespace

void PlaceOpsPass::runOnOperation() {
  // The standard fixes the numbers of this generator, not those of
  // distributions.
  std::mt19937 random(seed);
  SmallVector<Attribute> devices;
  for (StringRef text :
       {"#job.placement<cpu, \"0:0\">", "#job.placement<gpu, \"0:0\">",
        "#job.placement<gpu, \"0:1\">"})
    devices.push_back(parseAttribute(text, &getContext()));
  Attribute device = devices.front();
  for (Operation &job : *getOperation().getBody()) {
    if (job.getName().getStringRef() != "job.func")
      continue;
    job.setAttr("placement", devices[random() % devices.size()]);
    for (Operation &op : job.getRegion(0).front().without_terminator()) {
      if (random() % 4 == 0)
        device = devices[random() % devices.size()];
      op.setAttr("job.placement", device);
    }
  }
}

void registerPlaceOps() { PassRegistration<PlaceOpsPass>(); }
