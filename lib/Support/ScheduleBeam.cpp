//===- ScheduleBeam.cpp - List scheduling as a beam search ----------------===//

#include "ScheduleGraph.h"

#include "llvm/ADT/DenseSet.h"

#include <cassert>
#include <functional>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Bytes copied in the time that one step of a search takes.
static constexpr size_t kCopiedAtOnce = 16;

/// Mixes a number into bits that add up to a name of a set.
static uint64_t mix(uint64_t z) {
  z = (z + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

namespace {

/// Ops that may come next and add the same to the live bytes while they run,
/// and the same once they have run.
struct ReadyOps {
  int64_t during, after;
  /// Their places in the given order, counted in the direction of the search,
  /// the first one last.
  std::vector<unsigned> ranks;
};

/// One of the partial orders that a beam search keeps.
struct Partial {
  int64_t peak = 0, live = 0;
  uint64_t hash = 0;
  /// The end of the order in BeamSearch::history.
  unsigned last = 0;
  /// Of each op, the dependences that are not met, or kDone; of each blob,
  /// forwards its unread readers, backwards whether it is alive.
  std::vector<unsigned> missing, blobs;
  /// Sorted by what they add, none empty. Few distinct changes of the live
  /// bytes occur, so that the best next ops are found without visiting each.
  std::vector<ReadyOps> ready;
};

/// List scheduling from the first op on, or from the last one backwards.
class BeamSearch {
public:
  BeamSearch(const ScheduleGraph &graph, bool forwards, size_t width,
             size_t &steps)
      : graph(graph), forwards(forwards), width(width), steps(steps),
        before(forwards ? graph.predecessors : graph.successors),
        behind(forwards ? graph.successors : graph.predecessors) {}

  Order run();

private:
  /// A way to extend one of the partial orders.
  struct Extension {
    int64_t peak, live;
    unsigned rank, parent;
    uint64_t hash;
  };

  /// From a rank to its op, or back.
  unsigned flip(unsigned op) const {
    return forwards ? op : graph.problem.ops.size() - 1 - op;
  }
  std::pair<int64_t, int64_t> look(const Partial &partial, unsigned op);
  void insertReady(Partial &partial, unsigned op);
  void eraseReady(Partial &partial, unsigned op);
  void findExtensions(unsigned parent);
  void extend(Partial &partial, const Extension &extension);

  const ScheduleGraph &graph;
  bool forwards;
  size_t width;
  size_t &steps;
  const std::vector<SmallVector<unsigned>> &before, &behind;
  std::vector<Partial> beam;
  std::vector<Extension> extensions;
  /// Of all partial orders that were kept, the last op and where the rest ends.
  std::vector<std::pair<unsigned, unsigned>> history;

  static constexpr unsigned kDone = ~0u;
};

} // namespace

/// What an op that comes next adds to the live bytes while it runs, and once it
/// has run.
std::pair<int64_t, int64_t> BeamSearch::look(const Partial &partial,
                                             unsigned op) {
  steps += 1 + graph.reads[op].size();
  // Backwards, a blob that is read is alive from here on, and one that is made
  // until here; unread ones are alive for a moment.
  auto [during, after] = getChange(graph, op, [&](unsigned blob) {
    return partial.blobs[blob] == unsigned(forwards);
  });
  return forwards ? std::pair(during, after)
                  : std::pair(during - after, -after);
}

/// The place in a list of ready ops of those that add so much.
static auto findReady(std::vector<ReadyOps> &ready,
                      std::pair<int64_t, int64_t> change) {
  return llvm::partition_point(ready, [&](const ReadyOps &ops) {
    return std::pair(ops.during, ops.after) < change;
  });
}

void BeamSearch::insertReady(Partial &partial, unsigned op) {
  std::pair<int64_t, int64_t> change = look(partial, op);
  auto it = findReady(partial.ready, change);
  if (it == partial.ready.end() || std::pair(it->during, it->after) != change)
    it = partial.ready.insert(it, {change.first, change.second, {}});
  auto place = llvm::lower_bound(it->ranks, flip(op), std::greater<>());
  steps += (it->ranks.end() - place) / kCopiedAtOnce;
  it->ranks.insert(place, flip(op));
}

/// Removes an op whose change of the live bytes is still what it was when it
/// was inserted.
void BeamSearch::eraseReady(Partial &partial, unsigned op) {
  auto it = findReady(partial.ready, look(partial, op));
  auto place = llvm::lower_bound(it->ranks, flip(op), std::greater<>());
  assert(place != it->ranks.end() && *place == flip(op) &&
         "a change that was not noticed");
  steps += (it->ranks.end() - place) / kCopiedAtOnce;
  it->ranks.erase(place);
  if (it->ranks.empty())
    partial.ready.erase(it);
}

/// Adds the best `width` extensions of one partial order: more of one are never
/// kept, since no two of them lead to the same set of ops.
void BeamSearch::findExtensions(unsigned parent) {
  const Partial &partial = beam[parent];
  // Of each list of ready ops the first one that was not taken.
  struct Head {
    int64_t peak, live;
    ArrayRef<unsigned> ranks;
    bool operator<(const Head &other) const {
      return std::tie(other.peak, other.live, other.ranks.back()) <
             std::tie(peak, live, ranks.back());
    }
  };
  SmallVector<Head> heads;
  for (const ReadyOps &ops : partial.ready)
    heads.push_back({std::max(partial.peak, partial.live + ops.during),
                     partial.live + ops.after, ops.ranks});
  steps += heads.size();
  std::make_heap(heads.begin(), heads.end());
  for (size_t i = 0; i < width && !heads.empty(); ++i) {
    std::pop_heap(heads.begin(), heads.end());
    Head &best = heads.back();
    unsigned rank = best.ranks.back();
    extensions.push_back(
        {best.peak, best.live, rank, parent, partial.hash + mix(flip(rank))});
    best.ranks = best.ranks.drop_back();
    if (best.ranks.empty())
      heads.pop_back();
    else
      std::push_heap(heads.begin(), heads.end());
  }
}

void BeamSearch::extend(Partial &partial, const Extension &extension) {
  unsigned op = flip(extension.rank);
  eraseReady(partial, op);
  partial.missing[op] = kDone;
  // Ready ops whose change of the live bytes becomes another one: forwards the
  // only reader that is left, backwards all readers of what becomes alive.
  SmallVector<unsigned> changed;
  for (unsigned blob : graph.reads[op]) {
    if (partial.blobs[blob] != (forwards ? 2 : 0))
      continue;
    steps += graph.readers[blob].size();
    for (unsigned reader : graph.readers[blob])
      if (partial.missing[reader] == 0)
        changed.push_back(reader);
  }
  llvm::sort(changed);
  changed.erase(llvm::unique(changed), changed.end());
  for (unsigned other : changed)
    eraseReady(partial, other);
  for (unsigned blob : graph.reads[op])
    partial.blobs[blob] = forwards ? partial.blobs[blob] - 1 : 1;
  for (unsigned other : changed)
    insertReady(partial, other);
  steps += behind[op].size();
  for (unsigned other : behind[op])
    if (--partial.missing[other] == 0)
      insertReady(partial, other);

  partial.peak = extension.peak;
  partial.live = extension.live;
  partial.hash = extension.hash;
  history.emplace_back(op, partial.last);
  partial.last = history.size() - 1;
}

Order BeamSearch::run() {
  size_t numOps = graph.problem.ops.size();
  Partial &start = beam.emplace_back();
  if (forwards)
    start.live = start.peak = graph.initialBytes;
  start.blobs = forwards ? graph.numReaders
                         : std::vector<unsigned>(graph.numReaders.size(), 0);
  for (size_t op = 0; op < numOps; ++op)
    start.missing.push_back(before[op].size());
  // From the last rank on, each goes to the end of its list.
  for (size_t rank = numOps; rank-- > 0;)
    if (unsigned op = flip(rank); before[op].empty())
      insertReady(start, op);

  std::vector<Partial> next;
  std::vector<unsigned> numChildren;
  for (size_t done = 0; done < numOps; ++done) {
    extensions.clear();
    for (unsigned parent = 0; parent < beam.size(); ++parent)
      findExtensions(parent);
    // Among equals the order that was given decides.
    llvm::sort(extensions, [](const Extension &a, const Extension &b) {
      return std::tie(a.peak, a.live, a.rank, a.parent) <
             std::tie(b.peak, b.live, b.rank, b.parent);
    });
    llvm::SmallDenseSet<uint64_t> seen;
    llvm::erase_if(extensions, [&](const Extension &extension) {
      return seen.size() == width || !seen.insert(extension.hash).second;
    });
    numChildren.assign(beam.size(), 0);
    for (const Extension &extension : extensions)
      ++numChildren[extension.parent];
    next.clear();
    for (const Extension &extension : extensions) {
      Partial &parent = beam[extension.parent];
      if (--numChildren[extension.parent] == 0) {
        next.push_back(std::move(parent));
      } else {
        next.push_back(parent);
        steps += (parent.missing.size() + parent.blobs.size()) / kCopiedAtOnce;
      }
      extend(next.back(), extension);
    }
    std::swap(beam, next);
  }
  Order order;
  for (unsigned last = beam.front().last; order.size() < numOps;
       last = history[last].second)
    order.push_back(history[last].first);
  if (forwards)
    std::reverse(order.begin(), order.end());
  return order;
}

Order mlir::job::searchBeam(const ScheduleGraph &graph, bool forwards,
                            size_t width, size_t &steps) {
  return BeamSearch(graph, forwards, width, steps).run();
}
