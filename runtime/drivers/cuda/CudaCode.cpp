//===- CudaCode.cpp - Kernels and constants on a device -------------------===//

#include "drivers/cuda/CudaCode.h"
#include "drivers/cuda/CudaBudget.h"

#include <cstring>
#include <elf.h>

using namespace jobrt;
using namespace jobrt::cuda;

/// The number behind "sm_" or "compute_", as the manifest's reader has checked;
/// 0 without this prefix.
static int parseCapability(std::string_view target, std::string_view prefix) {
  return target.starts_with(prefix)
             ? std::stoi(std::string(target.substr(prefix.size())))
             : 0;
}

const CodeBlob *cuda::selectCode(const std::vector<CodeBlob> &code,
                                 std::string_view target, int major,
                                 int minor) {
  bool isGpu = target.starts_with("sm_");
  const int capability = 10 * major + minor;
  const CodeBlob *best = nullptr, *text = nullptr;
  int bestVersion = 0, textVersion = 0;
  for (const CodeBlob &blob : code) {
    if (!isGpu && blob.target == target)
      return &blob;
    // The last digit is the minor version.
    int version = parseCapability(blob.target, "sm_");
    if (isGpu && version / 10 == major && version <= capability &&
        version > bestVersion) {
      best = &blob;
      bestVersion = version;
    }
    version = parseCapability(blob.target, "compute_");
    if (version <= capability && version > textVersion) {
      text = &blob;
      textVersion = version;
    }
  }
  return best ? best : text;
}

/// CUDA reads the size of a code object from the object itself, and PTX up to a
/// NUL.
static Status checkCode(const CodeBlob &blob) {
  const bool isText = blob.target.starts_with("compute_");
  if (isText && static_cast<const char *>(blob.data)[blob.bytes - 1] == '\0')
    return {};
  Elf64_Ehdr header;
  if (!isText && blob.bytes >= static_cast<int64_t>(sizeof(header))) {
    std::memcpy(&header, blob.data, sizeof(header));
    auto bytes = static_cast<uint64_t>(blob.bytes);
    uint64_t sections = uint64_t(header.e_shnum) * header.e_shentsize;
    uint64_t programs = uint64_t(header.e_phnum) * header.e_phentsize;
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shoff <= bytes &&
        sections <= bytes - header.e_shoff && header.e_phoff <= bytes &&
        programs <= bytes - header.e_phoff)
      return {};
  }
  return Status(StatusCode::kDataLoss,
                "expects the code for " + blob.target + " to be " +
                    (isText ? "text that ends with a NUL"
                            : "a whole ELF file") +
                    " but got another one, '" + blob.symbol + "'");
}

/// What the driver does not have, in the order of the commands.
static Status checkEntry(const EntryInfo &entry) {
  if (entry.device != DeviceKind::kCuda)
    return Status(StatusCode::kInvalidArgument,
                  "expects jobs compiled for the driver cuda but '" +
                      entry.name + "' is for " + deviceKindName(entry.device));
  for (const Command &command : entry.commands)
    if (command.kind == Command::Kind::kCall && !Libraries::has(command.callee))
      return Status(StatusCode::kUnimplemented,
                    "entry '" + entry.name +
                        "': the driver cuda has no library function '" +
                        command.callee + "'",
                    command.location);
  return {};
}

/// A driver that is older than the compiler's toolkit may not take its code.
static std::string describeDriver(const Api &api) {
  int version = 0;
  if (api.driverGetVersion(&version) != kSuccess)
    return "a driver of unknown version";
  return "a driver for CUDA " + formatCudaVersion(version);
}

static Status findFunction(const Api &api, DeviceCode &code,
                           const CodeBlob &blob, const EntryInfo &entry,
                           const Command &command) {
  Function &function = code.functions[command.kernelName];
  if (!function) {
    Result result = api.moduleGetFunction(&function, code.module.get(),
                                          command.kernelName.c_str());
    if (result == kErrorNotFound)
      return Status(StatusCode::kDataLoss,
                    "entry '" + entry.name + "': the code for " + blob.target +
                        " has no kernel '" + command.kernelName + "'",
                    command.location);
    if (Status status = api.check(result, "cuModuleGetFunction",
                                  "kernel '" + command.kernelName + "'");
        !status.ok())
      return status;
  }
  int threads = 0;
  if (Status status = api.check(
          api.funcGetAttribute(&threads, kFunctionMaxThreadsPerBlock, function),
          "cuFuncGetAttribute", "kernel '" + command.kernelName + "'");
      !status.ok())
    return status;
  if (command.threads > threads)
    return Status(StatusCode::kDataLoss,
                  "entry '" + entry.name + "': expects at most " +
                      std::to_string(threads) + " threads in a block of '" +
                      command.kernelName + "' but got " +
                      std::to_string(command.threads),
                  command.location);
  return {};
}

static Status copyConstants(Engine &engine, const Artifact &artifact,
                            int64_t bytes, DeviceCode &code) {
  if (bytes == 0)
    return {};
  Expected<std::unique_ptr<CudaMemory>> memory = CudaMemory::create(
      engine.sharedContext(), MemoryKind::kDevice, bytes, "constants");
  if (!memory.ok())
    return memory.status();
  code.constants = std::move(*memory);
  const Api &api = engine.context().api();
  if (Status status = api.check(api.memcpyHtoDAsync(code.constants->pointer(),
                                                    artifact.constants(), bytes,
                                                    engine.stream()),
                                "cuMemcpyHtoDAsync", "the constants");
      !status.ok())
    return status;
  return api.check(api.streamSynchronize(engine.stream()),
                   "cuStreamSynchronize", "the copy of the constants");
}

Expected<DeviceCode> cuda::loadDeviceCode(Engine &engine,
                                          const Artifact &artifact,
                                          const DeviceShare &share) {
  const DeviceContext &context = engine.context();
  const Api &api = context.api();
  bool needsCode = false;
  for (const EntryInfo *entry : share.entries) {
    if (Status status = checkEntry(*entry); !status.ok())
      return status;
    for (const Command &command : entry->commands)
      needsCode |= command.kind == Command::Kind::kDispatch;
  }
  DeviceCode code;
  if (needsCode) {
    const CodeBlob *blob = selectCode(artifact.code(), context.codeTarget(),
                                      context.major(), context.minor());
    if (!blob) {
      std::string targets;
      for (const CodeBlob &other : artifact.code())
        targets += (targets.empty() ? "" : ", ") + other.target;
      return Status(StatusCode::kUnimplemented,
                    "expects code for " + context.codeTarget() +
                        " but the artifact has " +
                        (targets.empty() ? "none" : "only " + targets));
    }
    if (Status status = checkCode(*blob); !status.ok())
      return status;
    Module module = nullptr;
    if (Result result = api.moduleLoadData(&module, blob->data))
      return api.check(result, "cuModuleLoadData",
                       "the code for " + blob->target + ", by " +
                           describeDriver(api));
    code.module = Owned<Module>(context, &Api::moduleUnload, module);
    for (const EntryInfo *entry : share.entries)
      for (const Command &command : entry->commands)
        if (command.kind == Command::Kind::kDispatch)
          if (Status status = findFunction(api, code, *blob, *entry, command);
              !status.ok())
            return status;
  }
  if (Status status = checkFreeMemory(context, DeviceBudget(share));
      !status.ok())
    return status;
  if (Status status =
          copyConstants(engine, artifact, share.constantsBytes, code);
      !status.ok())
    return status;
  return code;
}
