//===- KernelsAvx512.cpp - Attention with avx512 instructions -----------===//

#ifndef __AVX512F__
#error "expects the compiler options of CMakeLists.txt"
#endif

#define JOBRT_ATTENTION_KERNELS kernelsAvx512
#define JOBRT_ATTENTION_INSTRUCTIONS "avx512"
#define JOBRT_ATTENTION_LANES 16
#include "drivers/host/attention/KernelsImpl.h"
