//===- Schedule.cpp - Orders with few live bytes --------------------------===//
//
// Finding the order with the lowest peak is NP-hard for graphs that are no
// trees (Sethi 1975: register allocation). What is done here:
//
// - List scheduling as a beam search: of the orders of the first k ops the best
//   few are kept, by the peak so far and the bytes that are alive after them.
//   Forwards in time, and backwards, where a blob lives from its last reader,
//   met first, to its maker: what forwards looks like a choice between equals
//   is often forced backwards. The ops that may come next are kept sorted by
//   what they add to the live bytes, which changes for few of them at a time.
// - Depth first: whatever ends a chain, such as an update, as early as its
//   inputs allow. In deep chains a beam fills with orders that differ in
//   little.
// - Then single ops are moved away from the peak: a maker to just before its
//   first reader, a reader to just after what it waits for, as long as the peak
//   falls or is reached at fewer ops. What a move does to the peak follows from
//   the live bytes along the order, kept in a tree of maxima.
// - At last, ops are moved back towards their places in the order that was
//   given, as long as the peak stays: what stands together there reads the same
//   data, which is in a cache.
//
// The order that was given is one of the candidates and wins ties.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/Schedule.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Orders that the beam search keeps, and the numbers that it may copy for
/// them: large graphs get fewer.
static constexpr size_t kMaxBeam = 16;
static constexpr size_t kBeamCopies = 200'000'000;
/// Bytes copied in the time that one step of a search takes.
static constexpr size_t kCopiedAtOnce = 16;
/// Steps that the moves from one order may take, and those back to the order
/// that was given.
static constexpr size_t kMoveSteps = 20'000'000;
/// Ops that may be tried for one place, on the way back.
static constexpr unsigned kMaxTried = 16;

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
  /// bytes; for each blob the ops that read it, and their number.
  std::vector<SmallVector<unsigned>> reads, readers;
  std::vector<unsigned> numReaders;
  /// Live bytes before the first op: those of blobs that are read but that no
  /// op makes.
  int64_t initialBytes = 0;
};

/// Live bytes along an order.
class Profile {
public:
  explicit Profile(const Graph &graph)
      : graph(graph), unread(graph.numReaders), live(graph.initialBytes) {}

  /// Live bytes while `op` runs and after it, were it the next.
  std::pair<int64_t, int64_t> look(unsigned op) const;
  /// Runs `op` and returns the live bytes meanwhile.
  int64_t run(unsigned op);

private:
  const Graph &graph;
  /// Of each blob, the readers that have not run.
  std::vector<unsigned> unread;
  int64_t live;
};

} // namespace

Graph::Graph(const ScheduleProblem &problem)
    : problem(problem), predecessors(problem.ops.size()),
      successors(problem.ops.size()), reads(problem.ops.size()),
      readers(problem.bytes.size()), numReaders(problem.bytes.size(), 0) {
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
      readers[blob].push_back(index);
      ++numReaders[blob];
    }
    llvm::for_each(op.after, addPredecessor);
  }
  for (auto [blob, bytes] : llvm::enumerate(problem.bytes))
    if (maker[blob] == none && numReaders[blob] > 0)
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

