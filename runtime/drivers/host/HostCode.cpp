//===- HostCode.cpp - Kernels and constants of an artifact ----------------===//

#include "drivers/host/CpuFeatures.h"
#include "drivers/host/HostDriver.h"

using namespace jobrt;

static Status addKernel(HostCode &code, const Artifact &artifact,
                        const EntryInfo &entry, const Command &command) {
  std::string symbol =
      JOBRT_KERNEL_PREFIX + std::to_string(command.kernelIndex);
  void *address = artifact.findSymbol(symbol.c_str());
  if (!address)
    return Status(StatusCode::kDataLoss,
                  "entry '" + entry.name + "': the code has no kernel '" +
                      symbol + "'",
                  command.location);
  code.kernels[command.kernelIndex] =
      reinterpret_cast<jobrt_kernel_fn>(address);
  return {};
}

Expected<HostCode> jobrt::loadHostCode(const Artifact &artifact,
                                       const DeviceShare &share) {
  if (Status status = checkCpuFeatures(artifact.cpuFeatures()); !status.ok())
    return status;
  HostCode code;
  code.constants =
      static_cast<std::byte *>(const_cast<void *>(artifact.constants()));
  for (const EntryInfo *listed : share.entries) {
    const EntryInfo &entry = *listed;
    if (entry.device != DeviceKind::kHost)
      return Status(StatusCode::kInvalidArgument,
                    "expects jobs compiled for the driver host but '" +
                        entry.name + "' is for " +
                        deviceKindName(entry.device));
    for (const Command &command : entry.commands) {
      if (command.kind == Command::Kind::kCollective)
        return Status(StatusCode::kUnimplemented,
                      "entry '" + entry.name +
                          "': the driver host has no collectives",
                      command.location);
      if (command.kind == Command::Kind::kCall &&
          !findLibraryCall(command.callee))
        return Status(StatusCode::kUnimplemented,
                      "entry '" + entry.name +
                          "': this runtime has no library function '" +
                          command.callee + "'",
                      command.location);
      if (command.kind != Command::Kind::kDispatch)
        continue;
      if (Status status = addKernel(code, artifact, entry, command);
          !status.ok())
        return status;
    }
  }
  return code;
}
