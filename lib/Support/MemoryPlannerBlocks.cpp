//===- MemoryPlannerBlocks.cpp - Buffers that tile a rectangle ------------===//
//
// What is made one block: two buffers of one size of which one begins when the
// other ends, two or more of one lifetime that another one meets exactly, and
// the pinwheel of five. Equal layers make many of them. Sizes are
// compared up to about what rounding adds, which then stays empty.
//
//===----------------------------------------------------------------------===//

#include "MemoryPlannerBlocks.h"

#include "MemoryPlannerSkyline.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The last command of a buffer that is never freed.
static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
/// The most blocks that end, or begin, at a place where they are built.
static constexpr size_t kMaxMeeting = 32;

namespace {

/// Makes blocks out of blocks.
class BlockBuilder {
public:
  BlockBuilder(ArrayRef<BufferInterval> buffers, int64_t tolerance,
               double doubt, uint64_t seed);

  std::vector<BufferBlock> run();

private:
  /// Blocks that end before a command, and that begin with it.
  struct Boundary {
    std::vector<unsigned> ends, begins;
  };

  bool isEqual(int64_t a, int64_t b) const {
    return std::max(a, b) - std::min(a, b) <= tolerance;
  }
  /// Whether two blocks are left apart; the same in every call.
  bool isDoubted(unsigned a, unsigned b) const {
    return RandomNumbers(seed ^ (uint64_t(a) << 32 | b)).unit() < doubt;
  }
  bool mergeAt(Boundary &boundary);
  bool mergePair(const Boundary &boundary);
  bool mergeStack(const Boundary &boundary, bool isEnding);
  bool mergePinwheel(const Boundary &boundary);
  void take(unsigned from, unsigned into, int64_t offset);
  void resize(unsigned block, int64_t first, int64_t last);
  void detach(unsigned block);

  int64_t tolerance;
  double doubt;
  uint64_t seed;
  std::vector<BufferBlock> blocks;
  std::map<int64_t, Boundary> boundaries;
};

} // namespace

BlockBuilder::BlockBuilder(ArrayRef<BufferInterval> buffers, int64_t tolerance,
                           double doubt, uint64_t seed)
    : tolerance(tolerance), doubt(doubt), seed(seed) {
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    blocks.push_back({buffer, {{static_cast<unsigned>(index), 0}}});
    boundaries[buffer.first].begins.push_back(index);
    if (buffer.last < kForever)
      boundaries[buffer.last + 1].ends.push_back(index);
  }
}

void BlockBuilder::detach(unsigned block) {
  const BufferInterval &interval = blocks[block].interval;
  llvm::erase(boundaries[interval.first].begins, block);
  if (interval.last < kForever)
    llvm::erase(boundaries[interval.last + 1].ends, block);
}

/// Puts the members of a block, which is gone afterwards, into another one.
void BlockBuilder::take(unsigned from, unsigned into, int64_t offset) {
  detach(from);
  for (auto [buffer, inside] : blocks[from].members)
    blocks[into].members.emplace_back(buffer, inside + offset);
  blocks[from].members.clear();
}

void BlockBuilder::resize(unsigned block, int64_t first, int64_t last) {
  detach(block);
  blocks[block].interval.first = first;
  blocks[block].interval.last = last;
  boundaries[first].begins.push_back(block);
  if (last < kForever)
    boundaries[last + 1].ends.push_back(block);
}

/// One that begins when the only one of its size ends.
bool BlockBuilder::mergePair(const Boundary &boundary) {
  auto isOnly = [&](const std::vector<unsigned> &list, int64_t bytes) {
    return llvm::count_if(list, [&](unsigned other) {
             return isEqual(blocks[other].interval.bytes, bytes);
           }) == 1;
  };
  for (unsigned left : boundary.ends)
    for (unsigned right : boundary.begins) {
      const BufferInterval &a = blocks[left].interval;
      const BufferInterval &b = blocks[right].interval;
      if (!isEqual(a.bytes, b.bytes) || !isOnly(boundary.ends, a.bytes) ||
          !isOnly(boundary.begins, b.bytes) || isDoubted(left, right))
        continue;
      int64_t first = a.first, last = b.last;
      blocks[left].interval.bytes = std::max(a.bytes, b.bytes);
      take(right, left, 0);
      resize(left, first, last);
      return true;
    }
  return false;
}

