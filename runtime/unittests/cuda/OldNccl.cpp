// An NCCL that is too old, with all functions of a newer one.
#include "drivers/cuda/nccl/NcclApi.h"

using namespace jobrt::cuda::nccl;
using jobrt::cuda::Stream;

extern "C" {
// It has a definition of its own below.
#define ncclGetVersion unusedGetVersion
#define JOBRT_DEFINE(name, symbol, result, parameters)                         \
  result symbol parameters { return {}; }
JOBRT_FOR_EACH_NCCL_FUNCTION(JOBRT_DEFINE)
#undef ncclGetVersion

// The simulated CUDA takes libraries that are marked as its own.
unsigned jobsim_abi_version(void) { return 1; }

Result ncclGetVersion(int *version) {
  *version = 21701;
  return kSuccess;
}
}
