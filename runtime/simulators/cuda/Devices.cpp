//===- Devices.cpp - Devices and contexts of the simulated CUDA -----------===//

#include "simulators/cuda/State.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <unistd.h>

using namespace jobsim;

/// Null: none.
static thread_local Context currentContext = nullptr;

//===----------------------------------------------------------------------===//
// The simulator
//===----------------------------------------------------------------------===//

/// More GPUs and memory than any machine has.
static constexpr uint64_t kMaxDevices = 1024, kMaxBytes = uint64_t(1) << 46;

static uint64_t readNumber(const char *variable, uint64_t value, uint64_t least,
                           uint64_t most) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return value;
  char *end;
  errno = 0;
  uint64_t number = std::strtoull(text, &end, 0), unit = 1;
  switch (std::toupper(*end)) {
  case 'G':
    unit <<= 10;
    [[fallthrough]];
  case 'M':
    unit <<= 10;
    [[fallthrough]];
  case 'K':
    unit <<= 10;
    ++end;
    break;
  }
  // A sign is taken by strtoull().
  if (std::isdigit(static_cast<unsigned char>(*text)) && !*end && !errno &&
      number <= most / unit && number * unit >= least)
    return number * unit;
  std::fprintf(stderr,
               "jobsim: expected a number from %" PRIu64 " to %" PRIu64
               " in %s but got '%s'\n",
               least, most, variable, text);
  return value;
}

Simulator::Simulator()
    : devices(readNumber("JOBSIM_DEVICES", 1, 0, kMaxDevices)),
      deviceBytes(readNumber("JOBSIM_MEMORY", uint64_t(4) << 30, 0, kMaxBytes)),
      multiprocessors(readNumber("JOBSIM_MULTIPROCESSORS", 4, 1, 1024)),
      driverVersion(readNumber("JOBSIM_DRIVER", 13000, 1000, 99999)) {
  std::random_device entropy;
  seed = readNumber("JOBSIM_SEED", uint64_t(entropy()) << 32 | entropy(), 0,
                    UINT64_MAX);
  random = Random(seed);
  verbose = readNumber("JOBSIM_VERBOSE", 0, 0, 1);
  prefersPtx = readNumber("JOBSIM_PTX", 0, 0, 1);
  patience = std::chrono::milliseconds(
      readNumber("JOBSIM_DEADLOCK", patience.count(), 0, UINT32_MAX));
  std::string order =
      std::getenv("JOBSIM_SCHEDULE") ? std::getenv("JOBSIM_SCHEDULE") : "";
  if (order == "lazy")
    schedule = JOBSIM_SCHEDULE_LAZY;
  else if (order == "eager")
    schedule = JOBSIM_SCHEDULE_EAGER;
  else if (!order.empty() && order != "random")
    std::fprintf(stderr,
                 "jobsim: expected random, lazy or eager in JOBSIM_SCHEDULE "
                 "but got '%s'\n",
                 order.c_str());
}

