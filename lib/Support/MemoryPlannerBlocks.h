//===- MemoryPlannerBlocks.h - Buffers that tile a rectangle ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_SUPPORT_MEMORYPLANNERBLOCKS_H
#define JOBDIALECT_LIB_SUPPORT_MEMORYPLANNERBLOCKS_H

#include "JobDialect/Support/MemoryPlanner.h"

#include <utility>
#include <vector>

namespace mlir::job {

/// Buffers that tile a rectangle.
struct BufferBlock {
  BufferInterval interval;
  /// Buffers and their offsets in the block.
  std::vector<std::pair<unsigned, int64_t>> members;
};

/// Makes blocks out of buffers until no two or more make a larger one. Sizes
/// that differ by at most `tolerance` bytes count as equal. Leaves about the
/// part `doubt` of the blocks that it could make unmade, others for each
/// `seed`.
std::vector<BufferBlock> buildBlocks(llvm::ArrayRef<BufferInterval> buffers,
                                     int64_t tolerance, double doubt,
                                     uint64_t seed);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_SUPPORT_MEMORYPLANNERBLOCKS_H
