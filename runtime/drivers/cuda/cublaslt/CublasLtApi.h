//===- CublasLtApi.h - cuBLASLt, opened at run time -------------*- C++ -*-===//
//
// The functions of cuBLASLt that the driver calls, with declarations of our
// own, as CudaApi.h does it for CUDA: a test compares them with the toolkit's
// header where there is one. Names, arguments and errors are those of the
// library's reference (docs.nvidia.com/cuda/cublas).
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUBLASLT_CUBLASLTAPI_H
#define JOBRT_DRIVERS_CUDA_CUBLASLT_CUBLASLTAPI_H

#include "drivers/cuda/CudaApi.h"

// Opaque in cuBLASLt as well.
struct cublasLtContext;

namespace jobrt::cuda::cublaslt {

struct MatrixLayoutData;
struct MatmulDescData;
struct PreferenceData;

/// cublasStatus_t, an int in C's ABI.
using Result = int;
inline constexpr Result kSuccess = 0, kNotInitialized = 1, kAllocFailed = 3,
                        kInvalidValue = 7, kArchMismatch = 8,
                        kMappingError = 11, kExecutionFailed = 13,
                        kInternalError = 14, kNotSupported = 15,
                        kLicenseError = 16;

using Handle = cublasLtContext *;
using MatrixLayout = MatrixLayoutData *;
using MatmulDesc = MatmulDescData *;
using Preference = PreferenceData *;

/// A configured algorithm; its contents are the library's.
struct Algorithm {
  uint64_t data[8];
};

/// cublasLtMatmulHeuristicResult_t.
struct HeuristicResult {
  Algorithm algorithm;
  size_t workspaceBytes;
  Result state;
  float waves;
  int reserved[4];
};

/// cudaDataType_t and cublasComputeType_t.
inline constexpr int kTypeF32 = 0, kTypeF16 = 2, kTypeBF16 = 14;
inline constexpr int kComputeF32 = 68, kComputeFastTF32 = 77;
/// cublasOperation_t.
inline constexpr int32_t kOperationN = 0, kOperationT = 1;
/// cublasLtMatrixLayoutAttribute_t, cublasLtMatmulDescAttributes_t,
/// cublasLtMatmulPreferenceAttributes_t, cublasLtMatmulAlgoConfigAttributes_t.
inline constexpr int kLayoutBatchCount = 5, kLayoutBatchOffset = 6;
inline constexpr int kDescTransA = 3, kDescTransB = 4, kDescEpilogue = 7,
                     kDescBiasPointer = 8, kDescAuxPointer = 11,
                     kDescAuxLeading = 12;
inline constexpr int kPreferenceMaxWorkspaceBytes = 1,
                     kPreferenceReductionSchemes = 3,
                     kPreferenceMinAlignmentA = 5, kPreferenceMinAlignmentB = 6,
                     kPreferenceMinAlignmentC = 7, kPreferenceMinAlignmentD = 8;
inline constexpr int kAlgorithmId = 0, kAlgorithmTile = 1, kAlgorithmSplitK = 2,
                     kAlgorithmReductionScheme = 3, kAlgorithmStages = 6;
/// cublasLtEpilogue_t.
inline constexpr uint32_t kEpilogueDefault = 1, kEpilogueRelu = 2,
                          kEpilogueBias = 4, kEpilogueReluBias = 6,
                          kEpilogueReluAuxBias = 134, kEpilogueDRelu = 136,
                          kEpilogueDReluBGrad = 152, kEpilogueGeluBias = 36,
                          kEpilogueGeluAuxBias = 164, kEpilogueDGelu = 192,
                          kEpilogueDGeluBGrad = 208, kEpilogueBGradA = 256,
                          kEpilogueBGradB = 512;
/// cublasLtReductionScheme_t.
inline constexpr uint32_t kReductionNone = 0, kReductionInPlace = 1,
                          kReductionComputeType = 2, kReductionOutputType = 4;

/// X(name, symbol, type of the result, (types of the parameters)).
#define JOBRT_FOR_EACH_CUBLASLT_FUNCTION(X)                                    \
  X(create, cublasLtCreate, Result, (Handle *))                                \
  X(destroy, cublasLtDestroy, Result, (Handle))                                \
  X(getVersion, cublasLtGetVersion, size_t, ())                                \
  X(getStatusName, cublasLtGetStatusName, const char *, (Result))              \
  X(getStatusString, cublasLtGetStatusString, const char *, (Result))          \
  X(matrixLayoutCreate, cublasLtMatrixLayoutCreate, Result,                    \
    (MatrixLayout *, int, uint64_t, uint64_t, int64_t))                        \
  X(matrixLayoutDestroy, cublasLtMatrixLayoutDestroy, Result, (MatrixLayout))  \
  X(matrixLayoutSetAttribute, cublasLtMatrixLayoutSetAttribute, Result,        \
    (MatrixLayout, int, const void *, size_t))                                 \
  X(matmulDescCreate, cublasLtMatmulDescCreate, Result,                        \
    (MatmulDesc *, int, int))                                                  \
  X(matmulDescDestroy, cublasLtMatmulDescDestroy, Result, (MatmulDesc))        \
  X(matmulDescSetAttribute, cublasLtMatmulDescSetAttribute, Result,            \
    (MatmulDesc, int, const void *, size_t))                                   \
  X(preferenceCreate, cublasLtMatmulPreferenceCreate, Result, (Preference *))  \
  X(preferenceDestroy, cublasLtMatmulPreferenceDestroy, Result, (Preference))  \
  X(preferenceSetAttribute, cublasLtMatmulPreferenceSetAttribute, Result,      \
    (Preference, int, const void *, size_t))                                   \
  X(getHeuristic, cublasLtMatmulAlgoGetHeuristic, Result,                      \
    (Handle, MatmulDesc, MatrixLayout, MatrixLayout, MatrixLayout,             \
     MatrixLayout, Preference, int, HeuristicResult *, int *))                 \
  X(algorithmGetAttribute, cublasLtMatmulAlgoConfigGetAttribute, Result,       \
    (const Algorithm *, int, void *, size_t, size_t *))                        \
  X(matmul, cublasLtMatmul, Result,                                            \
    (Handle, MatmulDesc, const void *, const void *, MatrixLayout,             \
     const void *, MatrixLayout, const void *, const void *, MatrixLayout,     \
     void *, MatrixLayout, const Algorithm *, void *, size_t, Stream))

/// An opened library. Immutable; any thread may use it.
class Api {
public:
  /// Opens the library of JOBMLIR_CUBLASLT_LIBRARY, the stand-in beside a
  /// simulated CUDA, or that of the machine. Errors: those of openLibrary(),
  /// kUnimplemented (it is older than version 12, or lacks a function).
  static Expected<std::shared_ptr<const Api>> open(const cuda::Api &cuda);

#define JOBRT_DECLARE(name, symbol, result, parameters)                        \
  result(*name) parameters;
  JOBRT_FOR_EACH_CUBLASLT_FUNCTION(JOBRT_DECLARE)
#undef JOBRT_DECLARE

  /// The library, as errors name it.
  std::string path;

  /// OK for kSuccess; otherwise an error that names the library's function, its
  /// error and `what` the call was for.
  Status check(Result result, const char *function,
               const std::string &what) const;
};

} // namespace jobrt::cuda::cublaslt

#endif // JOBRT_DRIVERS_CUDA_CUBLASLT_CUBLASLTAPI_H
