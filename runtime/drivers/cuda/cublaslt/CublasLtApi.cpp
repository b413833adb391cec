//===- CublasLtApi.cpp - cuBLASLt, opened at run time ---------------------===//

#include "drivers/cuda/cublaslt/CublasLtApi.h"
#include "drivers/cuda/SharedLibrary.h"

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::cublaslt;

/// The first version with all attributes that are used.
static constexpr size_t kMinMajor = 12;

static constexpr const char *kNames[] = {"libcublasLt.so.13",
                                         "libcublasLt.so.12"};
static constexpr const char *kPackageFolders[] = {"cu13", "cublas"};
static constexpr LibrarySearch kSearch = {
    "cuBLASLt", "JOBMLIR_CUBLASLT_LIBRARY", kNames, kPackageFolders,
    "libjobsim_cublaslt.so"};

Expected<std::shared_ptr<const cublaslt::Api>>
cublaslt::Api::open(const cuda::Api &cuda) {
  Expected<SharedLibrary> library = openLibrary(cuda, kSearch);
  if (!library.ok())
    return library.status();
  auto api = std::make_shared<Api>();
  api->path = library->path;
  FunctionLookup functions(*library);
#define JOBRT_FIND(name, symbol, result, parameters)                           \
  functions.find(api->name, #symbol);
  JOBRT_FOR_EACH_CUBLASLT_FUNCTION(JOBRT_FIND)
#undef JOBRT_FIND
  if (Status status = functions.status("a newer cuBLASLt"); !status.ok())
    return status;
  // 120103 is 12.1.3.
  size_t version = api->getVersion();
  if (version / 10000 < kMinMajor)
    return Status(StatusCode::kUnimplemented,
                  "expects cuBLASLt " + std::to_string(kMinMajor) +
                      " or newer but got version " +
                      std::to_string(version / 10000) + "." +
                      std::to_string(version / 100 % 100) + " in '" +
                      api->path + "'");
  return std::shared_ptr<const Api>(std::move(api));
}

Status cublaslt::Api::check(Result result, const char *function,
                            const std::string &what) const {
  if (result == kSuccess)
    return {};
  std::string error = "the error " + std::to_string(result);
  if (const char *name = getStatusName(result))
    error = name;
  if (const char *text = getStatusString(result))
    error += std::string(" (") + text + ")";
  StatusCode code = result == kAllocFailed    ? StatusCode::kResourceExhausted
                    : result == kNotSupported ? StatusCode::kUnimplemented
                                              : StatusCode::kInternal;
  return Status(code,
                std::string(function) + " failed with " + error + ": " + what);
}
