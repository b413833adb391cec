//===- MatMulTest.cpp - What the stand-in for cuBLASLt finds --------------===//

#include "simulators/cublaslt/State.h"
#include "simulators/cuda/unittests/SimTest.h"

// Not all: both libraries have an error of the name kSuccess.
namespace lt = jobrt::cuda::cublaslt;
using lt::kAlgorithmSplitK;
using lt::kComputeF32;
using lt::kDescTransA;
using lt::kExecutionFailed;
using lt::kInternalError;
using lt::kInvalidValue;
using lt::kLayoutBatchCount;
using lt::kLayoutBatchOffset;
using lt::kNotInitialized;
using lt::kNotSupported;
using lt::kOperationN;
using lt::kOperationT;
using lt::kReductionInPlace;
using lt::kTypeBF16;
using lt::kTypeF16;
using lt::kTypeF32;

#define ASSERT_LT_OK(call) ASSERT_EQ(call, lt::kSuccess) << jobsim_last_fault()

namespace {

/// D = A B of 4 x 3 and 3 x 2, in column-major order.
class MatMulTest : public SimTest {
protected:
  void SetUp() override {
    SimTest::SetUp();
    ASSERT_LT_OK(cublasLtCreate(&handle));
    ASSERT_LT_OK(cublasLtMatmulDescCreate(&desc, kComputeF32, kTypeF32));
    ASSERT_LT_OK(cublasLtMatrixLayoutCreate(&a, kTypeF32, 4, 3, 4));
    ASSERT_LT_OK(cublasLtMatrixLayoutCreate(&b, kTypeF32, 3, 2, 3));
    ASSERT_LT_OK(cublasLtMatrixLayoutCreate(&d, kTypeF32, 4, 2, 4));
    ASSERT_LT_OK(cublasLtMatmulPreferenceCreate(&preference));
    aData = upload(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    bData = upload(std::vector<float>{1, 0, 0, 1, 1, 1});
    dData = allocate(32);
    workspace = allocate(64);
  }

  void TearDown() override {
    for (MatrixLayout layout : {a, b, d})
      cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(desc);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtDestroy(handle);
    SimTest::TearDown();
  }

  Result select() {
    int count = 0;
    Result result = cublasLtMatmulAlgoGetHeuristic(
        handle, desc, a, b, d, d, preference, 1, &selected, &count);
    EXPECT_EQ(count, result == 0 ? 1 : 0);
    return result;
  }
  Result multiply() {
    return cublasLtMatmul(handle, desc, &alpha, (void *)aData, a, (void *)bData,
                          b, &beta, (void *)dData, d, (void *)dData, d,
                          &selected.algorithm, (void *)workspace,
                          workspaceBytes, stream);
  }
  /// The call is refused for this reason.
  void expectRefused(Result got, Result error, const std::string &reason) {
    EXPECT_EQ(got, error);
    EXPECT_NE(std::string(jobsim_last_fault()).find(reason), std::string::npos)
        << jobsim_last_fault();
  }

  Handle handle = nullptr;
  MatmulDesc desc = nullptr;
  MatrixLayout a = nullptr, b = nullptr, d = nullptr;
  Preference preference = nullptr;
  HeuristicResult selected{};
  DevicePointer aData = 0, bData = 0, dData = 0, workspace = 0;
  size_t workspaceBytes = 64;
  float alpha = 1, beta = 0;
};

TEST_F(MatMulTest, ComputesOnTheStream) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  EXPECT_EQ(download<float>(dData, 8),
            (std::vector<float>{1, 2, 3, 4, 15, 18, 21, 24}));
  // C is D.
  alpha = 2;
  beta = 1;
  ASSERT_LT_OK(multiply());
  EXPECT_EQ(download<float>(dData, 8),
            (std::vector<float>{3, 6, 9, 12, 45, 54, 63, 72}));
}

TEST_F(MatMulTest, AddsABias) {
  DevicePointer bias = upload(std::vector<float>{-2, 0, 1, 2});
  ASSERT_LT_OK(cublasLtMatmulDescSetAttribute(desc, lt::kDescBiasPointer, &bias,
                                              sizeof(bias)));
  for (auto [epilogue, first] :
       {std::pair{lt::kEpilogueBias, -1.0f}, {lt::kEpilogueReluBias, 0.0f}}) {
    ASSERT_LT_OK(cublasLtMatmulDescSetAttribute(desc, lt::kDescEpilogue,
                                                &epilogue, sizeof(epilogue)));
    ASSERT_LT_OK(select());
    ASSERT_LT_OK(multiply());
    EXPECT_EQ(download<float>(dData, 8),
              (std::vector<float>{first, 2, 4, 6, 13, 18, 22, 26}));
  }
  // Its length is that of a column.
  bias = upload(std::vector<float>{1, 2, 3});
  ASSERT_LT_OK(cublasLtMatmulDescSetAttribute(desc, lt::kDescBiasPointer, &bias,
                                              sizeof(bias)));
  ASSERT_LT_OK(multiply());
  expectFault(kErrorIllegalAddress,
              "cublasLtMatmul: read of 16 bytes of the bias out of bounds");
}

TEST_F(MatMulTest, RefusesWrongBiases) {
  uint32_t epilogue = lt::kEpilogueBias;
  ASSERT_LT_OK(cublasLtMatmulDescSetAttribute(desc, lt::kDescEpilogue,
                                              &epilogue, sizeof(epilogue)));
  expectRefused(select(), kInvalidValue, "expects an address of the bias");
  // The heuristic takes the alignment of that address.
  DevicePointer bias = allocate(32);
  desc->bias = reinterpret_cast<const void *>(bias);
  ASSERT_LT_OK(select());
  desc->bias = reinterpret_cast<const void *>(bias + 16);
  expectRefused(multiply(), kInvalidValue,
                "expects the bias to be aligned to 256 bytes");
  desc->bias = reinterpret_cast<const void *>(dData);
  expectRefused(multiply(), kInvalidValue, "D and the bias overlap");
  desc->epilogue = 33;
  expectRefused(select(), kNotSupported, "the stand-in has no epilogue 33");
}

TEST_F(MatMulTest, ChecksAuxiliaryArrays) {
  DevicePointer bias = upload(std::vector<float>{-2, 0, 1, 2});
  DevicePointer mask = allocate(32);
  desc->bias = reinterpret_cast<const void *>(bias);
  desc->epilogue = lt::kEpilogueReluAuxBias;
  expectRefused(select(), kInvalidValue,
                "expects a leading dimension of the auxiliary array of at "
                "least 4 and a multiple of 128 but got 0");
  int64_t leading = 128;
  ASSERT_LT_OK(cublasLtMatmulDescSetAttribute(desc, lt::kDescAuxLeading,
                                              &leading, sizeof(leading)));
  expectRefused(select(), kInvalidValue, "expects an address of the mask");
  ASSERT_LT_OK(cublasLtMatmulDescSetAttribute(desc, lt::kDescAuxPointer, &mask,
                                              sizeof(mask)));
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  // 1 - 2, 2, 3 + 1, 4 + 2; 15 - 2, ...
  EXPECT_EQ(download<uint8_t>(mask, 17)[0] & 15, 14);
  EXPECT_EQ(download<uint8_t>(mask, 17)[16] & 15, 15);
  desc->aux = reinterpret_cast<const void *>(mask + 16);
  expectRefused(multiply(), kInvalidValue,
                "expects the mask to be aligned to 256 bytes");
  desc->aux = reinterpret_cast<const void *>(dData);
  expectRefused(multiply(), kInvalidValue, "D and the mask overlap");
  // Of another leading dimension, it is too small.
  desc->aux = reinterpret_cast<const void *>(mask);
  desc->auxLeading = 256;
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  expectFault(kErrorIllegalAddress,
              "cublasLtMatmul: write of 64 bytes of the mask out of bounds");
}

TEST_F(MatMulTest, ChecksInputsOfGelus) {
  DevicePointer gradient = allocate(16), input = allocate(48);
  desc->epilogue = lt::kEpilogueDGeluBGrad;
  desc->auxLeading = 4;
  expectRefused(select(), kInvalidValue,
                "expects a leading dimension of the auxiliary array of at "
                "least 4 and a multiple of 8 but got 4");
  desc->auxLeading = 8;
  desc->bias = reinterpret_cast<const void *>(gradient);
  expectRefused(select(), kInvalidValue,
                "expects an address of the input of the gelu");
  desc->aux = reinterpret_cast<const void *>(input);
  desc->bias = nullptr;
  expectRefused(select(), kInvalidValue,
                "expects an address of the gradient of the bias");
  desc->bias = reinterpret_cast<const void *>(input);
  ASSERT_LT_OK(select());
  expectRefused(multiply(), kInvalidValue,
                "the gradient of the bias and the input of the gelu overlap");
  int32_t batch = 2;
  for (MatrixLayout layout : {a, b, d})
    ASSERT_LT_OK(cublasLtMatrixLayoutSetAttribute(layout, kLayoutBatchCount,
                                                  &batch, sizeof(batch)));
  int64_t offset = 8;
  ASSERT_LT_OK(cublasLtMatrixLayoutSetAttribute(d, kLayoutBatchOffset, &offset,
                                                sizeof(offset)));
  expectRefused(select(), kNotSupported,
                "the stand-in has the epilogue 208 for one product only");
}

TEST_F(MatMulTest, GradientsAreOfFactorsInOneOrder) {
  DevicePointer gradient = allocate(16), mask = allocate(64);
  desc->bias = reinterpret_cast<const void *>(gradient);
  desc->epilogue = lt::kEpilogueBGradA;
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  EXPECT_EQ(download<float>(gradient, 4), (std::vector<float>{15, 18, 21, 24}));
  desc->epilogue = lt::kEpilogueBGradB;
  expectRefused(select(), kNotSupported,
                "expects B to be transposed with BGRADB");
  // B is 2 x 3 in memory, A is 3 x 4.
  desc->transposeB = kOperationT;
  b->rows = b->leading = 2;
  b->columns = 3;
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  EXPECT_EQ(download<float>(gradient, 2), (std::vector<float>{2, 2}));
  desc->epilogue = lt::kEpilogueBGradA;
  desc->transposeA = kOperationT;
  expectRefused(select(), kNotSupported,
                "expects A not to be transposed with BGRADA");
  // One term.
  desc->transposeA = kOperationN;
  a->columns = b->columns = 1;
  ASSERT_LT_OK(select());
  desc->epilogue = lt::kEpilogueDRelu;
  desc->aux = reinterpret_cast<const void *>(mask);
  desc->auxLeading = 128;
  expectRefused(select(), kNotSupported,
                "expects a sum of at least 2 terms with the epilogue 136");
}

TEST_F(MatMulTest, IsReplayedByAGraph) {
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  beta = 1;
  ASSERT_LT_OK(multiply());
  // The graph has the values of the call.
  alpha = beta = 5;
  Graph graph;
  GraphExec exec;
  ASSERT_OK(cuStreamEndCapture(stream, &graph));
  ASSERT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  ASSERT_OK(cuGraphDestroy(graph));
  ASSERT_OK(cuMemsetD8Async(dData, 0, 32, stream));
  for (int i = 0; i < 2; ++i)
    ASSERT_OK(cuGraphLaunch(exec, stream));
  EXPECT_EQ(download<float>(dData, 8),
            (std::vector<float>{2, 4, 6, 8, 30, 36, 42, 48}));
  ASSERT_OK(cuGraphExecDestroy(exec));
}

TEST_F(MatMulTest, TheFirstUseIsNotInACapture) {
  ASSERT_LT_OK(select());
  Graph graph = nullptr;
  ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  expectRefused(
      multiply(), kExecutionFailed,
      "the first use of a kernel on a thread that captures a stream, or");
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), kErrorStreamCaptureInvalidated);
  // A relaxed capture allows it.
  for (int mode : {kCaptureRelaxed, kCaptureThreadLocal}) {
    ASSERT_OK(cuStreamBeginCapture_v2(stream, mode));
    ASSERT_LT_OK(multiply());
    ASSERT_OK(cuStreamEndCapture(stream, &graph));
    ASSERT_OK(cuGraphDestroy(graph));
  }
}