static int64_t findPeak(const Graph &graph, ArrayRef<unsigned> order) {
  Profile profile(graph);
  int64_t peak = 0;
  for (unsigned op : order)
    peak = std::max(peak, profile.run(op));
  return peak;
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
  return findPeak(Graph(problem), order);
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
  BeamSearch(const Graph &graph, bool forwards, size_t width, size_t &steps)
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

  const Graph &graph;
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

//===----------------------------------------------------------------------===//
// Depth first
//===----------------------------------------------------------------------===//

/// Each op that no other op depends on, except for an end that depends on all,
/// as soon as possible: those with the fewest ops in a row before them first,
/// and what an op needs right before it.
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

namespace {

/// The peak of live bytes, and how many ops reach it.
struct Peak {
  int64_t bytes = std::numeric_limits<int64_t>::min();
  unsigned count = 0;

  bool operator<(const Peak &other) const {
    return std::tie(bytes, count) < std::tie(other.bytes, other.count);
  }
  Peak operator+(int64_t change) const {
    return count ? Peak{bytes + change, count} : *this;
  }
  /// The peak of two sets of ops.
  static Peak join(const Peak &a, const Peak &b) {
    if (a.bytes != b.bytes)
      return a.bytes < b.bytes ? b : a;
    return {a.bytes, a.count + b.count};
  }
};

/// An order, and the peaks of those that differ from it by the place of one op.
/// Such a move changes the live bytes of the ops in between by what the op
/// makes and by what it is the last to read, so that the peak is that of a few
/// ranges of today's live bytes: a tree of maxima answers in logarithmic time.
class MovableOrder {
public:
  MovableOrder(const Graph &graph, Order order, size_t &steps)
      : graph(graph), steps(steps), order(std::move(order)) {
    size_t numOps = this->order.size();
    position.resize(numOps);
    behind.resize(numOps);
    last.resize(graph.problem.bytes.size());
    numLeaves = llvm::PowerOf2Ceil(numOps);
    tree.resize(2 * numLeaves);
    update(0, numOps);
  }

  Order take() { return std::move(order); }
  size_t size() const { return order.size(); }
  unsigned operator[](unsigned at) const { return order[at]; }
  unsigned getPosition(unsigned op) const { return position[op]; }
  Peak getPeak() const { return tree[1]; }
  unsigned getFirstPeak() const;
  /// The place farthest from `from`, across the first peak `at`, that
  /// dependences allow; nothing when that does not cross it.
  std::optional<unsigned> findTarget(unsigned from, unsigned at);
  /// The peak once the op at `from` stands at `to`.
  Peak getPeakAfter(unsigned from, unsigned to);
  void move(unsigned from, unsigned to);

private:
  void update(unsigned begin, unsigned end);
  int64_t getShared(unsigned op, llvm::function_ref<bool(unsigned)> isLast);
  Peak query(unsigned begin, unsigned end);
  void change(unsigned begin, unsigned end, int64_t bytes) {
    if (begin < end) {
      changes.emplace_back(begin, bytes);
      changes.emplace_back(end, -bytes);
    }
  }

  const Graph &graph;
  size_t &steps;
  Order order;
  std::vector<unsigned> position;
  /// Of each position the live bytes behind it; of each blob the position of
  /// its last reader.
  std::vector<int64_t> behind;
  std::vector<unsigned> last;
  /// A binary tree of the peaks of ranges; the leaves are the ops in order.
  std::vector<Peak> tree;
  unsigned numLeaves = 0;
  /// Of the move in question, where the live bytes of the other ops begin to
  /// differ by so much more.
  SmallVector<std::pair<unsigned, int64_t>> changes;
};

} // namespace

/// Derives everything from the order again, after the ops from `begin` to
/// before `end` have changed places among themselves.
void MovableOrder::update(unsigned begin, unsigned end) {
  for (unsigned at = begin; at < end; ++at) {
    unsigned op = order[at];
    position[op] = at;
    // A blob that is read after these ops has the same last reader as before.
    for (unsigned blob : graph.reads[op])
      if (last[blob] < end)
        last[blob] = at;
    steps += 1 + graph.reads[op].size();
  }
  int64_t live = begin > 0 ? behind[begin - 1] : graph.initialBytes;
  for (unsigned at = begin; at < end; ++at) {
    auto [during, after] = getChange(
        graph, order[at], [&](unsigned blob) { return last[blob] == at; });
    tree[numLeaves + at] = {live + during, 1};
    live += after;
    behind[at] = live;
  }
  unsigned left = numLeaves + begin, right = numLeaves + end - 1;
  while ((left /= 2, right /= 2) > 0)
    for (unsigned node = left; node <= right; ++node)
      tree[node] = Peak::join(tree[2 * node], tree[2 * node + 1]);
}

unsigned MovableOrder::getFirstPeak() const {
  unsigned node = 1;
  while (node < numLeaves)
    node = 2 * node + (tree[2 * node].bytes < tree[node].bytes);
  return node - numLeaves;
}

/// The peak of the positions from `begin` to before `end`.
Peak MovableOrder::query(unsigned begin, unsigned end) {
  Peak peak;
  for (begin += numLeaves, end += numLeaves; begin < end;
       begin /= 2, end /= 2) {
    ++steps;
    if (begin % 2)
      peak = Peak::join(peak, tree[begin++]);
    if (end % 2)
      peak = Peak::join(peak, tree[--end]);
  }
  return peak;
}

std::optional<unsigned> MovableOrder::findTarget(unsigned from, unsigned at) {
  unsigned op = order[from], to;
  if (from <= at) {
    steps += 1 + graph.successors[op].size();
    to = order.size() - 1;
    for (unsigned other : graph.successors[op])
      to = std::min(to, position[other] - 1);
    if (to <= at && !(from == at && to > from))
      return std::nullopt;
    return to;
  }
  steps += 1 + graph.predecessors[op].size();
  to = 0;
  for (unsigned other : graph.predecessors[op])
    to = std::max(to, position[other] + 1);
  if (to > at)
    return std::nullopt;
  return to;
}

/// The bytes that `op` saves by overwriting blobs that it is the last to read.
int64_t MovableOrder::getShared(unsigned op,
                                llvm::function_ref<bool(unsigned)> isLast) {
  int64_t made = 0;
  for (unsigned blob : graph.problem.ops[op].makes)
    made += graph.problem.bytes[blob];
  return made - getChange(graph, op, isLast).first;
}

Peak MovableOrder::getPeakAfter(unsigned from, unsigned to) {
  const std::vector<int64_t> &bytes = graph.problem.bytes;
  unsigned op = order[from];
  steps += 1 + graph.reads[op].size();
  changes.clear();
  // Bytes of results that other ops read, and of results that none reads.
  int64_t made = 0, unread = 0;
  for (unsigned blob : graph.problem.ops[op].makes)
    (graph.numReaders[blob] == 0 ? unread : made) += bytes[blob];
  // Other ops that become, or are no longer, the last to read a blob.
  SmallVector<std::pair<unsigned, unsigned>> others;
  SmallVector<unsigned> lastReads;
  int64_t freed = 0;
  if (from < to) {
    change(from + 1, to + 1, -made);
    for (unsigned blob : graph.reads[op]) {
      if (last[blob] > to)
        continue;
      lastReads.push_back(blob);
      freed += bytes[blob];
      change(last[blob] + 1, to + 1, bytes[blob]);
      if (last[blob] != from)
        others.emplace_back(last[blob], blob);
    }
  } else {
    change(to, from, made);
    for (unsigned blob : graph.reads[op]) {
      if (last[blob] != from)
        continue;
      // Without it, the last one that reads the blob.
      unsigned end = 0;
      steps += graph.readers[blob].size();
      for (unsigned reader : graph.readers[blob])
        if (reader != op)
          end = std::max(end, position[reader]);
      if (end >= to && graph.numReaders[blob] > 1) {
        change(end + 1, from, -bytes[blob]);
        others.emplace_back(end, blob);
        continue;
      }
      lastReads.push_back(blob);
      change(to, from, -bytes[blob]);
    }
  }
  auto isLastRead = [&](unsigned blob) {
    return llvm::is_contained(lastReads, blob);
  };
  int64_t before = from < to ? behind[to] - made + freed
                   : to > 0  ? behind[to - 1]
                             : graph.initialBytes;
  Peak peak = {before + made + unread - getShared(op, isLastRead), 1};

  for (unsigned i = 0; i < others.size(); ++i) {
    unsigned at = others[i].first;
    if (llvm::any_of(ArrayRef(others).take_front(i),
                     [&](auto &other) { return other.first == at; }))
      continue;
    unsigned other = order[at];
    int64_t now =
        getShared(other, [&](unsigned blob) { return last[blob] == at; });
    int64_t then = getShared(other, [&](unsigned blob) {
      bool changes = llvm::is_contained(others, std::pair(at, blob));
      return (last[blob] == at) != changes;
    });
    change(at, at + 1, now - then);
  }

  // The op itself has left its place.
  changes.emplace_back(from, 0);
  changes.emplace_back(from + 1, 0);
  changes.emplace_back(order.size(), 0);
  llvm::sort(changes);
  steps += changes.size();
  unsigned begin = 0;
  int64_t bytesMore = 0;
  for (auto [end, bytesFromThere] : changes) {
    if (begin < end && begin != from)
      peak = Peak::join(peak, query(begin, end) + bytesMore);
    begin = end;
    bytesMore += bytesFromThere;
  }
  return peak;
}

void MovableOrder::move(unsigned from, unsigned to) {
  auto begin = order.begin();
  if (from < to)
    std::rotate(begin + from, begin + from + 1, begin + to + 1);
  else
    std::rotate(begin + to, begin + from, begin + from + 1);
  update(std::min(from, to), std::max(from, to) + 1);
}

/// Moves single ops across the peak while that helps.
static Order improve(const Graph &graph, Order given, size_t &steps) {
  size_t limit = steps + kMoveSteps;
  MovableOrder order(graph, std::move(given), steps);
  bool isBetter = true;
  while (isBetter) {
    isBetter = false;
    unsigned at = order.getFirstPeak();
    for (unsigned from = 0; from < order.size() && !isBetter; ++from) {
      if (steps >= limit)
        return order.take();
      std::optional<unsigned> to = order.findTarget(from, at);
      if (!to || !(order.getPeakAfter(from, *to) < order.getPeak()))
        continue;
      order.move(from, *to);
      isBetter = true;
    }
  }
  return order.take();
}

/// Moves ops back to where they stand in the order that was given, as far as
/// the peak stays as it is.
static Order restore(const Graph &graph, Order found, size_t &steps) {
  size_t limit = steps + kMoveSteps;
  MovableOrder order(graph, std::move(found), steps);
  int64_t peak = order.getPeak().bytes;
  // Ops are numbered as they were given. Those that may run next are sorted.
  std::vector<unsigned> waitsFor(order.size());
  std::set<unsigned> ready;
  for (unsigned op = 0; op < order.size(); ++op) {
    waitsFor[op] = graph.predecessors[op].size();
    if (waitsFor[op] == 0)
      ready.insert(op);
  }
  for (unsigned to = 0; to < order.size() && steps < limit; ++to) {
    unsigned tried = 0;
    for (unsigned op : ready) {
      if (op == order[to] || ++tried > kMaxTried)
        break;
      unsigned from = order.getPosition(op);
      if (order.getPeakAfter(from, to).bytes > peak)
        continue;
      order.move(from, to);
      break;
    }
    unsigned op = order[to];
    ready.erase(op);
    steps += 1 + graph.successors[op].size();
    for (unsigned next : graph.successors[op])
      if (--waitsFor[next] == 0)
        ready.insert(next);
  }
  return order.take();
}

Order mlir::job::findOrder(const ScheduleProblem &problem, size_t *steps) {
  size_t numOps = problem.ops.size(), uncounted = 0;
  size_t &count = steps ? *steps : uncounted;
  Order best(numOps);
  std::iota(best.begin(), best.end(), 0);
  if (numOps == 0)
    return best;
  Graph graph(problem);
  int64_t bestPeak = findPeak(graph, best);
  size_t copied = numOps * (numOps + problem.bytes.size());
  size_t width = std::clamp<size_t>(kBeamCopies / copied, 1, kMaxBeam);
  for (Order order :
       {best, orderDepthFirst(graph),
        BeamSearch(graph, /*forwards=*/true, width, count).run(),
        BeamSearch(graph, /*forwards=*/false, width, count).run()}) {
    order = improve(graph, std::move(order), count);
    int64_t peak = findPeak(graph, order);
    if (peak < bestPeak) {
      bestPeak = peak;
      best = order;
    }
  }
  return restore(graph, std::move(best), count);
}
