//===- FixedMemory.cpp - What a job needs beside the arena ----------------===//

#include "JobDialect/Analysis/FixedMemory.h"

#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Support/Targets.h"
#include "jobrt/abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

bool job::isZeroConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  if (!elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return elements.getSplatValue<APInt>().isZero();
}

static int64_t getAlignedBytes(Type type) {
  return llvm::alignTo(cast<BlobType>(type).getBytes(), JOBRT_ALIGNMENT);
}

static int64_t getAlignedBytes(TypeRange types) {
  int64_t bytes = 0;
  for (Type type : types)
    bytes += getAlignedBytes(type);
  return bytes;
}

namespace {
/// The constants with a user outside of kernels.
struct Constants {
  /// Equal ones once.
  int64_t bytes = 0;
  /// Those that use constants: each has all of them.
  DenseSet<Attribute> devices;
};
} // namespace

static Constants findConstants(ModuleOp module) {
  Constants constants;
  DenseSet<Attribute> seen;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    auto constant = dyn_cast<ConstantOp>(op);
    if (!constant)
      return WalkResult::advance();
    bool isFilled = isZeroConstant(constant.getResult());
    // Zero is assigned by filling the variable.
    bool isRead = llvm::any_of(constant->getUsers(), [&](Operation *user) {
      return !(isFilled && isa<AssignOp>(user));
    });
    if (!isRead)
      return WalkResult::advance();
    constants.devices.insert(getPlacement(op));
    if (seen.insert(constant.getValue()).second)
      constants.bytes += getAlignedBytes(constant.getResult().getType());
    return WalkResult::advance();
  });
  return constants;
}

/// The largest workspace of a call, on each device.
static DenseMap<Attribute, int64_t> findWorkspaces(FuncOp func) {
  DenseMap<Attribute, int64_t> workspaces;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // An op of a kernel is computed by its loops.
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    if (auto config = getCallConfig(op)) {
      int64_t &workspace = workspaces[getPlacement(op)];
      workspace =
          std::max<int64_t>(workspace, llvm::alignTo(config.getWorkspaceBytes(),
                                                     JOBRT_ALIGNMENT));
    }
    return WalkResult::advance();
  });
  return workspaces;
}

int64_t job::getFixedBytes(FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  Constants constants = findConstants(module);
  int64_t bytes =
      constants.bytes * static_cast<int64_t>(constants.devices.size());
  for (auto variable : module.getOps<VariableOp>())
    bytes += getAlignedBytes(variable.getType());
  int64_t ports = getAlignedBytes(TypeRange(func.getArgumentTypes())) +
                  getAlignedBytes(TypeRange(func.getResultTypes()));
  bytes += ports;
  // Of a job on several devices, each GPU computes with copies of them in its
  // arena, at most all at once.
  DenseSet<Attribute> devices;
  func.walk([&](Operation *op) { devices.insert(getPlacement(op)); });
  if (devices.size() > 1 && getJobTarget(func) == kCUDATarget)
    bytes += ports;
  for (auto [device, workspace] : findWorkspaces(func))
    bytes += workspace;
  return bytes;
}

/// Whether an op on the device uses an argument of the job.
static bool isUsedOn(Value value, PlacementAttr device) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<ReshapeOp>(user))
      return isUsedOn(user->getResult(0), device);
    return isa<MicroStepsOp>(user) || getPlacement(user) == device;
  });
}

int64_t job::getFixedBytes(FuncOp func, PlacementAttr device) {
  auto module = func->getParentOfType<ModuleOp>();
  Constants constants = findConstants(module);
  int64_t bytes = constants.devices.contains(device) ? constants.bytes : 0;
  for (auto variable : module.getOps<VariableOp>())
    if (getPlacement(variable) == device)
      bytes += getAlignedBytes(variable.getType());
  bytes += findWorkspaces(func).lookup(device);

  int64_t ports = getAlignedBytes(TypeRange(func.getArgumentTypes())) +
                  getAlignedBytes(TypeRange(func.getResultTypes()));
  if (getTarget(device) != kCUDATarget)
    return bytes + ports;
  bool isAlone = true;
  func.walk([&](Operation *op) {
    isAlone &=
        !isa<KernelOp, LibraryCallOpInterface, HostCallOp, TransferOp>(op) ||
        getPlacement(op) == device;
  });
  if (isAlone)
    bytes += ports;
  // It computes with copies of what it uses in its arena, at most all at once.
  for (BlockArgument argument : func.getArguments())
    if (isUsedOn(argument, device))
      bytes += getAlignedBytes(argument.getType());
  for (Value result : func.getReturn().getOperands())
    if (getBlobDevices(result) == device)
      bytes += getAlignedBytes(result.getType());
  return bytes;
}
