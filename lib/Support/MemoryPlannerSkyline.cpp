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
// - Where no chain of buffers covers the floor of a valley from one wall to the
//   other, the least part of it that stays empty is a loss to expect.
// - The valley with the fewest buffers that could be placed without a loss is
//   filled first (fail first, Haralick and Elliott 1980).
// - A beam search keeps the best few of the skylines that fill about the same
//   area: those that lost least, losses weighted by how little a section can
//   bear. It is small, and it is started again and again with other weights,
//   capacities and directions of time: run times have heavy tails (Gomes,
//   Selman and Kautz 1998). A step changes one valley, and only that one and
//   its neighbours are evaluated again.
// - Before, buffers that tile a rectangle are made one (a *block*, see
//   MemoryPlannerBlocks.cpp). Blocks may be wrong: each start leaves some
//   unmade, and some starts make none.
//
//===----------------------------------------------------------------------===//

#include "MemoryPlannerSkyline.h"

#include "MemoryPlannerBlocks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Higher than every skyline.
static constexpr int64_t kWall = std::numeric_limits<int64_t>::max();
/// A start tries capacities up to this part above the lower bound, half of the
/// times; the others, any that is better than the best plan so far.
static constexpr double kTightGap = 0.02;
/// Widths of the beam. Most of what there is to win is often won by the first
/// narrow beams, so the largest width grows until this many starts were made.
static constexpr double kMinWidth = 1, kMaxWidth = 24, kWideningStarts = 10;
/// Sizes that differ by less than one part in so many of the lower bound are
/// equal where blocks are made: rounding to the alignment hides that they were.
static constexpr int64_t kBlockPrecision = 50'000;
/// Up to this part of the blocks is left unmade.
static constexpr double kMaxDoubt = 0.3;
/// Rank of what is not a valley.
static constexpr double kNoValley = std::numeric_limits<double>::infinity();
/// What a piece counts that leaves a gap on the floor, when valleys are ranked.
static constexpr double kGapRank = 0.3;
/// How high a gap is expected to be, as a part of the mean of what fits.
static constexpr double kGapPart = 0.5;
/// Plans whose gap to the lower bound is at least this part of it are worth the
/// whole effort, others the square of their part of this gap: little is left to
/// win, and it is found ever more rarely.
static constexpr double kLargeGap = 0.025;
/// Levels of area for each buffer.
static constexpr size_t kLevelsPerBuffer = 2;

//===----------------------------------------------------------------------===//
// The puzzle
//===----------------------------------------------------------------------===//

namespace {

/// A buffer or block in the sections [first, end), counted from 1.
struct Piece {
  unsigned first, end;
  int64_t bytes;
};

/// What is to be packed, in sections.
class Puzzle {
public:
  Puzzle(ArrayRef<BufferBlock> blocks, bool isMirrored);

  std::vector<Piece> pieces;
  /// For each section, counted from 1, the pieces that begin there, shortest
  /// first, then largest.
  std::vector<std::vector<unsigned>> begins;
  /// Sums of live bytes, of the sections from 0.
  std::vector<int64_t> live;
  /// Bits that add up to a name of a set of pieces.
  std::vector<uint64_t> names;
};

/// A partial packing. Sections are counted from 1, with a wall on either side.
class Skyline {
public:
  /// Of each section, kWall where nothing is left to do.
  std::vector<int64_t> heights;
  /// What of each section may yet stay empty.
  std::vector<int64_t> slacks;
  /// Where a valley begins, what is known to get lost in it, weighted, and its
  /// rank; elsewhere 0 and infinity.
  std::vector<double> forecasts, ranks;
  std::vector<uint8_t> placed;
  /// What was lost, and the sum of the forecasts.
  double lost = 0, forecast = 0;
  /// What is to be placed, in bytes x sections.
  double area = 0;
  unsigned numPlaced = 0;
  uint64_t name = 0;
  /// The last of its placements, -1 for none.
  int64_t placement = -1;

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
  /// Of the sections, counted from 1.
  std::vector<double> weights;
};

/// One start of the beam search.
class SkylineSearch {
public:
  SkylineSearch(const Puzzle &puzzle, const SearchSettings &settings,
                int64_t &effort)
      : puzzle(puzzle), settings(settings), effort(effort),
        numSections(puzzle.live.size()), inside(numSections + 2),
        gaps(numSections + 2) {}

