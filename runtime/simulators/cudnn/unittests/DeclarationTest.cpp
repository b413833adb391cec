//===- DeclarationTest.cpp - CudnnApi.h beside the library's header -------===//

#include <gtest/gtest.h>

#ifdef JOBSIM_MISSING_HEADER

TEST(CudnnDeclarationTest, FunctionsAreThoseOfTheToolkit) {
  GTEST_SKIP() << "there is no header " JOBSIM_MISSING_HEADER;
}

#else

#include "drivers/cuda/cudnn/CudnnApi.h"
#include "simulators/cuda/unittests/Declarations.h"

#include <cudnn.h>

#include <utility>

using namespace jobrt::cuda::cudnn;
using jobrt::cuda::Stream;
using jobsim::SameFunction;

namespace {

TEST(CudnnDeclarationTest, FunctionsAreThoseOfTheToolkit) {
#define COMPARE(name, symbol, result, parameters)                              \
  EXPECT_TRUE(                                                                 \
      (SameFunction<result(*) parameters, decltype(&::symbol)>::value))        \
      << #symbol;
  JOBRT_FOR_EACH_CUDNN_FUNCTION(COMPARE)
#undef COMPARE
}

TEST(CudnnDeclarationTest, ConstantsAreThoseOfTheToolkit) {
  const std::pair<long, long> constants[] = {
      {kSuccess, CUDNN_STATUS_SUCCESS},
      {kNotInitialized, CUDNN_STATUS_NOT_INITIALIZED},
      {kBadParam, CUDNN_STATUS_BAD_PARAM},
      {kBadParamNullPointer, CUDNN_STATUS_BAD_PARAM_NULL_POINTER},
      {kBadParamMisaligned, CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER},
      {kBadParamNotFinalized, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED},
      {kBadParamOutOfBound, CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND},
      {kBadParamSizeInsufficient, CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT},
      {kBadParamShapeMismatch, CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH},
      {kBadParamDuplicatedEntries, CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES},
      {kBadParamAttributeType, CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE},
      {kBadParamDescriptorType, CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE},
      {kNotSupported, CUDNN_STATUS_NOT_SUPPORTED},
      {kNotSupportedGraphPattern, CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN},
      {kNotSupportedDataType, CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE},
      {kNotSupportedLayout, CUDNN_STATUS_NOT_SUPPORTED_LAYOUT},
      {kInternalError, CUDNN_STATUS_INTERNAL_ERROR},
      {kCompilationFailed, CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED},
      {kHostAllocationFailed,
       CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED},
      {kDeviceAllocationFailed,
       CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED},
      {kExecutionFailed, CUDNN_STATUS_EXECUTION_FAILED},
      {kMatMulDescriptor, CUDNN_BACKEND_MATMUL_DESCRIPTOR},
      {kMatMulOperationDescriptor, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR},
      {kReductionDescriptor, CUDNN_BACKEND_REDUCTION_DESCRIPTOR},
      {kReductionOperationDescriptor,
       CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR},
      {kReshapeOperationDescriptor, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR},
      {kReductionOperatorType, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE},
      {kPointwiseAxis, CUDNN_ATTR_POINTWISE_AXIS},
      {kPointwiseThird, CUDNN_ATTR_OPERATION_POINTWISE_TDESC},
      {kTensorIsByValue, CUDNN_ATTR_TENSOR_IS_BY_VALUE},
      {kEngineGraph, CUDNN_ATTR_ENGINE_OPERATION_GRAPH},
      {kMatMulComputeType, CUDNN_ATTR_MATMUL_COMP_TYPE},
      {kMatMulA, CUDNN_ATTR_OPERATION_MATMUL_ADESC},
      {kMatMulB, CUDNN_ATTR_OPERATION_MATMUL_BDESC},
      {kMatMulC, CUDNN_ATTR_OPERATION_MATMUL_CDESC},
      {kMatMulOperation, CUDNN_ATTR_OPERATION_MATMUL_DESC},
      {kReductionOperator, CUDNN_ATTR_REDUCTION_OPERATOR},
      {kReductionComputeType, CUDNN_ATTR_REDUCTION_COMP_TYPE},
      {kReductionX, CUDNN_ATTR_OPERATION_REDUCTION_XDESC},
      {kReductionY, CUDNN_ATTR_OPERATION_REDUCTION_YDESC},
      {kReductionOperation, CUDNN_ATTR_OPERATION_REDUCTION_DESC},
      {kReshapeX, CUDNN_ATTR_OPERATION_RESHAPE_XDESC},
      {kReshapeY, CUDNN_ATTR_OPERATION_RESHAPE_YDESC},
      {kTypeI32, CUDNN_DATA_INT32},
      {kTypeBoolean, CUDNN_DATA_BOOLEAN},
      {kPointwiseMul, CUDNN_POINTWISE_MUL},
      {kPointwiseDiv, CUDNN_POINTWISE_DIV},
      {kPointwiseSub, CUDNN_POINTWISE_SUB},
      {kPointwiseExp, CUDNN_POINTWISE_EXP},
      {kPointwiseLog, CUDNN_POINTWISE_LOG},
      {kPointwiseCompareGE, CUDNN_POINTWISE_CMP_GE},
      {kPointwiseGenIndex, CUDNN_POINTWISE_GEN_INDEX},
      {kPointwiseBinarySelect, CUDNN_POINTWISE_BINARY_SELECT},
      {kReduceAdd, CUDNN_REDUCE_TENSOR_ADD},
      {kReduceMax, CUDNN_REDUCE_TENSOR_MAX},
      {kKnobStages, CUDNN_KNOB_TYPE_STAGES},
      {kKnobKernelConfig, CUDNN_KNOB_TYPE_KERNEL_CFG},
// Older ones may lack some; the driver needs them since 9.23.
#if CUDNN_VERSION >= 91900
      {kKnobTileCgaM, CUDNN_KNOB_TYPE_TILE_CGA_M},
      {kKnobStreamK, CUDNN_KNOB_TYPE_STREAM_K},
      {kKnobTileM, CUDNN_KNOB_TYPE_TILE_M},
      {kKnobTileN, CUDNN_KNOB_TYPE_TILE_N},
#endif
      {kConvolutionDescriptor, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR},
      {kPointwiseDescriptor, CUDNN_BACKEND_POINTWISE_DESCRIPTOR},
      {kPointwiseOperationDescriptor,
       CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR},
      {kResampleDescriptor, CUDNN_BACKEND_RESAMPLE_DESCRIPTOR},
      {kResampleForwardDescriptor,
       CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR},
      {kResampleGradDescriptor,
       CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR},
      {kEngineDescriptor, CUDNN_BACKEND_ENGINE_DESCRIPTOR},
      {kEngineConfigDescriptor, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR},
      {kHeuristicsDescriptor, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR},
      {kPlanDescriptor, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR},
      {kKnobChoiceDescriptor, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR},
      {kConvolutionForwardDescriptor,
       CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR},
      {kConvolutionFilterGradDescriptor,
       CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR},
      {kConvolutionDataGradDescriptor,
       CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR},
      {kGraphDescriptor, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR},
      {kVariantPackDescriptor, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR},
      {kTensorDescriptor, CUDNN_BACKEND_TENSOR_DESCRIPTOR},
      {kHandleType, CUDNN_TYPE_HANDLE},
      {kDataTypeType, CUDNN_TYPE_DATA_TYPE},
      {kInt64Type, CUDNN_TYPE_INT64},
      {kBooleanType, CUDNN_TYPE_BOOLEAN},
      {kNaNPropagationType, CUDNN_TYPE_NAN_PROPOGATION},
      {kPointwiseModeType, CUDNN_TYPE_POINTWISE_MODE},
      {kResampleModeType, CUDNN_TYPE_RESAMPLE_MODE},
      {kPaddingModeType, CUDNN_TYPE_PADDING_MODE},
      {kFractionType, CUDNN_TYPE_FRACTION},
      {kFloatType, CUDNN_TYPE_FLOAT},
      {kPointerType, CUDNN_TYPE_VOID_PTR},
      {kConvolutionModeType, CUDNN_TYPE_CONVOLUTION_MODE},
      {kHeuristicsModeType, CUDNN_TYPE_HEUR_MODE},
      {kKnobType, CUDNN_TYPE_KNOB_TYPE},
      {kNumericalNoteType, CUDNN_TYPE_NUMERICAL_NOTE},
      {kDescriptorType, CUDNN_TYPE_BACKEND_DESCRIPTOR},
      {kConvolutionComputeType, CUDNN_ATTR_CONVOLUTION_COMP_TYPE},
      {kConvolutionMode, CUDNN_ATTR_CONVOLUTION_CONV_MODE},
      {kConvolutionDilations, CUDNN_ATTR_CONVOLUTION_DILATIONS},
      {kConvolutionStrides, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES},
      {kConvolutionPostPaddings, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS},
      {kConvolutionPrePaddings, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS},
      {kConvolutionSpatialDims, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS},
      {kHeuristicsMode, CUDNN_ATTR_ENGINEHEUR_MODE},
      {kHeuristicsGraph, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH},
      {kHeuristicsResults, CUDNN_ATTR_ENGINEHEUR_RESULTS},
      {kEngineConfigEngine, CUDNN_ATTR_ENGINECFG_ENGINE},
      {kEngineConfigKnobs, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES},
      {kPlanHandle, CUDNN_ATTR_EXECUTION_PLAN_HANDLE},
      {kPlanEngineConfig, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG},
      {kPlanWorkspaceBytes, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE},
      {kKnobChoiceType, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE},
      {kKnobChoiceValue, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE},
      {kForwardAlpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA},
      {kForwardBeta, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
      {kForwardConvolution, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC},
      {kForwardFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W},
      {kForwardInput, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X},
      {kForwardOutput, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y},
      {kDataGradAlpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA},
      {kDataGradBeta, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
      {kDataGradConvolution,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC},
      {kDataGradFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W},
      {kDataGradInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX},
      {kDataGradOutput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY},
      {kFilterGradAlpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA},
      {kFilterGradBeta, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA},
      {kFilterGradConvolution,
       CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC},
      {kFilterGradFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW},
      {kFilterGradInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X},
      {kFilterGradOutput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY},
      {kGraphHandle, CUDNN_ATTR_OPERATIONGRAPH_HANDLE},
      {kPointwiseMode, CUDNN_ATTR_POINTWISE_MODE},
      {kPointwiseComputeType, CUDNN_ATTR_POINTWISE_MATH_PREC},
      {kPointwiseNaNPropagation, CUDNN_ATTR_POINTWISE_NAN_PROPAGATION},
      {kPointwiseOperationPointwise,
       CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR},
      {kPointwiseInput, CUDNN_ATTR_OPERATION_POINTWISE_XDESC},
      {kPointwiseSecond, CUDNN_ATTR_OPERATION_POINTWISE_BDESC},
      {kPointwiseOutput, CUDNN_ATTR_OPERATION_POINTWISE_YDESC},
      {kTensorIsVirtual, CUDNN_ATTR_TENSOR_IS_VIRTUAL},
      {kResampleMode, CUDNN_ATTR_RESAMPLE_MODE},
      {kResampleComputeType, CUDNN_ATTR_RESAMPLE_COMP_TYPE},
      {kResampleSpatialDims, CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS},
      {kResamplePostPaddings, CUDNN_ATTR_RESAMPLE_POST_PADDINGS},
      {kResamplePrePaddings, CUDNN_ATTR_RESAMPLE_PRE_PADDINGS},
      {kResampleStrides, CUDNN_ATTR_RESAMPLE_STRIDES},
      {kResampleWindow, CUDNN_ATTR_RESAMPLE_WINDOW_DIMS},
      {kResampleNaNPropagation, CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION},
      {kResamplePaddingMode, CUDNN_ATTR_RESAMPLE_PADDING_MODE},
      {kResampleForwardInput, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC},
      {kResampleForwardOutput, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC},
      {kResampleForwardResample, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC},
      {kResampleGradInput, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC},
      {kResampleGradOutput, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC},
      {kResampleGradResample, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC},
      {kGraphOperations, CUDNN_ATTR_OPERATIONGRAPH_OPS},
      {kTensorAlignment, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT},
      {kTensorDataType, CUDNN_ATTR_TENSOR_DATA_TYPE},
      {kTensorDimensions, CUDNN_ATTR_TENSOR_DIMENSIONS},
      {kTensorStrides, CUDNN_ATTR_TENSOR_STRIDES},
      {kTensorUniqueId, CUDNN_ATTR_TENSOR_UNIQUE_ID},
      {kVariantPackUniqueIds, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS},
      {kVariantPackPointers, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS},
      {kVariantPackWorkspace, CUDNN_ATTR_VARIANT_PACK_WORKSPACE},
      {kEngineGlobalIndex, CUDNN_ATTR_ENGINE_GLOBAL_INDEX},
      {kEngineNumericalNotes, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE},
      {kTypeF32, CUDNN_DATA_FLOAT},
      {kTypeF16, CUDNN_DATA_HALF},
      {kTypeBF16, CUDNN_DATA_BFLOAT16},
      {kCrossCorrelation, CUDNN_CROSS_CORRELATION},
      {kPointwiseAdd, CUDNN_POINTWISE_ADD},
      {kPointwiseRelu, CUDNN_POINTWISE_RELU_FWD},
      {kPropagateNaN, CUDNN_PROPAGATE_NAN},
      {kAveragePooling, CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING},
      {kZeroPadding, CUDNN_ZERO_PAD},
      {kModeFallback, CUDNN_HEUR_MODE_FALLBACK},
      {kModeA, CUDNN_HEUR_MODE_A},
      {kNoteTensorCore, CUDNN_NUMERICAL_NOTE_TENSOR_CORE},
      {kNoteDownConvertInputs, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS},
      {kNoteReducedPrecision, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION},
      {kNoteFFT, CUDNN_NUMERICAL_NOTE_FFT},
      {kNoteNondeterministic, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC},
      {kNoteWinograd, CUDNN_NUMERICAL_NOTE_WINOGRAD},
      {kNoteWinograd4x4, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4},
      {kNoteWinograd6x6, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6},
      {kNoteWinograd13x13, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13},
  };
  for (auto [ours, theirs] : constants)
    EXPECT_EQ(ours, theirs);
  static_assert(sizeof(Fraction) == sizeof(cudnnFraction_t) &&
                offsetof(Fraction, denominator) ==
                    offsetof(cudnnFraction_t, denominator));
}

} // namespace

#endif // JOBSIM_MISSING_HEADER
