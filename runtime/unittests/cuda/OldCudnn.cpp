// A cuDNN that is too old, with all functions of a newer one.
#include "drivers/cuda/cudnn/CudnnApi.h"

using namespace jobrt::cuda::cudnn;
using jobrt::cuda::Stream;

template <typename T> static T getVersion() {
  if constexpr (std::is_same_v<T, size_t>)
    return 8907;
  return T();
}

extern "C" {
#define JOBRT_DEFINE(name, symbol, result, parameters)                         \
  result symbol parameters { return getVersion<result>(); }
JOBRT_FOR_EACH_CUDNN_FUNCTION(JOBRT_DEFINE)
}
