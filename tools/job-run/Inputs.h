//===- Inputs.h - The inputs of a step --------------------------*- C++ -*-===//

#ifndef JOBMLIR_TOOLS_JOB_RUN_INPUTS_H
#define JOBMLIR_TOOLS_JOB_RUN_INPUTS_H

#include "jobrt/artifact.h"

namespace jobrun {

/// Reads one .npy file for each input of the entry, in order.
jobrt::Expected<std::vector<jobrt::Tensor>>
readInputs(const jobrt::EntryInfo &entry,
           const std::vector<std::string> &paths);

/// Draws inputs: floats uniform in [0, 1), integers uniform in
/// [0, integerRange), from the seed and the step alone.
jobrt::Expected<std::vector<jobrt::Tensor>>
drawInputs(const jobrt::EntryInfo &entry, int64_t seed, int64_t step,
           int64_t integerRange);

} // namespace jobrun

#endif // JOBMLIR_TOOLS_JOB_RUN_INPUTS_H
