//===- CudaCode.h - Kernels and constants on a device -----------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_CUDA_CUDACODE_H
#define JOBRT_DRIVERS_CUDA_CUDACODE_H

#include "drivers/cuda/CudaCall.h"
#include "drivers/cuda/CudaLanes.h"

#include <map>

namespace jobrt::cuda {

/// What an artifact has on a device.
struct DeviceCode {
  Owned<Module> module;
  /// All kernels of the commands, by name.
  std::map<std::string, Function> functions;
  /// Null if there are none.
  std::unique_ptr<CudaMemory> constants;
};

/// Chooses the code for the device, loads it, finds the kernels of the entries
/// and copies the constants. Blocks. In the calling thread's context. Errors:
/// kInvalidArgument (an entry for another kind of device), kUnimplemented (no
/// code for this device, which names the targets of the artifact; a command
/// that the driver does not have), kDataLoss (a kernel that is not in the
/// code), kResourceExhausted (less memory is free than a session takes).
Expected<DeviceCode> loadDeviceCode(Engine &engine, const Artifact &artifact,
                                    const DeviceShare &share);

/// The blob for a device that runs code of `target`, of that compute
/// capability: that of "simulated" for a device of that target; for "sm_90",
/// the one of the same major and the largest minor version that is not larger.
/// Where there is none, PTX for the largest capability that is not larger; null
/// if there is none, either.
const CodeBlob *selectCode(const std::vector<CodeBlob> &code,
                           std::string_view target, int major, int minor);

namespace nccl {
class Communicator;
}

/// A program that runs an entry as CUDA graphs. Engine, lanes, code, libraries
/// and communicator outlive it. The communicator is null if the artifact has no
/// collectives.
Expected<std::unique_ptr<Program>>
createCudaProgram(Engine &engine, StepLanes &lanes, const DeviceCode &code,
                  Libraries &libraries, nccl::Communicator *communicator,
                  const EntryInfo &entry, const SessionMemory &memory);

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDACODE_H
