//===- VerifyPlan.cpp - Verify commands against what they run -------------===//

#include "VerifyCalls.h"

#include "JobDialect/Codegen/CPUSchedule.h"
#include "JobDialect/Plan/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANVERIFY
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Checks a body in one of its forms, and the schedule of a variant, where it
/// has one, against it.
template <typename Form>
static LogicalResult verifyBody(func::FuncOp body, VariantOp variant,
                                CPUScheduleAttr schedule) {
  FailureOr<Form> form = Form::get(body);
  if (failed(form))
    return failure();
  if (!schedule)
    return success();
  if (failed(verifySchedule(variant, *form, schedule)))
    return failure();
  int64_t chunks = getNumChunks(*form, schedule);
  if (variant.getChunks().value_or(chunks) == static_cast<uint64_t>(chunks))
    return success();
  return variant.emitOpError()
         << "expects " << chunks << " chunks, as the schedule makes, but got "
         << *variant.getChunks();
}

static LogicalResult verifyExecutable(ExecutableOp executable) {
  VariantOp variant = executable.getVariant(kCPUName);
  Attribute attr = variant ? variant.getScheduleAttr() : Attribute();
  auto schedule = dyn_cast_if_present<CPUScheduleAttr>(attr);
  if (attr && !schedule)
    return variant.emitOpError()
           << "expects a #plan.cpu_schedule but got " << attr;
  func::FuncOp code = variant ? variant.getCode() : func::FuncOp();
  if (code && code.isExternal())
    return code.emitOpError("expects code but got a declaration");
  func::FuncOp body = executable.getBody();
  if (!body)
    return success();
  return ItemLoop::isFormOf(body)
             ? verifyBody<ItemLoop>(body, variant, schedule)
             : verifyBody<KernelNest>(body, variant, schedule);
}

static LogicalResult verifyDispatch(DispatchOp dispatch,
                                    SymbolTableCollection &symbols) {
  auto executable = symbols.lookupNearestSymbolFrom<ExecutableOp>(
      dispatch->getParentOp(), dispatch.getKernelAttr());
  func::FuncOp body = executable.getBody();
  if (!body)
    return success();
  int64_t expected = 0;
  body.walk([&](CheckOp check) {
    expected = static_cast<int64_t>(check.getCount());
  });
  int64_t checks = dispatch.getChecks() ? dispatch.getChecks()->size() : 0;
  if (checks == expected)
    return success();
  InFlightDiagnostic error = dispatch.emitOpError()
                             << "expects " << expected
                             << " checks, as its kernel has, but got "
                             << checks;
  error.attachNote(executable.getLoc()) << "the kernel is here";
  return error;
}

/// Queues are those of the module's devices.
static LogicalResult verifyQueue(PlanCommandOpInterface command,
                                 uint64_t numQueues) {
  if (command.getQueue() < numQueues)
    return success();
  return command->emitOpError()
         << "expects a queue below " << numQueues
         << ", the number of queues of the module's devices, but got "
         << command.getQueue();
}

namespace {
struct PlanVerify : public plan::impl::PlanVerifyBase<PlanVerify> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto executable : module.getOps<ExecutableOp>())
      if (failed(verifyExecutable(executable)))
        return signalPassFailure();
    uint64_t numQueues = 0;
    for (auto device : module.getOps<DeviceOp>())
      numQueues += device.getQueues();
    SymbolTableCollection symbols;
    for (auto program : module.getOps<ProgramOp>()) {
      for (PlanCommandOpInterface command : getCommands(program)) {
        LogicalResult result =
            verifyQueue(command, std::max<uint64_t>(numQueues, 1));
        if (failed(result))
          return signalPassFailure();
        if (auto dispatch = dyn_cast<DispatchOp>(*command))
          result = verifyDispatch(dispatch, symbols);
        else if (auto call = dyn_cast<CallOp>(*command))
          result = verifyLibraryCall(call);
        if (failed(result))
          return signalPassFailure();
      }
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
