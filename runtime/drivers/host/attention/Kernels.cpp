//===- Kernels.cpp - Choosing the kernels of attention --------------------===//

#include "drivers/host/attention/Kernels.h"

using namespace jobrt::attention;

namespace jobrt::attention {
extern const Kernels kernelsGeneric;
#ifdef JOBRT_ATTENTION_X86
extern const Kernels kernelsAvx2, kernelsAvx512;
#endif
} // namespace jobrt::attention

static KernelList findKernels() {
  KernelList list{};
#ifdef JOBRT_ATTENTION_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    list.kernels[list.count++] = &kernelsAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    list.kernels[list.count++] = &kernelsAvx2;
#endif
  list.kernels[list.count++] = &kernelsGeneric;
  return list;
}

const KernelList &jobrt::attention::supportedKernels() {
  static const KernelList list = findKernels();
  return list;
}
