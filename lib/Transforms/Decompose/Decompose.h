//===- Decompose.h - Models of DecomposableOpInterface ----------*- C++ -*-===//
//
// One function a family, each in the file of its name.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_DECOMPOSE_DECOMPOSE_H
#define JOBDIALECT_LIB_TRANSFORMS_DECOMPOSE_DECOMPOSE_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

void attachNormDecompositions(MLIRContext &context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_DECOMPOSE_DECOMPOSE_H
