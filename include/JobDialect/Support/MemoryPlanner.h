//===- MemoryPlanner.h - Offsets for buffers with lifetimes -----*- C++ -*-===//
//
// A pure function from lifetimes and sizes to offsets in one arena, independent
// of IR; plan-pack-memory calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_MEMORYPLANNER_H
#define JOBDIALECT_SUPPORT_MEMORYPLANNER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace mlir::job {

/// A buffer that is live in the commands `first` to `last`, inclusive.
struct BufferInterval {
  int64_t first, last;
  /// Size in bytes; a buffer of 0 bytes conflicts with no other buffer.
  int64_t bytes;
};

/// Two buffers, by number, that may be live at once although their intervals do
/// not overlap: commands of several queues use them, in no order.
using UnorderedBuffers = std::pair<unsigned, unsigned>;

/// The order in which buffers are placed.
enum class PackingStrategy {
  /// The smallest result of all orders, and of a search if none reaches the
  /// lower bound.
  Best,
  /// Large buffers first.
  Size,
  /// Buffers with many conflicts (overlapping lifetimes) first.
  Conflicts,
  /// In the order of their first command, like an allocator at run time.
  Time,
  /// No two buffers share memory.
  None
};

/// The strategy named "best", "size", "conflicts", "time" or "none".
std::optional<PackingStrategy> symbolizePackingStrategy(llvm::StringRef name);

/// The offsets of the buffers. Sizes are in bytes; the size of each buffer is
/// rounded up to the alignment.
struct MemoryPlan {
  /// One per buffer, in order; multiples of the alignment.
  llvm::SmallVector<int64_t> offsets;
  /// Size of the arena.
  int64_t totalBytes = 0;
  /// Largest sum of live bytes at any command, a lower bound of `totalBytes`.
  int64_t lowerBoundBytes = 0;
  /// The first command with that many live bytes (0 without buffers).
  int64_t peakCommand = 0;
};

/// Default effort of the search for the best plan, in millions of numbers read:
/// about 7 seconds, used up only if the plan stays 2.5 % above the lower bound.
inline constexpr int64_t kDefaultPackingEffort = 2500;

/// Assigns offsets such that buffers with overlapping lifetimes are disjoint.
/// The result depends on the arguments only: the search counts its effort
/// instead of measuring time, and has a fixed seed. For up to `kExactBuffers`
/// buffers the best plan is optimal. Returns std::nullopt if the sum of all
/// sizes overflows int64_t. Buffers of `unordered` are disjoint as well; the
/// lower bound does not count that.
///
/// Preconditions: first <= last, bytes >= 0, alignment > 0, effort >= 0.
std::optional<MemoryPlan>
planMemory(llvm::ArrayRef<BufferInterval> buffers,
           PackingStrategy strategy = PackingStrategy::Best,
           int64_t alignment = 64, int64_t effort = kDefaultPackingEffort,
           llvm::ArrayRef<UnorderedBuffers> unordered = {});

/// For up to this many buffers, all orders are tried.
inline constexpr unsigned kExactBuffers = 8;

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_MEMORYPLANNER_H
