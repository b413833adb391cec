//===- CudaApi.cpp - The CUDA driver API, opened at run time --------------===//

#include "drivers/cuda/CudaApi.h"
#include "drivers/cuda/SharedLibrary.h"
#include "simulators/cuda/kernel_abi.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace jobrt;
using namespace jobrt::cuda;

std::string cuda::formatCudaVersion(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

/// The library that the user has named; empty for none.
static std::string findNamed(const std::string &library) {
  if (!library.empty())
    return library;
  const char *variable = std::getenv("JOBMLIR_CUDA_LIBRARY");
  return variable ? variable : "";
}

bool Api::isNamed(const std::string &library) {
  return !findNamed(library).empty();
}

Expected<std::shared_ptr<const Api>> Api::load(const std::string &library) {
  auto api = std::make_shared<Api>();
  std::string named = findNamed(library);
  api->path = named.empty() ? "libcuda.so.1" : named;
  // Never closed: CUDA must not be unloaded.
  void *handle = dlopen(api->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    std::string reason = text ? text : "unknown reason";
    // A file that is there and no library of this machine is not the same as no
    // CUDA. Only the text tells which.
    bool isMissing = reason.find(std::strerror(ENOENT)) != std::string::npos;
    return Status(isMissing ? StatusCode::kNotFound
                            : StatusCode::kUnimplemented,
                  "cannot open CUDA's library '" + api->path + "': " + reason);
  }
  FunctionLookup functions({handle, api->path});
#define JOBRT_FIND(name, symbol, parameters) functions.find(api->name, #symbol);
  JOBRT_FOR_EACH_CUDA_FUNCTION(JOBRT_FIND)
#undef JOBRT_FIND
  if (Status status = functions.status("the library of a newer CUDA driver");
      !status.ok())
    return status;
  int version = 0;
  if (Status status = api->check(api->driverGetVersion(&version),
                                 "cuDriverGetVersion", "'" + api->path + "'");
      !status.ok())
    return status;
  if (version < kMinDriverVersion)
    return Status(StatusCode::kUnimplemented,
                  "expects a driver for CUDA " +
                      formatCudaVersion(kMinDriverVersion) +
                      " or newer but got one for CUDA " +
                      formatCudaVersion(version) + ": '" + api->path + "'");
  api->isSimulated = dlsym(handle, JOBSIM_MARKER_SYMBOL) != nullptr;
  if (api->isSimulated) {
    auto *target = reinterpret_cast<const char *(*)()>(
        dlsym(handle, JOBSIM_TARGET_SYMBOL));
    api->simulatedTarget = target ? target() : "simulated";
  }
  return std::shared_ptr<const Api>(std::move(api));
}

Expected<std::shared_ptr<const Api>> Api::open(const std::string &library) {
  Expected<std::shared_ptr<const Api>> loaded = load(library);
  if (!loaded.ok())
    return loaded.status();
  std::shared_ptr<const Api> api = std::move(*loaded);
  Result result = api->init(0);
  if (result == kErrorNoDevice)
    return Status(
        StatusCode::kNotFound,
        api->check(result, "cuInit", "'" + api->path + "'").message());
  if (Status status = api->check(result, "cuInit", "'" + api->path + "'");
      !status.ok())
    return status;
  return api;
}

/// Whether CUDA's reference says of an error that all later work fails with it
/// until the process is launched again.
static bool endsProcess(Result result) {
  return result == kErrorContained || result == kErrorIllegalAddress ||
         result == kErrorLaunchTimeout ||
         (result >= kErrorHardwareStackError && result <= kErrorLaunchFailed);
}

Status Api::check(Result result, const char *function,
                  std::string_view what) const {
  if (result == kSuccess)
    return {};
  const char *text = nullptr;
  std::string error = "the error " + std::to_string(result);
  if (getErrorName(result, &text) == kSuccess && text)
    error = text;
  text = nullptr;
  if (getErrorString(result, &text) == kSuccess && text)
    error += std::string(" (") + text + ")";
  StatusCode code = result == kErrorOutOfMemory ? StatusCode::kResourceExhausted
                                                : StatusCode::kInternal;
  return Status(code, std::string(function) + " failed with " + error + ": " +
                          std::string(what) +
                          (endsProcess(result)
                               ? "; restart the process to use the GPU again"
                               : ""));
}
