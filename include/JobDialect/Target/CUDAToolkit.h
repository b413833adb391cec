//===- CUDAToolkit.h - Where ptxas is ---------------------------*- C++ -*-===//

#ifndef JOBDIALECT_TARGET_CUDATOOLKIT_H
#define JOBDIALECT_TARGET_CUDATOOLKIT_H

#include <string>

namespace mlir::job {

/// The folder of a CUDA toolkit, whose bin/ptxas makes code for GPUs: what
/// CUDA_HOME, CUDA_PATH or CUDA_ROOT says, or else the first that is there of
/// one in PATH, that of the package nvidia-cuda-nvcc beside the Python package,
/// /usr/local/cuda, and the one that the build has found. Empty if ptxas is not
/// there.
std::string findCUDAToolkit();

} // namespace mlir::job

#endif // JOBDIALECT_TARGET_CUDATOOLKIT_H
