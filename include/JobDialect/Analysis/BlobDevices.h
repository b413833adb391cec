//===- BlobDevices.h - The devices of blobs and variables -------*- C++ -*-===//

#ifndef JOBDIALECT_ANALYSIS_BLOBDEVICES_H
#define JOBDIALECT_ANALYSIS_BLOBDEVICES_H

#include "JobDialect/IR/Placement.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace mlir::job {

/// The devices that hold a blob: those of the op that computes it. A reshape is
/// where its operand is. Null for the arguments of a job, which every device
/// reads from the memory of the host, and where nothing is placed.
PlacementAttr getBlobDevices(Value blob);

/// The devices that copy a part of a micro-step to their arena: of a part that
/// is in the memory of the host, those of the ops that use it, which are on one
/// device (job-form-micro-steps).
PlacementAttr getPartDevices(Value part);

/// The operand that an op cannot read, because another device holds it; null if
/// there is none. What leaves a block may be on any device.
OpOperand *findRemoteOperand(Operation *op);

/// The devices of the variables that have no placement themselves: those of the
/// first op that reads or assigns the variable, in training jobs before all
/// others. Ops that no placement applies to count as placed nowhere (null).
llvm::MapVector<StringAttr, PlacementAttr> findVariableHomes(ModuleOp module);

/// The devices of a module, each with an op on it: those of its jobs and their
/// ops, in the order of the text, then those of its variables.
llvm::MapVector<PlacementAttr, Location> findDevices(ModuleOp module);

/// The name of a single device in plans, such as "gpu0".
std::string getDeviceName(PlacementAttr device);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_BLOBDEVICES_H
