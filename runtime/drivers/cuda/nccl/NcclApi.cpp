//===- NcclApi.cpp - NCCL, opened at run time -----------------------------===//

#include "drivers/cuda/nccl/NcclApi.h"
#include "drivers/cuda/SharedLibrary.h"

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::nccl;

/// The first version for CUDA 12, as ncclGetVersion() tells it.
static constexpr int kMinVersion = 21800;

static constexpr const char *kNames[] = {"libnccl.so.2"};
static constexpr const char *kPackageFolders[] = {"nccl"};
static constexpr LibrarySearch kSearch = {"NCCL", "JOBMLIR_NCCL_LIBRARY",
                                          kNames, kPackageFolders,
                                          "libjobsim_nccl.so"};

/// "2.18.3" of 21803.
static std::string formatVersion(int version) {
  return std::to_string(version / 10000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

Expected<std::shared_ptr<const nccl::Api>>
nccl::Api::open(const cuda::Api &cuda) {
  Expected<SharedLibrary> library = openLibrary(cuda, kSearch);
  if (!library.ok())
    return library.status();
  auto api = std::make_shared<Api>();
  api->path = library->path;
  FunctionLookup functions(*library);
#define JOBRT_FIND(name, symbol, result, parameters)                           \
  functions.find(api->name, #symbol);
  JOBRT_FOR_EACH_NCCL_FUNCTION(JOBRT_FIND)
#undef JOBRT_FIND
  if (Status status = functions.status("a newer NCCL"); !status.ok())
    return status;
  int version = 0;
  if (Status status = api->check(api->getVersion(&version), "ncclGetVersion",
                                 nullptr, "'" + api->path + "'");
      !status.ok())
    return status;
  if (version < kMinVersion)
    return Status(StatusCode::kUnimplemented,
                  "expects NCCL " + formatVersion(kMinVersion) +
                      " or newer but got version " + formatVersion(version) +
                      " in '" + api->path + "'");
  return std::shared_ptr<const Api>(std::move(api));
}

Status nccl::Api::check(Result result, const char *function, Comm comm,
                        const std::string &what) const {
  if (result == kSuccess)
    return {};
  std::string error = "the error " + std::to_string(result);
  if (const char *text = getErrorString(result))
    error += std::string(" (") + text + ")";
  if (const char *text = getLastError(comm); text && *text)
    error += std::string(", '") + text + "'";
  return Status(StatusCode::kInternal,
                std::string(function) + " failed with " + error + ": " + what);
}