  /// The size reached, and the pieces' offsets; nothing when every way ended
  /// above the capacity or the effort is spent.
  std::optional<int64_t> run(std::vector<int64_t> &offsets);

private:
  struct Level {
    std::vector<Skyline> skylines;
    llvm::DenseMap<uint64_t, size_t> byName;
    double limit = std::numeric_limits<double>::infinity();
  };

  unsigned beginOfRun(unsigned section) const {
    int64_t height = work.heights[section];
    while (section > 1 && work.heights[section - 1] == height)
      --section;
    return section;
  }
  unsigned endOfRun(unsigned section) const {
    int64_t height = work.heights[section];
    while (section <= numSections && work.heights[section] == height)
      ++section;
    return section;
  }
  void touch(unsigned begin, unsigned end) {
    touchedBegin = std::min(touchedBegin, begin);
    touchedEnd = std::max(touchedEnd, end);
  }
  bool hasUnplacedTwin(unsigned begin, size_t index) const;
  bool raise(unsigned begin, unsigned end, int64_t by);
  /// What counts when `by` bytes of the sections [begin, end) stay empty.
  double getLoss(unsigned begin, unsigned end, int64_t by) const {
    return static_cast<double>(by) * (weightSums[end] - weightSums[begin]);
  }
  /// What becomes of a valley.
  enum class Prospect { Open, Hopeless, NothingFits };
  /// Evaluates a valley: the area that is lost in it, and its rank.
  Prospect look(unsigned begin, unsigned end, int64_t wall);
  bool settle(unsigned begin, unsigned end);
  void expand(const Skyline &skyline, size_t level);
  void place(const Skyline &skyline, unsigned begin, unsigned end,
             unsigned piece, int64_t leastSlack, size_t level);
  void restore(const Skyline &skyline);
  void keep(size_t level);
  void shrink(Level &level);

  const Puzzle &puzzle;
  const SearchSettings &settings;
  int64_t &effort;
  unsigned numSections;
  /// Scratch of look().
  std::vector<int64_t> inside;
  std::vector<double> gaps;
  double totalArea = 0, levelsPerArea = 0;
  /// Of the sections before each.
  std::vector<double> weightSums;
  /// The skyline that is being changed, and where it differs from the one that
  /// it was made from.
  Skyline work;
  unsigned touchedBegin = 0, touchedEnd = 0;
  std::vector<Level> levels;
  std::vector<Skyline> unused;
  std::vector<Placement> placements;
  /// The best that is complete, by its last placement.
  int64_t bestTotal = kWall, bestPlacement = -1;
};

} // namespace

Puzzle::Puzzle(ArrayRef<BufferBlock> blocks, bool isMirrored) {
  // The end of a section is the last command in it, so that nothing overflows.
  std::vector<int64_t> cuts;
  for (const BufferBlock &block : blocks) {
    cuts.push_back(block.interval.first);
    if (block.interval.last < kWall)
      cuts.push_back(block.interval.last + 1);
  }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  // The last cut ends a section unless something lives forever.
  bool isOpen = llvm::any_of(blocks, [](const BufferBlock &block) {
    return block.interval.last == kWall;
  });
  unsigned numSections = cuts.size() - (isOpen ? 0 : 1);
  auto find = [&](int64_t command) -> unsigned {
    return llvm::lower_bound(cuts, command) - cuts.begin();
  };

  RandomNumbers random;
  begins.resize(numSections + 1);
  live.assign(numSections, 0);
  for (const BufferBlock &block : blocks) {
    const BufferInterval &interval = block.interval;
    Piece piece{find(interval.first),
                interval.last == kWall ? numSections : find(interval.last + 1),
                interval.bytes};
    if (isMirrored)
      piece = {numSections - piece.end, numSections - piece.first, piece.bytes};
    for (unsigned section = piece.first; section < piece.end; ++section)
      live[section] += piece.bytes;
    ++piece.first;
    ++piece.end;
    begins[piece.first].push_back(pieces.size());
    pieces.push_back(piece);
    names.push_back(random.next());
  }
  for (std::vector<unsigned> &list : begins)
    llvm::sort(list, [&](unsigned a, unsigned b) {
      return std::tuple(pieces[a].end, -pieces[a].bytes, a) <
             std::tuple(pieces[b].end, -pieces[b].bytes, b);
    });
}

