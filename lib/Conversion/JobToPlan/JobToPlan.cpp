//===- JobToPlan.cpp - Jobs to programs of the plan dialect ---------------===//
//
// The pass, and what the programs of a module share; ProgramBuilder.h converts
// each job.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Passes.h"

#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Targets.h"

#include "KernelRegions.h"
#include "ProgramBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::job {
#define GEN_PASS_DEF_CONVERTJOBTOPLAN
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// ModuleContext
//===----------------------------------------------------------------------===//

ModuleContext::ModuleContext(ModuleOp module)
    : module(module), symbols(module), builder(module.getContext()) {
  declareDevices();
}

void ModuleContext::declareDevices() {
  // The first one is that of the first job.
  llvm::MapVector<PlacementAttr, Location> found = findDevices(module);
  for (PlacementAttr placement : llvm::make_first_range(found))
    devices.try_emplace(placement);
  bool isHostAlone = llvm::all_of(devices, [](const auto &entry) {
    return getTarget(entry.first) != kCUDATarget;
  });
  if (isHostAlone)
    return;
  builder.setInsertionPointToStart(module.getBody());
  for (auto [number, entry] : llvm::enumerate(devices)) {
    auto &[placement, device] = entry;
    uint32_t index = placement.getRanges().front().first;
    device.kind = getTarget(placement) == kCUDATarget ? plan::DeviceKind::CUDA
                                                      : plan::DeviceKind::Host;
    device.queue = static_cast<int64_t>(number);
    auto declared = plan::DeviceOp::create(
        builder, found.find(placement)->second, getDeviceName(placement),
        device.kind, /*queues=*/1, index);
    symbols.insert(declared);
    if (number > 0)
      device.name = FlatSymbolRefAttr::get(declared.getSymNameAttr());
  }
}

static const PlanDevice theHost{};

const PlanDevice &ModuleContext::getDevice(PlacementAttr placement) const {
  auto it = devices.find(placement);
  if (it != devices.end())
    return it->second;
  return devices.empty() ? theHost : devices.front().second;
}

const PlanDevice &ModuleContext::getDevice(plan::SpaceAttr space) const {
  for (const auto &[placement, device] : devices)
    if (device.name == space.getDevice())
      return device;
  return theHost;
}

const PlanDevice &ModuleContext::getHost() const {
  for (const auto &[placement, device] : devices)
    if (device.kind == plan::DeviceKind::Host)
      return device;
  return getDevice(PlacementAttr());
}

plan::SpaceAttr ModuleContext::getSpace(PlacementAttr placement,
                                        plan::SpaceRole role) const {
  return plan::SpaceAttr::get(builder.getContext(), getDevice(placement).name,
                              role);
}

plan::SpaceAttr ModuleContext::getVariableSpace(FlatSymbolRefAttr name) const {
  auto variable = symbols.lookup<VariableOp>(name.getValue());
  return getSpace(variable.getPlacementAttr(), plan::SpaceRole::Variables);
}

FlatSymbolRefAttr ModuleContext::getConstant(Location loc,
                                             DenseElementsAttr value) {
  FlatSymbolRefAttr &symbol = constants[value];
  if (symbol)
    return symbol;
  builder.setInsertionPointToStart(module.getBody());
  auto constant = plan::ConstantOp::create(
      builder, loc, "constant_" + std::to_string(numConstants++), value,
      /*offset=*/nullptr);
  symbols.insert(constant);
  return symbol = FlatSymbolRefAttr::get(constant.getSymNameAttr());
}

EmittedKernel ModuleContext::getKernel(KernelOp kernel,
                                       const KernelSignature &signature,
                                       bool checkNumerics) {
  builder.setInsertionPointToEnd(module.getBody());
  EmittedKernel emitted =
      emitKernel(builder, kernel, "kernel", signature, checkNumerics);
  plan::ExecutableOp executable = emitted.executable;
  executable.setSymName("kernel_" + std::to_string(numKernels++));
  symbols.insert(executable);
  // What the kernel does is explained under its own name.
  if (auto remark = explainDone(executable.getLoc(), ExplainCategory::Kernels,
                                kernel->getParentOfType<FuncOp>().getSymName()))
    remark << "runs as " << executable.getSymName();
  return emitted;
}

/// Checks that ops find their operands on their devices.
static LogicalResult verifyTransfers(ModuleOp module) {
  WalkResult walked = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (!isa_and_present<JobDialect>(op->getDialect()))
      return WalkResult::advance();
    OpOperand *remote = findRemoteOperand(op);
    if (!remote)
      return isa<KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
    op->emitOpError() << "expects operand #" << remote->getOperandNumber()
                      << " on " << getPlacement(op) << " but got one on "
                      << getBlobDevices(remote->get())
                      << ": run job-insert-transfers first";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertJobToPlanPass
    : public job::impl::ConvertJobToPlanBase<ConvertJobToPlanPass> {
  using ConvertJobToPlanBase::ConvertJobToPlanBase;

  void runOnOperation() override {
    bool isWide = !getOperation()
                       .walk([](Operation *op) {
                         // A function of a library may compute with any.
                         if (!computesWithStorageType(op) || getCallConfig(op))
                           return WalkResult::advance();
                         op->emitOpError("expects types that ops can compute "
                                         "with: run job-widen-types first");
                         return WalkResult::interrupt();
                       })
                       .wasInterrupted();
    if (!isWide)
      return signalPassFailure();
    // Text of kernels may be a person's.
    WalkResult verified = getOperation().walk([](KernelOp kernel) {
      return succeeded(verifyKernelRegion(kernel)) ? WalkResult::skip()
                                                   : WalkResult::interrupt();
    });
    if (verified.wasInterrupted())
      return signalPassFailure();
    if (failed(verifyTransfers(getOperation())))
      return signalPassFailure();
    ModuleContext context(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      ProgramBuilder program(func, context, inPlace, checkNumerics);
      if (failed(program.convert()))
        return signalPassFailure();
      numInPlace += program.getNumInPlace();
    }
    for (auto variable :
         llvm::make_early_inc_range(getOperation().getOps<VariableOp>())) {
      OpBuilder builder(variable);
      plan::VariableOp::create(
          builder, variable.getLoc(), variable.getSymNameAttr(),
          TypeAttr::get(plan::getBufferType(
              cast<BlobType>(variable.getType()).getMemRefType(),
              context.getVariableSpace(
                  FlatSymbolRefAttr::get(variable.getSymNameAttr())))),
          variable.getTrainableAttr(), /*offset=*/nullptr,
          variable.getPermutationAttr(), variable.getExpandedShapeAttr());
      variable.erase();
    }
  }
};

} // namespace
