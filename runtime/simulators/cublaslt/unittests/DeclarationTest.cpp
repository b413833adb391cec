//===- DeclarationTest.cpp - CublasLtApi.h beside the library's header ----===//

#include <gtest/gtest.h>

#ifdef JOBSIM_MISSING_HEADER

TEST(CublasLtDeclarationTest, FunctionsAreThoseOfTheToolkit) {
  GTEST_SKIP() << "there is no header " JOBSIM_MISSING_HEADER;
}

#else

#include "drivers/cuda/cublaslt/CublasLtApi.h"
#include "simulators/cuda/unittests/Declarations.h"

#include <cublasLt.h>

#include <cstddef>
#include <utility>

using namespace jobrt::cuda::cublaslt;
using jobrt::cuda::Stream;
using jobsim::SameFunction;

namespace jobsim {
#define SAME(ours, theirs)                                                     \
  template <> struct SameObject<ours, theirs> : std::true_type {};
SAME(MatrixLayoutData, cublasLtMatrixLayoutOpaque_t)
SAME(MatmulDescData, cublasLtMatmulDescOpaque_t)
SAME(PreferenceData, cublasLtMatmulPreferenceOpaque_t)
SAME(Algorithm, cublasLtMatmulAlgo_t)
SAME(HeuristicResult, cublasLtMatmulHeuristicResult_t)
#undef SAME
} // namespace jobsim

namespace {

TEST(CublasLtDeclarationTest, FunctionsAreThoseOfTheToolkit) {
#define COMPARE(name, symbol, result, parameters)                              \
  EXPECT_TRUE(                                                                 \
      (SameFunction<result(*) parameters, decltype(&::symbol)>::value))        \
      << #symbol;
  JOBRT_FOR_EACH_CUBLASLT_FUNCTION(COMPARE)
#undef COMPARE
}

TEST(CublasLtDeclarationTest, StructuresAreThoseOfTheToolkit) {
  using Theirs = cublasLtMatmulHeuristicResult_t;
  EXPECT_EQ(sizeof(Algorithm), sizeof(cublasLtMatmulAlgo_t));
  EXPECT_EQ(sizeof(HeuristicResult), sizeof(Theirs));
  EXPECT_EQ(offsetof(HeuristicResult, algorithm), offsetof(Theirs, algo));
  EXPECT_EQ(offsetof(HeuristicResult, workspaceBytes),
            offsetof(Theirs, workspaceSize));
  EXPECT_EQ(offsetof(HeuristicResult, state), offsetof(Theirs, state));
  EXPECT_EQ(offsetof(HeuristicResult, waves), offsetof(Theirs, wavesCount));
}

TEST(CublasLtDeclarationTest, ConstantsAreThoseOfTheToolkit) {
  const std::pair<long, long> constants[] = {
      {kSuccess, CUBLAS_STATUS_SUCCESS},
      {kNotInitialized, CUBLAS_STATUS_NOT_INITIALIZED},
      {kAllocFailed, CUBLAS_STATUS_ALLOC_FAILED},
      {kInvalidValue, CUBLAS_STATUS_INVALID_VALUE},
      {kArchMismatch, CUBLAS_STATUS_ARCH_MISMATCH},
      {kMappingError, CUBLAS_STATUS_MAPPING_ERROR},
      {kExecutionFailed, CUBLAS_STATUS_EXECUTION_FAILED},
      {kInternalError, CUBLAS_STATUS_INTERNAL_ERROR},
      {kNotSupported, CUBLAS_STATUS_NOT_SUPPORTED},
      {kLicenseError, CUBLAS_STATUS_LICENSE_ERROR},
      {kTypeF32, CUDA_R_32F},
      {kTypeF16, CUDA_R_16F},
      {kTypeBF16, CUDA_R_16BF},
      {kComputeF32, CUBLAS_COMPUTE_32F},
      {kComputeFastTF32, CUBLAS_COMPUTE_32F_FAST_TF32},
      {kOperationN, CUBLAS_OP_N},
      {kOperationT, CUBLAS_OP_T},
      {kLayoutBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT},
      {kLayoutBatchOffset, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET},
      {kDescTransA, CUBLASLT_MATMUL_DESC_TRANSA},
      {kDescTransB, CUBLASLT_MATMUL_DESC_TRANSB},
      {kDescEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE},
      {kDescBiasPointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER},
      {kDescAuxPointer, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER},
      {kDescAuxLeading, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD},
      {kEpilogueDefault, CUBLASLT_EPILOGUE_DEFAULT},
      {kEpilogueBias, CUBLASLT_EPILOGUE_BIAS},
      {kEpilogueReluBias, CUBLASLT_EPILOGUE_RELU_BIAS},
      {kEpilogueRelu, CUBLASLT_EPILOGUE_RELU},
      {kEpilogueReluAuxBias, CUBLASLT_EPILOGUE_RELU_AUX_BIAS},
      {kEpilogueDRelu, CUBLASLT_EPILOGUE_DRELU},
      {kEpilogueDReluBGrad, CUBLASLT_EPILOGUE_DRELU_BGRAD},
      {kEpilogueGeluBias, CUBLASLT_EPILOGUE_GELU_BIAS},
      {kEpilogueGeluAuxBias, CUBLASLT_EPILOGUE_GELU_AUX_BIAS},
      {kEpilogueDGelu, CUBLASLT_EPILOGUE_DGELU},
      {kEpilogueDGeluBGrad, CUBLASLT_EPILOGUE_DGELU_BGRAD},
      {kEpilogueBGradA, CUBLASLT_EPILOGUE_BGRADA},
      {kEpilogueBGradB, CUBLASLT_EPILOGUE_BGRADB},
      {kPreferenceMaxWorkspaceBytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES},
      {kPreferenceReductionSchemes, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK},
      {kPreferenceMinAlignmentA, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES},
      {kPreferenceMinAlignmentB, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES},
      {kPreferenceMinAlignmentC, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES},
      {kPreferenceMinAlignmentD, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES},
      {kAlgorithmId, CUBLASLT_ALGO_CONFIG_ID},
      {kAlgorithmTile, CUBLASLT_ALGO_CONFIG_TILE_ID},
      {kAlgorithmSplitK, CUBLASLT_ALGO_CONFIG_SPLITK_NUM},
      {kAlgorithmReductionScheme, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME},
      {kAlgorithmStages, CUBLASLT_ALGO_CONFIG_STAGES_ID},
      {kReductionNone, CUBLASLT_REDUCTION_SCHEME_NONE},
      {kReductionInPlace, CUBLASLT_REDUCTION_SCHEME_INPLACE},
      {kReductionComputeType, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE},
      {kReductionOutputType, CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE},
  };
  for (auto [ours, theirs] : constants)
    EXPECT_EQ(ours, theirs);
}

} // namespace

#endif // JOBSIM_MISSING_HEADER
