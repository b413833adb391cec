//===- CodeObjects.cpp - Code for devices inside an artifact --------------===//

#include "JobDialect/Target/CodeObjects.h"

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::job;

SmallVector<gpu::ObjectAttr> job::getCodeObjects(ModuleOp module) {
  SmallVector<gpu::ObjectAttr> objects;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    llvm::append_range(objects,
                       binary.getObjects().getAsRange<gpu::ObjectAttr>());
  return objects;
}

std::string job::getCodeTarget(gpu::ObjectAttr object) {
  if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(object.getTarget()))
    return target.getChip().str();
  if (auto target = dyn_cast<plan::PTXAttr>(object.getTarget()))
    return (kPTXPrefix + target.getChip().drop_front(kChipPrefix.size())).str();
  return kSimulatedTarget.str();
}
