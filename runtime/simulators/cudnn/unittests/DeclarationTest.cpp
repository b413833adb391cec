//===- DeclarationTest.cpp - CudnnApi.h beside the library's header -------===//

#include "drivers/cuda/cudnn/CudnnApi.h"
#include "simulators/cuda/unittests/Declarations.h"

#include <cudnn.h>
#include <gtest/gtest.h>

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
      {kConvolutionDescriptor, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR},
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
}

} // namespace