/// Raises the floor of the sections [begin, end), all of one height. False when
/// one of them cannot bear it.
bool SkylineSearch::raise(unsigned begin, unsigned end, int64_t by) {
  touch(begin, end);
  work.lost += getLoss(begin, end, by);
  bool isPossible = true;
  for (unsigned section = begin; section < end; ++section) {
    work.heights[section] += by;
    work.slacks[section] -= by;
    isPossible &= work.slacks[section] >= 0;
  }
  return isPossible;
}

SkylineSearch::Prospect SkylineSearch::look(unsigned begin, unsigned end,
                                            int64_t wall) {
  std::fill(inside.begin() + begin, inside.begin() + end + 1, 0);
  // What at least stays empty of the floor from each section to the end.
  gaps[end] = 0;
  double count = 0, bytes = 0;
  int64_t numInside = 0;
  for (unsigned section = end; section-- > begin;) {
    gaps[section] = gaps[section + 1] + settings.weights[section];
    for (unsigned piece : puzzle.begins[section]) {
      const Piece &inner = puzzle.pieces[piece];
      --effort;
      if (inner.end > end)
        break;
      if (work.placed[piece])
        continue;
      if (section > begin)
        count += settings.innerWeight;
      else
        count += gaps[inner.end] == 0 ? 1 : kGapRank;
      inside[section] += inner.bytes;
      inside[inner.end] -= inner.bytes;
      gaps[section] = std::min(gaps[section], gaps[inner.end]);
      bytes += static_cast<double>(inner.bytes);
      ++numInside;
    }
  }
  if (numInside == 0)
    return Prospect::NothingFits;
  int64_t floor = work.heights[begin];
  double forecast = 0, gapBytes = kGapPart * bytes / numInside;
  if (wall != kWall) {
    int64_t depth = wall - floor, sum = 0;
    gapBytes = std::min(gapBytes, static_cast<double>(depth));
    for (unsigned section = begin; section < end; ++section) {
      sum += inside[section];
      int64_t loss = depth - sum;
      if (loss <= 0)
        continue;
      if (work.slacks[section] < loss)
        return Prospect::Hopeless;
      forecast += static_cast<double>(loss) * settings.weights[section];
    }
  }
  forecast = std::max(forecast, gapBytes * gaps[begin]);
  work.forecasts[begin] = forecast;
  work.forecast += forecast;
  if (settings.deepestFirst)
    count = wall == kWall ? -std::numeric_limits<double>::max()
                          : static_cast<double>(floor - wall);
  work.ranks[begin] = count;
  return Prospect::Open;
}

/// Evaluates all valleys in and beside the sections [begin, end), which have
/// changed: raises those where no piece fits. False when there is no way on.
bool SkylineSearch::settle(unsigned begin, unsigned end) {
  if (begin > 1)
    begin = beginOfRun(begin - 1);
  if (end <= numSections)
    end = endOfRun(end);
  for (unsigned next; begin < end; begin = next) {
    next = endOfRun(begin);
    effort -= next - begin;
    touch(begin, next);
    for (unsigned section = begin; section < next; ++section) {
      work.forecast -= work.forecasts[section];
      work.forecasts[section] = 0;
      work.ranks[section] = kNoValley;
    }
    int64_t wall = std::min(work.heights[begin - 1], work.heights[next]);
    if (wall < work.heights[begin] || work.heights[begin] == kWall)
      continue;
    switch (look(begin, next, wall)) {
    case Prospect::Open:
      break;
    case Prospect::Hopeless:
      return false;
    case Prospect::NothingFits:
      if (wall == kWall || !raise(begin, next, wall - work.heights[begin]))
        return false;
      // It is now a part of one or both of its walls.
      next = beginOfRun(begin);
      end = std::max(end, endOfRun(begin));
    }
  }
  return true;
}

