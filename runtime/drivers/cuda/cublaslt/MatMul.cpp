//===- MatMul.cpp - cublaslt.matmul ---------------------------------------===//
//
// Matrices of a plan are in row-major order, which to cuBLASLt, whose matrices
// are in column-major order, are the transposed ones: out^T = op(b)^T op(a)^T.
// So the library's A is our b, and its B our a:
//
//   ours                    the library's
//   out  m x n              D  n x m, leading dimension n
//   c    m x n              C  that of D
//   b    k x n              A  n x k, leading dimension n, not transposed
//   b    n x k, transposed  A  k x n, leading dimension k, transposed
//   a    m x k              B  k x m, leading dimension k, not transposed
//   a    k x m, transposed  B  m x k, leading dimension m, transposed
//
// The bias, for each column of ours, is one for each row of the library's D,
// and so is an auxiliary array, which has columns of the library's for our
// rows. The gradient of a bias that is a sum of our a is one of the library's
// B.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/cuda/cublaslt/CublasLt.h"

namespace jobrt::cuda::cublaslt {

static int getDataType(calls::Element element) {
  switch (element) {
  case calls::Element::kF32:
    return kTypeF32;
  case calls::Element::kF16:
    return kTypeF16;
  case calls::Element::kBF16:
    return kTypeBF16;
  case calls::Element::kI8:
    break; // Of masks, which have no layout.
  }
  return kTypeF32;
}

static uint32_t getEpilogue(const calls::CublasLtMatMul &config) {
  switch (static_cast<calls::Epilogue>(config.epilogue)) {
  case calls::Epilogue::kNone:
    return kEpilogueDefault;
  case calls::Epilogue::kBias:
    return kEpilogueBias;
  case calls::Epilogue::kBiasRelu:
    return kEpilogueReluBias;
  case calls::Epilogue::kRelu:
    return kEpilogueRelu;
  case calls::Epilogue::kBiasReluMask:
    return kEpilogueReluAuxBias;
  case calls::Epilogue::kReluGrad:
    return kEpilogueDRelu;
  case calls::Epilogue::kReluGradBiasGrad:
    return kEpilogueDReluBGrad;
  case calls::Epilogue::kBiasGelu:
    return kEpilogueGeluBias;
  case calls::Epilogue::kBiasGeluInput:
    return kEpilogueGeluAuxBias;
  case calls::Epilogue::kGeluGrad:
    return kEpilogueDGelu;
  case calls::Epilogue::kGeluGradBiasGrad:
    return kEpilogueDGeluBGrad;
  case calls::Epilogue::kBiasGradA:
    return kEpilogueBGradB;
  case calls::Epilogue::kBiasGradB:
    return kEpilogueBGradA;
  }
  return kEpilogueDefault;
}

namespace {
class MatMulCall final : public Call {
public:
  MatMulCall(const Api &api, Handle handle, const calls::CublasLtMatMul &config)
      : api(api), handle(handle), config(config),
        desc(api, &Api::matmulDescDestroy), a(api, &Api::matrixLayoutDestroy),
        b(api, &Api::matrixLayoutDestroy), d(api, &Api::matrixLayoutDestroy) {}

  Status initialize();
  Status enqueue(const DevicePointer *args, Stream stream) override;
  std::string algorithm() const override;

private:
  Status createLayout(Owned<MatrixLayout> &layout, calls::Element element,
                      int64_t rows, int64_t columns);
  Status createDesc();
  Status setEpilogue();
  Status setEpilogueArguments(DevicePointer bias, DevicePointer auxiliary);
  Status selectAlgorithm();
  template <typename T> Status setDesc(int attribute, T value) {
    return api.check(
        api.matmulDescSetAttribute(desc.get(), attribute, &value, sizeof(T)),
        "cublasLtMatmulDescSetAttribute",
        "attribute " + std::to_string(attribute));
  }
  /// A property of the algorithm.
  template <typename T> T query(int attribute) const {
    T value = 0;
    size_t written = 0;
    (void)api.algorithmGetAttribute(&chosen.algorithm, attribute, &value,
                                    sizeof(T), &written);
    return value;
  }

