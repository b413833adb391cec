//===- CudaApi.h - The CUDA driver API, opened at run time ------*- C++ -*-===//
//
// The functions of libcuda that the driver calls, with declarations of our own:
// neither the build nor a machine without a GPU needs CUDA's toolkit. A test
// compares them with the toolkit's header where there is one. Names, arguments
// and errors are those of the CUDA driver API's reference
// (docs.nvidia.com/cuda/cuda-driver-api).
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDAAPI_H
#define JOBRT_DRIVERS_CUDA_CUDAAPI_H

#include "jobrt/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// Opaque in CUDA as well.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace jobrt::cuda {

/// CUresult, an int in C's ABI; 0 is success.
using Result = int;
inline constexpr Result kSuccess = 0, kErrorInvalidValue = 1,
                        kErrorOutOfMemory = 2, kErrorNotInitialized = 3,
                        kErrorDeinitialized = 4, kErrorNoDevice = 100,
                        kErrorInvalidDevice = 101, kErrorInvalidImage = 200,
                        kErrorInvalidContext = 201, kErrorNoBinary = 209,
                        kErrorInvalidHandle = 400, kErrorNotFound = 500,
                        kErrorNotReady = 600, kErrorContained = 226,
                        kErrorIllegalAddress = 700,
                        kErrorLaunchOutOfResources = 701,
                        kErrorLaunchTimeout = 702,
                        kErrorHardwareStackError = 714,
                        kErrorMisalignedAddress = 716, kErrorLaunchFailed = 719,
                        kErrorStreamCaptureUnsupported = 900,
                        kErrorStreamCaptureInvalidated = 901,
                        kErrorStreamCaptureUnjoined = 904,
                        kErrorStreamCaptureIsolation = 905;

using Device = int;
using DevicePointer = unsigned long long;
using Context = CUctx_st *;
using Module = CUmod_st *;
using Function = CUfunc_st *;
using Stream = CUstream_st *;
using Event = CUevent_st *;
using Graph = CUgraph_st *;
using GraphExec = CUgraphExec_st *;

/// CUdevice_attribute.
inline constexpr int kMultiprocessorCount = 16, kAsyncEngineCount = 40,
                     kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76,
                     kMaxSharedBytesPerBlockOptin = 97;
/// CUfunction_attribute.
inline constexpr int kFunctionMaxThreadsPerBlock = 0, kFunctionSharedBytes = 1,
                     kFunctionLocalBytes = 3, kFunctionRegisters = 4;
/// Flags of streams, events and pinned memory; the mode of a capture.
inline constexpr unsigned kStreamNonBlocking = 1, kEventDisableTiming = 2,
                          kMemHostAllocPortable = 1;
inline constexpr int kCaptureGlobal = 0, kCaptureThreadLocal = 1,
                     kCaptureRelaxed = 2;
/// Of a record in a capture: a node of the graph, for the time of it.
inline constexpr unsigned kEventRecordExternal = 1;

