//===- MemoryPlannerSkyline.cpp - Packing below a capacity ----------------===//
//
// Orders are a poor guide where little room is left: here the arena's size is
// given, and buffers are placed from the bottom up as in a jigsaw puzzle.
//
// - Time is cut into sections at each first and last use. The *skyline* is the
//   height that is filled in each section, the *potential* of a section its
//   height and all that is still to be placed there. Space that is left empty
//   raises the potential, which must stay below the capacity (the pruning of
//   MiniMalloc, Moffitt 2023).
// - A *valley* is a run of sections of one height between higher ones. Whatever
//   is placed in a part of it and is not inside of it as a whole lies above the
//   lower of its walls. So either some buffer inside lies on its floor - the
//   first of them may be chosen, and what is before it is lost up to its top -
//   or the floor rises to the lower wall: nothing else needs to be tried. Where
//   all buffers inside cannot reach the lower wall, that loss is known at once.
// - The valley with the fewest buffers that could be placed without a loss is
//   filled first (fail first, Haralick and Elliott 1980).
// - A beam search keeps the best few of the skylines that fill about the same
//   area: those that lost least, losses weighted by how little a section can
//   bear. It is small, and it is started again and again with other weights,
//   capacities and directions of time: run times have heavy tails (Gomes,
//   Selman and Kautz 1998).
// - Before, buffers that tile a rectangle are made one (a *block*): two of one
//   size of which one begins when the other ends, two or more of one lifetime
//   that another one meets exactly, and the pinwheel of five. Layers that
//   repeat make many of them. Some starts go without blocks, which may be
//   wrong.
//
//===----------------------------------------------------------------------===//

#include "MemoryPlannerSkyline.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Higher than every skyline.
static constexpr int64_t kWall = std::numeric_limits<int64_t>::max();
/// A start tries capacities up to this part above the lower bound, half of the
/// times; the others, any that is better than the best plan so far.
static constexpr double kTightGap = 0.02;
/// Widths of the beam.
static constexpr double kMinWidth = 2, kMaxWidth = 24;
/// Levels of area for each buffer.
static constexpr size_t kLevelsPerBuffer = 2;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {

/// Buffers that tile a rectangle.
struct Block {
  BufferInterval interval;
  /// Buffers and their offsets in the block.
  std::vector<std::pair<unsigned, int64_t>> members;
};

/// Makes blocks out of blocks.
class BlockBuilder {
public:
  explicit BlockBuilder(ArrayRef<BufferInterval> buffers);

  /// Until no two or more make a larger one.
  std::vector<Block> run();

private:
  /// Blocks that end before a command, and that begin with it.
  struct Boundary {
    std::vector<unsigned> ends, begins;
  };

  bool mergeAt(Boundary &boundary);
  bool mergePair(const Boundary &boundary);
  bool mergeStack(const Boundary &boundary, bool isEnding);
  bool mergePinwheel(const Boundary &boundary);
  void take(unsigned from, unsigned into, int64_t offset);
  void resize(unsigned block, int64_t first, int64_t last);
  void detach(unsigned block);

  std::vector<Block> blocks;
  std::map<int64_t, Boundary> boundaries;
};

} // namespace

BlockBuilder::BlockBuilder(ArrayRef<BufferInterval> buffers) {
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    blocks.push_back({buffer, {{static_cast<unsigned>(index), 0}}});
    boundaries[buffer.first].begins.push_back(index);
    if (buffer.last < kWall)
      boundaries[buffer.last + 1].ends.push_back(index);
  }
}

void BlockBuilder::detach(unsigned block) {
  const BufferInterval &interval = blocks[block].interval;
  llvm::erase(boundaries[interval.first].begins, block);
  if (interval.last < kWall)
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
  if (last < kWall)
    boundaries[last + 1].ends.push_back(block);
}

