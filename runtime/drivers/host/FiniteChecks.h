//===- FiniteChecks.h - Checks of library calls for NaN ----------*- C++
//-*-===//
//
// The checks that the driver makes of results of library calls. Generated
// kernels check the values that they compute.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_FINITECHECKS_H
#define JOBRT_DRIVERS_HOST_FINITECHECKS_H

#include "drivers/common/Finite.h"
#include "drivers/host/LibraryCall.h"

namespace jobrt {

/// Checks the results of a library call, which are arrays of f32 or bf16.
class ResultChecks {
public:
  ResultChecks(const Command &command, const LibraryCall &call);

  /// The status word of what chunk `chunk` alone writes and has completed.
  uint32_t checkChunk(void *const *args, int64_t chunk) const;
  /// The status word of all other results, after LibraryCall::finish().
  uint32_t checkRest(void *const *args) const;

private:
  /// The elements of a block: in each dimension `size` from `begin` on.
  struct Range {
    int64_t begin, size, extent;
  };
  uint32_t checkBlock(const char *data, const std::vector<Range> &block,
                      size_t dim) const;

  DType dtype;
  int64_t elementBytes;

  /// The block of the first result of each chunk; empty if that result is
  /// checked with the others.
  std::vector<std::vector<Range>> blocks;
  /// Blocks have whole dimensions from this one on.
  size_t firstWhole = 0;
  /// Argument number and elements of each result.
  std::vector<std::pair<size_t, int64_t>> results;
};

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_FINITECHECKS_H
