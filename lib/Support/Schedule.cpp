//===- Schedule.cpp - Orders with few live bytes --------------------------===//
//
// Finding the order with the lowest peak is NP-hard for graphs that are no
// trees (Sethi 1975: register allocation). What is done here:
//
// - List scheduling as a beam search: of the orders of the first k ops the best
//   few are kept, by the peak so far and the bytes that are alive after them.
//   Forwards in time, and backwards, where a blob lives from its last reader,
//   met first, to its maker: what forwards looks like a choice between equals
//   is often forced backwards.
// - Depth first: whatever ends a chain, such as an update, as early as its
//   inputs allow. In deep chains a beam fills with orders that differ in
//   little.
// - Then single ops are moved away from the peak: a maker to just before its
//   first reader, a reader to just after what it waits for, as long as the peak
//   falls or is reached at fewer ops.
//
// The order that was given is one of the candidates and wins ties.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/Schedule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Orders that the beam search keeps, and the numbers that it may copy for
/// them: large graphs get fewer.
static constexpr size_t kMaxBeam = 16;
static constexpr size_t kBeamCopies = 200'000'000;
/// Ops that the moves may visit, counting each evaluation of a peak.
static constexpr size_t kMoveVisits = 20'000'000;

namespace {

using Order = SmallVector<unsigned>;

/// The graph with what both directions of a search need.
class Graph {
public:
  explicit Graph(const ScheduleProblem &problem);

  const ScheduleProblem &problem;
  /// Direct dependences, each once.
  std::vector<SmallVector<unsigned>> predecessors, successors;
  /// For each op the distinct blobs that it reads, without those that take no
  /// bytes; for each blob the number of ops that read it.
  std::vector<SmallVector<unsigned>> reads;
  std::vector<unsigned> numReaders;
};

/// Live bytes along an order.
class Profile {
public:
  explicit Profile(const Graph &graph)
      : graph(graph), unread(graph.numReaders) {}

  /// Live bytes while `op` runs and after it, were it the next.
  std::pair<int64_t, int64_t> look(unsigned op) const;
  /// Runs `op` and returns the live bytes meanwhile.
  int64_t run(unsigned op);

private:
  const Graph &graph;
  /// Of each blob, the readers that have not run.
  std::vector<unsigned> unread;
  int64_t live = 0;
};

/// One of the orders that a beam search keeps, as what is left to do.
struct Partial {
  int64_t peak = 0, live = 0;
  uint64_t hash = 0;
  Order order;
  /// Of each op, the dependences that are not met; of each blob, forwards its
  /// unread readers, backwards whether it is alive.
  std::vector<unsigned> missing, blobs;
  SmallVector<unsigned> ready;
};

} // namespace

Graph::Graph(const ScheduleProblem &problem)
    : problem(problem), predecessors(problem.ops.size()),
      successors(problem.ops.size()), reads(problem.ops.size()),
      numReaders(problem.bytes.size(), 0) {
  constexpr unsigned none = ~0u;
  std::vector<unsigned> maker(problem.bytes.size(), none);
  for (auto [index, op] : llvm::enumerate(problem.ops))
    for (unsigned blob : op.makes)
      maker[blob] = index;
  for (auto [index, op] : llvm::enumerate(problem.ops)) {
    llvm::SmallDenseSet<unsigned> seen, seenBlobs;
    auto addPredecessor = [&, op = index](unsigned before) {
      if (before == none || before == op || !seen.insert(before).second)
        return;
      predecessors[op].push_back(before);
      successors[before].push_back(op);
    };
    for (unsigned blob : op.reads) {
      addPredecessor(maker[blob]);
      if (problem.bytes[blob] == 0 || !seenBlobs.insert(blob).second)
        continue;
      reads[index].push_back(blob);
      ++numReaders[blob];
    }
    llvm::for_each(op.after, addPredecessor);
  }
}

//===----------------------------------------------------------------------===//
// Live bytes
//===----------------------------------------------------------------------===//

/// What `op` adds to the live bytes while it runs and when it is done.
/// `isLast(blob)` says whether it is the last to read a blob.
template <typename IsLast>
static std::pair<int64_t, int64_t> getChange(const Graph &graph, unsigned op,
                                             IsLast isLast) {
  const ScheduleProblem &problem = graph.problem;
  int64_t made = 0, freed = 0;
  for (unsigned blob : problem.ops[op].makes) {
    made += problem.bytes[blob];
    if (graph.numReaders[blob] == 0)
      freed += problem.bytes[blob];
  }
  for (unsigned blob : graph.reads[op])
    if (isLast(blob))
      freed += problem.bytes[blob];
  int64_t shared = 0;
  SmallVector<unsigned, 4> takers, taken;
  for (auto [blob, source] : problem.ops[op].overwrites)
    if (problem.bytes[source] != 0 && problem.bytes[blob] != 0 &&
        isLast(source) && !llvm::is_contained(takers, blob) &&
        !llvm::is_contained(taken, source)) {
      takers.push_back(blob);
      taken.push_back(source);
      shared += std::min(problem.bytes[blob], problem.bytes[source]);
    }
  return {made - shared, made - freed};
}