/// One that begins when the only one of its size ends.
bool BlockBuilder::mergePair(const Boundary &boundary) {
  auto isOnly = [&](const std::vector<unsigned> &list, int64_t bytes) {
    return llvm::count_if(list, [&](unsigned other) {
             return blocks[other].interval.bytes == bytes;
           }) == 1;
  };
  for (unsigned left : boundary.ends)
    for (unsigned right : boundary.begins) {
      const BufferInterval &a = blocks[left].interval;
      const BufferInterval &b = blocks[right].interval;
      if (a.bytes != b.bytes || !isOnly(boundary.ends, a.bytes) ||
          !isOnly(boundary.begins, a.bytes))
        continue;
      int64_t first = a.first, last = b.last;
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
          if (blocks[a].interval.bytes + blocks[b].interval.bytes == bytes &&
              ++numPairs == 1)
            found = {a, b};
      }
      if (numPairs != 1 && group.size() > 2 && sum == bytes)
        found = group;
      else if (numPairs != 1)
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
    if (c.last == kWall)
      continue;
    const Boundary &behind = boundaries[c.last + 1];
    for (unsigned left : boundary.ends)
      for (unsigned above : boundary.begins) {
        BufferInterval d = blocks[left].interval, u = blocks[above].interval;
        if (above == middle || u.last <= c.last || d.bytes != c.bytes + u.bytes)
          continue;
        for (unsigned below : behind.ends)
          for (unsigned right : behind.begins) {
            BufferInterval a = blocks[below].interval,
                           b = blocks[right].interval;
            if (below == middle || a.first != d.first || b.last != u.last ||
                b.bytes != c.bytes + a.bytes)
              continue;
            take(middle, below, a.bytes);
            take(left, below, a.bytes);
            take(right, below, 0);
            take(above, below, b.bytes);
            blocks[below].interval.bytes = a.bytes + d.bytes;
            resize(below, a.first, b.last);
            return true;
          }
      }
  }
  return false;
}

bool BlockBuilder::mergeAt(Boundary &boundary) {
  return mergePair(boundary) || mergeStack(boundary, /*isEnding=*/true) ||
         mergeStack(boundary, /*isEnding=*/false) || mergePinwheel(boundary);
}

std::vector<Block> BlockBuilder::run() {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (auto &[command, boundary] : boundaries)
      while (mergeAt(boundary))
        isChanged = true;
  }
  llvm::erase_if(blocks,
                 [](const Block &block) { return block.members.empty(); });
  return std::move(blocks);
}

//===----------------------------------------------------------------------===//
// The puzzle
//===----------------------------------------------------------------------===//

namespace {

/// A buffer or block in the sections [first, end).
struct Piece {
  unsigned first, end;
  int64_t bytes;
};

/// What is to be packed, in sections.
class Puzzle {
public:
  Puzzle(ArrayRef<Block> blocks, bool isMirrored);

  std::vector<Piece> pieces;
  /// For each section the pieces that begin there, shortest first, then
  /// largest.
  std::vector<std::vector<unsigned>> begins;
  /// Sums of live bytes.
  std::vector<int64_t> live;
  /// Bits that add up to a name of a set of pieces.
  std::vector<uint64_t> names;
};

/// A partial packing.
class Skyline {
public:
  /// Heights, then potentials, of the sections.
  std::vector<int64_t> numbers;
  std::vector<bool> placed;
  /// What was lost, and what is known to get lost, weighted.
  double lost = 0, forecast = 0;
  uint64_t name = 0;
  /// The last of its placements, -1 for none.
  int64_t placement = -1;
  /// The valley to fill next.
  unsigned valley = 0;

  double score() const { return lost + forecast; }
};

struct Placement {
  int64_t before;
  unsigned piece;
  int64_t offset;
};

/// How one search goes.
struct SearchSettings {
  int64_t capacity;
  size_t width;
  /// Takes the deepest valley first, not the most constrained one.
  bool deepestFirst;
  /// What a piece counts that does not begin where the valley does.
  double innerWeight;
  std::vector<double> weights;
};

/// One start of the beam search.
class SkylineSearch {
public:
  SkylineSearch(const Puzzle &puzzle, const SearchSettings &settings,
                int64_t &effort)
      : puzzle(puzzle), settings(settings), effort(effort),
        numSections(puzzle.live.size()), inside(numSections) {}

  /// The size reached, and the pieces' offsets; nothing when every way ended
  /// above the capacity or the effort is spent.
  std::optional<int64_t> run(std::vector<int64_t> &offsets);

private:
  using Level = std::vector<Skyline>;
  struct LevelState {
    Level skylines;
    llvm::DenseMap<uint64_t, size_t> byName;
    double limit = std::numeric_limits<double>::infinity();
  };

