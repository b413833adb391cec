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

namespace mlir::job {

/// Also chooses the bytes of workspace of a chunk.
void splitWork(jobrt::calls::MatMul &matmul, int64_t maxChunks);
/// Also chooses tiles and the bytes of workspace of a chunk.
void splitWork(jobrt::calls::Conv2d &conv, jobrt::calls::Conv2dKind kind,
               int64_t maxChunks);
void splitWork(jobrt::calls::AttentionBase &attention, int64_t maxChunks);
/// Sets the bytes of workspace, by its layout and shapes. The library splits
/// the work itself.
void splitWork(jobrt::calls::CudnnConv2d &conv);
void splitWork(jobrt::calls::CudnnAttention &attention);
/// Also chooses the parts of the batch.
void splitWork(jobrt::calls::CudnnAttentionGrad &attention);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_CALLSPLITS_H