std::pair<int64_t, int64_t> Profile::look(unsigned op) const {
  auto [during, after] =
      getChange(graph, op, [&](unsigned blob) { return unread[blob] == 1; });
  return {live + during, live + after};
}

int64_t Profile::run(unsigned op) {
  auto [during, after] = look(op);
  for (unsigned blob : graph.reads[op])
    --unread[blob];
  live = after;
  return during;
}

/// The peak, how many ops reach it, and the position of the first.
static std::tuple<int64_t, unsigned, unsigned>
findPeak(const Graph &graph, ArrayRef<unsigned> order) {
  Profile profile(graph);
  int64_t peak = -1;
  unsigned count = 0, first = 0;
  for (auto [position, op] : llvm::enumerate(order)) {
    int64_t live = profile.run(op);
    if (live > peak) {
      peak = live;
      count = 0;
      first = position;
    }
    count += live == peak;
  }
  return {std::max<int64_t>(peak, 0), count, first};
}

std::vector<int64_t> mlir::job::getLiveBytes(const ScheduleProblem &problem,
                                             ArrayRef<unsigned> order) {
  Graph graph(problem);
  Profile profile(graph);
  std::vector<int64_t> live;
  for (unsigned op : order)
    live.push_back(profile.run(op));
  return live;
}

int64_t mlir::job::getPeakBytes(const ScheduleProblem &problem,
                                ArrayRef<unsigned> order) {
  return std::get<0>(findPeak(Graph(problem), order));
}

//===----------------------------------------------------------------------===//
// Beam search
//===----------------------------------------------------------------------===//

