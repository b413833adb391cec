//===- MemoryPlanner.cpp - Offsets for buffers with lifetimes -------------===//
//
// The problem is dynamic storage allocation with known lifetimes (packing
// rectangles whose place in time is fixed), which is strongly NP-hard (Garey
// and Johnson, SR2). What is done here:
//
// - One list of buffers is placed one after the other, each at the lowest gap
//   that is large enough (first fit) or at the smallest such gap (best fit)
//   among the buffers placed before it. The order decides the result. Orders:
//   by size and by the number of conflicts (Pisarchyk and Lee, "Efficient
//   Memory Management for Deep Neural Net Inference", 2020, greedy by size and
//   by breadth), by lifetime and by size x lifetime (XLA's heap simulator, and
//   MiniMalloc, Moffitt 2023), in the direction of time and against it, and
//   what is live at the peak first, as one stack without gaps.
// - For every packing there is an order that first fit turns into one at least
//   as small: sorted by offset, each buffer finds a place not above its own, by
//   induction. So searching orders loses nothing, and trying all orders of a
//   few buffers is exact.
// - More buffers are searched by threshold accepting (Dueck and Scheuer 1990)
//   over orders: a change is taken when it is not worse than the current order
//   by more than a threshold that falls to zero.
// - What is then still above the lower bound is packed as a puzzle: see
//   MemoryPlannerSkyline.cpp.
// - Where no buffer crosses from one command to the next the problem falls into
//   two that have nothing to do with each other.
// - Buffers that commands of several queues use may conflict without an overlap
//   of their intervals. Orders and the search take such pairs into account; the
//   puzzle and the division into parts are for intervals only.
//
// Limits: placing n buffers takes O(n^2) time, the search over orders a fixed
// multiple of kSearchSteps, the puzzle its effort. The lower bound is not
// always attainable, and a gap that stays says nothing about who is to blame.
//
//===----------------------------------------------------------------------===//

#include "MemoryPlannerSkyline.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Comparisons of buffers that one search may make; about 0.03 seconds.
static constexpr int64_t kSearchSteps = 20'000'000;
/// Orders that one search may try, for few buffers.
static constexpr int64_t kMaxSearchOrders = 20'000;
/// One of the caller's units of effort, in numbers visited.
static constexpr int64_t kEffortUnit = 1'000'000;
/// First threshold of the search as a part of the gap to the lower bound.
static constexpr double kFirstThreshold = 0.03;

std::optional<PackingStrategy>
mlir::job::symbolizePackingStrategy(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<PackingStrategy>>(name)
      .Case("best", PackingStrategy::Best)
      .Case("size", PackingStrategy::Size)
      .Case("conflicts", PackingStrategy::Conflicts)
      .Case("time", PackingStrategy::Time)
      .Case("none", PackingStrategy::None)
      .Default(std::nullopt);
}

namespace {

enum class Fit { First, Best };

using Order = std::vector<unsigned>;

/// Buffers of at least one byte, their sizes rounded up.
class Packer {
public:
  /// Nothing is gained by a size below `target`.
  Packer(std::vector<BufferInterval> buffers, int64_t target, int64_t &effort)
      : buffers(std::move(buffers)), target(target), effort(effort),
        offsets(this->buffers.size()) {
    placed.reserve(this->buffers.size());
  }

  /// Buffers that are live at once, whatever their intervals are.
  void addUnordered(unsigned a, unsigned b) {
    unordered.resize(buffers.size(), llvm::BitVector(buffers.size()));
    unordered[a].set(b);
    unordered[b].set(a);
  }

  int64_t getBestTotal() const { return bestTotal; }
  ArrayRef<int64_t> getBestOffsets() const { return bestOffsets; }

  void packInOrder(PackingStrategy strategy);
  void packBest();

private:
  template <typename Key> Order sortedBy(Key key) const;
  Order bySize() const;
  Order byConflicts() const;
  Order byTime() const;

  bool isDone() const { return bestTotal <= target; }
  void tryOrder(const Order &order, Fit fit);
  bool place(const Order &order, Fit fit, int64_t limit);
  template <bool hasUnordered>
  bool placeAll(const Order &order, Fit fit, int64_t limit);
  void tryAllOrders();
  void search();
  unsigned chooseHighest(const Order &order, RandomNumbers &random);

