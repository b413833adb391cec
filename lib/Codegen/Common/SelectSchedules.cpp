//===- SelectSchedules.cpp - How kernels run on their targets -------------===//

#include "../CPU/CPUSchedule.h"
#include "../CUDA/CUDASchedule.h"

#include "JobDialect/Codegen/Passes.h"
#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANSELECTSCHEDULES
#include "JobDialect/Codegen/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

namespace {
/// A kernel and the targets of the devices that run it.
struct Kernel {
  ExecutableOp executable;
  llvm::SmallSetVector<StringRef, 2> targets;
};

struct PlanSelectSchedules
    : public plan::impl::PlanSelectSchedulesBase<PlanSelectSchedules> {
  void runOnOperation() override;
};
} // namespace

/// Adds the variants of a body in one of its forms.
template <typename Form> static LogicalResult addVariants(Kernel &kernel) {
  ExecutableOp executable = kernel.executable;
  FailureOr<Form> form = Form::get(executable.getBody());
  if (failed(form))
    return failure();
  OpBuilder builder = OpBuilder::atBlockEnd(&executable.getRegion().front());
  for (StringRef target : kernel.targets) {
    if (executable.getVariant(target))
      continue;
    Attribute schedule = target == job::kCPUTarget
                             ? Attribute(selectCPUSchedule(executable, *form))
                             : selectCUDASchedule(executable, *form);
    auto interface = cast<ScheduleAttrInterface>(schedule);
    VariantOp::create(builder, executable.getLoc(),
                      builder.getStringAttr(target), interface,
                      builder.getI64IntegerAttr(getNumChunks(interface, *form)),
                      /*function=*/nullptr);
  }
  return success();
}

void PlanSelectSchedules::runOnOperation() {
  ModuleOp module = getOperation();
  std::vector<Kernel> kernels;
  DenseMap<StringAttr, size_t> numbers;
  for (auto executable : module.getOps<ExecutableOp>())
    if (executable.getBody()) {
      numbers[executable.getSymNameAttr()] = kernels.size();
      kernels.push_back({executable, {}});
    }
  module.walk([&](DispatchOp dispatch) {
    if (auto it = numbers.find(dispatch.getKernelAttr().getAttr());
        it != numbers.end())
      kernels[it->second].targets.insert(getTarget(dispatch));
  });
  // What no program runs is for the first device.
  auto devices = module.getOps<DeviceOp>();
  StringRef first = devices.empty() ? getTarget(DeviceKind::Host)
                                    : getTarget((*devices.begin()).getKind());
  if (failed(
          failableParallelForEach(&getContext(), kernels, [&](Kernel &kernel) {
            if (kernel.targets.empty())
              kernel.targets.insert(first);
            return ItemLoop::isFormOf(kernel.executable.getBody())
                       ? addVariants<ItemLoop>(kernel)
                       : addVariants<KernelNest>(kernel);
          })))
    signalPassFailure();
}
