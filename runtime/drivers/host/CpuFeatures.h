//===- CpuFeatures.h - What the processor can do ----------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_HOST_CPUFEATURES_H
#define JOBRT_DRIVERS_HOST_CPUFEATURES_H

#include "jobrt/status.h"

#include <vector>

namespace jobrt {

/// Checks that this machine has every feature, given by LLVM's names
/// ("avx512f"). Errors (kUnimplemented) name all that are missing, or the
/// first one that this build does not know and so cannot promise.
Status checkCpuFeatures(const std::vector<std::string> &features);

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_CPUFEATURES_H