  const Api &api;
  Handle handle;
  calls::CublasLtMatMul config;
  Owned<MatmulDesc> desc;
  Owned<MatrixLayout> a, b, d;
  HeuristicResult chosen{};
};
} // namespace

/// A matrix of the library, in column-major order.
Status MatMulCall::createLayout(Owned<MatrixLayout> &layout,
                                calls::Element element, int64_t rows,
                                int64_t columns) {
  if (Status status = api.check(
          api.matrixLayoutCreate(layout.receive(), getDataType(element), rows,
                                 columns, /*leading dimension=*/rows),
          "cublasLtMatrixLayoutCreate", "a matrix");
      !status.ok() || config.batch == 1)
    return status;
  auto count = static_cast<int32_t>(config.batch);
  int64_t offset = rows * columns;
  Result result = api.matrixLayoutSetAttribute(layout.get(), kLayoutBatchCount,
                                               &count, sizeof(count));
  if (result == kSuccess)
    result = api.matrixLayoutSetAttribute(layout.get(), kLayoutBatchOffset,
                                          &offset, sizeof(offset));
  return api.check(result, "cublasLtMatrixLayoutSetAttribute",
                   "a batch of matrices");
}

Status MatMulCall::createDesc() {
  int compute = config.tf32 ? kComputeFastTF32 : kComputeF32;
  Status status =
      api.check(api.matmulDescCreate(desc.receive(), compute, kTypeF32),
                "cublasLtMatmulDescCreate", "a matrix product");
  if (status.ok())
    status = setDesc<int32_t>(kDescTransA,
                              config.transpose_b ? kOperationT : kOperationN);
  if (status.ok())
    status = setDesc<int32_t>(kDescTransB,
                              config.transpose_a ? kOperationT : kOperationN);
  return status.ok() && config.epilogue ? setEpilogue() : status;
}

Status MatMulCall::setEpilogue() {
  Status status = setDesc<uint32_t>(kDescEpilogue, getEpilogue(config));
  if (status.ok() && config.hasAuxiliary())
    status = setDesc<int64_t>(kDescAuxLeading, config.auxiliaryRow());
  // The heuristic reads the alignments of the addresses.
  return status.ok() ? setEpilogueArguments(JOBRT_ALIGNMENT, JOBRT_ALIGNMENT)
                     : status;
}

/// `bias` is the gradient of one where the epilogue computes that.
Status MatMulCall::setEpilogueArguments(DevicePointer bias,
                                        DevicePointer auxiliary) {
  Status status;
  if (config.hasBias() || config.biasGradElements())
    status = setDesc<DevicePointer>(kDescBiasPointer, bias);
  if (status.ok() && config.hasAuxiliary())
    status = setDesc<DevicePointer>(kDescAuxPointer, auxiliary);
  return status;
}

Status MatMulCall::selectAlgorithm() {
  Owned<Preference> preference(api, &Api::preferenceDestroy);
  if (Status status = api.check(api.preferenceCreate(preference.receive()),
                                "cublasLtMatmulPreferenceCreate",
                                "the choice of an algorithm");
      !status.ok())
    return status;
  auto set = [&](int attribute, auto value) {
    return api.check(api.preferenceSetAttribute(preference.get(), attribute,
                                                &value, sizeof(value)),
                     "cublasLtMatmulPreferenceSetAttribute",
                     "attribute " + std::to_string(attribute));
  };
  Status status = set(kPreferenceMaxWorkspaceBytes,
                      static_cast<uint64_t>(config.workspace));
  // Partial sums are in f32, and added by a kernel of their own in a fixed
  // order.
  if (status.ok())
    status = set(kPreferenceReductionSchemes, kReductionComputeType);
  for (int attribute : {kPreferenceMinAlignmentA, kPreferenceMinAlignmentB,
                        kPreferenceMinAlignmentC, kPreferenceMinAlignmentD})
    if (status.ok())
      status = set(attribute, static_cast<uint32_t>(JOBRT_ALIGNMENT));
  if (!status.ok())
    return status;
  int count = 0;
  status =
      api.check(api.getHeuristic(handle, desc.get(), a.get(), b.get(), d.get(),
                                 d.get(), preference.get(), 1, &chosen, &count),
                "cublasLtMatmulAlgoGetHeuristic", "the choice of an algorithm");
  if (!status.ok())
    return status;
  if (count == 0)
    return Status(StatusCode::kUnimplemented,
                  "cuBLASLt has no algorithm for it with a workspace of " +
                      std::to_string(config.workspace) + " bytes");
  return api.check(chosen.state, "cublasLtMatmulAlgoGetHeuristic",
                   "the chosen algorithm");
}

Status MatMulCall::initialize() {
  Status status = createDesc();
  calls::Element element = config.element();
  if (status.ok())
    status = config.transpose_b ? createLayout(a, element, config.k, config.n)
                                : createLayout(a, element, config.n, config.k);
  if (status.ok())
    status = config.transpose_a ? createLayout(b, element, config.m, config.k)
                                : createLayout(b, element, config.k, config.m);
  if (status.ok())
    status = createLayout(d, config.outElement(), config.n, config.m);
  return status.ok() ? selectAlgorithm() : status;
}

Status MatMulCall::enqueue(const DevicePointer *args, Stream stream) {
  auto pointer = [](DevicePointer address) {
    return reinterpret_cast<void *>(address);
  };
  // In the order of the configuration's buffers.
  const DevicePointer *next = args + 2;
  const void *c = config.beta ? pointer(*next++) : nullptr;
  DevicePointer bias = config.hasBias() ? *next++ : 0, auxiliary = 0;
  if (config.hasAuxiliary() && !config.writesAuxiliary())
    auxiliary = *next++;
  void *out = pointer(*next++);
  if (config.writesAuxiliary())
    auxiliary = *next++;
  if (config.biasGradElements())
    bias = *next++;
  if (Status status = setEpilogueArguments(bias, auxiliary); !status.ok())
    return status;
  float alpha = 1, beta = config.beta;
  Result result = api.matmul(
      handle, desc.get(), &alpha, pointer(args[1]), a.get(), pointer(args[0]),
      b.get(), &beta, c ? c : out, d.get(), out, d.get(), &chosen.algorithm,
      config.workspace ? pointer(*next) : nullptr, config.workspace, stream);
  return result == kSuccess ? Status()
                            : api.check(result, "cublasLtMatmul", "the call");
}

std::string MatMulCall::algorithm() const {
  std::string text =
      "algorithm " + std::to_string(query<int32_t>(kAlgorithmId)) + ", tile " +
      std::to_string(query<uint32_t>(kAlgorithmTile)) + ", stages " +
      std::to_string(query<uint32_t>(kAlgorithmStages));
  if (int32_t parts = query<int32_t>(kAlgorithmSplitK); parts > 1)
    text += ", " + std::to_string(parts) + " parts of k";
  return text + ", " + std::to_string(chosen.workspaceBytes) +
         " bytes of workspace";
}

Expected<std::unique_ptr<Call>> prepareMatMul(const Api &api, Handle handle,
                                              const Command &command) {
  Expected<calls::CublasLtMatMul> config =
      readCall<calls::CublasLtMatMul>(command);
  if (!config.ok())
    return config.status();
  if (int64_t offset = config->workspace ? command.args.back().offset : 0;
      offset % calls::kWorkspaceAlignment != 0)
    return Status(StatusCode::kDataLoss,
                  "expects a workspace at a multiple of " +
                      std::to_string(calls::kWorkspaceAlignment) +
                      " bytes but got one at " + std::to_string(offset));
  auto call = std::make_unique<MatMulCall>(api, handle, *config);
  if (Status status = call->initialize(); !status.ok())
    return status;
  return withElements(std::unique_ptr<Call>(std::move(call)), *config);
}

} // namespace jobrt::cuda::cublaslt
