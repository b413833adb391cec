//===- Targets.h - What code is generated for -------------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_TARGETS_H
#define JOBDIALECT_SUPPORT_TARGETS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::job {

/// The names of targets: of variants of kernels, and in the rows of the table
/// of implementations.
inline constexpr llvm::StringLiteral kCPUTarget = "cpu";
inline constexpr llvm::StringLiteral kCUDATarget = "cuda";

/// The target that jobs are compiled for: job-verify-placement refuses
/// placements on other devices than CPUs.
inline constexpr llvm::StringLiteral kJobTarget = kCPUTarget;

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_TARGETS_H