/// X(name, symbol, (types of the parameters)); all return a Result.
#define JOBRT_FOR_EACH_CUDA_FUNCTION(X)                                        \
  X(init, cuInit, (unsigned))                                                  \
  X(driverGetVersion, cuDriverGetVersion, (int *))                             \
  X(getErrorName, cuGetErrorName, (Result, const char **))                     \
  X(getErrorString, cuGetErrorString, (Result, const char **))                 \
  X(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  X(deviceGet, cuDeviceGet, (Device *, int))                                   \
  X(deviceGetName, cuDeviceGetName, (char *, int, Device))                     \
  X(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, Device))            \
  X(deviceTotalMem, cuDeviceTotalMem_v2, (size_t *, Device))                   \
  X(devicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (Context *, Device))     \
  X(devicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (Device))           \
  X(ctxSetCurrent, cuCtxSetCurrent, (Context))                                 \
  X(ctxGetCurrent, cuCtxGetCurrent, (Context *))                               \
  X(memGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))                         \
  X(memAlloc, cuMemAlloc_v2, (DevicePointer *, size_t))                        \
  X(memFree, cuMemFree_v2, (DevicePointer))                                    \
  X(memHostAlloc, cuMemHostAlloc, (void **, size_t, unsigned))                 \
  X(memFreeHost, cuMemFreeHost, (void *))                                      \
  X(memcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                     \
    (DevicePointer, const void *, size_t, Stream))                             \
  X(memcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                     \
    (void *, DevicePointer, size_t, Stream))                                   \
  X(memcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                     \
    (DevicePointer, DevicePointer, size_t, Stream))                            \
  X(memsetD8Async, cuMemsetD8Async,                                            \
    (DevicePointer, unsigned char, size_t, Stream))                            \
  X(streamCreate, cuStreamCreate, (Stream *, unsigned))                        \
  X(streamDestroy, cuStreamDestroy_v2, (Stream))                               \
  X(streamSynchronize, cuStreamSynchronize, (Stream))                          \
  X(streamWaitEvent, cuStreamWaitEvent, (Stream, Event, unsigned))             \
  X(streamBeginCapture, cuStreamBeginCapture_v2, (Stream, int))                \
  X(streamEndCapture, cuStreamEndCapture, (Stream, Graph *))                   \
  X(threadExchangeCaptureMode, cuThreadExchangeStreamCaptureMode, (int *))     \
  X(eventCreate, cuEventCreate, (Event *, unsigned))                           \
  X(eventDestroy, cuEventDestroy_v2, (Event))                                  \
  X(eventRecord, cuEventRecord, (Event, Stream))                               \
  X(eventRecordWithFlags, cuEventRecordWithFlags, (Event, Stream, unsigned))   \
  X(eventQuery, cuEventQuery, (Event))                                         \
  X(eventSynchronize, cuEventSynchronize, (Event))                             \
  X(eventElapsedTime, cuEventElapsedTime, (float *, Event, Event))             \
  X(graphInstantiate, cuGraphInstantiateWithFlags,                             \
    (GraphExec *, Graph, unsigned long long))                                  \
  X(graphLaunch, cuGraphLaunch, (GraphExec, Stream))                           \
  X(graphExecDestroy, cuGraphExecDestroy, (GraphExec))                         \
  X(graphDestroy, cuGraphDestroy, (Graph))                                     \
  X(moduleLoadData, cuModuleLoadData, (Module *, const void *))                \
  X(moduleUnload, cuModuleUnload, (Module))                                    \
  X(moduleGetFunction, cuModuleGetFunction,                                    \
    (Function *, Module, const char *))                                        \
  X(funcGetAttribute, cuFuncGetAttribute, (int *, int, Function))              \
  X(launchKernel, cuLaunchKernel,                                              \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
     unsigned, Stream, void **, void **))

/// The oldest driver: cuGraphInstantiateWithFlags() is there since CUDA 11.4,
/// the libraries that compute calls need a driver for CUDA 12, and launches with
/// more than 4 KB of parameters one for 12.1. A driver runs the code of each
/// toolkit of its major version, and of older ones.
inline constexpr int kMinDriverVersion = 12010;

/// "12.4" of 12040.
std::string formatCudaVersion(int version);

/// An opened library. Immutable; any thread may use it.
class Api {
public:
  /// Whether `library`, or else the environment variable JOBMLIR_CUDA_LIBRARY,
  /// names the library to open.
  static bool isNamed(const std::string &library);

  /// Opens `library`; if it is empty, the library that the environment variable
  /// JOBMLIR_CUDA_LIBRARY names, otherwise libcuda.so.1. The library stays open
  /// until the process ends, as CUDA must not be unloaded. Errors: kNotFound
  /// (no such library), kUnimplemented (the library is too old: it lacks a
  /// function, which the error names, or its version is too small).
  static Expected<std::shared_ptr<const Api>> load(const std::string &library);

  /// The same, and calls init(). Errors: also kNotFound (init() finds no GPU),
  /// kInternal.
  static Expected<std::shared_ptr<const Api>> open(const std::string &library);

#define JOBRT_DECLARE(name, symbol, parameters) Result(*name) parameters;
  JOBRT_FOR_EACH_CUDA_FUNCTION(JOBRT_DECLARE)
#undef JOBRT_DECLARE

  /// The library, as errors name it.
  std::string path;
  /// Whether it is the simulated CUDA.
  bool isSimulated;
  /// Of the simulated CUDA: the target of the code that its devices run,
  /// "simulated" or PTX, "compute_90".
  std::string simulatedTarget;

  /// OK for kSuccess; otherwise an error that names the library's function, its
  /// error and `what` the call was for: "cuMemAlloc failed with
  /// CUDA_ERROR_OUT_OF_MEMORY (out of memory): the arena of 12 bytes". Says so
  /// if CUDA cannot be used any more in this process. Does not allocate unless
  /// it fails.
  Status check(Result result, const char *function,
               std::string_view what) const;
};

} // namespace jobrt::cuda

#endif // JOBRT_DRIVERS_CUDA_CUDAAPI_H