/// True when an equal piece comes first.
bool SkylineSearch::hasUnplacedTwin(unsigned begin, size_t index) const {
  const std::vector<unsigned> &list = puzzle.begins[begin];
  const Piece &piece = puzzle.pieces[list[index]];
  while (index-- > 0) {
    const Piece &other = puzzle.pieces[list[index]];
    if (other.end != piece.end || other.bytes != piece.bytes)
      return false;
    if (!work.placed[list[index]])
      return true;
  }
  return false;
}

void SkylineSearch::shrink(Level &level) {
  std::vector<Skyline> &skylines = level.skylines;
  if (skylines.size() <= settings.width)
    return;
  // Names decide among equals, so that no library's order of them matters.
  auto isBetter = [](const Skyline &a, const Skyline &b) {
    return std::pair(a.score(), a.name) < std::pair(b.score(), b.name);
  };
  std::nth_element(skylines.begin(), skylines.begin() + settings.width - 1,
                   skylines.end(), isBetter);
  while (skylines.size() > settings.width) {
    unused.push_back(std::move(skylines.back()));
    skylines.pop_back();
  }
  llvm::sort(skylines, isBetter);
  level.byName.clear();
  for (auto [index, skyline] : llvm::enumerate(skylines))
    level.byName[skyline.name] = index;
  level.limit = skylines.back().score();
}

void SkylineSearch::keep(size_t index) {
  Level &level = levels[index];
  auto [it, isNew] = level.byName.try_emplace(work.name, level.skylines.size());
  effort -= numSections;
  if (isNew) {
    if (unused.empty()) {
      level.skylines.push_back(work);
    } else {
      level.skylines.push_back(std::move(unused.back()));
      unused.pop_back();
      level.skylines.back() = work;
    }
    if (level.skylines.size() >= 2 * settings.width + 2)
      shrink(level);
  } else if (work.score() < level.skylines[it->second].score()) {
    level.skylines[it->second] = work;
  }
}

/// Undoes what was done since `work` was `skyline`.
void SkylineSearch::restore(const Skyline &skyline) {
  for (unsigned i = touchedBegin; i < touchedEnd; ++i) {
    work.heights[i] = skyline.heights[i];
    work.slacks[i] = skyline.slacks[i];
    work.forecasts[i] = skyline.forecasts[i];
    work.ranks[i] = skyline.ranks[i];
  }
  if (touchedBegin > touchedEnd)
    return;
  effort -= touchedEnd - touchedBegin;
  touchedBegin = numSections + 1;
  touchedEnd = 0;
  work.lost = skyline.lost;
  work.forecast = skyline.forecast;
  work.area = skyline.area;
  work.numPlaced = skyline.numPlaced;
  work.name = skyline.name;
  work.placement = skyline.placement;
}

