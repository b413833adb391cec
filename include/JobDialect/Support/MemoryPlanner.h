//===- MemoryPlanner.h - Offsets for buffers with lifetimes -----*- C++ -*-===//
//
// A pure function from lifetimes and sizes to offsets in one arena. It knows
// nothing of IR; plan-pack-memory calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_MEMORYPLANNER_H
#define JOBDIALECT_SUPPORT_MEMORYPLANNER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir::job {

/// A buffer that is alive in the commands `first` to `last`, both included.
struct BufferInterval {
  int64_t first, last;
  /// Size in bytes; a buffer of 0 bytes is in nobody's way.
  int64_t bytes;
};

/// In which order buffers are given their places.
enum class PackingStrategy {
  /// All orders, a search when they do not reach the lower bound; the smallest.
  Best,
  /// Large buffers first.
  Size,
  /// Buffers that are alive together with many others first.
  Conflicts,
  /// As the commands run, as an allocator at run time would see them.
  Time,
  /// No two buffers share bytes.
  None
};

/// The strategy called "best", "size", "conflicts", "time" or "none".
std::optional<PackingStrategy> symbolizePackingStrategy(llvm::StringRef name);

/// Where the buffers lie. Sizes are in bytes, each buffer's rounded up to the
/// alignment.
struct MemoryPlan {
  /// One for each buffer, in their order; multiples of the alignment.
  llvm::SmallVector<int64_t> offsets;
  /// Size of the arena.
  int64_t totalBytes = 0;
  /// Largest sum of live bytes at any command: no plan is smaller.
  int64_t lowerBoundBytes = 0;
  /// The first command where that many bytes are live (0 without buffers).
  int64_t peakCommand = 0;
};

/// Effort of the search for the best plan unless the caller says otherwise, in
/// millions of numbers looked at: some 7 seconds, spent only by plans that
/// stay well above the lower bound.
inline constexpr int64_t kDefaultPackingEffort = 2500;

/// Gives buffers that are alive together disjoint bytes. The result depends on
/// the arguments only: the search counts its effort, never time, and has a
/// fixed seed. Up to `kExactBuffers` buffers the best plan is optimal. Returns
/// nothing when the sum of all sizes is no int64_t.
///
/// Preconditions: first <= last, bytes >= 0, alignment > 0, effort >= 0.
std::optional<MemoryPlan>
planMemory(llvm::ArrayRef<BufferInterval> buffers,
           PackingStrategy strategy = PackingStrategy::Best,
           int64_t alignment = 64, int64_t effort = kDefaultPackingEffort);

/// Up to this many buffers every order is tried.
inline constexpr unsigned kExactBuffers = 8;

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_MEMORYPLANNER_H