  std::vector<BufferInterval> buffers;
  int64_t target;
  /// Of the puzzle; counted down.
  int64_t &effort;

  struct Place {
    int64_t offset, end, first, last;
    unsigned index;
  };
  /// A row for each buffer; empty if there are none.
  std::vector<llvm::BitVector> unordered;

  /// Of the order tried last: its buffers by offset, its offsets, its size.
  std::vector<Place> placed;
  std::vector<int64_t> offsets;
  int64_t total = 0;

  int64_t bestTotal = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> bestOffsets;
};

} // namespace

namespace {

/// The largest sum of live bytes, and the first command that has it.
struct Peak {
  int64_t bytes = 0, command = 0;
};

} // namespace

static Peak findPeak(ArrayRef<BufferInterval> buffers) {
  std::map<int64_t, int64_t> changes;
  for (const BufferInterval &buffer : buffers) {
    changes[buffer.first] += buffer.bytes;
    // A lifetime that ends with the largest number ends never.
    if (buffer.last < std::numeric_limits<int64_t>::max())
      changes[buffer.last + 1] -= buffer.bytes;
  }
  Peak peak;
  int64_t live = 0;
  for (auto [command, change] : changes) {
    live += change;
    if (live > peak.bytes)
      peak = {live, command};
  }
  return peak;
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Buffers by ascending `key`; equal ones stay as they are.
template <typename Key> Order Packer::sortedBy(Key key) const {
  Order order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(key(buffers[a]), a) < std::tuple(key(buffers[b]), b);
  });
  return order;
}

/// Commands in which a buffer is alive; a double, since neither it nor its
/// product with a size need fit into 64 bits.
static double getLength(const BufferInterval &buffer) {
  return double(buffer.last) - double(buffer.first) + 1;
}

Order Packer::bySize() const {
  return sortedBy([](const BufferInterval &buffer) {
    return std::tuple(-buffer.bytes, -getLength(buffer), buffer.first);
  });
}

Order Packer::byConflicts() const {
  // A buffer conflicts with all but those that end before it or begin after it.
  std::vector<int64_t> firsts, lasts;
  for (const BufferInterval &buffer : buffers) {
    firsts.push_back(buffer.first);
    lasts.push_back(buffer.last);
  }
  llvm::sort(firsts);
  llvm::sort(lasts);
  return sortedBy([&](const BufferInterval &buffer) {
    int64_t others = (llvm::lower_bound(lasts, buffer.first) - lasts.begin()) +
                     (firsts.end() - llvm::upper_bound(firsts, buffer.last));
    return std::tuple(others, -buffer.bytes, buffer.first);
  });
}