/// Puts a piece on the floor of the valley [begin, end) of `skyline`, which
/// `work` is as well until restore(). `leastSlack` is that of the sections
/// before the piece.
void SkylineSearch::place(const Skyline &skyline, unsigned begin, unsigned end,
                          unsigned piece, int64_t leastSlack, size_t level) {
  const Piece &placed = puzzle.pieces[piece];
  effort -= 4;
  int64_t floor = work.heights[begin], empty = 0;
  if (placed.first > begin)
    empty = std::min(work.heights[begin - 1] - floor, placed.bytes);
  if (empty > leastSlack)
    return;
  double area = work.area - static_cast<double>(placed.bytes) *
                                static_cast<double>(placed.end - placed.first);
  size_t last = levels.size() - 1;
  auto filled = static_cast<size_t>((totalArea - area) * levelsPerArea);
  size_t target = std::min(last, std::max(level + 1, filled));
  double limit = levels[target].limit;
  if (work.score() - work.forecasts[begin] +
          getLoss(begin, placed.first, empty) >=
      limit)
    return;
  effort -= 16;
  if (empty > 0)
    raise(begin, placed.first, empty);
  work.area = area;
  touch(placed.first, placed.end);
  for (unsigned section = placed.first; section < placed.end; ++section) {
    work.heights[section] += placed.bytes;
    if (work.heights[section] + work.slacks[section] == settings.capacity)
      work.heights[section] = kWall;
  }
  work.placed[piece] = true;
  ++work.numPlaced;
  work.name += puzzle.names[piece];
  bool isComplete = work.numPlaced == puzzle.pieces.size();
  if (settle(begin, end) && (isComplete || work.score() < limit)) {
    placements.push_back({skyline.placement, piece, floor});
    work.placement = static_cast<int64_t>(placements.size()) - 1;
    if (!isComplete) {
      keep(target);
    } else {
      int64_t slack =
          *std::min_element(work.slacks.begin() + 1, work.slacks.end() - 1);
      if (settings.capacity - slack < bestTotal) {
        bestTotal = settings.capacity - slack;
        bestPlacement = work.placement;
      }
    }
  }
  work.placed[piece] = false;
}

/// Tries all that may lie on the floor of the chosen valley, then to raise it.
void SkylineSearch::expand(const Skyline &skyline, size_t level) {
  work = skyline;
  Skyline raised;
  const Skyline *from = &skyline;
  touchedBegin = numSections + 1;
  touchedEnd = 0;
  while (effort > 0) {
    effort -= 2 * numSections;
    auto lowest = std::min_element(work.ranks.begin(), work.ranks.end());
    if (*lowest == kNoValley)
      return;
    unsigned begin = lowest - work.ranks.begin(), end = endOfRun(begin);
    int64_t leastSlack = kWall;
    for (unsigned section = begin; section < end && leastSlack > 0; ++section) {
      for (auto [index, piece] : llvm::enumerate(puzzle.begins[section])) {
        if (puzzle.pieces[piece].end > end)
          break;
        if (!work.placed[piece] && !hasUnplacedTwin(section, index)) {
          place(*from, begin, end, piece, leastSlack, level);
          restore(*from);
        }
      }
      leastSlack = std::min(leastSlack, work.slacks[section]);
    }
    int64_t wall = std::min(work.heights[begin - 1], work.heights[end]);
    if (wall == kWall || !raise(begin, end, wall - work.heights[begin]) ||
        !settle(begin, end))
      return;
    raised = work;
    from = &raised;
    touchedBegin = numSections + 1;
    touchedEnd = 0;
  }
}

