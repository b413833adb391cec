//===- CudnnApi.cpp - cuDNN, opened at run time ---------------------------===//

#include "drivers/cuda/cudnn/CudnnApi.h"
#include "drivers/cuda/SharedLibrary.h"

using namespace jobrt;
using namespace jobrt::cuda;
using namespace jobrt::cuda::cudnn;

/// Version 8 has other errors.
static constexpr size_t kMajor = 9;

static constexpr const char *kNames[] = {"libcudnn.so.9"};
static constexpr const char *kPackageFolders[] = {"cudnn"};
static constexpr LibrarySearch kSearch = {"cuDNN", "JOBMLIR_CUDNN_LIBRARY",
                                          kNames, kPackageFolders,
                                          "libjobsim_cudnn.so"};

Expected<std::shared_ptr<const cudnn::Api>>
cudnn::Api::open(const cuda::Api &cuda) {
  Expected<SharedLibrary> library = openLibrary(cuda, kSearch);
  if (!library.ok())
    return library.status();
  auto api = std::make_shared<Api>();
  api->path = library->path;
  FunctionLookup functions(*library);
#define JOBRT_FIND(name, symbol, result, parameters)                           \
  functions.find(api->name, #symbol);
  JOBRT_FOR_EACH_CUDNN_FUNCTION(JOBRT_FIND)
#undef JOBRT_FIND
  if (Status status = functions.status("a newer cuDNN"); !status.ok())
    return status;
  // 91900 is 9.19.0; before version 9, 8907 was 8.9.7.
  size_t version = api->getVersion();
  size_t major = version / (version < 10000 ? 1000 : 10000),
         minor = version / 100 % (version < 10000 ? 10 : 100);
  if (major != kMajor)
    return Status(StatusCode::kUnimplemented,
                  "expects cuDNN " + std::to_string(kMajor) +
                      " but got version " + std::to_string(major) + "." +
                      std::to_string(minor) + " in '" + api->path + "'");
  api->version = version;
  return std::shared_ptr<const Api>(std::move(api));
}

Status cudnn::Api::requireVersion(size_t minor, const char *what) const {
  if (version >= kMajor * 10000 + minor * 100)
    return {};
  auto text = [](size_t minor) {
    return std::to_string(kMajor) + "." + std::to_string(minor);
  };
  return Status(StatusCode::kUnimplemented,
                "expects cuDNN " + text(minor) + " or newer for " + what +
                    " but got " + text(version / 100 % 100) + " in '" + path +
                    "'");
}

/// The library's text on one line, which is all that an error has room for.
static std::string getReason(const cudnn::Api &api) {
  char text[256] = "";
  api.getLastErrorString(text, sizeof(text));
  text[sizeof(text) - 1] = '\0';
  std::string reason;
  for (const char *c = text; *c; ++c)
    reason += static_cast<unsigned char>(*c) < ' ' ? ' ' : *c;
  return reason;
}

Status cudnn::Api::check(Result result, const char *function,
                         const std::string &what) const {
  if (result == kSuccess)
    return {};
  std::string error = "the error " + std::to_string(result);
  if (const char *name = getErrorString(result))
    error = name;
  if (std::string reason = getReason(*this); !reason.empty())
    error += " (" + reason + ")";
  bool isMemory =
      result == kHostAllocationFailed || result == kDeviceAllocationFailed;
  StatusCode code = isMemory                 ? StatusCode::kResourceExhausted
                    : isNotSupported(result) ? StatusCode::kUnimplemented
                                             : StatusCode::kInternal;
  return Status(code,
                std::string(function) + " failed with " + error + ": " + what);
}
