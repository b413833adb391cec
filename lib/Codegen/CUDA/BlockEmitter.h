//===- BlockEmitter.h - A kernel's body for blocks of threads ---*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CODEGEN_CUDA_BLOCKEMITTER_H
#define JOBDIALECT_LIB_CODEGEN_CUDA_BLOCKEMITTER_H

#include "CUDASchedule.h"

namespace mlir::plan {

/// Builds the code of one block of a kernel in the entry block of `func`, which
/// takes the kernel's buffers, its scalars and the number of the block, on flat
/// memrefs. The schedule fits the kernel. Every sum has one order of its terms,
/// which depends on the kernel's extents and the schedule alone.
void emitBlock(func::FuncOp func, const KernelNest &nest,
               CUDAScheduleAttr schedule);
/// The same for a schedule with `transpose`, which emitBlock() calls.
void emitTiles(func::FuncOp func, const KernelNest &nest,
               CUDAScheduleAttr schedule);
/// The same of a loop over items: each thread computes items.
void emitBlock(func::FuncOp func, const ItemLoop &loop,
               CUDAScheduleAttr schedule);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CUDA_BLOCKEMITTER_H