Simulator &jobsim::simulator() {
  static Simulator *instance = [] {
    auto *made = new Simulator();
    initializeFailures(*made);
    return made;
  }();
  return *instance;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Errors after which the process cannot use the device any more.
bool jobsim::isUnrecoverable(Result result) {
  return result == kErrorIllegalAddress || result == kErrorLaunchTimeout ||
         result == kErrorMisalignedAddress || result == kErrorLaunchFailed;
}

std::shared_ptr<ContextState> jobsim::findCurrentContext(Simulator &sim) {
  return sim.contexts.find(currentContext);
}

Call::Call(Symbol symbol, unsigned needs) : sim(simulator()), lock(sim.mutex) {
  check(injectedFailure(sim, symbol), nameOf(symbol), needs);
}

Call::Call(const char *name, unsigned needs)
    : sim(simulator()), lock(sim.mutex) {
  check(kSuccess, name, needs);
}

void Call::check(Result injected, const char *name, unsigned needs) {
  if (!sim.initialized && !(needs & kUninitialized)) {
    result = injected ? injected : kErrorNotInitialized;
    return;
  }
  if (!(needs & kContext)) {
    result = injected;
    return;
  }
  context = findCurrentContext(sim);
  if (!context) {
    result = injected ? injected
                      : refuse(kErrorInvalidContext,
                               "no context is current on this thread");
    return;
  }
  if (injected && isUnrecoverable(injected))
    failContext(*context, injected);
  result = context->error ? context->error : injected;
  if ((needs & kNoCapture) && invalidateCaptures(sim) && !result) {
    result = refuse(kErrorStreamCaptureUnsupported,
                    std::string(name) + " on a thread that captures a stream, "
                                        "or during a global capture");
    return;
  }
  proceeds = needs & kReleases;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Result cuInit(unsigned flags) {
  Call call(Symbol::cuInit, kUninitialized);
  if (call.refused())
    return call.result;
  if (flags)
    return kErrorInvalidValue;
  if (call.sim.devices.empty())
    return kErrorNoDevice;
  call.sim.initialized = true;
  return kSuccess;
}

Result cuDriverGetVersion(int *version) {
  Call call(Symbol::cuDriverGetVersion, kUninitialized);
  if (call.refused())
    return call.result;
  if (!version)
    return kErrorInvalidValue;
  *version = static_cast<int>(call.sim.driverVersion);
  return kSuccess;
}

namespace {
struct ErrorText {
  Result result;
  const char *name, *text;
};
} // namespace

static constexpr ErrorText kErrors[] = {
    {kSuccess, "CUDA_SUCCESS", "no error"},
    {kErrorInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kErrorOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {kErrorNotInitialized, "CUDA_ERROR_NOT_INITIALIZED",
     "initialization error"},
    {kErrorDeinitialized, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {kErrorNoDevice, "CUDA_ERROR_NO_DEVICE",
     "no CUDA-capable device is detected"},
    {kErrorInvalidDevice, "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {kErrorInvalidPtx, "CUDA_ERROR_INVALID_PTX",
     "a PTX JIT compilation failed"},
    {kErrorInvalidImage, "CUDA_ERROR_INVALID_IMAGE",
     "device kernel image is invalid"},
    {kErrorInvalidContext, "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {kErrorNoBinary, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {kErrorInvalidHandle, "CUDA_ERROR_INVALID_HANDLE",
     "invalid resource handle"},
    {kErrorIllegalState, "CUDA_ERROR_ILLEGAL_STATE",
     "the operation cannot be performed in the present state"},
    {kErrorNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {kErrorNotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {kErrorIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {kErrorLaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {kErrorLaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {kErrorMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS",
     "misaligned address"},
    {kErrorLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {kErrorStreamCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {kErrorStreamCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {kErrorStreamCaptureMerge, "CUDA_ERROR_STREAM_CAPTURE_MERGE",
     "operation would result in a merge of separate capture sequences"},
    {kErrorStreamCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "capture was not ended in the same stream as it began"},
    {kErrorStreamCaptureUnjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "capturing stream has unjoined work"},
    {kErrorStreamCaptureIsolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {kErrorCapturedEvent, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing stream"},
    {kErrorStreamCaptureWrongThread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     "attempt to terminate a thread-local capture sequence from another "
     "thread"},
    {kErrorUnknown, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static Result findError(Result result, const char **text, bool name) {
  if (!text)
    return kErrorInvalidValue;
  *text = nullptr;
  for (const ErrorText &error : kErrors)
    if (error.result == result)
      *text = name ? error.name : error.text;
  return *text ? kSuccess : kErrorInvalidValue;
}

// Callers ask for these to report a failure: they do not fail themselves.

Result cuGetErrorName(Result result, const char **name) {
  return findError(result, name, true);
}

Result cuGetErrorString(Result result, const char **text) {
  return findError(result, text, false);
}

Result cuDeviceGetCount(int *count) {
  Call call(Symbol::cuDeviceGetCount, kNothing);
  if (call.refused())
    return call.result;
  if (!count)
    return kErrorInvalidValue;
  *count = call.sim.devices.size();
  return kSuccess;
}

static bool isDevice(const Call &call, int device) {
  return device >= 0 && size_t(device) < call.sim.devices.size();
}

Result cuDeviceGet(Device *device, int ordinal) {
  Call call(Symbol::cuDeviceGet, kNothing);
  if (call.refused())
    return call.result;
  if (!device)
    return kErrorInvalidValue;
  if (!isDevice(call, ordinal))
    return kErrorInvalidDevice;
  *device = ordinal;
  return kSuccess;
}

Result cuDeviceGetName(char *name, int length, Device device) {
  Call call(Symbol::cuDeviceGetName, kNothing);
  if (call.refused())
    return call.result;
  if (!isDevice(call, device))
    return kErrorInvalidDevice;
  if (!name || length < 1)
    return kErrorInvalidValue;
  std::snprintf(name, length, "simulated GPU %d", device);
  return kSuccess;
}

Result cuDeviceGetAttribute(int *value, int attribute, Device device) {
  Call call(Symbol::cuDeviceGetAttribute, kNothing);
  if (call.refused())
    return call.result;
  if (!isDevice(call, device))
    return kErrorInvalidDevice;
  if (!value)
    return kErrorInvalidValue;
  switch (attribute) {
  case kMultiprocessorCount:
    *value = call.sim.multiprocessors;
    return kSuccess;
  case kAsyncEngineCount:
    *value = 2;
    return kSuccess;
  case kComputeCapabilityMajor:
    *value = kCapability[0];
    return kSuccess;
  case kComputeCapabilityMinor:
    *value = kCapability[1];
    return kSuccess;
  case kMaxSharedBytesPerBlockOptin:
    *value = 232448;
    return kSuccess;
  default:
    return refuse(kErrorInvalidValue,
                  format("the simulated CUDA has no attribute %d of a device",
                         attribute));
  }
}

Result cuDeviceTotalMem_v2(size_t *bytes, Device device) {
  Call call(Symbol::cuDeviceTotalMem_v2, kNothing);
  if (call.refused())
    return call.result;
  if (!isDevice(call, device))
    return kErrorInvalidDevice;
  if (!bytes)
    return kErrorInvalidValue;
  *bytes = call.sim.deviceBytes;
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

Result cuDevicePrimaryCtxRetain(Context *handle, Device device) {
  Call call(Symbol::cuDevicePrimaryCtxRetain, kNothing);
  if (call.refused())
    return call.result;
  if (!isDevice(call, device))
    return kErrorInvalidDevice;
  if (!handle)
    return kErrorInvalidValue;
  std::shared_ptr<ContextState> &context = call.sim.devices[device].primary;
  if (!context) {
    context = std::make_shared<ContextState>();
    context->device = device;
    context->error = call.sim.devices[device].error;
    context->handle = call.sim.contexts.insert(context);
  }
  ++context->uses;
  *handle = context->handle;
  return kSuccess;
}

template <typename TableType>
static void dropObjects(TableType &table, const ContextState *context) {
  std::erase_if(table.entries, [&](const auto &entry) {
    return entry.second->context.get() == context;
  });
}

/// Frees what the context has left.
static void destroyContext(Simulator &sim,
                           const std::shared_ptr<ContextState> &context) {
  if (!context->error)
    for (std::string &leak : findLeaks(sim, context.get()))
      sim.leftBehind.push_back(std::move(leak));
  // A thread that waits for it returns.
  failContext(*context, kErrorInvalidContext);
  for (const auto &entry : sim.streams.entries)
    if (entry.second->context == context)
      if (std::shared_ptr<CaptureState> capture = entry.second->capture)
        endCapture(*capture);
  dropObjects(sim.graphExecs, context.get());
  dropObjects(sim.graphs, context.get());
  dropObjects(sim.functions, context.get());
  for (const auto &entry : sim.modules.entries)
    if (entry.second->context == context)
      entry.second->unloaded = true;
  dropObjects(sim.modules, context.get());
  dropObjects(sim.events, context.get());
  dropObjects(sim.streams, context.get());
  std::vector<Allocation *> allocations;
  for (const auto &entry : sim.memory.allocations)
    if (entry.second->context == context)
      allocations.push_back(entry.second.get());
  for (Allocation *allocation : allocations)
    sim.memory.free(*allocation);
  sim.devices[context->device].used = 0;
  sim.devices[context->device].primary = nullptr;
  sim.contexts.take(context->handle);
}

Result cuDevicePrimaryCtxRelease_v2(Device device) {
  Call call(Symbol::cuDevicePrimaryCtxRelease_v2, kNothing);
  // An injected failure: releases all the same.
  Result injected = call.result;
  if (!call.sim.initialized)
    return injected;
  if (!isDevice(call, device))
    return kErrorInvalidDevice;
  std::shared_ptr<ContextState> context = call.sim.devices[device].primary;
  if (!context)
    return refuse(kErrorInvalidContext, "the primary context is not retained");
  if (--context->uses == 0)
    destroyContext(call.sim, context);
  return injected;
}

Result cuCtxGetCurrent(Context *handle) {
  Call call(Symbol::cuCtxGetCurrent, kNothing);
  if (call.refused())
    return call.result;
  if (!handle)
    return kErrorInvalidValue;
  *handle = currentContext;
  return kSuccess;
}

Result cuCtxSetCurrent(Context handle) {
  Call call(Symbol::cuCtxSetCurrent, kNothing);
  if (call.refused())
    return call.result;
  if (handle && !call.sim.contexts.find(handle))
    return refuse(kErrorInvalidContext, "no such context");
  currentContext = handle;
  return kSuccess;
}
