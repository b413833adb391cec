//===- Targets.h - What code is generated for -------------------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_TARGETS_H
#define JOBDIALECT_SUPPORT_TARGETS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::job {

/// The names of targets: of variants of kernels, and in the rows of the table
/// of implementations.
inline constexpr llvm::StringLiteral kCPUTarget = "cpu";
inline constexpr llvm::StringLiteral kCUDATarget = "cuda";

/// The simulated CUDA, where GPUs are named: "sm_90", "simulated".
inline constexpr llvm::StringLiteral kSimulatedTarget = "simulated";

/// PTX for the compute capability of a GPU is named "compute_90", as nvcc does.
inline constexpr llvm::StringLiteral kChipPrefix = "sm_";
inline constexpr llvm::StringLiteral kPTXPrefix = "compute_";

/// The GPUs that code is made for, and the version of PTX that knows each.
struct GPUTarget {
  llvm::StringLiteral chip, ptx;
};
inline constexpr GPUTarget kGPUTargets[] = {
    {"sm_80", "+ptx81"}, {"sm_86", "+ptx81"},  {"sm_89", "+ptx81"},
    {"sm_90", "+ptx81"}, {"sm_100", "+ptx86"}, {"sm_103", "+ptx88"},
    {"sm_120", "+ptx87"}};

/// What planners assume about a target before it has a schedule. The numbers
/// change kernels, and so the bits of results: they are those of a target, not
/// those of the machine that compiles.
struct TargetCosts {
  /// The bytes of a row that stay in a cache of a core from one pass over it to
  /// the next, beside what else a kernel reads and writes.
  int64_t cachedBytes;
  /// The cores that work is spread over.
  int64_t cores;
  /// The minimum work of a chunk, in operations and in bytes of data.
  int64_t chunkOperations, chunkBytes;
  /// The maximum bytes of a result that takes less time to compute than its
  /// kernel takes to start.
  int64_t smallBytes;
  /// The reductions that a kernel has registers for.
  unsigned reductions;
  /// The minimum bytes of a piece of a row that is accessed at full speed where
  /// the next piece is in another row.
  int64_t pieceBytes;
  /// The chunks that a reduction has work for, at least, where a second kernel
  /// for the results of its chunks pays.
  int64_t stagedChunks;
  /// The bytes that a kernel accesses in the time that it takes to start; 0
  /// where one launch cannot have several kernels.
  int64_t launchBytes;
  /// The elements that an item of a loop (LoopKernelOpInterface) computes,
  /// about, and the lanes of its vectors, at most.
  int64_t itemElements, itemLanes;
  /// The pieces that indices are grouped in at the same time, at most
  /// (job.group_indices): each compares all of them.
  int64_t groupPieces;
};

/// An x86 server.
inline constexpr TargetCosts kCPUCosts = {
    // A quarter of a second-level cache of 1 MiB. Rows of 200 kB take the same
    // time in one kernel as in two (docs/rationale.md).
    /*cachedBytes=*/256 << 10,
    // The chunks that a kernel has at most (JOBRT_MAX_CHUNKS).
    /*cores=*/64,
    // To start a chunk on another thread takes about a microsecond. To read so
    // many bytes takes a core two, at 39 GB/s.
    /*chunkOperations=*/16384,
    /*chunkBytes=*/64 << 10,
    // One vector.
    /*smallBytes=*/64,
    // With four vectors each, half of 32 registers.
    /*reductions=*/4,
    // A page: a core does not fetch ahead beyond it.
    /*pieceBytes=*/4096,
    // The second kernel and the hand-over to it take a few microseconds.
    /*stagedChunks=*/4,
    /*launchBytes=*/0,
    // Enough that the overhead of an item is small beside them, in vectors of
    // up to four cache lines of f32.
    /*itemElements=*/4096,
    /*itemLanes=*/64,
    // Beyond a quarter of the cores, comparisons cost more than they save.
    /*groupPieces=*/16};

/// An H100 or H200.
inline constexpr TargetCosts kCUDACosts = {
    // Blocks on all multiprocessors share a second-level cache of 50 MB.
    /*cachedBytes=*/128 << 10,
    // Two blocks for each of 132 multiprocessors.
    /*cores=*/264,
    // A block has 256 threads or more, with a few terms for each.
    /*chunkOperations=*/16384,
    // Read by a block in about 4 microseconds while all others read as well.
    /*chunkBytes=*/64 << 10,
    // A kernel of a graph takes about 2 microseconds to start.
    /*smallBytes=*/4 << 10,
    /*reductions=*/4,
    // What a warp accesses at once.
    /*pieceBytes=*/128,
    /*stagedChunks=*/4,
    // 2 microseconds at 4 TB/s.
    /*launchBytes=*/8 << 20,
    // 16 bytes of f32, the widest access of a thread.
    /*itemElements=*/4,
    /*itemLanes=*/4,
    // Two warps for each multiprocessor hide each other's latencies.
    /*groupPieces=*/8192};

inline const TargetCosts &getTargetCosts(llvm::StringRef target) {
  return target == kCUDATarget ? kCUDACosts : kCPUCosts;
}

/// Terms of a partial result of a reduction at least, so that these are few
/// beside what is reduced.
inline constexpr int64_t kMinPartSize = 16;

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_TARGETS_H
