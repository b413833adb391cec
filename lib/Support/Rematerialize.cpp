//===- Rematerialize.cpp - Compute again instead of keeping ---------------===//
//
// Which blobs to keep and which to compute again is NP-hard to answer for the
// least cost (Jain et al. 2020, "Checkmate", solve it as an integer program for
// hours). What is done here is greedy, in the spirit of Chen et al. 2016,
// "Training deep nets with sublinear memory cost":
//
// - Ops that define no blob, such as updates, run as soon as they may.
// - Where another order of all ops meets the budget, nothing runs again.
// - As long as the peak is above the budget: of the blobs that are alive at it,
//   but not read there, one is computed again right before it is needed.
//   Inputs that are gone by then are computed again as well. What frees most
//   bytes, at most moments above the budget, for least cost is tried first, and
//   taken when the peak falls.
// - Where nothing lets it fall, the runs are ordered anew: what runs twice need
//   not be kept, so that other orders are better than before.
// - Then what became superfluous is taken back, the most expensive first.
//
// Live bytes are a lower bound of what packing needs. When the packed arena is
// above the budget, all of this is done again for a peak that is lower by what
// was missing.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/Rematerialize.h"

#include "ScheduleGraph.h"

#include "JobDialect/Support/MemoryPlanner.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Ops whose live bytes may be counted, over all evaluations.
static constexpr size_t kVisits = 20'000'000;
/// Ops that are run again for one blob.
static constexpr size_t kMaxChain = 64;
/// An input is kept rather than computed again when it is this much smaller
/// than what is freed.
static constexpr int64_t kSmallFraction = 8;
/// Of blobs in the arena, in bytes.
static constexpr int64_t kAlignment = 64;
/// Bytes of results, such as scalars, that an update may wait for.
static constexpr int64_t kLightBytes = 1024;
/// How often the budget is lowered because of packing.
static constexpr unsigned kMaxRounds = 6;

namespace {

constexpr unsigned kNone = ~0u;

using Runs = SmallVector<unsigned>;

/// Runs and what is alive during them.
struct Schedule {
  Runs runs;
  ScheduleProblem graph;
  std::vector<int64_t> live;
  int64_t peak = 0;
  /// Runs that reach the peak, and the first of them.
  unsigned count = 0, at = 0;

  std::pair<int64_t, unsigned> getRank() const { return {peak, count}; }
};

/// Runs to insert before the run `before`.
struct Candidate {
  unsigned before;
  SmallVector<unsigned> chain;
  double score;
};

class Rematerializer {
public:
  Rematerializer(const RematerializeProblem &problem, int64_t budget);

  Schedule find();

private:
  Schedule evaluate(Runs runs);
  SmallVector<Candidate> findCandidates(const Schedule &schedule) const;
  bool improve(Schedule &schedule);
  bool reorder(Schedule &schedule);
  void takeBack(Schedule &schedule);
  bool mayEvaluate(const Schedule &schedule) const {
    return visits + schedule.runs.size() <= kVisits;
  }

  const RematerializeProblem &problem;
  int64_t budget;
  size_t visits = 0;
  /// Of each blob the op that makes it, or kNone.
  std::vector<unsigned> producers;
  /// Of each op those that have to come after all of its runs.
  std::vector<SmallVector<unsigned, 2>> followers;
};

/// The given order, but for ops that read blobs and define none, such as
/// updates: they run as soon as they may, so that what they read is free. What
/// defines next to nothing, a scalar say, runs before its time for them.
class EarlyReaders {
public:
  explicit EarlyReaders(const ScheduleProblem &problem);

  Runs getOrder();

private:
  bool isReader(unsigned op) const {
    return madeBytes[op] == 0 && !graph.reads[op].empty();
  }
  /// `op` holds its successors up no longer: it runs now, or is light and could
  /// run now.
  void release(unsigned op);
  /// All predecessors of `op` are released.
  void setReady(unsigned op);
  /// Runs `op` after those of its predecessors that have not run.
  void run(unsigned op);

