//===- Schedule.cpp - Orders with few live bytes --------------------------===//
//
// Finding the order with the lowest peak is NP-hard for graphs that are no
// trees (Sethi 1975: register allocation). What is done here:
//
// - List scheduling as a beam search: of the orders of the first k ops the best
//   few are kept, by the peak so far and the bytes that are alive after them.
//   Forwards in time, and backwards, where a blob lives from its last reader,
//   met first, to its producer: what forwards looks like a choice between
//   equals is often forced backwards. The ops that may come next are kept
//   sorted by what they add to the live bytes, which changes for few of them at
//   a time.
// - Depth first: whatever ends a chain, such as an update, as early as its
//   inputs allow. In deep chains a beam fills with orders that differ in
//   little.
// - Then single ops are moved away from the peak: a producer to just before its
//   first reader, a reader to just after what it waits for, as long as the peak
//   falls or is reached at fewer ops. What a move does to the peak follows from
//   the live bytes along the order, kept in a tree of maxima.
// - At last, ops are moved back towards their places in the order that was
//   given, as long as the peak stays: what stands together there reads the same
//   data, which is in a cache. If ops are of several groups, also towards ops
//   of their group, which is taken where it has fewer changes of the group.
//
// The order that was given is one of the candidates and wins ties.
//
// ScheduleGraph.h lists the files.
//
//===----------------------------------------------------------------------===//

#include "ScheduleGraph.h"

#include "llvm/ADT/DenseSet.h"

#include <numeric>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Orders that the beam search keeps, and the numbers that it may copy for
/// them: large graphs get fewer.
static constexpr size_t kMaxBeam = 16;
static constexpr size_t kBeamCopies = 200'000'000;

namespace {

/// Live bytes along an order.
class Profile {
public:
  explicit Profile(const ScheduleGraph &graph)
      : graph(graph), unread(graph.numReaders), live(graph.initialBytes) {}

  /// Live bytes while `op` runs and after it, were it the next.
  std::pair<int64_t, int64_t> look(unsigned op) const;
  /// Runs `op` and returns the live bytes meanwhile.
  int64_t run(unsigned op);

private:
  const ScheduleGraph &graph;
  /// Of each blob, the readers that have not run.
  std::vector<unsigned> unread;
  int64_t live;
};

} // namespace

