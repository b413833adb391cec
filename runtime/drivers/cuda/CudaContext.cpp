//===- CudaContext.cpp - A CUDA device in use -----------------------------===//

#include "drivers/cuda/CudaContext.h"

#include <algorithm>
#include <cstring>

using namespace jobrt;
using namespace jobrt::cuda;

static Expected<int> countDevices(const Api &api) {
  int count = 0;
  if (Status status = api.check(api.deviceGetCount(&count), "cuDeviceGetCount",
                                "the devices of '" + api.path + "'");
      !status.ok())
    return status;
  return count;
}

/// "0 (NVIDIA H200), 1 (NVIDIA H200)".
static std::string formatDevices(const Api &api, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(i);
    Device device;
    char name[256] = "";
    if (api.deviceGet(&device, i) == kSuccess &&
        api.deviceGetName(name, sizeof(name) - 1, device) == kSuccess)
      text += std::string(" (") + name + ")";
  }
  return text.empty() ? "none" : text;
}

/// Reads the major and the minor number of the compute capability.
static Status readCapability(const Api &api, Device device,
                             const std::string &what, int (&capability)[2]) {
  constexpr int attributes[] = {kComputeCapabilityMajor,
                                kComputeCapabilityMinor};
  for (int i : {0, 1})
    if (Status status = api.check(
            api.deviceGetAttribute(&capability[i], attributes[i], device),
            "cuDeviceGetAttribute", "the capability of " + what);
        !status.ok())
      return status;
  return {};
}

static std::string formatTarget(const Api &api, const int (&capability)[2]) {
  return api.isSimulated ? api.simulatedTarget
                         : "sm_" + std::to_string(capability[0]) +
                               std::to_string(capability[1]);
}

Expected<std::vector<DeviceInfo>> cuda::listDevices(const Api &api) {
  Expected<int> count = countDevices(api);
  if (!count.ok())
    return count.status();
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < *count; ++i) {
    std::string what = "device " + std::to_string(i);
    Device device;
    char name[256] = "";
    if (Status status =
            api.check(api.deviceGet(&device, i), "cuDeviceGet", what);
        !status.ok())
      return status;
    if (Status status =
            api.check(api.deviceGetName(name, sizeof(name) - 1, device),
                      "cuDeviceGetName", what);
        !status.ok())
      return status;
    int capability[2];
    if (Status status = readCapability(api, device, what, capability);
        !status.ok())
      return status;
    devices.push_back(
        {"cuda:" + std::to_string(i), name, formatTarget(api, capability)});
  }
  return devices;
}

std::string DeviceContext::codeTarget() const {
  return formatTarget(api(), capability);
}

Expected<std::shared_ptr<DeviceContext>>
DeviceContext::create(std::shared_ptr<const Api> library, int index) {
  std::shared_ptr<DeviceContext> result(new DeviceContext(std::move(library)));
  result->index = index;
  const Api &api = *result->library;
  Expected<int> count = countDevices(api);
  if (!count.ok())
    return count.status();
  if (index < 0 || index >= *count)
    return Status(StatusCode::kInvalidArgument,
                  "expects a CUDA device of " + formatDevices(api, *count) +
                      " but got " + std::to_string(index));
  std::string what = "device " + std::to_string(index);
  if (Status status =
          api.check(api.deviceGet(&result->device, index), "cuDeviceGet", what);
      !status.ok())
    return status;
  if (Status status =
          readCapability(api, result->device, what, result->capability);
      !status.ok())
    return status;
  if (Status status = api.check(
          api.devicePrimaryCtxRetain(&result->context, result->device),
          "cuDevicePrimaryCtxRetain", what);
      !status.ok())
    return status;
  result->isRetained = true;
  return result;
}

DeviceContext::~DeviceContext() {
  if (isRetained)
    library->devicePrimaryCtxRelease(device);
}

Status DeviceContext::enter() const {
  Result result = library->ctxSetCurrent(context);
  if (result == kSuccess)
    return {};
  return library->check(result, "cuCtxSetCurrent", "the context of the device");
}

