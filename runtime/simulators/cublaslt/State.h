//===- State.h - The objects of the stand-in for cuBLASLt -------*- C++ -*-===//
//
// A library with the functions of cuBLASLt that the driver calls. It checks
// their arguments as the library's reference says, and computes on the host;
// the product runs on a stream of the simulated CUDA, which checks its memory.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUBLASLT_STATE_H
#define JOBRT_SIMULATORS_CUBLASLT_STATE_H

#include "drivers/cuda/cublaslt/CublasLtApi.h"
#include "simulators/cuda/library_abi.h"

#include <optional>
#include <string>

#define JOBSIM_EXPORT __attribute__((visibility("default")))

// The compiler compares every definition with what the driver expects.
extern "C" {
using jobrt::cuda::Stream;
using jobrt::cuda::cublaslt::Algorithm;
using jobrt::cuda::cublaslt::Handle;
using jobrt::cuda::cublaslt::HeuristicResult;
using jobrt::cuda::cublaslt::MatmulDesc;
using jobrt::cuda::cublaslt::MatrixLayout;
using jobrt::cuda::cublaslt::Preference;
using jobrt::cuda::cublaslt::Result;
#define JOBSIM_DECLARE(name, symbol, result, parameters)                       \
  JOBSIM_EXPORT result symbol parameters;
JOBRT_FOR_EACH_CUBLASLT_FUNCTION(JOBSIM_DECLARE)
#undef JOBSIM_DECLARE
}

namespace jobrt::cuda::cublaslt {

struct MatrixLayoutData {
  int32_t type;
  uint64_t rows, columns;
  int64_t leading;
  int32_t batchCount = 1;
  int64_t batchOffset = 0;
};

struct MatmulDescData {
  int32_t computeType, scaleType;
  int32_t transposeA = kOperationN, transposeB = kOperationN;
  uint32_t epilogue = kEpilogueDefault;
  /// What an epilogue reads or writes.
  const void *bias = nullptr, *aux = nullptr;
  int64_t auxLeading = 0;
};

struct PreferenceData {
  uint64_t workspaceBytes = 0;
  uint32_t reductionSchemes = 7;
  uint32_t alignmentA = 256, alignmentB = 256, alignmentC = 256,
           alignmentD = 256;
};

} // namespace jobrt::cuda::cublaslt

namespace jobsim::cublaslt {

using namespace jobrt::cuda::cublaslt;

/// What the library would do with a product: its own use of an Algorithm.
struct Selection {
  uint64_t magic;
  /// Of everything that the algorithm was selected for.
  uint64_t problem;
  uint32_t splitK, reductionScheme;
  uint64_t workspaceBytes;
  uint32_t alignment[4];
  uint32_t biasAlignment, auxAlignment;
};
static_assert(sizeof(Selection) <= sizeof(Algorithm));

/// A product with its matrices, as it is submitted.
struct Problem {
  MatmulDescData desc;
  MatrixLayoutData a, b, c, d;
};

/// Why the library does not compute a product, and its error; kSuccess if it
/// does.
struct Refusal {
  Result result = kSuccess;
  std::string reason;
};
Refusal checkProblem(const Problem &problem);
uint64_t hashProblem(const Problem &problem);

/// What an epilogue is.
struct EpilogueTraits {
  bool addsBias = false, isRelu = false, isGelu = false;
  /// Whether it multiplies with the derivative of the relu or gelu.
  bool isGradient = false;
  /// Whether it reads or, if it is no gradient, writes an auxiliary array: the
  /// mask of a relu, the input of a gelu.
  bool hasAux = false;
  /// Elements of the gradient of a bias that it writes, 0 for none.
  uint64_t biasGrad = 0;
};
/// Those of a product's epilogue; nothing if the stand-in does not have it.
std::optional<EpilogueTraits> getTraits(const Problem &problem);

/// The bytes of the elements of a type, 0 if the stand-in does not have it.
size_t bytesOf(int32_t type);
/// The bytes from the first to the last element.
uint64_t bytesOf(const MatrixLayoutData &layout);

/// Everything that a product needs when it runs.
struct Product {
  Problem problem;
  Selection selection;
  float alpha, beta;
  const void *a, *b, *c;
  void *d;
  void *workspace;
};
void runProduct(const Product &product);

} // namespace jobsim::cublaslt

#endif // JOBRT_SIMULATORS_CUBLASLT_STATE_H
