//===- KernelsGeneric.cpp - Attention on any processor ------------------===//

#define JOBRT_ATTENTION_KERNELS kernelsGeneric
#define JOBRT_ATTENTION_INSTRUCTIONS "generic"
#define JOBRT_ATTENTION_LANES 4
#include "drivers/host/attention/KernelsImpl.h"
