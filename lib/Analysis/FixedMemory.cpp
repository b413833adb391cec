//===- FixedMemory.cpp - What a job needs beside the arena ----------------===//

#include "JobDialect/Analysis/FixedMemory.h"

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

/// Bytes of the constants with a user outside of kernels, equal ones once, on
/// each device that uses constants.
static int64_t getConstantBytes(ModuleOp module) {
  int64_t bytes = 0;
  DenseSet<Attribute> seen, devices;
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
    devices.insert(getPlacement(op));
    if (seen.insert(constant.getValue()).second)
      bytes += getAlignedBytes(constant.getResult().getType());
    return WalkResult::advance();
  });
  return bytes * static_cast<int64_t>(devices.size());
}

int64_t job::getFixedBytes(FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  int64_t bytes = getConstantBytes(module);
  for (auto variable : module.getOps<VariableOp>())
    bytes += getAlignedBytes(variable.getType());
  int64_t ports = getAlignedBytes(TypeRange(func.getArgumentTypes())) +
                  getAlignedBytes(TypeRange(func.getResultTypes()));
  bytes += ports;
  // A GPU computes with copies of them in its arena, at most all at once.
  if (getJobTarget(func) == kCUDATarget)
    bytes += ports;
  // Each device has one.
  DenseMap<Attribute, int64_t> workspaces;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // An op of a kernel is computed by its loops.
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    if (auto config = getCallConfig(op)) {
      int64_t &workspace = workspaces[getPlacement(op)];
      workspace = std::max(workspace, config.getWorkspaceBytes());
    }
    return WalkResult::advance();
  });
  for (int64_t workspace : llvm::make_second_range(workspaces))
    bytes += llvm::alignTo(workspace, JOBRT_ALIGNMENT);
  return bytes;
}