  /// The height of a section; a wall outside and where nothing is left to do.
  int64_t heightAt(const Skyline &skyline, unsigned section) const {
    if (section >= numSections ||
        skyline.numbers[section] == skyline.numbers[numSections + section])
      return kWall;
    return skyline.numbers[section];
  }
  unsigned endOfRun(const Skyline &skyline, unsigned section) const {
    int64_t height = heightAt(skyline, section);
    while (heightAt(skyline, section) == height && section < numSections)
      ++section;
    return section;
  }
  bool isRepeated(const Skyline &skyline, unsigned begin, size_t index) const;
  bool raise(Skyline &skyline, unsigned begin, unsigned end, int64_t to) const;
  bool settle(Skyline &skyline);
  void expand(Skyline skyline, size_t level);
  void place(const Skyline &skyline, unsigned begin, unsigned piece,
             size_t level);
  void keep(Skyline &&skyline, size_t level);
  void shrink(LevelState &level);

  const Puzzle &puzzle;
  const SearchSettings &settings;
  int64_t &effort;
  unsigned numSections;
  std::vector<int64_t> inside;
  double totalArea = 0;
  std::vector<LevelState> levels;
  std::vector<Placement> placements;
  std::vector<Skyline> complete;
};

} // namespace

Puzzle::Puzzle(ArrayRef<Block> blocks, bool isMirrored) {
  // The end of a section is the last command in it, so that nothing overflows.
  std::vector<int64_t> cuts;
  for (const Block &block : blocks) {
    cuts.push_back(block.interval.first);
    if (block.interval.last < kWall)
      cuts.push_back(block.interval.last + 1);
  }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  // The last cut ends a section unless something lives forever.
  bool isOpen = llvm::any_of(
      blocks, [](const Block &block) { return block.interval.last == kWall; });
  unsigned numSections = cuts.size() - (isOpen ? 0 : 1);
  auto find = [&](int64_t command) -> unsigned {
    return llvm::lower_bound(cuts, command) - cuts.begin();
  };

  RandomNumbers random;
  begins.resize(numSections);
  live.assign(numSections, 0);
  for (const Block &block : blocks) {
    const BufferInterval &interval = block.interval;
    Piece piece{find(interval.first),
                interval.last == kWall ? numSections : find(interval.last + 1),
                interval.bytes};
    if (isMirrored)
      piece = {numSections - piece.end, numSections - piece.first, piece.bytes};
    begins[piece.first].push_back(pieces.size());
    for (unsigned section = piece.first; section < piece.end; ++section)
      live[section] += piece.bytes;
    pieces.push_back(piece);
    names.push_back(random.next());
  }
  for (std::vector<unsigned> &list : begins)
    llvm::sort(list, [&](unsigned a, unsigned b) {
      return std::tuple(pieces[a].end, -pieces[a].bytes, a) <
             std::tuple(pieces[b].end, -pieces[b].bytes, b);
    });
}

/// Raises the floor of the sections [begin, end). False when one of them would
/// need more than the capacity.
bool SkylineSearch::raise(Skyline &skyline, unsigned begin, unsigned end,
                          int64_t to) const {
  for (unsigned section = begin; section < end; ++section) {
    int64_t &height = skyline.numbers[section];
    int64_t &potential = skyline.numbers[numSections + section];
    int64_t loss = to - height;
    height = to;
    potential += loss;
    if (potential > settings.capacity)
      return false;
    skyline.lost += static_cast<double>(loss) * settings.weights[section];
  }
  return true;
}

/// Looks at all valleys: raises those where no piece fits, forecasts losses,
/// and chooses the one to fill next. False when there is no way on.
bool SkylineSearch::settle(Skyline &skyline) {
  double fewest = std::numeric_limits<double>::infinity();
  skyline.forecast = 0;
  for (unsigned begin = 0, end; begin < numSections; begin = end) {
    int64_t floor = heightAt(skyline, begin);
    end = endOfRun(skyline, begin);
    int64_t left = heightAt(skyline, begin - 1), right = heightAt(skyline, end);
    if (floor == kWall || left < floor || right < floor)
      continue;
    int64_t wall = std::min(left, right);
    std::fill(inside.begin() + begin, inside.begin() + end, 0);
    double count = 0;
    for (unsigned section = begin; section < end; ++section)
      for (unsigned piece : puzzle.begins[section]) {
        const Piece &inner = puzzle.pieces[piece];
        if (inner.end > end)
          break;
        if (skyline.placed[piece])
          continue;
        count += section == begin ? 1 : settings.innerWeight;
        for (unsigned s = section; s < inner.end; ++s)
          inside[s] += inner.bytes;
      }
    if (count == 0) {
      if (wall == kWall || !raise(skyline, begin, end, wall))
        return false;
      // Valleys have merged.
      fewest = std::numeric_limits<double>::infinity();
      skyline.forecast = 0;
      end = 0;
      continue;
    }
    if (wall != kWall)
      for (unsigned section = begin; section < end; ++section) {
        int64_t loss = wall - floor - inside[section];
        if (loss <= 0)
          continue;
        if (skyline.numbers[numSections + section] + loss > settings.capacity)
          return false;
        skyline.forecast +=
            static_cast<double>(loss) * settings.weights[section];
      }
    if (settings.deepestFirst)
      count = wall == kWall ? -std::numeric_limits<double>::max()
                            : static_cast<double>(floor - wall);
    if (count < fewest) {
      fewest = count;
      skyline.valley = begin;
    }
  }
  return true;
}

