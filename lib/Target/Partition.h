//===- Partition.h - Parts of a module to compile apart ---------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TARGET_PARTITION_H
#define JOBDIALECT_LIB_TARGET_PARTITION_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::job {

/// Ops of one part, in the order of the module.
using ModulePart = SmallVector<Operation *>;

/// Splits the LLVM dialect ops of a module into parts that can be compiled
/// apart. What one definition refers to is in the same part, so that every
/// function is optimized as it would be in the whole module; declarations and
/// constants that are not exported are in each part that refers to them. A part
/// ends once it holds `minOps` operations. Depends on the module only.
SmallVector<ModulePart> partitionModule(ModuleOp module, unsigned minOps);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TARGET_PARTITION_H
