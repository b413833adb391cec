//===- FakeCuda.cpp - A small libcuda for tests ---------------------------===//

#include "unittests/cuda/FakeCuda.h"
#include "drivers/cuda/CudaApi.h"
#include "simulators/cuda/kernel_abi.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <functional>
#include <mutex>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace jobrt::cuda;

using Operations = std::vector<std::function<Result()>>;

// The types that are opaque to the driver.
struct CUgraph_st {
  Operations operations;
  /// Those that it captures.
  std::vector<CUstream_st *> streams;
};
struct CUgraphExec_st {
  Operations operations;
};
struct CUstream_st {
  CUgraph_st *capture = nullptr;
};
struct CUevent_st {
  CUgraph_st *capture = nullptr;
};
struct CUfunc_st {
  const jobsim_kernel *kernel;
};
struct CUmod_st {
  int file;
  void *handle;
  std::vector<CUfunc_st> functions;
};

static std::mutex mutex;
static long numCalls = 0, failingCall = 0;
static Result failure = kSuccess;
static std::atomic<long> numObjects{0};
static thread_local Context currentContext = nullptr;

void fake_cuda_fail(long call, int result) {
  std::lock_guard lock(mutex);
  numCalls = 0;
  failingCall = call;
  failure = result;
}
long fake_cuda_calls(void) {
  std::lock_guard lock(mutex);
  return numCalls;
}
long fake_cuda_objects(void) { return numObjects.load(); }

static Result countCall() {
  std::lock_guard lock(mutex);
  return ++numCalls == failingCall ? failure : kSuccess;
}
#define COUNT()                                                                \
  if (Result counted = countCall())                                            \
  return counted

template <typename T> static void destroy(T *object) {
  delete object;
  --numObjects;
}
template <typename T> static void create(T **object, T *value) {
  *object = value;
  ++numObjects;
}

/// Does it now, or notes it in the graph that the stream captures.
static Result add(Stream stream, std::function<Result()> operation) {
  if (!stream->capture)
    return operation();
  stream->capture->operations.push_back(std::move(operation));
  return kSuccess;
}