std::optional<int64_t> SkylineSearch::run(std::vector<int64_t> &offsets) {
  work.heights.assign(numSections + 2, 0);
  work.heights.front() = work.heights.back() = kWall;
  work.slacks.assign(numSections + 2, settings.capacity);
  work.forecasts.assign(numSections + 2, 0);
  work.ranks.assign(numSections + 2, kNoValley);
  work.placed.assign(puzzle.pieces.size(), false);
  for (auto [index, live] : llvm::enumerate(puzzle.live)) {
    work.slacks[index + 1] -= live;
    if (live == 0)
      work.heights[index + 1] = kWall;
    totalArea += static_cast<double>(live);
  }
  work.area = totalArea;
  levelsPerArea =
      static_cast<double>(kLevelsPerBuffer * puzzle.pieces.size()) / totalArea;
  weightSums.assign(numSections + 2, 0);
  for (unsigned section = 1; section <= numSections; ++section)
    weightSums[section + 1] = weightSums[section] + settings.weights[section];
  if (!settle(1, numSections + 1))
    return std::nullopt;
  // A piece may fill less than a level, so each has one more to go to.
  levels.resize((kLevelsPerBuffer + 1) * puzzle.pieces.size() + 2);
  levels.front().skylines.push_back(work);
  for (size_t level = 0; level < levels.size() && effort > 0; ++level) {
    shrink(levels[level]);
    std::vector<Skyline> skylines = std::move(levels[level].skylines);
    levels[level] = Level();
    for (Skyline &skyline : skylines) {
      expand(skyline, level);
      unused.push_back(std::move(skyline));
    }
  }
  if (bestPlacement < 0)
    return std::nullopt;
  offsets.assign(puzzle.pieces.size(), 0);
  for (int64_t index = bestPlacement; index >= 0;
       index = placements[index].before)
    offsets[placements[index].piece] = placements[index].offset;
  return bestTotal;
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// What may be spent, out of `effort`, on a plan that is `gap` bytes above the
/// lower bound.
static int64_t getWorth(int64_t effort, int64_t gap, int64_t lowerBound) {
  double part =
      static_cast<double>(gap) / (kLargeGap * static_cast<double>(lowerBound));
  return part >= 1
             ? effort
             : static_cast<int64_t>(static_cast<double>(effort) * part * part);
}

int64_t mlir::job::packSkyline(ArrayRef<BufferInterval> buffers,
                               int64_t lowerBound, int64_t target, int64_t best,
                               int64_t &effort, std::vector<int64_t> &offsets) {
  if (effort <= 0 || best <= target)
    return best;
  RandomNumbers random;
  std::vector<int64_t> found;
  // What is not worth spending on the present plan stays in `reserve`.
  int64_t allowance = effort, reserve = 0;
  auto limitEffort = [&] {
    int64_t left = effort + reserve;
    int64_t spent = allowance - left;
    effort = std::min(left, getWorth(allowance, best - target, target) - spent);
    reserve = left - effort;
  };
  limitEffort();
  for (double start = 1; effort > 0 && best > target; ++start) {
    double doubt = 1;
    if (random.below(4) != 0)
      doubt = kMaxDoubt * random.unit() * random.unit();
    std::vector<BufferBlock> blocks = buildBlocks(
        buffers, lowerBound / kBlockPrecision, doubt, random.next());
    Puzzle puzzle(blocks, /*isMirrored=*/random.below(2) != 0);
    SearchSettings settings;
    auto gap = static_cast<double>(best - target);
    if (random.below(2) == 0)
      gap = std::min(gap, kTightGap * static_cast<double>(lowerBound));
    settings.capacity =
        std::min(best - 1, target + static_cast<int64_t>(gap * random.unit()));
    // Uniform in the logarithm would need a function whose last bit may differ
    // between libraries; the square favours small widths as well.
    double unit = random.unit();
    double widest = kMinWidth + (kMaxWidth - kMinWidth) *
                                    std::min(1.0, start / kWideningStarts);
    settings.width =
        static_cast<size_t>(kMinWidth + (widest - kMinWidth) * unit * unit);
    settings.deepestFirst = random.below(4) == 0;
    settings.innerWeight = random.below(2) == 0 ? 0.1 : 1.0;
    double noise = random.unit();
    settings.weights.push_back(0);
    for (int64_t live : puzzle.live)
      settings.weights.push_back(
          (1 + noise * random.unit()) /
          (static_cast<double>(settings.capacity - live) +
           0.01 * static_cast<double>(settings.capacity) + 1));
    // What a start costs apart from its placements.
    effort -= 1000 * static_cast<int64_t>(buffers.size());
    // Blocks are as large as the larger of sizes that count as equal.
    if (llvm::any_of(puzzle.live,
                     [&](int64_t live) { return live > settings.capacity; }))
      continue;
    std::optional<int64_t> total =
        SkylineSearch(puzzle, settings, effort).run(found);
    if (!total || *total >= best)
      continue;
    best = *total;
    for (auto [block, offset] : llvm::zip_equal(blocks, found))
      for (auto [buffer, inside] : block.members)
        offsets[buffer] = offset + inside;
    limitEffort();
  }
  effort += reserve;
  return best;
}