Status DeviceContext::enterThread() const {
  int mode = kCaptureRelaxed;
  if (Status status = library->check(library->threadExchangeCaptureMode(&mode),
                                     "cuThreadExchangeStreamCaptureMode",
                                     "a thread of the driver");
      !status.ok())
    return status;
  return enter();
}

ContextScope::ContextScope(const DeviceContext &context) : context(context) {
  const Api &api = context.api();
  Result result = api.ctxGetCurrent(&previous);
  entered = api.check(result, "cuCtxGetCurrent", "the context of the caller");
  // Objects are destroyed in the context all the same, and the thread gets its
  // own back. Either would be lost for good, so a call that fails is made
  // again.
  if (result != kSuccess)
    result = api.ctxGetCurrent(&previous);
  isChanged = result == kSuccess && previous != context.context;
  if (!isChanged && result == kSuccess)
    return;
  Status status = context.enter();
  if (!status.ok())
    (void)context.enter();
  if (entered.ok())
    entered = std::move(status);
}

ContextScope::~ContextScope() {
  if (isChanged && context.api().ctxSetCurrent(previous) != kSuccess)
    (void)context.api().ctxSetCurrent(previous);
}

/// Fills device memory with zeros. Blocks.
static Status clear(const DeviceContext &context, DevicePointer memory,
                    size_t bytes, const std::string &what) {
  const Api &api = context.api();
  Expected<Owned<Stream>> stream = createStream(context);
  if (!stream.ok())
    return stream.status();
  if (Status status =
          api.check(api.memsetD8Async(memory, 0, bytes, stream->get()),
                    "cuMemsetD8Async", what);
      !status.ok())
    return status;
  return api.check(api.streamSynchronize(stream->get()), "cuStreamSynchronize",
                   what);
}

Expected<std::unique_ptr<CudaMemory>>
CudaMemory::create(std::shared_ptr<DeviceContext> context, MemoryKind kind,
                   int64_t bytes, std::string_view purpose) {
  const Api &api = context->api();
  ContextScope scope(*context);
  if (!scope.status().ok())
    return scope.status();
  std::string what =
      std::to_string(bytes) + " bytes for the " + std::string(purpose);
  // CUDA has no memory of 0 bytes.
  size_t size = std::max<int64_t>(bytes, 1);
  bool isDevice = kind == MemoryKind::kDevice;
  DevicePointer device = 0;
  void *host = nullptr;
  Result result = isDevice
                      ? api.memAlloc(&device, size)
                      : api.memHostAlloc(&host, size, kMemHostAllocPortable);
  if (result == kErrorOutOfMemory && isDevice) {
    size_t free = 0, total = 0;
    if (api.memGetInfo(&free, &total) == kSuccess)
      what += ", of which the device has " + std::to_string(free) + " free";
  }
  if (Status status =
          api.check(result, isDevice ? "cuMemAlloc" : "cuMemHostAlloc", what);
      !status.ok())
    return status;
  std::unique_ptr<CudaMemory> memory(
      new CudaMemory(context, bytes, static_cast<std::byte *>(host), device));
  if (!isDevice)
    std::memset(host, 0, size);
  else if (Status status = clear(*context, device, size, what); !status.ok())
    return status;
  return memory;
}

CudaMemory::~CudaMemory() {
  ContextScope scope(*context);
  if (device)
    context->api().memFree(device);
  if (hostAddress())
    context->api().memFreeHost(hostAddress());
}

Expected<Owned<Stream>> cuda::createStream(const DeviceContext &context) {
  const Api &api = context.api();
  Stream stream = nullptr;
  if (Status status = api.check(api.streamCreate(&stream, kStreamNonBlocking),
                                "cuStreamCreate", "a stream of the driver");
      !status.ok())
    return status;
  return Owned<Stream>(context, &Api::streamDestroy, stream);
}

Expected<Owned<Event>> cuda::createEvent(const DeviceContext &context) {
  const Api &api = context.api();
  Event event = nullptr;
  if (Status status = api.check(api.eventCreate(&event, kEventDisableTiming),
                                "cuEventCreate", "an event of the driver");
      !status.ok())
    return status;
  return Owned<Event>(context, &Api::eventDestroy, event);
}