TEST_F(MatMulTest, ShowsAMissingWait) {
  ASSERT_LT_OK(select());
  Stream other;
  ASSERT_OK(cuStreamCreate(&other, kStreamNonBlocking));
  float *result = allocatePinned<float>(8);
  int early = 0, late = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK(cuMemsetD8Async(dData, 0, 32, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
    ASSERT_LT_OK(multiply());
    ASSERT_OK(cuMemcpyDtoHAsync_v2(result, dData, 32, other));
    ASSERT_OK(cuStreamSynchronize(other));
    ASSERT_OK(cuStreamSynchronize(stream));
    (result[0] == 0 ? early : late)++;
  }
  EXPECT_GT(early, 20);
  EXPECT_GT(late, 20);
  ASSERT_OK(cuStreamDestroy_v2(other));
}

TEST_F(MatMulTest, FindsMatricesOutOfBounds) {
  ASSERT_LT_OK(select());
  dData = allocate(16);
  ASSERT_LT_OK(multiply());
  expectFault(kErrorIllegalAddress,
              "cublasLtMatmul: write of 32 bytes of D out of bounds: "
              "allocation of 16 bytes + 0");
}

TEST_F(MatMulTest, FindsMatricesOfTheHost) {
  ASSERT_LT_OK(select());
  aData = reinterpret_cast<DevicePointer>(allocatePinned<float>(12));
  ASSERT_LT_OK(multiply());
  expectFault(kErrorIllegalAddress,
              "cublasLtMatmul: read of 48 bytes of A of memory that is not "
              "the device's");
}

TEST_F(MatMulTest, FindsFreedMemoryAtReplay) {
  DevicePointer freed;
  ASSERT_OK(cuMemAlloc_v2(&freed, 24));
  bData = freed;
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  ASSERT_LT_OK(multiply());
  Graph graph;
  GraphExec exec;
  ASSERT_OK(cuStreamEndCapture(stream, &graph));
  ASSERT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  ASSERT_OK(cuGraphDestroy(graph));
  ASSERT_OK(cuMemFree_v2(freed));
  ASSERT_OK(cuGraphLaunch(exec, stream));
  expectFault(kErrorIllegalAddress,
              "cublasLtMatmul: read of 24 bytes of B after the free");
  cuGraphExecDestroy(exec);
}

TEST_F(MatMulTest, RefusesWhatTheReferenceExcludes) {
  auto expectProblem = [&](Result error, const char *reason) {
    expectRefused(select(), error, reason);
  };
  int32_t count = 2;
  int64_t offset = 7;
  desc->transposeA = 2;
  expectProblem(kInvalidValue, "expects an operation of 0 (N) or 1 (T) but got "
                               "2");
  desc->transposeA = kOperationT;
  expectProblem(kInvalidValue, "the extents of A (3 x 4), B (3 x 2) and D (4 x "
                               "2) do not match");
  desc->transposeA = kOperationN;
  a->leading = 3;
  expectProblem(kInvalidValue,
                "expects a leading dimension of A of at least 4 but got 3");
  a->leading = 4;
  a->rows = 0;
  expectProblem(kInvalidValue,
                "expects rows and columns of A from 1 to 2147483647");
  a->rows = 4;
  b->type = kTypeF16;
  expectProblem(kNotSupported,
                "expects A and B of one type, of f32, f16 and bf16");
  b->type = kTypeF32;
  d->type = kTypeBF16;
  expectProblem(kNotSupported, "expects C and D of the type of A, or of f32");
  d->type = kTypeF32;
  desc->scaleType = 1;
  expectProblem(kNotSupported, "expects a scale type of f32");
  desc->scaleType = kTypeF32;
  desc->computeType = 64;
  expectProblem(kNotSupported,
                "expects a compute type of f32, or TF32 for f32");
  desc->computeType = kComputeF32;
  ASSERT_LT_OK(cublasLtMatrixLayoutSetAttribute(d, kLayoutBatchCount, &count,
                                                sizeof(count)));
  expectProblem(kInvalidValue, "expects a batch of 2 for A but got 1");
  for (MatrixLayout layout : {a, b})
    ASSERT_LT_OK(cublasLtMatrixLayoutSetAttribute(layout, kLayoutBatchCount,
                                                  &count, sizeof(count)));
  ASSERT_LT_OK(cublasLtMatrixLayoutSetAttribute(d, kLayoutBatchOffset, &offset,
                                                sizeof(offset)));
  expectProblem(kInvalidValue, "the matrices of the batch of D overlap");
  d->batchOffset = -1;
  expectProblem(kInvalidValue,
                "expects a batch offset of C of at least 0 but got -1");
  d->batchCount = 0;
  expectProblem(kInvalidValue, "expects a batch of C of at least 1 but got 0");
}

TEST_F(MatMulTest, RefusesWrongAttributes) {
  int32_t value = 1;
  expectRefused(cublasLtMatmulDescSetAttribute(desc, kDescTransA, &value, 8),
                kInvalidValue, "expects 4 bytes for the attribute but got 8");
  expectRefused(cublasLtMatmulDescSetAttribute(desc, kDescTransA, nullptr, 4),
                kInvalidValue, "expects 4 bytes for the attribute but got 0");
  expectRefused(cublasLtMatmulDescSetAttribute(desc, 99, &value, 4),
                kInvalidValue, "the stand-in has no attribute 99");
  expectRefused(cublasLtMatrixLayoutSetAttribute(a, 99, &value, 4),
                kInvalidValue, "the stand-in has no attribute 99");
  expectRefused(cublasLtMatmulPreferenceSetAttribute(preference, 99, &value, 4),
                kInvalidValue, "the stand-in has no attribute 99");
}

TEST_F(MatMulTest, RefusesDestroyedObjects) {
  MatmulDesc gone;
  ASSERT_LT_OK(cublasLtMatmulDescCreate(&gone, kComputeF32, kTypeF32));
  ASSERT_LT_OK(cublasLtMatmulDescDestroy(gone));
  expectRefused(cublasLtMatmulDescDestroy(gone), kInvalidValue,
                "cublasLtMatmulDescDestroy: no such object");
  std::swap(gone, desc);
  expectRefused(select(), kInvalidValue, "no such descriptor or layout");
  std::swap(gone, desc);
  Handle other;
  ASSERT_LT_OK(cublasLtCreate(&other));
  ASSERT_LT_OK(cublasLtDestroy(other));
  std::swap(other, handle);
  expectRefused(select(), kNotInitialized, "no such handle");
  std::swap(other, handle);
}

TEST_F(MatMulTest, RefusesWrongArgumentsOfTheCall) {
  expectRefused(multiply(), kInvalidValue,
                "the algorithm was selected for another product");
  ASSERT_LT_OK(select());
  DevicePointer right = aData;
  aData += 4;
  expectRefused(multiply(), kInvalidValue,
                "expects A to be aligned to 256 bytes");
  aData = 0;
  expectRefused(multiply(), kInvalidValue, "expects an address of A");
  aData = dData;
  expectRefused(multiply(), kInvalidValue, "A and D overlap");
  aData = right;
  workspace += 64;
  expectRefused(multiply(), kInvalidValue,
                "expects the workspace to be aligned to 256 bytes");
  workspace = dData;
  expectRefused(multiply(), kInvalidValue, "D and the workspace overlap");
  expectRefused(cublasLtMatmul(handle, desc, &alpha, (void *)aData, a,
                               (void *)bData, b, nullptr, (void *)dData, d,
                               (void *)dData, d, &selected.algorithm, nullptr,
                               0, stream),
                kInvalidValue, "expects alpha and beta");
  expectRefused(cublasLtMatmul(handle, desc, &alpha, (void *)aData, a,
                               (void *)bData, b, &beta, (void *)dData, d,
                               (void *)dData, d, nullptr, nullptr, 0, stream),
                kNotSupported, "the stand-in selects no algorithm");
}

TEST_F(MatMulTest, AnAlgorithmThatSplitsNeedsItsWorkspace) {
  a->columns = b->rows = 512;
  b->leading = 512;
  preference->workspaceBytes = 64;
  ASSERT_LT_OK(select());
  EXPECT_EQ(selected.workspaceBytes, 64u);
  uint32_t parts = 0;
  ASSERT_LT_OK(cublasLtMatmulAlgoConfigGetAttribute(
      &selected.algorithm, kAlgorithmSplitK, &parts, sizeof(parts), nullptr));
  EXPECT_EQ(parts, 2u);
  workspaceBytes = 63;
  expectRefused(multiply(), kInvalidValue,
                "expects a workspace of at least 64 bytes but got 63");
  // Without workspace, or sums in parts, it is one sum.
  preference->reductionSchemes = kReductionInPlace;
  ASSERT_LT_OK(select());
  EXPECT_EQ(selected.workspaceBytes, 0u);
}

TEST_F(MatMulTest, FailsWhereItIsAsked) {
  ASSERT_EQ(jobsim_set_failures("cublasLtMatmul:2,cublasLtCreate:1:14"), 0);
  ASSERT_LT_OK(select());
  ASSERT_LT_OK(multiply());
  EXPECT_EQ(multiply(), kExecutionFailed);
  EXPECT_EQ(jobsim_calls("cublasLtMatmul"), 2u);
  Handle other;
  EXPECT_EQ(cublasLtCreate(&other), kInternalError);
  EXPECT_EQ(jobsim_set_failures("cublasLtNothing:1"), -1);
  jobsim_reset_counters();
  EXPECT_EQ(jobsim_calls("cublasLtMatmul"), 0u);
}

TEST_F(MatMulTest, TellsWhatIsLeft) {
  uint64_t before = jobsim_report_leaks();
  MatrixLayout layout;
  ASSERT_LT_OK(cublasLtMatrixLayoutCreate(&layout, kTypeF32, 1, 1, 1));
  EXPECT_EQ(jobsim_report_leaks(), before + 1);
  ASSERT_LT_OK(cublasLtMatrixLayoutDestroy(layout));
}

} // namespace
