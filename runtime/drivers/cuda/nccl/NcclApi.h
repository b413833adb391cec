//===- NcclApi.h - NCCL, opened at run time ---------------------*- C++ -*-===//
//
// The functions of NCCL that the driver calls, with declarations of our own, as
// CudaApi.h does it for CUDA: a test compares them with the library's header
// where there is one. Names, arguments and errors are those of the library's
// reference (docs.nvidia.com/deeplearning/nccl).
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_NCCL_NCCLAPI_H
#define JOBRT_DRIVERS_CUDA_NCCL_NCCLAPI_H

#include "drivers/cuda/CudaApi.h"

// Opaque in NCCL as well.
struct ncclComm;

namespace jobrt::cuda::nccl {

/// ncclResult_t, an int in C's ABI.
using Result = int;
inline constexpr Result kSuccess = 0, kUnhandledCudaError = 1, kSystemError = 2,
                        kInternalError = 3, kInvalidArgument = 4,
                        kInvalidUsage = 5, kRemoteError = 6, kInProgress = 7;

using Comm = ncclComm *;

/// ncclUniqueId.
struct UniqueId {
  char bytes[128];
};

/// The first members of ncclConfig_t, those of NCCL 2.14; a library takes as
/// many as `size` says, and defaults for those of later versions.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 1;
};

/// ncclDataType_t.
inline constexpr int kInt8 = 0, kUint8 = 1, kInt32 = 2, kInt64 = 4,
                     kFloat16 = 6, kFloat32 = 7, kFloat64 = 8, kBfloat16 = 9;
/// ncclRedOp_t.
inline constexpr int kSum = 0, kProd = 1, kMax = 2, kMin = 3, kAvg = 4;

/// X(name, symbol, type of the result, (types of the parameters)).
#define JOBRT_FOR_EACH_NCCL_FUNCTION(X)                                        \
  X(getVersion, ncclGetVersion, Result, (int *))                               \
  X(getUniqueId, ncclGetUniqueId, Result, (UniqueId *))                        \
  X(commInitRankConfig, ncclCommInitRankConfig, Result,                        \
    (Comm *, int, UniqueId, int, Config *))                                    \
  X(commDestroy, ncclCommDestroy, Result, (Comm))                              \
  X(commAbort, ncclCommAbort, Result, (Comm))                                  \
  X(commGetAsyncError, ncclCommGetAsyncError, Result, (Comm, Result *))        \
  X(getErrorString, ncclGetErrorString, const char *, (Result))                \
  X(getLastError, ncclGetLastError, const char *, (Comm))                      \
  X(groupStart, ncclGroupStart, Result, ())                                    \
  X(groupEnd, ncclGroupEnd, Result, ())                                        \
  X(allReduce, ncclAllReduce, Result,                                          \
    (const void *, void *, size_t, int, int, Comm, Stream))                    \
  X(reduceScatter, ncclReduceScatter, Result,                                  \
    (const void *, void *, size_t, int, int, Comm, Stream))                    \
  X(allGather, ncclAllGather, Result,                                          \
    (const void *, void *, size_t, int, Comm, Stream))                         \
  X(broadcast, ncclBroadcast, Result,                                          \
    (const void *, void *, size_t, int, int, Comm, Stream))                    \
  X(send, ncclSend, Result, (const void *, size_t, int, int, Comm, Stream))    \
  X(recv, ncclRecv, Result, (void *, size_t, int, int, Comm, Stream))

/// An opened library. Immutable; any thread may use it.
class Api {
public:
  /// Opens the library of JOBMLIR_NCCL_LIBRARY, the stand-in beside a simulated
  /// CUDA, or that of the machine. Errors: those of openLibrary(),
  /// kUnimplemented (it is older than version 2.18, or lacks a function).
  static Expected<std::shared_ptr<const Api>> open(const cuda::Api &cuda);

#define JOBRT_DECLARE(name, symbol, result, parameters)                        \
  result(*name) parameters;
  JOBRT_FOR_EACH_NCCL_FUNCTION(JOBRT_DECLARE)
#undef JOBRT_DECLARE

  /// The library, as errors name it.
  std::string path;

  /// OK for kSuccess; otherwise an error that names the library's function, its
  /// error and `what` the call was for. `comm`, which may be null, has the
  /// library's own words.
  Status check(Result result, const char *function, Comm comm,
               const std::string &what) const;
};

} // namespace jobrt::cuda::nccl

#endif // JOBRT_DRIVERS_CUDA_NCCL_NCCLAPI_H