ScheduleGraph::ScheduleGraph(const ScheduleProblem &problem)
    : problem(problem), predecessors(problem.ops.size()),
      successors(problem.ops.size()), reads(problem.ops.size()),
      readers(problem.bytes.size()), numReaders(problem.bytes.size(), 0) {
  constexpr unsigned none = ~0u;
  std::vector<unsigned> producer(problem.bytes.size(), none);
  for (auto [index, op] : llvm::enumerate(problem.ops))
    for (unsigned blob : op.makes)
      producer[blob] = index;
  for (auto [index, op] : llvm::enumerate(problem.ops)) {
    llvm::SmallDenseSet<unsigned> seen, seenBlobs;
    auto addPredecessor = [&, op = index](unsigned before) {
      if (before == none || before == op || !seen.insert(before).second)
        return;
      predecessors[op].push_back(before);
      successors[before].push_back(op);
    };
    for (unsigned blob : op.reads) {
      addPredecessor(producer[blob]);
      if (problem.bytes[blob] == 0 || !seenBlobs.insert(blob).second)
        continue;
      reads[index].push_back(blob);
      readers[blob].push_back(index);
      ++numReaders[blob];
    }
    llvm::for_each(op.after, addPredecessor);
  }
  for (auto [blob, bytes] : llvm::enumerate(problem.bytes))
    if (producer[blob] == none && numReaders[blob] > 0)
      initialBytes += bytes;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

std::vector<unsigned> mlir::job::getLastReads(const ScheduleProblem &problem) {
  std::vector<unsigned> last(problem.bytes.size(), 0);
  for (auto [index, op] : llvm::enumerate(problem.ops)) {
    for (unsigned blob : op.makes)
      last[blob] = index;
    for (unsigned blob : op.reads)
      last[blob] = index;
  }
  return last;
}

BlobBuffers mlir::job::assignBuffers(const ScheduleProblem &problem) {
  std::vector<unsigned> last = getLastReads(problem);
  BlobBuffers result;
  result.bufferOf.assign(problem.bytes.size(), kNoBlob);
  result.overwritten.assign(problem.bytes.size(), kNoBlob);
  auto addBuffer = [&](unsigned blob, unsigned first) {
    result.bufferOf[blob] = result.buffers.size();
    result.buffers.push_back({first, 0, problem.bytes[blob]});
  };
  auto extend = [&](unsigned blob) {
    BufferInterval &buffer = result.buffers[result.bufferOf[blob]];
    buffer.last = std::max<int64_t>(buffer.last, last[blob]);
  };
  for (auto [index, op] : llvm::enumerate(problem.ops)) {
    // Blobs that no op has made are there from the beginning.
    for (unsigned blob : op.reads)
      if (problem.bytes[blob] != 0 && result.bufferOf[blob] == kNoBlob) {
        addBuffer(blob, 0);
        extend(blob);
      }
    SmallVector<unsigned, 4> taken;
    for (unsigned blob : op.makes) {
      if (problem.bytes[blob] == 0)
        continue;
      for (auto [taker, source] : op.overwrites)
        if (taker == blob && result.bufferOf[source] != kNoBlob &&
            last[source] == index &&
            problem.bytes[source] == problem.bytes[blob] &&
            !llvm::is_contained(taken, source)) {
          taken.push_back(source);
          result.bufferOf[blob] = result.bufferOf[source];
          result.overwritten[blob] = source;
          break;
        }
      if (result.bufferOf[blob] == kNoBlob)
        addBuffer(blob, index);
      extend(blob);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Live bytes
//===----------------------------------------------------------------------===//

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

static int64_t findPeak(const ScheduleGraph &graph, ArrayRef<unsigned> order) {
  Profile profile(graph);
  int64_t peak = 0;
  for (unsigned op : order)
    peak = std::max(peak, profile.run(op));
  return peak;
}

std::vector<int64_t> mlir::job::getLiveBytes(const ScheduleProblem &problem,
                                             ArrayRef<unsigned> order) {
  ScheduleGraph graph(problem);
  Profile profile(graph);
  std::vector<int64_t> live;
  for (unsigned op : order)
    live.push_back(profile.run(op));
  return live;
}

int64_t mlir::job::getPeakBytes(const ScheduleProblem &problem,
                                ArrayRef<unsigned> order) {
  return findPeak(ScheduleGraph(problem), order);
}

unsigned mlir::job::countGroupChanges(const ScheduleProblem &problem,
                                      ArrayRef<unsigned> order) {
  unsigned changes = 0, last = kNoGroup;
  for (unsigned op : order) {
    unsigned group = problem.ops[op].group;
    if (group == kNoGroup)
      continue;
    changes += last != kNoGroup && group != last;
    last = group;
  }
  return changes;
}

//===----------------------------------------------------------------------===//
// Depth first
//===----------------------------------------------------------------------===//

/// Each op that no other op depends on, except for an end that depends on all,
/// as soon as possible: those with the fewest ops in a row before them first,
/// and what an op needs right before it.
static Order orderDepthFirst(const ScheduleGraph &graph) {
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
// The choice of orders
//===----------------------------------------------------------------------===//

Order mlir::job::findOrder(const ScheduleProblem &problem, size_t *steps) {
  size_t numOps = problem.ops.size(), uncounted = 0;
  size_t &count = steps ? *steps : uncounted;
  Order best(numOps);
  std::iota(best.begin(), best.end(), 0);
  if (numOps == 0)
    return best;
  ScheduleGraph graph(problem);
  int64_t bestPeak = findPeak(graph, best);
  size_t copied = numOps * (numOps + problem.bytes.size());
  size_t width = std::clamp<size_t>(kBeamCopies / copied, 1, kMaxBeam);
  for (Order order : {best, orderDepthFirst(graph),
                      searchBeam(graph, /*forwards=*/true, width, count),
                      searchBeam(graph, /*forwards=*/false, width, count)}) {
    order = improveOrder(graph, std::move(order), count);
    int64_t peak = findPeak(graph, order);
    if (peak < bestPeak) {
      bestPeak = peak;
      best = order;
    }
  }
  Order restored = restoreOrder(graph, best, /*joinGroups=*/false, count);
  unsigned changes = countGroupChanges(problem, restored);
  if (changes == 0)
    return restored;
  Order joined =
      restoreOrder(graph, std::move(best), /*joinGroups=*/true, count);
  return countGroupChanges(problem, joined) < changes ? joined : restored;
}
