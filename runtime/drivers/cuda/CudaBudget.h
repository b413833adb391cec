//===- CudaBudget.h - Whether an artifact fits on a device ------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDABUDGET_H
#define JOBRT_DRIVERS_CUDA_CUDABUDGET_H

#include "drivers/cuda/CudaContext.h"

namespace jobrt::cuda {

/// The memory of a device that a session of an artifact takes there.
struct DeviceBudget {
  explicit DeviceBudget(const DeviceShare &share);

  int64_t total() const {
    return arena + bank + staging + workspace + constants;
  }

  int64_t arena = 0, bank = 0, staging = 0, workspace = 0, constants = 0;
  /// The largest inputs and outputs of an entry.
  int64_t inputs = 0, outputs = 0;
  /// The one with the largest arena; null without entries.
  const EntryInfo *largest = nullptr;
  /// The largest ones, in descending order.
  std::vector<const VariableInfo *> variables;
};

/// Fails (kResourceExhausted) if the device has less memory free: the error has
/// what is needed, and the largest blobs and variables with their lines. In
/// the context.
Status checkFreeMemory(const DeviceContext &context,
                       const DeviceBudget &budget);

/// For an error while a program is made: what libraries and graphs take on the
/// device is not in the budget. Adds to kResourceExhausted what the session
/// takes with the largest blobs and variables; returns other errors as they
/// are. In the context.
Status explainExhaustion(const DeviceContext &context,
                         const DeviceBudget &budget, Status status);

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDABUDGET_H
