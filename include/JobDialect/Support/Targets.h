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

/// The target that jobs are compiled for: job-verify-placement refuses
/// placements on other devices than CPUs.
inline constexpr llvm::StringLiteral kJobTarget = kCPUTarget;

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
    /*stagedChunks=*/4};

/// Those of kJobTarget.
inline constexpr const TargetCosts &kJobCosts = kCPUCosts;

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_TARGETS_H
