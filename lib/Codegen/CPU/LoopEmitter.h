//===- LoopEmitter.h - A kernel's body as loops on vectors ------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTER_H
#define JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTER_H

#include "CPUSchedule.h"

namespace mlir::plan {

/// How many vectors along a dimension are worked on at once where it has
/// `extent` iterations: as many as the schedule says, fewer along a short one.
int64_t getInterleave(CPUScheduleAttr schedule, int64_t extent);

/// Whether `dim` is the contiguous dimension of an operand that vectors along
/// `vectorDim` go across.
bool isTransposed(const KernelInput &input, unsigned vectorDim, unsigned dim);

/// Whether tiles of `dim` are computed in square blocks, for which transposed
/// operands are read along `dim` and transposed in registers.
bool canTransposeBlocks(const KernelNest &nest, unsigned vectorDim,
                        unsigned dim);

/// Builds the loops of one chunk of a kernel in the entry block of `func`,
/// which takes the kernel's buffers and the chunk: scf loops, with vectors
/// along one dimension, on flat memrefs. The schedule fits the kernel. Every
/// sum has one order of its terms, which depends on the kernel's extents and
/// the schedule alone.
void emitLoops(func::FuncOp func, const KernelNest &nest,
               CPUScheduleAttr schedule);
/// The same of a loop over items: a loop over those of the chunk.
void emitLoops(func::FuncOp func, const ItemLoop &loop,
               CPUScheduleAttr schedule);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CPU_LOOPEMITTER_H
