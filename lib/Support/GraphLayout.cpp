//===- GraphLayout.cpp - Places for the boxes of a graph ------------------===//
//
// Sugiyama's method in its usual steps: arrows that close a cycle are left out;
// boxes get layers by longest paths; an arrow over several layers becomes a
// chain of points, one a layer; sweeps of barycentres put each layer in an
// order with few crossings; and the x coordinates are those of Brandes and
// Koepf (Fast and Simple Horizontal Coordinate Assignment, 2001), which keep
// long arrows straight: the mean of four alignments, each of which packs
// chains of boxes that shall stand under each other as far to one side as they
// go.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/GraphLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

using namespace mlir::job;

/// Sweeps over all layers, down and up in turn; the best order is kept.
static constexpr unsigned kSweeps = 24;

/// Runs over all long arrows; each run does what the one before made possible.
static constexpr unsigned kRounds = 32;

namespace {

/// A box, or the point of a long arrow in one layer.
struct Place {
  double width = 0;
  unsigned layer = 0;
  /// Index in its layer.
  unsigned order = 0;
  bool isPoint = false;
  /// Places of the layer above and below, with repetitions.
  std::vector<unsigned> above, below;
};

class Layouter {
public:
  Layouter(llvm::ArrayRef<GraphBox> boxes, llvm::ArrayRef<GraphArrow> arrows,
           const GraphSpacing &spacing)
      : boxes(boxes), arrows(arrows), spacing(spacing) {}

  GraphLayout run();

private:
  void removeCycles();
  void assignLayers();
  void shortenArrows();
  void splitArrows();
  void orderLayers();
  uint64_t countCrossings() const;
  void sortLayer(unsigned layer, bool byAbove);
  void numberLayers();
  void markConflicts();
  std::vector<double> alignOnce(bool fromBelow, bool fromRight) const;
  std::vector<double> assignX() const;
  double getGap(const Place &left, const Place &right) const;

