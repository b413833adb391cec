//===- CudnnApi.h - cuDNN, opened at run time -------------------*- C++ -*-===//
//
// The functions of cuDNN's graph API (its backend descriptors) that the driver
// calls, with declarations of our own, as CudaApi.h does it for CUDA: a test
// compares them with the vendor's header where there is one. Names, arguments
// and errors are those of the library's reference (docs.nvidia.com/cudnn).
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_CUDA_CUDNN_CUDNNAPI_H
#define JOBRT_DRIVERS_CUDA_CUDNN_CUDNNAPI_H

#include "drivers/cuda/CudaApi.h"

// Opaque in cuDNN as well.
struct cudnnContext;

namespace jobrt::cuda::cudnn {

/// cudnnStatus_t, an int in C's ABI. Errors from one multiple of 1000 to the
/// next are of one kind.
using Result = int;
inline constexpr Result kSuccess = 0, kNotInitialized = 1001, kBadParam = 2000,
                        kBadParamNullPointer = 2002, kBadParamMisaligned = 2003,
                        kBadParamNotFinalized = 2004,
                        kBadParamOutOfBound = 2005,
                        kBadParamSizeInsufficient = 2006,
                        kBadParamShapeMismatch = 2008,
                        kBadParamDuplicatedEntries = 2009,
                        kBadParamAttributeType = 2010,
                        kBadParamDescriptorType = 2012, kNotSupported = 3000,
                        kNotSupportedGraphPattern = 3001,
                        kNotSupportedDataType = 3003,
                        kNotSupportedLayout = 3004, kInternalError = 4000,
                        kCompilationFailed = 4001, kHostAllocationFailed = 4003,
                        kDeviceAllocationFailed = 4004, kExecutionFailed = 5000;
constexpr bool isNotSupported(Result result) {
  return result / 1000 * 1000 == kNotSupported;
}

using Handle = cudnnContext *;
/// cudnnBackendDescriptor_t.
using Descriptor = void *;

/// cudnnBackendDescriptorType_t.
inline constexpr int kPointwiseDescriptor = 0, kConvolutionDescriptor = 1,
                     kEngineDescriptor = 2, kEngineConfigDescriptor = 3,
                     kHeuristicsDescriptor = 4, kPlanDescriptor = 5,
                     kKnobChoiceDescriptor = 7,
                     kConvolutionForwardDescriptor = 10,
                     kConvolutionFilterGradDescriptor = 11,
                     kConvolutionDataGradDescriptor = 12,
                     kPointwiseOperationDescriptor = 13, kGraphDescriptor = 15,
                     kVariantPackDescriptor = 16, kTensorDescriptor = 17,
                     kMatMulDescriptor = 18, kMatMulOperationDescriptor = 19,
                     kReductionDescriptor = 21,
                     kReductionOperationDescriptor = 22,
                     kResampleDescriptor = 24, kResampleForwardDescriptor = 25,
                     kResampleGradDescriptor = 26,
                     kReshapeOperationDescriptor = 31;

/// cudnnBackendAttributeType_t.
inline constexpr int kHandleType = 0, kDataTypeType = 1, kBooleanType = 2,
                     kInt64Type = 3, kFloatType = 4, kPointerType = 6,
                     kConvolutionModeType = 7, kHeuristicsModeType = 8,
                     kKnobType = 9, kNaNPropagationType = 10,
                     kNumericalNoteType = 11, kPointwiseModeType = 14,
                     kDescriptorType = 15, kReductionOperatorType = 18,
                     kResampleModeType = 21, kPaddingModeType = 22,
                     kFractionType = 26;

/// cudnnBackendAttributeName_t.
inline constexpr int kPointwiseMode = 0, kPointwiseComputeType = 1,
                     kPointwiseNaNPropagation = 2, kPointwiseAxis = 9;
inline constexpr int kConvolutionComputeType = 100, kConvolutionMode = 101,
                     kConvolutionDilations = 102, kConvolutionStrides = 103,
                     kConvolutionPostPaddings = 104,
                     kConvolutionPrePaddings = 105,
                     kConvolutionSpatialDims = 106;
inline constexpr int kHeuristicsMode = 200, kHeuristicsGraph = 201,
                     kHeuristicsResults = 202;
inline constexpr int kEngineConfigEngine = 300, kEngineConfigKnobs = 302;
inline constexpr int kPlanHandle = 400, kPlanEngineConfig = 401,
                     kPlanWorkspaceBytes = 402;
inline constexpr int kKnobChoiceType = 600, kKnobChoiceValue = 601;
inline constexpr int kForwardAlpha = 700, kForwardBeta = 701,
                     kForwardConvolution = 702, kForwardFilter = 703,
                     kForwardInput = 704, kForwardOutput = 705;
inline constexpr int kDataGradAlpha = 706, kDataGradBeta = 707,
                     kDataGradConvolution = 708, kDataGradFilter = 709,
                     kDataGradInput = 710, kDataGradOutput = 711;
inline constexpr int kFilterGradAlpha = 712, kFilterGradBeta = 713,
                     kFilterGradConvolution = 714, kFilterGradFilter = 715,
                     kFilterGradInput = 716, kFilterGradOutput = 717;
inline constexpr int kPointwiseOperationPointwise = 750, kPointwiseInput = 751,
                     kPointwiseSecond = 752, kPointwiseOutput = 753,
                     kPointwiseThird = 758;
inline constexpr int kGraphHandle = 800, kGraphOperations = 801;
inline constexpr int kTensorAlignment = 900, kTensorDataType = 901,
                     kTensorDimensions = 902, kTensorStrides = 903,
                     kTensorUniqueId = 906, kTensorIsVirtual = 907,
                     kTensorIsByValue = 908;
inline constexpr int kVariantPackUniqueIds = 1000, kVariantPackPointers = 1001,
                     kVariantPackWorkspace = 1003;
inline constexpr int kEngineGraph = 1300, kEngineGlobalIndex = 1301,
                     kEngineNumericalNotes = 1303;
inline constexpr int kMatMulComputeType = 1500, kMatMulA = 1520,
                     kMatMulB = 1521, kMatMulC = 1522, kMatMulOperation = 1523;
inline constexpr int kReductionOperator = 1600, kReductionComputeType = 1601,
                     kReductionX = 1610, kReductionY = 1611,
                     kReductionOperation = 1612;
inline constexpr int kReshapeX = 2200, kReshapeY = 2201;
inline constexpr int kResampleMode = 1700, kResampleComputeType = 1701,
                     kResampleSpatialDims = 1702, kResamplePostPaddings = 1703,
                     kResamplePrePaddings = 1704, kResampleStrides = 1705,
                     kResampleWindow = 1706, kResampleNaNPropagation = 1707,
                     kResamplePaddingMode = 1708;
inline constexpr int kResampleForwardInput = 1710,
                     kResampleForwardOutput = 1711,
                     kResampleForwardResample = 1716;
inline constexpr int kResampleGradInput = 1720, kResampleGradOutput = 1721,
                     kResampleGradResample = 1725;

/// cudnnDataType_t.
inline constexpr int kTypeF32 = 0, kTypeF16 = 2, kTypeI32 = 4, kTypeBF16 = 9,
                     kTypeBoolean = 11;
/// cudnnConvolutionMode_t: what others call a convolution.
inline constexpr int kCrossCorrelation = 1;
/// cudnnPointwiseMode_t.
inline constexpr int kPointwiseAdd = 0, kPointwiseMul = 1, kPointwiseDiv = 6,
                     kPointwiseSub = 9, kPointwiseExp = 13, kPointwiseLog = 15,
                     kPointwiseRelu = 100, kPointwiseCompareGE = 303,
                     kPointwiseGenIndex = 501, kPointwiseBinarySelect = 601;
/// cudnnReduceTensorOp_t.
inline constexpr int kReduceAdd = 0, kReduceMax = 3;
/// cudnnNanPropagation_t.
inline constexpr int kPropagateNaN = 1;
/// cudnnResampleMode_t: the mean of what is not padding.
inline constexpr int kAveragePooling = 4;
/// cudnnPaddingMode_t.
inline constexpr int kZeroPadding = 0;
/// cudnnFraction_t.
struct Fraction {
  int64_t numerator, denominator;
};
/// cudnnBackendHeurMode_t.
inline constexpr int kModeFallback = 2, kModeA = 3;
/// cudnnBackendKnobType_t.
inline constexpr int kKnobStages = 14, kKnobKernelConfig = 24,
                     kKnobTileCgaM = 27, kKnobStreamK = 38, kKnobTileM = 40,
                     kKnobTileN = 41;
/// cudnnBackendNumericalNote_t.
inline constexpr int kNoteTensorCore = 0, kNoteDownConvertInputs = 1,
                     kNoteReducedPrecision = 2, kNoteFFT = 3,
                     kNoteNondeterministic = 4, kNoteWinograd = 5,
                     kNoteWinograd4x4 = 6, kNoteWinograd6x6 = 7,
                     kNoteWinograd13x13 = 8;

/// X(name, symbol, type of the result, (types of the parameters)).
#define JOBRT_FOR_EACH_CUDNN_FUNCTION(X)                                       \
  X(getVersion, cudnnGetVersion, size_t, ())                                   \
  X(getErrorString, cudnnGetErrorString, const char *, (Result))               \
  X(getLastErrorString, cudnnGetLastErrorString, void, (char *, size_t))       \
  X(create, cudnnCreate, Result, (Handle *))                                   \
  X(destroy, cudnnDestroy, Result, (Handle))                                   \
  X(setStream, cudnnSetStream, Result, (Handle, Stream))                       \
  X(createDescriptor, cudnnBackendCreateDescriptor, Result,                    \
    (int, Descriptor *))                                                       \
  X(destroyDescriptor, cudnnBackendDestroyDescriptor, Result, (Descriptor))    \
  X(setAttribute, cudnnBackendSetAttribute, Result,                            \
    (Descriptor, int, int, int64_t, const void *))                             \
  X(getAttribute, cudnnBackendGetAttribute, Result,                            \
    (Descriptor, int, int, int64_t, int64_t *, void *))                        \
  X(finalize, cudnnBackendFinalize, Result, (Descriptor))                      \
  X(execute, cudnnBackendExecute, Result, (Handle, Descriptor, Descriptor))

/// An opened library. Immutable; any thread may use it.
class Api {
public:
  /// Opens the library of JOBMLIR_CUDNN_LIBRARY, the stand-in beside a
  /// simulated CUDA, or that of the machine. Errors: those of openLibrary(),
  /// kUnimplemented (it is not of version 9, or lacks a function).
  static Expected<std::shared_ptr<const Api>> open(const cuda::Api &cuda);

#define JOBRT_DECLARE(name, symbol, result, parameters)                        \
  result(*name) parameters;
  JOBRT_FOR_EACH_CUDNN_FUNCTION(JOBRT_DECLARE)
#undef JOBRT_DECLARE

  /// The library, as errors name it.
  std::string path;
  /// As the library numbers it: 91900 is 9.19.0.
  size_t version = 0;

  /// kUnimplemented unless the version is `minor` of the major one or newer,
  /// which `what` needs.
  Status requireVersion(size_t minor, const char *what) const;

  /// OK for kSuccess; otherwise an error that names the library's function, its
  /// error, what the library says about it, and `what` the call was for.
  Status check(Result result, const char *function,
               const std::string &what) const;
};

} // namespace jobrt::cuda::cudnn

#endif // JOBRT_DRIVERS_CUDA_CUDNN_CUDNNAPI_H
