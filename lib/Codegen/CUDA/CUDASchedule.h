//===- CUDASchedule.h - Schedules of kernels for CUDA -----------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CODEGEN_CUDA_CUDASCHEDULE_H
#define JOBDIALECT_LIB_CODEGEN_CUDA_CUDASCHEDULE_H

#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// The items of a kernel as a block sees them.
struct BlockShape {
  /// The dimension that vectors lie along, and their elements; none and 1 for
  /// scalars.
  std::optional<unsigned> vectorDim;
  int64_t numLanes = 1;
  /// Whether vectors lie along a dimension of items, so that each thread
  /// computes several of them.
  bool isVectorOfItems = false;
  /// How many items there are, or vectors of them.
  int64_t items = 1;
  /// Items that a block computes at a time.
  int64_t itemsPerBlock = 1;

  BlockShape(const KernelNest &nest, CUDAScheduleAttr schedule);
  /// How many times a block has to compute `itemsPerBlock` items.
  int64_t getNumGroups() const {
    return llvm::divideCeil(items, itemsPerBlock);
  }
};

/// The columns of a pass of column sums, or vectors of them.
int64_t countColumns(const KernelPass &pass, const KernelNest &nest,
                     std::optional<unsigned> vectorDim, int64_t numLanes);

/// Whether the threads of a team have neighbouring points of a dimension that a
/// pass keeps, and each reduces the terms of its own. Else they have
/// neighbouring terms, and join what they have of each point.
bool keepsLanes(const KernelPass &pass, const KernelNest &nest,
                std::optional<unsigned> vectorDim);
/// The points, of so many, whose terms a team that joins them reduces at once:
/// as many as it has registers for.
int64_t countPointsAtOnce(const KernelPass &pass, int64_t points,
                          int64_t numLanes);

/// The rows and columns of a tile of a schedule with `transpose`.
inline constexpr int64_t kTileSize = 32;

/// Whether an operand goes along `dim`, and across the last dimension: threads
/// that compute neighbours would read elements that are far apart.
bool isTransposed(const KernelInput &input, const KernelNest &nest,
                  unsigned dim);
/// Whether a kernel may have a schedule with `transpose = dim`.
bool canTranspose(const KernelNest &nest, unsigned dim);
/// The tiles along a dimension, and of the whole kernel.
int64_t countTilesAlong(const KernelNest &nest, unsigned dim,
                        unsigned transposed);
int64_t countTiles(const KernelNest &nest, unsigned transposed);

/// The schedule that plan-select-schedules chooses, which it explains.
CUDAScheduleAttr selectCUDASchedule(ExecutableOp executable,
                                    const KernelNest &nest);
CUDAScheduleAttr selectCUDASchedule(ExecutableOp executable,
                                    const ItemLoop &loop);
/// The same without an explanation.
CUDAScheduleAttr chooseCUDASchedule(MLIRContext *context,
                                    const KernelNest &nest);

/// Whether all accesses to whole vectors of `numLanes` elements along a
/// dimension are aligned to their size.
bool areVectorsAligned(const KernelNest &nest, unsigned dim, int64_t numLanes);

/// Attaches the model of ScheduleAttrInterface.
void attachCUDAScheduleModel(MLIRContext &context);

/// Checks that a schedule fits a kernel. Errors are at `op`.
LogicalResult verifySchedule(Operation *op, const KernelNest &nest,
                             CUDAScheduleAttr schedule);
LogicalResult verifySchedule(Operation *op, const ItemLoop &loop,
                             CUDAScheduleAttr schedule);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CUDA_CUDASCHEDULE_H