/// True when an equal piece comes first.
bool SkylineSearch::isRepeated(const Skyline &skyline, unsigned begin,
                               size_t index) const {
  const std::vector<unsigned> &list = puzzle.begins[begin];
  const Piece &piece = puzzle.pieces[list[index]];
  while (index-- > 0) {
    const Piece &other = puzzle.pieces[list[index]];
    if (other.end != piece.end || other.bytes != piece.bytes)
      return false;
    if (!skyline.placed[list[index]])
      return true;
  }
  return false;
}

void SkylineSearch::shrink(LevelState &level) {
  Level &skylines = level.skylines;
  if (skylines.size() <= settings.width)
    return;
  // Names decide among equals, so that no library's order of them matters.
  auto isBetter = [](const Skyline &a, const Skyline &b) {
    return std::pair(a.score(), a.name) < std::pair(b.score(), b.name);
  };
  std::nth_element(skylines.begin(), skylines.begin() + settings.width - 1,
                   skylines.end(), isBetter);
  skylines.resize(settings.width);
  llvm::sort(skylines, isBetter);
  level.byName.clear();
  for (auto [index, skyline] : llvm::enumerate(skylines))
    level.byName[skyline.name] = index;
  level.limit = skylines.back().score();
}

void SkylineSearch::keep(Skyline &&skyline, size_t index) {
  LevelState &level = levels[index];
  double score = skyline.score();
  auto [it, isNew] =
      level.byName.try_emplace(skyline.name, level.skylines.size());
  if (isNew) {
    level.skylines.push_back(std::move(skyline));
    if (level.skylines.size() >= 2 * settings.width + 2)
      shrink(level);
  } else if (score < level.skylines[it->second].score()) {
    level.skylines[it->second] = std::move(skyline);
  }
}

/// Puts a piece on the floor of the valley that begins at `begin`.
void SkylineSearch::place(const Skyline &skyline, unsigned begin,
                          unsigned piece, size_t level) {
  const Piece &placed = puzzle.pieces[piece];
  effort -= 4 * numSections;
  int64_t floor = skyline.numbers[begin];
  Skyline next = skyline;
  if (placed.first > begin &&
      !raise(next, begin, placed.first,
             std::min(heightAt(skyline, begin - 1), floor + placed.bytes)))
    return;
  for (unsigned section = placed.first; section < placed.end; ++section)
    next.numbers[section] += placed.bytes;
  next.placed[piece] = true;
  next.name += puzzle.names[piece];
  if (!settle(next))
    return;

  double left = 0;
  for (unsigned section = 0; section < numSections; ++section)
    left += static_cast<double>(next.numbers[numSections + section] -
                                next.numbers[section]);
  bool isComplete = left == 0;
  size_t last = levels.size() - 1;
  auto area = static_cast<size_t>(
      (totalArea - left) / totalArea *
      static_cast<double>(kLevelsPerBuffer * puzzle.pieces.size()));
  size_t target = std::min(last, std::max(level + 1, area));
  if (!isComplete && next.score() >= levels[target].limit)
    return;
  placements.push_back({skyline.placement, piece, floor});
  next.placement = static_cast<int64_t>(placements.size()) - 1;
  if (isComplete)
    complete.push_back(std::move(next));
  else
    keep(std::move(next), target);
}

/// Tries all that may lie on the floor of the chosen valley, then to raise it.
void SkylineSearch::expand(Skyline skyline, size_t level) {
  while (effort > 0) {
    unsigned begin = skyline.valley, end = endOfRun(skyline, begin);
    for (unsigned section = begin; section < end; ++section)
      for (auto [index, piece] : llvm::enumerate(puzzle.begins[section])) {
        if (puzzle.pieces[piece].end > end)
          break;
        if (!skyline.placed[piece] && !isRepeated(skyline, section, index))
          place(skyline, begin, piece, level);
      }
    int64_t wall =
        std::min(heightAt(skyline, begin - 1), heightAt(skyline, end));
    if (wall == kWall || !raise(skyline, begin, end, wall) || !settle(skyline))
      return;
  }
}