/// Mixes a number into bits that add up to a name of a set.
static uint64_t mix(uint64_t z) {
  z = (z + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// List scheduling from the first op on, or from the last one backwards.
static Order searchBeam(const Graph &graph, bool forwards, size_t width) {
  const ScheduleProblem &problem = graph.problem;
  const auto &before = forwards ? graph.predecessors : graph.successors;
  const auto &behind = forwards ? graph.successors : graph.predecessors;
  size_t numOps = problem.ops.size();

  Partial start;
  start.blobs = forwards ? graph.numReaders
                         : std::vector<unsigned>(problem.bytes.size(), 0);
  for (size_t op = 0; op < numOps; ++op) {
    start.missing.push_back(before[op].size());
    if (before[op].empty())
      start.ready.push_back(op);
  }

  // Live bytes while `op` runs, and behind it.
  auto look = [&](const Partial &partial,
                  unsigned op) -> std::pair<int64_t, int64_t> {
    if (forwards) {
      auto [during, after] = getChange(
          graph, op, [&](unsigned blob) { return partial.blobs[blob] == 1; });
      return {partial.live + during, partial.live + after};
    }
    // Backwards, a blob that is read is alive from here on, and one that is
    // made until here; unread ones are alive for a moment.
    auto [during, after] = getChange(
        graph, op, [&](unsigned blob) { return partial.blobs[blob] == 0; });
    return {partial.live - after + during, partial.live - after};
  };

  struct Step {
    int64_t peak, live;
    unsigned parent, op;
    uint64_t hash;
  };
  std::vector<Partial> beam = {start}, next;
  std::vector<Step> steps;
  for (size_t done = 0; done < numOps; ++done) {
    steps.clear();
    for (auto [parent, partial] : llvm::enumerate(beam))
      for (unsigned op : partial.ready) {
        auto [during, after] = look(partial, op);
        steps.push_back({std::max(partial.peak, during), after,
                         static_cast<unsigned>(parent), op,
                         partial.hash + mix(op)});
      }
    // Among equals the order that was given decides.
    llvm::sort(steps, [&](const Step &a, const Step &b) {
      unsigned x = forwards ? a.op : ~a.op, y = forwards ? b.op : ~b.op;
      return std::tie(a.peak, a.live, x, a.parent) <
             std::tie(b.peak, b.live, y, b.parent);
    });
    next.clear();
    llvm::DenseSet<uint64_t> seen;
    for (const Step &step : steps) {
      if (next.size() == width)
        break;
      if (!seen.insert(step.hash).second)
        continue;
      Partial &partial = next.emplace_back(beam[step.parent]);
      partial.peak = step.peak;
      partial.live = step.live;
      partial.hash = step.hash;
      partial.order.push_back(step.op);
      partial.ready.erase(llvm::find(partial.ready, step.op));
      for (unsigned blob : graph.reads[step.op])
        partial.blobs[blob] = forwards ? partial.blobs[blob] - 1 : 1;
      for (unsigned other : behind[step.op])
        if (--partial.missing[other] == 0)
          partial.ready.push_back(other);
    }
    std::swap(beam, next);
  }
  Order order = std::move(beam.front().order);
  if (!forwards)
    std::reverse(order.begin(), order.end());
  return order;
}

//===----------------------------------------------------------------------===//
// Depth first
//===----------------------------------------------------------------------===//

/// Each op that nobody waits for, but for an end that waits for all, as soon as
/// that is possible: those with the fewest ops in a row before them first, and
/// what an op needs right before it.
static Order orderDepthFirst(const Graph &graph) {
  size_t numOps = graph.problem.ops.size();
  // The longest chain that ends with each op; ops are given in an order that
  // works.
  std::vector<unsigned> depth(numOps, 0);
  SmallVector<unsigned> stack;
  bool hasEnd = graph.predecessors.back().size() == numOps - 1;
  for (size_t op = 0; op < numOps; ++op) {
    for (unsigned before : graph.predecessors[op])
      depth[op] = std::max(depth[op], depth[before] + 1);
    if (graph.successors[op].size() <= hasEnd)
      stack.push_back(op);
  }
  // What is on top comes first.
  llvm::sort(stack, [&](unsigned a, unsigned b) {
    return std::tie(depth[b], b) < std::tie(depth[a], a);
  });
  Order order;
  std::vector<bool> isOpen(numOps), isDone(numOps);
  while (!stack.empty()) {
    unsigned op = stack.back();
    if (isOpen[op]) {
      stack.pop_back();
      if (!isDone[op])
        order.push_back(op);
      isDone[op] = true;
      continue;
    }
    isOpen[op] = true;
    for (unsigned before : llvm::reverse(graph.predecessors[op]))
      if (!isOpen[before])
        stack.push_back(before);
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Moves single ops across the peak while that helps.
static void improve(const Graph &graph, Order &order) {
  size_t numOps = order.size(), visits = 0;
  std::vector<unsigned> position(numOps);
  auto [peak, count, at] = findPeak(graph, order);
  bool isBetter = true;
  while (isBetter && visits < kMoveVisits) {
    isBetter = false;
    for (auto [index, op] : llvm::enumerate(order))
      position[op] = index;
    Order moved;
    for (unsigned from = 0; from < numOps && !isBetter; ++from) {
      // As far across the peak as dependences allow.
      unsigned op = order[from], to = from;
      if (from <= at) {
        to = numOps - 1;
        for (unsigned other : graph.successors[op])
          to = std::min(to, position[other] - 1);
        if (to <= at && !(from == at && to > from))
          continue;
      } else {
        to = 0;
        for (unsigned other : graph.predecessors[op])
          to = std::max(to, position[other] + 1);
        if (to > at)
          continue;
      }
      moved = order;
      if (from < to)
        std::rotate(moved.begin() + from, moved.begin() + from + 1,
                    moved.begin() + to + 1);
      else
        std::rotate(moved.begin() + to, moved.begin() + from,
                    moved.begin() + from + 1);
      visits += numOps;
      auto [newPeak, newCount, newAt] = findPeak(graph, moved);
      if (std::pair(newPeak, newCount) < std::pair(peak, count)) {
        std::tie(peak, count, at) = std::tie(newPeak, newCount, newAt);
        order = moved;
        isBetter = true;
      } else if (visits >= kMoveVisits) {
        return;
      }
    }
  }
}

Order mlir::job::findOrder(const ScheduleProblem &problem) {
  size_t numOps = problem.ops.size();
  Order best(numOps);
  std::iota(best.begin(), best.end(), 0);
  if (numOps == 0)
    return best;
  Graph graph(problem);
  int64_t bestPeak = std::get<0>(findPeak(graph, best));
  size_t copied = numOps * (numOps + problem.bytes.size());
  size_t width = std::clamp<size_t>(kBeamCopies / copied, 1, kMaxBeam);
  for (Order order : {best, orderDepthFirst(graph),
                      searchBeam(graph, /*forwards=*/true, width),
                      searchBeam(graph, /*forwards=*/false, width)}) {
    improve(graph, order);
    int64_t peak = std::get<0>(findPeak(graph, order));
    if (peak < bestPeak) {
      bestPeak = peak;
      best = order;
    }
  }
  return best;
}