/// Several of one lifetime, on one side, that are together as large as one on
/// the other side.
bool BlockBuilder::mergeStack(const Boundary &boundary, bool isEnding) {
  const auto &ones = isEnding ? boundary.begins : boundary.ends;
  std::map<int64_t, std::vector<unsigned>> byFarEnd;
  for (unsigned block : isEnding ? boundary.ends : boundary.begins) {
    const BufferInterval &interval = blocks[block].interval;
    byFarEnd[isEnding ? interval.first : interval.last].push_back(block);
  }
  for (const auto &[farEnd, group] : byFarEnd)
    for (unsigned one : ones) {
      int64_t bytes = blocks[one].interval.bytes, sum = 0;
      std::vector<unsigned> found;
      unsigned numPairs = 0;
      for (auto [index, a] : llvm::enumerate(group)) {
        sum += blocks[a].interval.bytes;
        for (unsigned b : ArrayRef(group).drop_front(index + 1))
          if (isEqual(blocks[a].interval.bytes + blocks[b].interval.bytes,
                      bytes) &&
              ++numPairs == 1)
            found = {a, b};
      }
      if (numPairs != 1 && group.size() > 2 && isEqual(sum, bytes))
        found = group;
      else if (numPairs != 1)
        continue;
      if (isDoubted(one, found.front()))
        continue;
      const BufferInterval &interval = blocks[one].interval;
      int64_t first = isEnding ? farEnd : interval.first;
      int64_t last = isEnding ? interval.last : farEnd;
      int64_t offset = 0;
      for (unsigned block : found) {
        int64_t next = offset + blocks[block].interval.bytes;
        take(block, one, offset);
        offset = next;
      }
      blocks[one].interval.bytes = std::max(bytes, offset);
      resize(one, first, last);
      return true;
    }
  return false;
}

/// Five: one in the middle, which begins at this boundary, and four around it,
/// each of which begins at one corner of the rectangle.
bool BlockBuilder::mergePinwheel(const Boundary &boundary) {
  for (unsigned middle : boundary.begins) {
    BufferInterval c = blocks[middle].interval;
    if (c.last == kForever)
      continue;
    const Boundary &behind = boundaries[c.last + 1];
    for (unsigned left : boundary.ends)
      for (unsigned above : boundary.begins) {
        BufferInterval d = blocks[left].interval, u = blocks[above].interval;
        if (above == middle || u.last <= c.last ||
            !isEqual(d.bytes, c.bytes + u.bytes))
          continue;
        for (unsigned below : behind.ends)
          for (unsigned right : behind.begins) {
            BufferInterval a = blocks[below].interval,
                           b = blocks[right].interval;
            if (below == middle || a.first != d.first || b.last != u.last ||
                !isEqual(b.bytes, c.bytes + a.bytes) || isDoubted(middle, left))
              continue;
            take(middle, below, a.bytes);
            take(left, below, a.bytes);
            take(right, below, 0);
            int64_t top = std::max(b.bytes, a.bytes + c.bytes);
            take(above, below, top);
            blocks[below].interval.bytes =
                std::max(a.bytes + d.bytes, top + u.bytes);
            resize(below, a.first, b.last);
            return true;
          }
      }
  }
  return false;
}

bool BlockBuilder::mergeAt(Boundary &boundary) {
  // Where very many meet, nothing tells which of them belong together, and to
  // try all would take longer than the search.
  if (std::max(boundary.ends.size(), boundary.begins.size()) > kMaxMeeting)
    return false;
  return mergePair(boundary) || mergeStack(boundary, /*isEnding=*/true) ||
         mergeStack(boundary, /*isEnding=*/false) || mergePinwheel(boundary);
}

std::vector<BufferBlock> BlockBuilder::run() {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (auto &[command, boundary] : boundaries)
      while (mergeAt(boundary))
        isChanged = true;
  }
  llvm::erase_if(
      blocks, [](const BufferBlock &block) { return block.members.empty(); });
  return std::move(blocks);
}

std::vector<BufferBlock>
mlir::job::buildBlocks(ArrayRef<BufferInterval> buffers, int64_t tolerance,
                       double doubt, uint64_t seed) {
  return BlockBuilder(buffers, tolerance, doubt, seed).run();
}
