//===- Finite.h - Values that are NaN or infinity ---------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_COMMON_FINITE_H
#define JOBRT_DRIVERS_COMMON_FINITE_H

#include "jobrt/artifact.h"
#include "jobrt/status.h"

namespace jobrt {

/// The status word (jobrt/abi.h) of a command that checks one op, for `count`
/// elements at `data`: less than JOBRT_CHECK_FAILED if all are finite.
uint32_t checkFinite(const void *data, int64_t count, DType dtype);

/// The error of a step in which a check of `op` has found `word`; `variables`
/// says what became of them.
Status describeNonFinite(const EntryInfo &entry, const CheckedOp &op,
                         uint32_t word, int64_t step, const char *variables);

} // namespace jobrt

#endif // JOBRT_DRIVERS_COMMON_FINITE_H
