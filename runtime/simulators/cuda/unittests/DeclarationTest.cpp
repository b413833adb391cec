//===- DeclarationTest.cpp - CudaApi.h beside CUDA's own header -----------===//

#include <gtest/gtest.h>

#ifdef JOBSIM_MISSING_HEADER

TEST(DeclarationTest, FunctionsAreThoseOfTheToolkit) {
  GTEST_SKIP() << "there is no header " JOBSIM_MISSING_HEADER;
}

#else

#include "drivers/cuda/CudaApi.h"
#include "simulators/cuda/unittests/Declarations.h"

#include <cuda.h>

using namespace jobrt::cuda;
using jobsim::SameFunction;

namespace {

TEST(DeclarationTest, FunctionsAreThoseOfTheToolkit) {
#define COMPARE(name, symbol, parameters)                                      \
  EXPECT_TRUE(                                                                 \
      (SameFunction<Result(*) parameters, decltype(&::symbol)>::value))        \
      << #symbol;
  JOBRT_FOR_EACH_CUDA_FUNCTION(COMPARE)
#undef COMPARE
}

TEST(DeclarationTest, TheComparisonFindsDifferences) {
  using F = int (*)(int, float *);
  EXPECT_TRUE((SameFunction<F, CUresult (*)(CUdevice, float *)>::value));
  EXPECT_FALSE((SameFunction<F, int (*)(int)>::value));
  EXPECT_FALSE((SameFunction<F, int (*)(long, float *)>::value));
  EXPECT_FALSE((SameFunction<F, int (*)(int, double *)>::value));
  EXPECT_FALSE((SameFunction<F, int (*)(int, const float *)>::value));
  EXPECT_FALSE((SameFunction<F, int (*)(float *, int)>::value));
}

TEST(DeclarationTest, ConstantsAreThoseOfTheToolkit) {
  const std::pair<long, long> constants[] = {
      {kSuccess, CUDA_SUCCESS},
      {kErrorInvalidValue, CUDA_ERROR_INVALID_VALUE},
      {kErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY},
      {kErrorNotInitialized, CUDA_ERROR_NOT_INITIALIZED},
      {kErrorDeinitialized, CUDA_ERROR_DEINITIALIZED},
      {kErrorNoDevice, CUDA_ERROR_NO_DEVICE},
      {kErrorInvalidDevice, CUDA_ERROR_INVALID_DEVICE},
      {kErrorInvalidImage, CUDA_ERROR_INVALID_IMAGE},
      {kErrorInvalidContext, CUDA_ERROR_INVALID_CONTEXT},
      {kErrorNoBinary, CUDA_ERROR_NO_BINARY_FOR_GPU},
      {kErrorInvalidHandle, CUDA_ERROR_INVALID_HANDLE},
      {kErrorNotFound, CUDA_ERROR_NOT_FOUND},
      {kErrorNotReady, CUDA_ERROR_NOT_READY},
      {kErrorContained, CUDA_ERROR_CONTAINED},
      {kErrorLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT},
      {kErrorHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR},
      {kErrorIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS},
      {kErrorLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
      {kErrorMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS},
      {kErrorLaunchFailed, CUDA_ERROR_LAUNCH_FAILED},
      {kErrorStreamCaptureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
      {kErrorStreamCaptureInvalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED},
      {kErrorStreamCaptureUnjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED},
      {kErrorStreamCaptureIsolation, CUDA_ERROR_STREAM_CAPTURE_ISOLATION},
      {kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {kAsyncEngineCount, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT},
      {kComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {kComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
      {kMaxSharedBytesPerBlockOptin,
       CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
      {kFunctionMaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {kFunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
      {kFunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
      {kFunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS},
      {kStreamNonBlocking, CU_STREAM_NON_BLOCKING},
      {kEventDisableTiming, CU_EVENT_DISABLE_TIMING},
      {kMemHostAllocPortable, CU_MEMHOSTALLOC_PORTABLE},
      {kCaptureGlobal, CU_STREAM_CAPTURE_MODE_GLOBAL},
      {kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL},
      {kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED},
  };
  for (auto [ours, theirs] : constants)
    EXPECT_EQ(ours, theirs);
}

} // namespace

#endif // JOBSIM_MISSING_HEADER