  ScheduleGraph graph;
  /// Of each op the bytes that it makes, and its predecessors that are not
  /// released.
  std::vector<int64_t> madeBytes;
  std::vector<unsigned> numMissing;
  llvm::BitVector isReleased, isDone;
  /// Released ops that their successors still count as missing.
  SmallVector<unsigned> released;
  /// Readers that are to run, in the given order.
  std::set<unsigned> ready;
  Runs order;
};

/// Finds out what has to run so that an op can run again.
class ChainBuilder {
public:
  ChainBuilder(const RematerializeProblem &problem,
               ArrayRef<unsigned> producers,
               ArrayRef<SmallVector<unsigned, 2>> followers,
               ArrayRef<unsigned> firstRuns, ArrayRef<unsigned> latest,
               ArrayRef<unsigned> lastReads, unsigned peak, unsigned before,
               int64_t smallBytes)
      : problem(problem), producers(producers), followers(followers),
        firstRuns(firstRuns), latest(latest), lastReads(lastReads), peak(peak),
        before(before), smallBytes(smallBytes) {}

  /// Adds `op`, and before it what makes its inputs. False when it cannot run
  /// again there; nothing has changed then.
  bool add(unsigned op);

  SmallVector<unsigned> chain;
  /// Bytes at the peak of inputs that have to be kept.
  int64_t keptBytes = 0;
  double cost = 0;

private:
  const RematerializeProblem &problem;
  ArrayRef<unsigned> producers;
  ArrayRef<SmallVector<unsigned, 2>> followers;
  ArrayRef<unsigned> firstRuns;
  /// Of each blob the copy that is the latest before `before`, or kNone; of
  /// each copy the last run that reads it.
  ArrayRef<unsigned> latest, lastReads;
  unsigned peak, before;
  int64_t smallBytes;
  SmallVector<unsigned> kept;
  /// Ops that will follow in the chain what makes their inputs.
  size_t numOpen = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

ScheduleProblem mlir::job::expandRuns(const ScheduleProblem &problem,
                                      ArrayRef<unsigned> runs) {
  ScheduleProblem graph;
  graph.ops.reserve(runs.size());
  // Of each blob the latest copy, of each op its runs so far.
  std::vector<unsigned> latest(problem.bytes.size(), kNone);
  std::vector<SmallVector<unsigned, 1>> runsOf(problem.ops.size());
  auto addCopy = [&](unsigned blob) {
    latest[blob] = graph.bytes.size();
    graph.bytes.push_back(problem.bytes[blob]);
    return latest[blob];
  };
  for (auto [run, op] : llvm::enumerate(runs)) {
    const ScheduledOp &from = problem.ops[op];
    ScheduledOp &to = graph.ops.emplace_back();
    to.group = from.group;
    for (unsigned blob : from.reads)
      to.reads.push_back(latest[blob] == kNone ? addCopy(blob) : latest[blob]);
    SmallVector<unsigned, 2> sources;
    for (auto [blob, source] : from.overwrites)
      sources.push_back(latest[source]);
    for (unsigned blob : from.makes)
      to.makes.push_back(addCopy(blob));
    for (auto [pair, source] : llvm::zip_equal(from.overwrites, sources))
      to.overwrites.emplace_back(latest[pair.first], source);
    for (unsigned other : from.after)
      to.after.append(runsOf[other].begin(), runsOf[other].end());
    runsOf[op].push_back(run);
  }
  return graph;
}

int64_t mlir::job::getPackedBytes(const ScheduleProblem &problem,
                                  int64_t effort,
                                  ArrayRef<PackingStrategy> packing) {
  auto buffers = assignBuffers(problem).buffers;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (PackingStrategy strategy : packing)
    if (std::optional<MemoryPlan> plan =
            planMemory(buffers, strategy, kAlignment, effort))
      least = std::min(least, plan->totalBytes);
  return least;
}

Schedule Rematerializer::evaluate(Runs runs) {
  visits += runs.size();
  Schedule schedule;
  schedule.graph = expandRuns(problem.schedule, runs);
  schedule.live = getLiveBytes(
      schedule.graph, llvm::to_vector(llvm::seq<unsigned>(0, runs.size())));
  schedule.runs = std::move(runs);
  for (auto [run, live] : llvm::enumerate(schedule.live)) {
    if (live > schedule.peak || run == 0) {
      schedule.peak = live;
      schedule.count = 0;
      schedule.at = run;
    }
    schedule.count += live == schedule.peak;
  }
  return schedule;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

bool ChainBuilder::add(unsigned op) {
  // No op makes what is there from the beginning.
  if (op == kNone)
    return false;
  if (llvm::is_contained(chain, op))
    return true;
  if (problem.costs[op] < 0 || chain.size() + numOpen >= kMaxChain)
    return false;
  if (llvm::any_of(followers[op],
                   [&](unsigned other) { return firstRuns[other] < before; }))
    return false;
  ++numOpen;
  for (unsigned blob : problem.schedule.ops[op].reads) {
    int64_t bytes = problem.schedule.bytes[blob];
    unsigned copy = latest[blob];
    // What is alive at the peak may stay so until `before`.
    if (bytes == 0 || lastReads[copy] >= peak ||
        llvm::is_contained(kept, blob) ||
        llvm::is_contained(chain, producers[blob]) ||
        (bytes > smallBytes && add(producers[blob])))
      continue;
    kept.push_back(blob);
    keptBytes += bytes;
  }
  --numOpen;
  chain.push_back(op);
  cost += problem.costs[op];
  return true;
}

EarlyReaders::EarlyReaders(const ScheduleProblem &problem)
    : graph(problem), isReleased(problem.ops.size()),
      isDone(problem.ops.size()) {
  for (auto [op, predecessors] :
       llvm::zip_equal(problem.ops, graph.predecessors)) {
    numMissing.push_back(predecessors.size());
    madeBytes.push_back(0);
    for (unsigned blob : op.makes)
      madeBytes.back() += problem.bytes[blob];
  }
}

void EarlyReaders::setReady(unsigned op) {
  if (isReader(op) && !isDone.test(op))
    ready.insert(op);
  if (madeBytes[op] <= kLightBytes)
    release(op);
}

void EarlyReaders::release(unsigned op) {
  if (isReleased.test(op))
    return;
  isReleased.set(op);
  released.push_back(op);
}

void EarlyReaders::run(unsigned op) {
  SmallVector<unsigned> pending = {op};
  while (!pending.empty()) {
    unsigned next = pending.back();
    size_t size = pending.size();
    if (!isDone.test(next))
      llvm::copy_if(graph.predecessors[next], std::back_inserter(pending),
                    [&](unsigned other) { return !isDone.test(other); });
    if (pending.size() != size)
      continue;
    pending.pop_back();
    if (isDone.test(next))
      continue;
    isDone.set(next);
    order.push_back(next);
    release(next);
  }
}

Runs EarlyReaders::getOrder() {
  for (auto [op, predecessors] : llvm::enumerate(graph.predecessors))
    if (predecessors.empty())
      setReady(op);
  for (unsigned op = 0; op < numMissing.size(); ++op) {
    run(op);
    while (!released.empty() || !ready.empty()) {
      if (released.empty()) {
        run(*ready.begin());
        ready.erase(ready.begin());
        continue;
      }
      for (unsigned successor : graph.successors[released.pop_back_val()])
        if (--numMissing[successor] == 0)
          setReady(successor);
    }
  }
  return std::move(order);
}

Rematerializer::Rematerializer(const RematerializeProblem &problem,
                               int64_t budget)
    : problem(problem), budget(budget),
      producers(problem.schedule.bytes.size(), kNone),
      followers(problem.schedule.ops.size()) {
  for (auto [index, op] : llvm::enumerate(problem.schedule.ops)) {
    for (unsigned blob : op.makes)
      producers[blob] = index;
    for (unsigned other : op.after)
      followers[other].push_back(index);
  }
}

/// What may be computed again so that less is alive at the peak, best first.
SmallVector<Candidate>
Rematerializer::findCandidates(const Schedule &schedule) const {
  const ScheduleProblem &graph = schedule.graph;
  unsigned peak = schedule.at;
  // Of each copy its blob, who makes it, who reads it last before the peak and
  // first from the peak on.
  std::vector<unsigned> blobOf(graph.bytes.size(), kNone),
      made(graph.bytes.size(), kNone), lastBefore(graph.bytes.size(), kNone),
      firstFrom(graph.bytes.size(), kNone);
  std::vector<unsigned> firstRuns(problem.schedule.ops.size(), kNone);
  for (auto [run, op] : llvm::enumerate(schedule.runs)) {
    if (firstRuns[op] == kNone)
      firstRuns[op] = run;
    const ScheduledOp &from = problem.schedule.ops[op], &to = graph.ops[run];
    for (auto [blob, copy] : llvm::zip_equal(from.reads, to.reads)) {
      blobOf[copy] = blob;
      if (run < peak)
        lastBefore[copy] = run;
      else
        firstFrom[copy] = std::min<unsigned>(firstFrom[copy], run);
    }
    for (auto [blob, copy] : llvm::zip_equal(from.makes, to.makes)) {
      blobOf[copy] = blob;
      made[copy] = lastBefore[copy] = run;
    }
  }
  std::vector<unsigned> lastReads = getLastReads(graph);
  // Runs above the budget before each run.
  std::vector<unsigned> above = {0};
  for (int64_t live : schedule.live)
    above.push_back(above.back() + (live > budget));

  // The latest copies before some run, moved on from run to run.
  std::vector<SmallVector<unsigned, 2>> wanted(schedule.runs.size());
  for (size_t copy = 0; copy < graph.bytes.size(); ++copy)
    if (graph.bytes[copy] > 0 && made[copy] < peak &&
        firstFrom[copy] != kNone && firstFrom[copy] > peak)
      wanted[firstFrom[copy]].push_back(copy);
  SmallVector<Candidate> candidates;
  std::vector<unsigned> latest(problem.schedule.bytes.size(), kNone);
  for (auto [run, op] : llvm::enumerate(schedule.runs)) {
    for (unsigned copy : wanted[run]) {
      unsigned producer = schedule.runs[made[copy]];
      // Its other results are made again with it.
      int64_t freed = 0;
      for (unsigned other : graph.ops[made[copy]].makes)
        if (firstFrom[other] != kNone && firstFrom[other] >= run)
          freed += graph.bytes[other];
      unsigned moments = above[run] - above[lastBefore[copy] + 1];
      // Once with inputs computed again where they are gone and not small, and
      // once with all inputs kept.
      for (int64_t smallBytes :
           {freed / kSmallFraction, std::numeric_limits<int64_t>::max()}) {
        ChainBuilder builder(problem, producers, followers, firstRuns, latest,
                             lastReads, peak, run, smallBytes);
        if (!builder.add(producer) || builder.keptBytes >= freed)
          continue;
        double score = double(freed - builder.keptBytes) * moments;
        candidates.push_back({static_cast<unsigned>(run),
                              std::move(builder.chain),
                              score / (builder.cost + 1)});
      }
    }
    const ScheduledOp &from = problem.schedule.ops[op];
    for (auto [blob, copy] : llvm::zip_equal(from.reads, graph.ops[run].reads))
      latest[blob] = copy;
    for (auto [blob, copy] : llvm::zip_equal(from.makes, graph.ops[run].makes))
      latest[blob] = copy;
  }
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return std::tie(b.score, a.before, a.chain) <
           std::tie(a.score, b.before, b.chain);
  });
  return candidates;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Runs again what makes the peak fall; false when nothing does.
bool Rematerializer::improve(Schedule &schedule) {
  for (Candidate &candidate : findCandidates(schedule)) {
    if (!mayEvaluate(schedule))
      return false;
    Runs runs = schedule.runs;
    runs.insert(runs.begin() + candidate.before, candidate.chain.begin(),
                candidate.chain.end());
    Schedule changed = evaluate(std::move(runs));
    if (changed.getRank() < schedule.getRank()) {
      schedule = std::move(changed);
      return true;
    }
  }
  return false;
}

/// Puts the runs into an order in which the peak falls; false when none is
/// found.
bool Rematerializer::reorder(Schedule &schedule) {
  if (!mayEvaluate(schedule))
    return false;
  Runs runs;
  for (unsigned run : findOrder(schedule.graph))
    runs.push_back(schedule.runs[run]);
  Schedule changed = evaluate(std::move(runs));
  if (changed.getRank() >= schedule.getRank())
    return false;
  schedule = std::move(changed);
  return true;
}

/// Removes recomputed runs that the budget, or the peak that was reached, does
/// not need.
void Rematerializer::takeBack(Schedule &schedule) {
  int64_t limit = std::max(budget, schedule.peak);
  SmallVector<std::pair<int64_t, unsigned>> recomputed;
  llvm::BitVector seen(problem.schedule.ops.size());
  for (auto [run, op] : llvm::enumerate(schedule.runs)) {
    if (seen.test(op))
      recomputed.emplace_back(-problem.costs[op], run);
    seen.set(op);
  }
  llvm::sort(recomputed);
  for (size_t i = 0; i < recomputed.size() && mayEvaluate(schedule); ++i) {
    unsigned run = recomputed[i].second;
    Runs runs = schedule.runs;
    runs.erase(runs.begin() + run);
    Schedule changed = evaluate(std::move(runs));
    if (changed.peak > limit)
      continue;
    schedule = std::move(changed);
    for (auto &[cost, other] : recomputed)
      other -= other > run;
  }
}

Schedule Rematerializer::find() {
  Schedule schedule = evaluate(
      llvm::to_vector(llvm::seq<unsigned>(0, problem.schedule.ops.size())));
  int64_t given = schedule.peak;
  Schedule start = schedule;
  if (!problem.keepsOrder && schedule.peak > budget) {
    Schedule early = evaluate(EarlyReaders(problem.schedule).getOrder());
    if (early.peak <= schedule.peak)
      schedule = std::move(early);
    Schedule ordered = start;
    if (schedule.peak > budget && reorder(ordered) && ordered.peak <= budget)
      return ordered;
  }
  while (schedule.peak > budget &&
         (improve(schedule) || (!problem.keepsOrder && reorder(schedule))))
    ;
  // Fewer moments of the same peak are worth nothing.
  if (schedule.peak == given)
    return start;
  takeBack(schedule);
  return schedule;
}

Runs mlir::job::findRecomputations(const RematerializeProblem &problem,
                                   int64_t budget, int64_t effort) {
  Runs best =
      llvm::to_vector(llvm::seq<unsigned>(0, problem.schedule.ops.size()));
  int64_t bestBytes = getPackedBytes(problem.schedule, effort, problem.packing);
  int64_t target = budget;
  for (unsigned round = 0; bestBytes > budget && round < kMaxRounds; ++round) {
    Schedule found = Rematerializer(problem, target).find();
    int64_t bytes = getPackedBytes(found.graph, effort, problem.packing);
    if (bytes < bestBytes) {
      bestBytes = bytes;
      best = std::move(found.runs);
    }
    // A lower target finds nothing more.
    if (found.peak > target || bytes <= budget)
      break;
    target = found.peak - (bytes - budget);
  }
  return best;
}
