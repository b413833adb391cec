// A cuBLASLt that is too old, with all functions of a newer one.
#include "drivers/cuda/cublaslt/CublasLtApi.h"

using namespace jobrt::cuda::cublaslt;
using jobrt::cuda::Stream;

template <typename T> static T getVersion() {
  if constexpr (std::is_same_v<T, size_t>)
    return 110504;
  return {};
}

extern "C" {
#define JOBRT_DEFINE(name, symbol, result, parameters)                         \
  result symbol parameters { return getVersion<result>(); }
JOBRT_FOR_EACH_CUBLASLT_FUNCTION(JOBRT_DEFINE)
}