extern "C" {
#ifndef FAKE_CUDA_WITHOUT_MARKER
uint32_t jobsim_abi_version(void) { return JOBSIM_ABI_VERSION; }
#endif

Result cuInit(unsigned) {
  if (const char *text = std::getenv("FAKE_CUDA_INIT"))
    return std::atoi(text);
  COUNT();
  return kSuccess;
}
Result cuDriverGetVersion(int *version) {
  COUNT();
  const char *text = std::getenv("FAKE_CUDA_VERSION");
  *version = text ? std::atoi(text) : 13000;
  return kSuccess;
}
Result cuGetErrorName(Result result, const char **text) {
  *text = result == kErrorOutOfMemory    ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == kErrorNoDevice     ? "CUDA_ERROR_NO_DEVICE"
          : result == kErrorLaunchFailed ? "CUDA_ERROR_LAUNCH_FAILED"
                                         : nullptr;
  return *text ? kSuccess : kErrorInvalidValue;
}
Result cuGetErrorString(Result result, const char **text) {
  *text = result == kErrorOutOfMemory ? "out of memory" : nullptr;
  return *text ? kSuccess : kErrorInvalidValue;
}
Result cuDeviceGetCount(int *count) {
  COUNT();
  *count = 2;
  return kSuccess;
}
Result cuDeviceGet(Device *device, int index) {
  COUNT();
  *device = index;
  return index < 2 ? kSuccess : kErrorInvalidDevice;
}
Result cuDeviceGetName(char *name, int bytes, Device) {
  COUNT();
  std::strncpy(name, "Fake", bytes);
  return kSuccess;
}
Result cuDeviceGetAttribute(int *value, int attribute, Device) {
  COUNT();
  *value = attribute == kComputeCapabilityMajor ? 9 : 0;
  return kSuccess;
}
Result cuDeviceTotalMem_v2(size_t *bytes, Device) {
  COUNT();
  *bytes = size_t(1) << 30;
  return kSuccess;
}
Result cuDevicePrimaryCtxRetain(Context *context, Device device) {
  COUNT();
  *context = reinterpret_cast<Context>(size_t(device) + 1);
  ++numObjects;
  return kSuccess;
}
Result cuDevicePrimaryCtxRelease_v2(Device) {
  --numObjects;
  return kSuccess;
}
Result cuCtxSetCurrent(Context context) {
  currentContext = context;
  return kSuccess;
}
Result cuCtxGetCurrent(Context *context) {
  *context = currentContext;
  return kSuccess;
}
Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = size_t(1) << 29;
  *total = size_t(1) << 30;
  return kSuccess;
}
static Result allocate(void **memory, size_t bytes) {
  COUNT();
  if (bytes == 0)
    return kErrorInvalidValue;
  if (bytes > size_t(1) << 30)
    return kErrorOutOfMemory;
  // Full of garbage, as a device's memory.
  size_t rounded = (bytes + 255) / 256 * 256;
  *memory = std::aligned_alloc(256, rounded);
  std::memset(*memory, 0xa5, rounded);
  ++numObjects;
  return kSuccess;
}
Result cuMemAlloc_v2(DevicePointer *memory, size_t bytes) {
  return allocate(reinterpret_cast<void **>(memory), bytes);
}
Result cuMemFree_v2(DevicePointer memory) {
  std::free(reinterpret_cast<void *>(memory));
  --numObjects;
  return kSuccess;
}
Result cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  return allocate(memory, bytes);
}
Result cuMemFreeHost(void *memory) {
  std::free(memory);
  --numObjects;
  return kSuccess;
}
static Result copy(void *to, const void *from, size_t bytes, Stream stream) {
  COUNT();
  return add(stream, [=] {
    std::memcpy(to, from, bytes);
    return kSuccess;
  });
}
Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes,
                            Stream stream) {
  return copy(reinterpret_cast<void *>(to), from, bytes, stream);
}
Result cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes,
                            Stream stream) {
  return copy(to, reinterpret_cast<void *>(from), bytes, stream);
}
Result cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes,
                            Stream stream) {
  return copy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
              bytes, stream);
}
Result cuMemsetD8Async(DevicePointer memory, unsigned char value, size_t bytes,
                       Stream stream) {
  COUNT();
  return add(stream, [=] {
    std::memset(reinterpret_cast<void *>(memory), value, bytes);
    return kSuccess;
  });
}
Result cuStreamCreate(Stream *stream, unsigned) {
  COUNT();
  create(stream, new CUstream_st);
  return kSuccess;
}
Result cuStreamDestroy_v2(Stream stream) {
  destroy(stream);
  return kSuccess;
}
Result cuStreamSynchronize(Stream stream) {
  COUNT();
  return stream->capture ? kErrorStreamCaptureUnsupported : kSuccess;
}
Result cuStreamWaitEvent(Stream stream, Event event, unsigned) {
  COUNT();
  if (event->capture && !stream->capture) {
    stream->capture = event->capture;
    stream->capture->streams.push_back(stream);
  }
  return kSuccess;
}
Result cuStreamBeginCapture_v2(Stream stream, int) {
  COUNT();
  create(&stream->capture, new CUgraph_st);
  stream->capture->streams.push_back(stream);
  return kSuccess;
}
Result cuStreamEndCapture(Stream stream, Graph *graph) {
  // Ends the capture also when it fails, as CUDA does.
  *graph = stream->capture;
  for (Stream captured : (*graph)->streams)
    captured->capture = nullptr;
  stream->capture = nullptr;
  if (Result result = countCall()) {
    destroy(*graph);
    *graph = nullptr;
    return result;
  }
  return *graph ? kSuccess : kErrorStreamCaptureInvalidated;
}
Result cuThreadExchangeStreamCaptureMode(int *) { return kSuccess; }
Result cuEventCreate(Event *event, unsigned) {
  COUNT();
  create(event, new CUevent_st);
  return kSuccess;
}
Result cuEventDestroy_v2(Event event) {
  destroy(event);
  return kSuccess;
}
Result cuEventRecord(Event event, Stream stream) {
  COUNT();
  event->capture = stream->capture;
  return kSuccess;
}
Result cuEventRecordWithFlags(Event, Stream stream, unsigned) {
  COUNT();
  return stream->capture ? kSuccess : kErrorInvalidValue;
}
Result cuEventQuery(Event) { return kSuccess; }
Result cuEventSynchronize(Event event) {
  COUNT();
  return event->capture ? kErrorStreamCaptureUnsupported : kSuccess;
}
Result cuEventElapsedTime(float *milliseconds, Event, Event) {
  *milliseconds = 0;
  return kSuccess;
}
Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph,
                                   unsigned long long) {
  COUNT();
  create(exec, new CUgraphExec_st{graph->operations});
  return kSuccess;
}
Result cuGraphLaunch(GraphExec exec, Stream) {
  COUNT();
  for (const auto &operation : exec->operations)
    if (Result result = operation())
      return result;
  return kSuccess;
}
Result cuGraphExecDestroy(GraphExec exec) {
  destroy(exec);
  return kSuccess;
}
Result cuGraphDestroy(Graph graph) {
  destroy(graph);
  return kSuccess;
}
Result cuModuleLoadData(Module *module, const void *image) {
  COUNT();
  auto *header = static_cast<const Elf64_Ehdr *>(image);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return kErrorInvalidImage;
  size_t bytes = header->e_shoff + header->e_shnum * header->e_shentsize;
  int file = memfd_create("module", MFD_CLOEXEC);
  if (write(file, image, bytes) != static_cast<ssize_t>(bytes))
    return kErrorInvalidImage;
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    close(file);
    return kErrorInvalidImage;
  }
  auto *content =
      static_cast<const jobsim_module *>(dlsym(handle, JOBSIM_MODULE_SYMBOL));
  create(module, new CUmod_st{file, handle, {}});
  for (uint32_t i = 0; i < content->num_kernels; ++i)
    (*module)->functions.push_back({&content->kernels[i]});
  return kSuccess;
}
Result cuModuleUnload(Module module) {
  dlclose(module->handle);
  close(module->file);
  destroy(module);
  return kSuccess;
}
Result cuModuleGetFunction(Function *function, Module module,
                           const char *name) {
  COUNT();
  for (CUfunc_st &candidate : module->functions)
    if (std::string_view(candidate.kernel->name) == name) {
      *function = &candidate;
      return kSuccess;
    }
  return kErrorNotFound;
}
Result cuFuncGetAttribute(int *value, int attribute, Function function) {
  COUNT();
  *value = attribute == kFunctionMaxThreadsPerBlock
               ? static_cast<int>(function->kernel->max_threads)
               : 0;
  return kSuccess;
}
Result cuLaunchKernel(Function function, unsigned blocks, unsigned, unsigned,
                      unsigned threads, unsigned, unsigned, unsigned,
                      Stream stream, void **params, void **) {
  COUNT();
  const jobsim_kernel *kernel = function->kernel;
  // The values are the library's when the call returns.
  std::vector<std::vector<char>> values;
  for (uint32_t i = 0; i < kernel->num_params; ++i) {
    auto *value = static_cast<const char *>(params[i]);
    values.emplace_back(value, value + kernel->param_bytes[i]);
  }
  return add(stream, [=]() mutable {
    static const jobsim_functions functions = {
        [](jobsim_thread *, const void *, uint32_t, uint32_t, uint32_t,
           uint32_t) {},
        [](jobsim_thread *, uint32_t) {},
        [](jobsim_thread *, uint32_t, uint32_t, uint32_t value, uint32_t,
           uint32_t, uint32_t) { return value; }};
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    for (unsigned block = 0; block < blocks; ++block)
      for (unsigned i = 0; i < threads; ++i) {
        jobsim_thread thread{&functions,      nullptr,       {i, 0, 0},
                             {threads, 1, 1}, {block, 0, 0}, {blocks, 1, 1}};
        kernel->run(&thread, pointers.data());
      }
    return kSuccess;
  });
}
}