Order Packer::byTime() const {
  return sortedBy([](const BufferInterval &buffer) {
    return std::tuple(buffer.first, -getLength(buffer), -buffer.bytes);
  });
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

/// Places the buffers one after the other. Gives up and returns false when the
/// arena gets larger than `limit`.
bool Packer::place(const Order &order, Fit fit, int64_t limit) {
  return unordered.empty() ? placeAll<false>(order, fit, limit)
                           : placeAll<true>(order, fit, limit);
}

template <bool hasUnordered>
bool Packer::placeAll(const Order &order, Fit fit, int64_t limit) {
  placed.clear();
  total = 0;
  for (unsigned index : order) {
    const BufferInterval &buffer = buffers[index];
    // `end`: where the buffers in the way that lie below end.
    int64_t end = 0, offset = -1;
    int64_t smallestGap = std::numeric_limits<int64_t>::max();
    for (const Place &other : placed) {
      if ((other.first > buffer.last || other.last < buffer.first) &&
          !(hasUnordered && unordered[index].test(other.index)))
        continue;
      int64_t gap = other.offset - end;
      if (gap >= buffer.bytes && gap < smallestGap) {
        offset = end;
        smallestGap = gap;
        if (fit == Fit::First)
          break;
      }
      end = std::max(end, other.end);
    }
    if (offset < 0)
      offset = end;
    Place place{offset, offset + buffer.bytes, buffer.first, buffer.last,
                index};
    total = std::max(total, place.end);
    if (total > limit)
      return false;
    offsets[index] = offset;
    auto above = llvm::upper_bound(placed, offset,
                                   [](int64_t offset, const Place &other) {
                                     return offset < other.offset;
                                   });
    placed.insert(above, place);
  }
  return true;
}

/// Keeps the result when it is the smallest so far.
void Packer::tryOrder(const Order &order, Fit fit) {
  bool isFirst = bestOffsets.empty();
  if (place(order, fit, bestTotal) && (isFirst || total < bestTotal)) {
    bestTotal = total;
    bestOffsets = offsets;
  }
}

void Packer::packInOrder(PackingStrategy strategy) {
  switch (strategy) {
  case PackingStrategy::Best:
    return packBest();
  case PackingStrategy::Size:
    return tryOrder(bySize(), Fit::Best);
  case PackingStrategy::Conflicts:
    return tryOrder(byConflicts(), Fit::Best);
  case PackingStrategy::Time:
    return tryOrder(byTime(), Fit::Best);
  case PackingStrategy::None:
    bestTotal = 0;
    for (const BufferInterval &buffer : buffers) {
      bestOffsets.push_back(bestTotal);
      bestTotal += buffer.bytes;
    }
    return;
  }
}

void Packer::packBest() {
  int64_t peak = findPeak(buffers).command;
  auto isLiveAtPeak = [&](const BufferInterval &buffer) {
    return buffer.first <= peak && peak <= buffer.last;
  };
  const Order orders[] = {
      bySize(), byConflicts(), byTime(),
      // Against time.
      sortedBy([](const BufferInterval &buffer) {
        return std::tuple(-double(buffer.last), -getLength(buffer),
                          -buffer.bytes);
      }),
      // By lifetime.
      sortedBy([](const BufferInterval &buffer) {
        return std::tuple(-getLength(buffer), -buffer.bytes, buffer.first);
      }),
      // By size x lifetime.
      sortedBy([](const BufferInterval &buffer) {
        return std::tuple(-getLength(buffer) * double(buffer.bytes),
                          buffer.first);
      }),
      // The peak as a stack of which the top ends first, the others by size.
      sortedBy([&](const BufferInterval &buffer) {
        bool isLive = isLiveAtPeak(buffer);
        return std::tuple(!isLive, isLive ? -buffer.last : -buffer.bytes,
                          -getLength(buffer));
      }),
      // The peak as a stack of which the bottom ends first, the others by
      // lifetime.
      sortedBy([&](const BufferInterval &buffer) {
        bool isLive = isLiveAtPeak(buffer);
        return std::tuple(!isLive,
                          isLive ? double(buffer.last) : -getLength(buffer),
                          -buffer.bytes);
      })};
  for (const Order &order : orders)
    for (Fit fit : {Fit::First, Fit::Best}) {
      tryOrder(order, fit);
      if (isDone())
        return;
    }
  if (buffers.size() <= kExactBuffers)
    return tryAllOrders();
  search();
  // The puzzle is one of intervals.
  if (isDone() || !unordered.empty())
    return;
  bestTotal = packSkyline(buffers, findPeak(buffers).bytes, target, bestTotal,
                          effort, bestOffsets);
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

void Packer::tryAllOrders() {
  Order order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  do
    tryOrder(order, Fit::First);
  while (!isDone() && std::next_permutation(order.begin(), order.end()));
}

/// The position in `order` of one of the buffers that end where the arena ends.
unsigned Packer::chooseHighest(const Order &order, RandomNumbers &random) {
  SmallVector<unsigned> highest;
  for (auto [position, index] : llvm::enumerate(order))
    if (offsets[index] + buffers[index].bytes == total)
      highest.push_back(position);
  return highest[random.below(highest.size())];
}

void Packer::search() {
  int64_t n = buffers.size();
  int64_t numOrders = std::min(kMaxSearchOrders, kSearchSteps / (n * n / 2));
  // From the best plan so far, as the order that first fit makes it from.
  Order current(buffers.size());
  std::iota(current.begin(), current.end(), 0);
  llvm::sort(current, [&](unsigned a, unsigned b) {
    return std::pair(bestOffsets[a], a) < std::pair(bestOffsets[b], b);
  });
  place(current, Fit::First, bestTotal);
  int64_t currentTotal = total;
  RandomNumbers random;
  unsigned highest = chooseHighest(current, random);

  Order next;
  for (int64_t i = 0; i < numOrders && !isDone(); ++i) {
    next = current;
    // What ends highest is placed earlier, or any two change their places.
    if (highest > 0 && random.below(2) == 0) {
      auto from = next.begin() + highest;
      std::rotate(next.begin() + random.below(highest), from, from + 1);
    } else {
      std::swap(next[random.below(n)], next[random.below(n)]);
    }
    double left = 1.0 - double(i) / double(numOrders);
    auto threshold = static_cast<int64_t>(kFirstThreshold * left *
                                          double(bestTotal - target));
    if (!place(next, Fit::First, std::max(currentTotal, bestTotal + threshold)))
      continue;
    std::swap(current, next);
    currentTotal = total;
    highest = chooseHighest(current, random);
    if (total < bestTotal) {
      bestTotal = total;
      bestOffsets = offsets;
    }
  }
}

std::optional<MemoryPlan>
mlir::job::planMemory(ArrayRef<BufferInterval> buffers,
                      PackingStrategy strategy, int64_t alignment,
                      int64_t effort, ArrayRef<UnorderedBuffers> unordered) {
  assert(alignment > 0 && effort >= 0 && "malformed arguments");
  // No plan is larger than the sum of all sizes, so that when it can be
  // represented nothing below overflows.
  std::vector<BufferInterval> rounded;
  std::vector<unsigned> numbers;
  // Where a buffer is in `rounded`.
  llvm::DenseMap<unsigned, unsigned> places;
  int64_t sum = 0;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    assert(buffer.first <= buffer.last && buffer.bytes >= 0 &&
           "malformed interval");
    if (buffer.bytes == 0)
      continue;
    int64_t bytes;
    int64_t units = (buffer.bytes - 1) / alignment + 1;
    if (llvm::MulOverflow(units, alignment, bytes) ||
        llvm::AddOverflow(sum, bytes, sum))
      return std::nullopt;
    places[index] = rounded.size();
    rounded.push_back({buffer.first, buffer.last, bytes});
    numbers.push_back(index);
  }

  MemoryPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  Peak peak = findPeak(rounded);
  plan.lowerBoundBytes = peak.bytes;
  plan.peakCommand = peak.command;

  // By the commands at which they begin, the buffers fall into parts.
  std::vector<unsigned> byFirst(rounded.size());
  std::iota(byFirst.begin(), byFirst.end(), 0);
  llvm::stable_sort(byFirst, [&](unsigned a, unsigned b) {
    return rounded[a].first < rounded[b].first;
  });
  effort *= kEffortUnit;
  for (size_t begin = 0, end; begin < byFirst.size(); begin = end) {
    int64_t last = rounded[byFirst[begin]].last;
    for (end = begin + 1; end < byFirst.size(); ++end) {
      const BufferInterval &next = rounded[byFirst[end]];
      if (next.first > last && strategy != PackingStrategy::None &&
          unordered.empty())
        break;
      last = std::max(last, next.last);
    }
    std::vector<unsigned> part(byFirst.begin() + begin, byFirst.begin() + end);
    llvm::sort(part);
    std::vector<BufferInterval> intervals;
    for (unsigned index : part)
      intervals.push_back(rounded[index]);
    Packer packer(std::move(intervals), peak.bytes, effort);
    // All buffers are one part then, in their order.
    for (auto [a, b] : unordered)
      if (places.contains(a) && places.contains(b))
        packer.addUnordered(places[a], places[b]);
    packer.packInOrder(strategy);
    plan.totalBytes = std::max(plan.totalBytes, packer.getBestTotal());
    for (auto [index, offset] : llvm::zip_equal(part, packer.getBestOffsets()))
      plan.offsets[numbers[index]] = offset;
  }
  return plan;
}
