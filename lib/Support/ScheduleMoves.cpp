//===- ScheduleMoves.cpp - Moves of single ops of an order ----------------===//

#include "ScheduleGraph.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Steps that the moves from one order may take, and those back to the order
/// that was given.
static constexpr size_t kMoveSteps = 20'000'000;
/// Ops that may be tried for one place, on the way back.
static constexpr unsigned kMaxTried = 16;

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
  MovableOrder(const ScheduleGraph &graph, Order order, size_t &steps)
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

  const ScheduleGraph &graph;
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

Order mlir::job::improveOrder(const ScheduleGraph &graph, Order given,
                              size_t &steps) {
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

Order mlir::job::restoreOrder(const ScheduleGraph &graph, Order found,
                              bool joinGroups, size_t &steps) {
  size_t limit = steps + kMoveSteps;
  MovableOrder order(graph, std::move(found), steps);
  int64_t peak = order.getPeak().bytes;
  // Ops are numbered as they were given. Those that may run next are sorted,
  // all of them and by group.
  std::vector<unsigned> waitsFor(order.size());
  std::set<unsigned> ready;
  std::map<unsigned, std::set<unsigned>> readyOfGroup;
  auto getGroup = [&](unsigned op) { return graph.problem.ops[op].group; };
  auto addReady = [&](unsigned op) {
    ready.insert(op);
    if (joinGroups)
      readyOfGroup[getGroup(op)].insert(op);
  };
  for (unsigned op = 0; op < order.size(); ++op) {
    waitsFor[op] = graph.predecessors[op].size();
    if (waitsFor[op] == 0)
      addReady(op);
  }
  unsigned group = kNoGroup;
  for (unsigned to = 0; to < order.size() && steps < limit; ++to) {
    // Whether one of these ops stands at this place then.
    auto takeOneOf = [&](const std::set<unsigned> &ops) {
      unsigned tried = 0;
      for (unsigned op : ops) {
        if (op == order[to])
          return true;
        if (++tried > kMaxTried)
          return false;
        unsigned from = order.getPosition(op);
        if (order.getPeakAfter(from, to).bytes > peak)
          continue;
        order.move(from, to);
        return true;
      }
      return false;
    };
    // Ops without a group free or need memory as those after them do.
    if (group == kNoGroup || !takeOneOf(readyOfGroup[group]))
      takeOneOf(ready);
    unsigned op = order[to];
    if (joinGroups && getGroup(op) != kNoGroup)
      group = getGroup(op);
    ready.erase(op);
    if (joinGroups)
      readyOfGroup[getGroup(op)].erase(op);
    steps += 1 + graph.successors[op].size();
    for (unsigned next : graph.successors[op])
      if (--waitsFor[next] == 0)
        addReady(next);
  }
  return order.take();
}