  llvm::ArrayRef<GraphBox> boxes;
  llvm::ArrayRef<GraphArrow> arrows;
  const GraphSpacing &spacing;
  std::vector<bool> isUsed;
  /// Boxes first, by their index; then points.
  std::vector<Place> places;
  /// For each arrow its places from top to bottom, boxes included.
  std::vector<std::vector<unsigned>> chains;
  std::vector<std::vector<unsigned>> layers;
  /// Pairs (upper, lower) that no alignment may use: they cross a long arrow.
  std::vector<std::vector<unsigned>> conflicts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// An arrow is used unless the arrows before it lead from its end to its start.
void Layouter::removeCycles() {
  isUsed.assign(arrows.size(), true);
  // Boxes mostly come in an order that no arrow goes against.
  bool isOrdered = llvm::all_of(
      arrows, [](const GraphArrow &arrow) { return arrow.from < arrow.to; });
  if (isOrdered)
    return;
  std::vector<std::vector<unsigned>> next(boxes.size());
  for (auto [index, arrow] : llvm::enumerate(arrows)) {
    std::vector<bool> seen(boxes.size());
    std::vector<unsigned> stack = {arrow.to};
    seen[arrow.to] = true;
    while (!stack.empty() && !seen[arrow.from]) {
      unsigned box = stack.back();
      stack.pop_back();
      for (unsigned other : next[box])
        if (!seen[other]) {
          seen[other] = true;
          stack.push_back(other);
        }
    }
    isUsed[index] = !seen[arrow.from];
    if (isUsed[index])
      next[arrow.from].push_back(arrow.to);
  }
}

void Layouter::assignLayers() {
  std::vector<std::vector<unsigned>> next(boxes.size()), previous(boxes.size());
  std::vector<unsigned> missing(boxes.size());
  for (auto [index, arrow] : llvm::enumerate(arrows))
    if (isUsed[index]) {
      next[arrow.from].push_back(arrow.to);
      previous[arrow.to].push_back(arrow.from);
      ++missing[arrow.to];
    }
  std::vector<unsigned> sorted;
  for (unsigned box = 0; box < boxes.size(); ++box)
    if (missing[box] == 0)
      sorted.push_back(box);
  for (size_t i = 0; i < sorted.size(); ++i)
    for (unsigned other : next[sorted[i]]) {
      places[other].layer =
          std::max(places[other].layer, places[sorted[i]].layer + 1);
      if (--missing[other] == 0)
        sorted.push_back(other);
    }
  shortenArrows();
  unsigned last = 0;
  for (unsigned box = 0; box < boxes.size(); ++box)
    last = std::max(last, places[box].layer);
  for (unsigned box = 0; box < boxes.size(); ++box)
    if (boxes[box].rank == GraphRank::Last)
      places[box].layer = last;
}

/// Moves boxes towards what they are connected to, so that a variable stands
/// beside its op and not at the top of the picture. What moves is a set of
/// boxes that arrows of length 1 connect: down when more of the set's arrows
/// lead out than in, up when more lead in, until an arrow of length 1 stops it.
/// (The network simplex method finds such sets by its tree; here each long
/// arrow suggests the ones at its two ends.)
void Layouter::shortenArrows() {
  std::vector<std::vector<unsigned>> touching(boxes.size());
  for (auto [index, arrow] : llvm::enumerate(arrows))
    if (isUsed[index]) {
      touching[arrow.from].push_back(index);
      touching[arrow.to].push_back(index);
    }
  auto lengthOf = [&](unsigned index) {
    return int64_t(places[arrows[index].to].layer) -
           int64_t(places[arrows[index].from].layer);
  };
  // Moves the set around `start` down (or up); true when it did.
  auto tryMove = [&](unsigned start, bool down) {
    std::vector<bool> isInside(boxes.size());
    std::vector<unsigned> inside = {start};
    isInside[start] = true;
    for (size_t i = 0; i < inside.size(); ++i) {
      if (boxes[inside[i]].rank == GraphRank::First)
        return false;
      for (unsigned index : touching[inside[i]])
        for (unsigned other : {arrows[index].from, arrows[index].to})
          if (lengthOf(index) == 1 && !isInside[other]) {
            isInside[other] = true;
            inside.push_back(other);
          }
    }
    int64_t gain = 0, room = std::numeric_limits<int64_t>::max();
    for (unsigned box : inside)
      for (unsigned index : touching[box]) {
        bool leads = isInside[arrows[index].from];
        if (leads && isInside[arrows[index].to])
          continue;
        gain += leads == down ? 1 : -1;
        if (leads == down)
          room = std::min(room, lengthOf(index) - 1);
      }
    if (gain <= 0)
      return false;
    // Every arrow that would get shorter is longer than 1, so there is room;
    // one at least there is, or nothing would be gained.
    for (unsigned box : inside)
      places[box].layer += down ? room : -room;
    return true;
  };
  // Upwards a set may leave the first layer; layers are counted anew at the
  // end, from one that is far below.
  unsigned base = boxes.size();
  for (unsigned box = 0; box < boxes.size(); ++box)
    places[box].layer += base;
  for (unsigned round = 0, changed = true; changed && round < kRounds;
       ++round) {
    changed = false;
    for (auto [index, arrow] : llvm::enumerate(arrows)) {
      if (!isUsed[index] || lengthOf(index) == 1)
        continue;
      changed |= tryMove(arrow.from, /*down=*/true);
      if (lengthOf(index) > 1)
        changed |= tryMove(arrow.to, /*down=*/false);
    }
  }
  unsigned first = std::numeric_limits<unsigned>::max();
  for (unsigned box = 0; box < boxes.size(); ++box)
    first = std::min(first, places[box].layer);
  for (unsigned box = 0; box < boxes.size(); ++box)
    places[box].layer =
        boxes[box].rank == GraphRank::First ? 0 : places[box].layer - first;
}

void Layouter::splitArrows() {
  chains.resize(arrows.size());
  for (auto [index, arrow] : llvm::enumerate(arrows)) {
    if (!isUsed[index])
      continue;
    std::vector<unsigned> &chain = chains[index];
    chain.push_back(arrow.from);
    for (unsigned layer = places[arrow.from].layer + 1;
         layer < places[arrow.to].layer; ++layer) {
      chain.push_back(places.size());
      Place point;
      point.layer = layer;
      point.isPoint = true;
      places.push_back(point);
    }
    chain.push_back(arrow.to);
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      places[chain[i]].below.push_back(chain[i + 1]);
      places[chain[i + 1]].above.push_back(chain[i]);
    }
  }
  unsigned count = 0;
  for (const Place &place : places)
    count = std::max(count, place.layer + 1);
  layers.resize(count);
}

//===----------------------------------------------------------------------===//
// Order within the layers
//===----------------------------------------------------------------------===//

void Layouter::numberLayers() {
  for (std::vector<unsigned> &layer : layers)
    for (auto [order, index] : llvm::enumerate(layer))
      places[index].order = order;
}

/// Crossings of neighbouring layers: inversions of the lower ends, counted with
/// a Fenwick tree.
uint64_t Layouter::countCrossings() const {
  uint64_t crossings = 0;
  for (size_t upper = 0; upper + 1 < layers.size(); ++upper) {
    std::vector<unsigned> tree(layers[upper + 1].size() + 1);
    uint64_t total = 0;
    for (unsigned index : layers[upper]) {
      llvm::SmallVector<unsigned> ends;
      for (unsigned lower : places[index].below)
        ends.push_back(places[lower].order);
      for (unsigned end : ends) {
        uint64_t notAfter = 0;
        for (unsigned i = end + 1; i > 0; i -= i & -i)
          notAfter += tree[i];
        crossings += total - notAfter;
      }
      for (unsigned end : ends) {
        for (unsigned i = end + 1; i < tree.size(); i += i & -i)
          ++tree[i];
        ++total;
      }
    }
  }
  return crossings;
}

/// Sorts a layer by the mean order of the neighbours above or below; a place
/// without any stays where it is.
void Layouter::sortLayer(unsigned layer, bool byAbove) {
  std::vector<std::tuple<double, size_t, unsigned>> keyed;
  std::vector<unsigned> slots;
  for (auto [slot, index] : llvm::enumerate(layers[layer])) {
    const std::vector<unsigned> &neighbours =
        byAbove ? places[index].above : places[index].below;
    if (neighbours.empty())
      continue;
    double sum = 0;
    for (unsigned other : neighbours)
      sum += places[other].order;
    keyed.emplace_back(sum / neighbours.size(), slot, index);
    slots.push_back(slot);
  }
  llvm::sort(keyed);
  for (auto [slot, entry] : llvm::zip_equal(slots, keyed))
    layers[layer][slot] = std::get<2>(entry);
  for (auto [order, index] : llvm::enumerate(layers[layer]))
    places[index].order = order;
}

void Layouter::orderLayers() {
  // First order: depth first from each box, so that what belongs together
  // starts together.
  std::vector<bool> seen(places.size());
  for (unsigned start = 0; start < places.size(); ++start) {
    std::vector<unsigned> stack = {start};
    while (!stack.empty()) {
      unsigned index = stack.back();
      stack.pop_back();
      if (seen[index])
        continue;
      seen[index] = true;
      layers[places[index].layer].push_back(index);
      for (unsigned other : llvm::reverse(places[index].below))
        stack.push_back(other);
      for (unsigned other : llvm::reverse(places[index].above))
        stack.push_back(other);
    }
  }
  numberLayers();
  std::vector<std::vector<unsigned>> best = layers;
  uint64_t fewest = countCrossings();
  for (unsigned sweep = 0; sweep < kSweeps && fewest > 0; ++sweep) {
    bool down = sweep % 2 == 0;
    for (unsigned i = 1; i < layers.size(); ++i)
      sortLayer(down ? i : layers.size() - 1 - i, /*byAbove=*/down);
    if (uint64_t crossings = countCrossings(); crossings < fewest) {
      fewest = crossings;
      best = layers;
    }
  }
  layers = best;
  numberLayers();
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// The distance between the middles of two neighbours of a layer.
double Layouter::getGap(const Place &left, const Place &right) const {
  double gap = left.isPoint || right.isPoint ? spacing.line : spacing.box;
  return left.width / 2 + gap + right.width / 2;
}

/// An arrow to or from a box that crosses a piece of a long arrow between two
/// points gives way, so that long arrows are straight.
void Layouter::markConflicts() {
  conflicts.assign(places.size(), {});
  for (size_t upper = 0; upper + 1 < layers.size(); ++upper) {
    const std::vector<unsigned> &lowerLayer = layers[upper + 1];
    size_t scanned = 0;
    unsigned left = 0;
    for (size_t i = 0; i < lowerLayer.size(); ++i) {
      const Place &place = places[lowerLayer[i]];
      bool isInner = place.isPoint && places[place.above.front()].isPoint;
      if (!isInner && i + 1 < lowerLayer.size())
        continue;
      unsigned right = isInner ? places[place.above.front()].order
                               : layers[upper].size() - 1;
      for (; scanned <= i; ++scanned) {
        const Place &other = places[lowerLayer[scanned]];
        for (unsigned above : other.above) {
          bool otherIsInner = other.isPoint && places[above].isPoint;
          unsigned order = places[above].order;
          if (!otherIsInner && (order < left || order > right))
            conflicts[lowerLayer[scanned]].push_back(above);
        }
      }
      left = right;
    }
  }
}

/// One of the four alignments. Layers are walked through from the top (or from
/// below) and each from the left (or the right); the result is mirrored back.
std::vector<double> Layouter::alignOnce(bool fromBelow, bool fromRight) const {
  size_t count = places.size();
  std::vector<unsigned> root(count), align(count);
  for (unsigned i = 0; i < count; ++i)
    root[i] = align[i] = i;
  // The order of a place as this walk sees it.
  auto orderOf = [&](unsigned index) -> int64_t {
    const Place &place = places[index];
    int64_t size = layers[place.layer].size();
    return fromRight ? size - 1 - place.order : place.order;
  };
  auto at = [&](size_t layer, int64_t order) {
    int64_t size = layers[layer].size();
    return layers[layer][fromRight ? size - 1 - order : order];
  };
  auto isForbidden = [&](unsigned a, unsigned b) {
    unsigned lower = places[a].layer > places[b].layer ? a : b;
    return llvm::is_contained(conflicts[lower], lower == a ? b : a);
  };

  // Each place stands under its median neighbour where that is free.
  for (size_t step = 1; step < layers.size(); ++step) {
    size_t layer = fromBelow ? layers.size() - 1 - step : step;
    int64_t last = -1;
    for (int64_t i = 0, e = layers[layer].size(); i < e; ++i) {
      unsigned index = at(layer, i);
      std::vector<unsigned> neighbours =
          fromBelow ? places[index].below : places[index].above;
      if (neighbours.empty())
        continue;
      llvm::sort(neighbours, [&](unsigned a, unsigned b) {
        return orderOf(a) < orderOf(b);
      });
      size_t size = neighbours.size();
      for (size_t median : {(size - 1) / 2, size / 2}) {
        unsigned other = neighbours[median];
        if (align[index] != index || isForbidden(index, other) ||
            orderOf(other) <= last)
          continue;
        align[other] = index;
        root[index] = root[other];
        align[index] = root[index];
        last = orderOf(other);
      }
    }
  }

  // Blocks of aligned places are packed to the side. The constraints are a
  // graph without cycles between blocks: "at least so far right of that one".
  // Its longest paths are the places, in one run over blocks in order.
  std::vector<std::vector<std::pair<unsigned, double>>> next(count);
  std::vector<unsigned> missing(count);
  for (const std::vector<unsigned> &layer : layers)
    for (size_t i = 0; i + 1 < layer.size(); ++i) {
      unsigned left = at(places[layer.front()].layer, i);
      unsigned right = at(places[layer.front()].layer, i + 1);
      next[root[left]].emplace_back(root[right],
                                    getGap(places[left], places[right]));
      ++missing[root[right]];
    }
  std::vector<double> x(count, 0);
  std::vector<unsigned> sorted;
  for (unsigned i = 0; i < count; ++i)
    if (root[i] == i && missing[i] == 0)
      sorted.push_back(i);
  for (size_t i = 0; i < sorted.size(); ++i)
    for (auto [other, gap] : next[sorted[i]]) {
      x[other] = std::max(x[other], x[sorted[i]] + gap);
      if (--missing[other] == 0)
        sorted.push_back(other);
    }
  // Blocks that nothing holds on the far side move back to their neighbours
  // there, as far as the block before lets them: without this, what has only
  // room to its right would stand far from what it belongs to.
  for (unsigned block : llvm::reverse(sorted)) {
    double room = std::numeric_limits<double>::infinity();
    for (auto [other, gap] : next[block])
      room = std::min(room, x[other] - gap);
    if (room == std::numeric_limits<double>::infinity() || room <= x[block])
      continue;
    // Only what has no arrow to its near side may move: it has no reason to
    // stay.
    bool pulled = false;
    for (unsigned place = block;;) {
      for (const auto *list : {&places[place].above, &places[place].below})
        for (unsigned other : *list)
          if (root[other] != block)
            pulled |= x[root[other]] <= x[block];
      place = align[place];
      if (place == block)
        break;
    }
    if (!pulled)
      x[block] = room;
  }
  std::vector<double> result(count);
  for (unsigned i = 0; i < count; ++i)
    result[i] = fromRight ? -x[root[i]] : x[root[i]];
  return result;
}

/// The mean of the two middle ones of four alignments, all shifted to the
/// narrowest one.
std::vector<double> Layouter::assignX() const {
  std::vector<std::vector<double>> all;
  std::vector<std::pair<double, double>> spans;
  size_t narrowest = 0;
  for (bool fromBelow : {false, true})
    for (bool fromRight : {false, true}) {
      all.push_back(alignOnce(fromBelow, fromRight));
      double least = std::numeric_limits<double>::infinity(), most = -least;
      for (auto [place, x] : llvm::zip_equal(places, all.back())) {
        least = std::min(least, x - place.width / 2);
        most = std::max(most, x + place.width / 2);
      }
      spans.emplace_back(least, most);
      auto width = [&](size_t i) { return spans[i].second - spans[i].first; };
      if (width(all.size() - 1) < width(narrowest))
        narrowest = all.size() - 1;
    }
  for (size_t i = 0; i < all.size(); ++i) {
    bool fromRight = i % 2 == 1;
    double shift = fromRight ? spans[narrowest].second - spans[i].second
                             : spans[narrowest].first - spans[i].first;
    for (double &x : all[i])
      x += shift;
  }
  std::vector<double> result(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    double values[] = {all[0][i], all[1][i], all[2][i], all[3][i]};
    std::sort(std::begin(values), std::end(values));
    result[i] = (values[1] + values[2]) / 2;
  }
  return result;
}

GraphLayout Layouter::run() {
  GraphLayout layout;
  if (boxes.empty())
    return layout;
  places.resize(boxes.size());
  for (auto [place, box] : llvm::zip_equal(places, boxes))
    place.width = box.width;
  removeCycles();
  assignLayers();
  splitArrows();
  orderLayers();
  markConflicts();
  std::vector<double> x = assignX();

  double left = std::numeric_limits<double>::infinity();
  for (auto [place, middle] : llvm::zip_equal(places, x))
    left = std::min(left, middle - place.width / 2);
  std::vector<double> top(layers.size()), height(layers.size());
  for (auto [index, box] : llvm::enumerate(boxes))
    height[places[index].layer] =
        std::max(height[places[index].layer], box.height);
  for (size_t layer = 1; layer < layers.size(); ++layer) {
    // A line that goes far to the side needs room, or it looks like a border.
    double aside = 0;
    for (unsigned index : layers[layer])
      for (unsigned above : places[index].above)
        aside = std::max(aside, std::abs(x[index] - x[above]));
    double gap = spacing.layer + std::min(aside / 16, 2 * spacing.layer);
    top[layer] = top[layer - 1] + height[layer - 1] + gap;
  }
  layout.height = top.back() + height.back();

  for (auto [index, box] : llvm::enumerate(boxes)) {
    unsigned layer = places[index].layer;
    layout.layers.push_back(layer);
    layout.boxes.push_back({x[index] - box.width / 2 - left, top[layer]});
  }
  for (auto [place, middle] : llvm::zip_equal(places, x))
    layout.width = std::max(layout.width, middle + place.width / 2 - left);
  for (const std::vector<unsigned> &chain : chains) {
    std::vector<GraphPoint> &points = layout.arrows.emplace_back();
    for (auto [i, index] : llvm::enumerate(chain)) {
      unsigned layer = places[index].layer;
      double middle = x[index] - left;
      if (i == 0) {
        points.push_back({middle, top[layer] + boxes[index].height});
      } else if (i + 1 == chain.size()) {
        points.push_back({middle, top[layer]});
      } else {
        // Straight through its layer, so that it passes between the boxes.
        points.push_back({middle, top[layer]});
        points.push_back({middle, top[layer] + height[layer]});
      }
    }
  }
  return layout;
}

GraphLayout mlir::job::layOutGraph(llvm::ArrayRef<GraphBox> boxes,
                                   llvm::ArrayRef<GraphArrow> arrows,
                                   const GraphSpacing &spacing) {
  return Layouter(boxes, arrows, spacing).run();
}