std::optional<int64_t> SkylineSearch::run(std::vector<int64_t> &offsets) {
  Skyline start;
  start.numbers.assign(numSections, 0);
  start.numbers.insert(start.numbers.end(), puzzle.live.begin(),
                       puzzle.live.end());
  start.placed.assign(puzzle.pieces.size(), false);
  for (int64_t live : puzzle.live)
    totalArea += static_cast<double>(live);
  if (!settle(start))
    return std::nullopt;
  // A piece may fill less than a level, so each has one more to go to.
  levels.resize((kLevelsPerBuffer + 1) * puzzle.pieces.size() + 2);
  levels.front().skylines.push_back(std::move(start));
  for (size_t level = 0; level < levels.size() && effort > 0; ++level) {
    shrink(levels[level]);
    Level skylines = std::move(levels[level].skylines);
    levels[level] = LevelState();
    for (Skyline &skyline : skylines)
      expand(std::move(skyline), level);
  }
  if (complete.empty())
    return std::nullopt;

  auto getTotal = [&](const Skyline &skyline) {
    return *std::max_element(skyline.numbers.begin(),
                             skyline.numbers.begin() + numSections);
  };
  const Skyline &best =
      *std::min_element(complete.begin(), complete.end(),
                        [&](const Skyline &a, const Skyline &b) {
                          return std::pair(getTotal(a), a.placement) <
                                 std::pair(getTotal(b), b.placement);
                        });
  offsets.assign(puzzle.pieces.size(), 0);
  for (int64_t index = best.placement; index >= 0;
       index = placements[index].before)
    offsets[placements[index].piece] = placements[index].offset;
  return getTotal(best);
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

int64_t mlir::job::packSkyline(ArrayRef<BufferInterval> buffers,
                               int64_t lowerBound, int64_t target, int64_t best,
                               int64_t &effort, std::vector<int64_t> &offsets) {
  if (effort <= 0 || best <= target)
    return best;
  std::vector<Block> single, blocks = BlockBuilder(buffers).run();
  for (auto [index, buffer] : llvm::enumerate(buffers))
    single.push_back({buffer, {{static_cast<unsigned>(index), 0}}});
  const std::vector<Block> *kinds[] = {&single, &blocks};
  const Puzzle puzzles[] = {Puzzle(single, false), Puzzle(single, true),
                            Puzzle(blocks, false), Puzzle(blocks, true)};

  RandomNumbers random;
  std::vector<int64_t> found;
  while (effort > 0 && best > target) {
    bool usesBlocks = random.below(4) != 0;
    const Puzzle &puzzle = puzzles[(usesBlocks ? 2 : 0) + random.below(2)];
    SearchSettings settings;
    auto gap = static_cast<double>(best - target);
    if (random.below(2) == 0)
      gap = std::min(gap, kTightGap * static_cast<double>(lowerBound));
    settings.capacity =
        std::min(best - 1, target + static_cast<int64_t>(gap * random.unit()));
    // Uniform in the logarithm would need a function whose last bit may differ
    // between libraries; the square favours small widths as well.
    double unit = random.unit();
    settings.width =
        static_cast<size_t>(kMinWidth + (kMaxWidth - kMinWidth) * unit * unit);
    settings.deepestFirst = random.below(4) == 0;
    settings.innerWeight = random.below(2) == 0 ? 0.1 : 1.0;
    double noise = random.unit();
    for (int64_t live : puzzle.live)
      settings.weights.push_back(
          (1 + noise * random.unit()) /
          (static_cast<double>(settings.capacity - live) +
           0.01 * static_cast<double>(settings.capacity) + 1));
    // What a start costs apart from its placements.
    effort -= 100 * static_cast<int64_t>(puzzle.pieces.size());
    std::optional<int64_t> total =
        SkylineSearch(puzzle, settings, effort).run(found);
    if (!total || *total >= best)
      continue;
    best = *total;
    for (auto [block, offset] : llvm::zip_equal(*kinds[usesBlocks], found))
      for (auto [buffer, inside] : block.members)
        offsets[buffer] = offset + inside;
  }
  return best;
}
