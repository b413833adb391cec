//===- KernelCanonicalizer.h - Simpler kernels, same numbers ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_KERNELCANONICALIZER_H
#define JOBDIALECT_LIB_CONVERSION_KERNELCANONICALIZER_H

#include "mlir/Pass/Pass.h"

namespace mlir::job {

/// MLIR's canonicalizer without the patterns that leave out a rounding.
std::unique_ptr<Pass> createKernelCanonicalizer();

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_KERNELCANONICALIZER_H
