//===- CallSplits.h - How the work of library calls is split ----*- C++ -*-===//
//
// Pure functions of shapes, so that the bits of a result depend neither on the
// machine's cores nor on timing. Each sets the split of a configuration whose
// other parameters are given: at most `maxChunks` chunks (1 to
// JOBRT_MAX_CHUNKS), the number with the shortest time if there is a core for
// each chunk.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_CALLSPLITS_H
#define JOBDIALECT_SUPPORT_CALLSPLITS_H

#include "jobrt/calls.h"

#include <limits>

namespace mlir::job {

inline constexpr int64_t kNoWorkspaceLimit =
    std::numeric_limits<int64_t>::max();

/// Also chooses the bytes of workspace of a chunk.
void splitWork(jobrt::calls::MatMul &matmul, int64_t maxChunks);
/// Also chooses tiles and the bytes of workspace of a chunk. There is one chunk
/// if several would need more than `workspaceLimit` bytes.
void splitWork(jobrt::calls::Conv2d &conv, jobrt::calls::Conv2dKind kind,
               int64_t maxChunks, int64_t workspaceLimit = kNoWorkspaceLimit);
void splitWork(jobrt::calls::AttentionBase &attention, int64_t maxChunks);
/// Sets the bytes of workspace, by its layout and shapes: at most
/// `workspaceLimit`. The library splits the work itself.
void splitWork(jobrt::calls::CudnnConv2d &conv,
               int64_t workspaceLimit = kNoWorkspaceLimit);
void splitWork(jobrt::calls::CudnnAttention &attention);
/// Also chooses the parts of the batch.
void splitWork(jobrt::calls::CudnnAttentionGrad &attention);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_CALLSPLITS_H
