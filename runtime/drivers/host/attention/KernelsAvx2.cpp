//===- KernelsAvx2.cpp - Attention with avx2 instructions ---------------===//

#ifndef __AVX2__
#error "expects the compiler options of CMakeLists.txt"
#endif

#define JOBRT_ATTENTION_KERNELS kernelsAvx2
#define JOBRT_ATTENTION_INSTRUCTIONS "avx2"
#define JOBRT_ATTENTION_LANES 8
#include "drivers/host/attention/KernelsImpl.h"
