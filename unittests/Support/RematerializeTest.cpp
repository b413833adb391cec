//===- RematerializeTest.cpp - Tests of computing again -------------------===//

#include "JobDialect/Support/Rematerialize.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

using namespace mlir::job;
using Runs = std::vector<unsigned>;

static Runs asWritten(const RematerializeProblem &problem) {
  Runs runs(problem.schedule.ops.size());
  std::iota(runs.begin(), runs.end(), 0);
  return runs;
}

static int64_t getPeak(const RematerializeProblem &problem, const Runs &runs) {
  ScheduleProblem graph = expandRuns(problem.schedule, runs);
  Runs order(runs.size());
  std::iota(order.begin(), order.end(), 0);
  return getPeakBytes(graph, order);
}

/// Without the search, for which there are too many graphs.
static int64_t pack(const ScheduleProblem &problem) {
  return getPackedBytes(problem, /*effort=*/0);
}

static Runs find(const RematerializeProblem &problem, int64_t budget) {
  llvm::SmallVector<unsigned> runs =
      findRecomputations(problem, budget, /*effort=*/0);
  return Runs(runs.begin(), runs.end());
}

/// Whether each op runs, those that must not run again once, none after an op
/// that has to come later, and, if that is asked for, first runs in order.
static bool isLegal(const RematerializeProblem &problem, const Runs &runs) {
  size_t numOps = problem.schedule.ops.size();
  std::vector<size_t> first(numOps, runs.size()), last(numOps);
  for (auto [run, op] : llvm::enumerate(runs)) {
    if (first[op] != runs.size() && problem.costs[op] < 0)
      return false;
    first[op] = std::min(first[op], run);
    last[op] = run;
  }
  for (auto [index, op] : llvm::enumerate(problem.schedule.ops)) {
    if (first[index] == runs.size())
      return false;
    for (unsigned other : op.after)
      if (last[other] > first[index])
        return false;
  }
  return !problem.keepsOrder || llvm::is_sorted(first);
}

/// Runs the ops on numbers. The op `i` reads and then, if it is in `writers`,
/// changes the variable of that number: who looks at a variable is in `after`
/// of its writer. Returns what each op computes in its last run, and fails when
/// two runs differ.
static std::vector<size_t>
interpret(const RematerializeProblem &problem, const Runs &runs,
          const std::map<unsigned, unsigned> &readers,
          const std::map<unsigned, unsigned> &writers) {
  std::vector<size_t> computed(problem.schedule.ops.size(), 0);
  std::vector<size_t> blobs(problem.schedule.bytes.size(), 0);
  std::map<unsigned, size_t> variables;
  for (unsigned op : runs) {
    size_t value = llvm::hash_value(op);
    for (unsigned blob : problem.schedule.ops[op].reads)
      value = llvm::hash_combine(value, blobs[blob]);
    if (auto it = readers.find(op); it != readers.end())
      value = llvm::hash_combine(value, variables[it->second]);
    if (auto it = writers.find(op); it != writers.end())
      variables[it->second] = value;
    for (unsigned blob : problem.schedule.ops[op].makes)
      blobs[blob] = llvm::hash_combine(value, blob);
    EXPECT_TRUE(computed[op] == 0 || computed[op] == value) << "op " << op;
    computed[op] = value;
  }
  return computed;
}

namespace {

struct RandomProblem : RematerializeProblem {
  std::map<unsigned, unsigned> readers, writers;
};

} // namespace

/// Like a training step: ops read what is new, or something from the other end
/// of the list; some look at a variable, which a later op may change.
static RandomProblem drawProblem(std::mt19937 &random, size_t numOps) {
  RandomProblem problem;
  std::vector<unsigned> blobs;
  for (unsigned op = 0; op < numOps; ++op) {
    ScheduledOp scheduled;
    for (unsigned i = 0; !blobs.empty() && i < 1 + random() % 3; ++i) {
      size_t n = blobs.size();
      unsigned blob = random() % 2
                          ? blobs[n - 1 - random() % std::min<size_t>(n, 3)]
                          : blobs[n > op ? random() % n : (numOps - op) % n];
      if (!llvm::is_contained(scheduled.reads, blob))
        scheduled.reads.push_back(blob);
    }
    for (unsigned i = 0; i < 1 + (random() % 5 == 0); ++i) {
      unsigned blob = problem.schedule.bytes.size();
      blobs.push_back(blob);
      scheduled.makes.push_back(blob);
      int64_t bytes = 64 * (1 + random() % 20);
      if (!scheduled.reads.empty() && i == 0 && random() % 3 == 0) {
        unsigned source = scheduled.reads[random() % scheduled.reads.size()];
        bytes = problem.schedule.bytes[source];
        scheduled.overwrites.emplace_back(blob, source);
      }
      problem.schedule.bytes.push_back(bytes);
    }
    unsigned variable = random() % 4;
    if (random() % 6 == 0) {
      for (auto [writer, written] : problem.writers)
        if (written == variable)
          scheduled.after.push_back(writer);
      problem.writers[op] = variable;
      for (auto [reader, read] : problem.readers)
        if (read == variable)
          scheduled.after.push_back(reader);
    } else if (random() % 3 == 0) {
      problem.readers[op] = variable;
      for (auto [writer, written] : problem.writers)
        if (written == variable)
          scheduled.after.push_back(writer);
    }
    problem.costs.push_back(
        problem.writers.count(op) || random() % 10 == 0 ? -1 : random() % 1000);
    problem.schedule.ops.push_back(scheduled);
  }
  return problem;
}

TEST(RematerializeTest, RunsAreLegalAndCheaperAndComputeTheSame) {
  // With the order kept, and without.
  unsigned numLower[2] = {}, numMet[2] = {};
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed / 2);
    RandomProblem problem = drawProblem(random, 2 + random() % 60);
    problem.keepsOrder = seed % 2 == 0;
    Runs written = asWritten(problem);
    int64_t before = getPeak(problem, written);
    int64_t packed = pack(problem.schedule);
    int64_t budget = packed * (30 + random() % 70) / 100;
    Runs runs = find(problem, budget);
    ASSERT_TRUE(isLegal(problem, runs));
    EXPECT_EQ(interpret(problem, runs, problem.readers, problem.writers),
              interpret(problem, written, problem.readers, problem.writers));
    int64_t after = getPeak(problem, runs);
    int64_t bytes = pack(expandRuns(problem.schedule, runs));
    EXPECT_LE(bytes, packed);
    EXPECT_GE(bytes, after);
    if (runs != written) {
      EXPECT_LT(after, before);
      ++numLower[seed % 2];
    }
    numMet[seed % 2] += bytes <= budget;
    EXPECT_EQ(find(problem, budget), runs);
  }
  EXPECT_GE(numLower[0], 10u);
  EXPECT_GE(numMet[0], 4u);
  EXPECT_GE(numLower[1], numLower[0]);
  EXPECT_GT(numMet[1], numMet[0]);
}

TEST(RematerializeTest, WhatFitsStaysAsItIs) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    RandomProblem problem = drawProblem(random, 30);
    int64_t bytes = pack(problem.schedule);
    EXPECT_EQ(find(problem, bytes), asWritten(problem));
  }
}

/// What counts is the arena by the strategies that the packer may use.
TEST(RematerializeTest, StrategiesOfThePacker) {
  constexpr PackingStrategy kSize = PackingStrategy::Size,
                            kTime = PackingStrategy::Time,
                            kNone = PackingStrategy::None;
  unsigned numMet = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    RandomProblem problem = drawProblem(random, 40);
    int64_t bySize = getPackedBytes(problem.schedule, 0, kSize);
    int64_t byTime = getPackedBytes(problem.schedule, 0, kTime);
    int64_t apart = getPackedBytes(problem.schedule, 0, kNone);
    EXPECT_LE(std::max(bySize, byTime), apart);
    EXPECT_LE(pack(problem.schedule), std::min(bySize, byTime));
    EXPECT_EQ(getPackedBytes(problem.schedule, 0, {kNone, kTime, kSize}),
              std::min(bySize, byTime));

    // What fits by another strategy is not enough.
    for (PackingStrategy strategy : {kTime, kNone}) {
      problem.packing = {strategy};
      int64_t before = getPackedBytes(problem.schedule, 0, strategy);
      Runs runs = find(problem, before - 1);
      int64_t bytes =
          getPackedBytes(expandRuns(problem.schedule, runs), 0, strategy);
      EXPECT_LE(bytes, before);
      numMet += strategy == kTime && bytes < before;
    }
  }
  EXPECT_GT(numMet, 10u);
}

/// A chain forwards, whose blobs are needed again backwards: op i makes blob i
/// from blob i - 1, op 2n - 1 - i reads blobs i and what was made last.
static RematerializeProblem makeChain(unsigned length, int64_t bytes) {
  RematerializeProblem problem;
  for (unsigned i = 0; i < 2 * length; ++i) {
    ScheduledOp op;
    if (i > 0)
      op.reads.push_back(i - 1);
    if (i >= length && 2 * length - 1 - i != i - 1)
      op.reads.push_back(2 * length - 1 - i);
    op.makes.push_back(i);
    problem.schedule.ops.push_back(op);
    problem.schedule.bytes.push_back(i < length ? bytes : 64);
    problem.costs.push_back(i < length ? 10 : -1);
  }
  return problem;
}

TEST(RematerializeTest, AChainNeedsLessThanHalf) {
  RematerializeProblem problem = makeChain(32, 64000);
  EXPECT_GE(getPeak(problem, asWritten(problem)), 32 * 64000);
  Runs runs = find(problem, 14 * 64000);
  EXPECT_TRUE(isLegal(problem, runs));
  EXPECT_LE(pack(expandRuns(problem.schedule, runs)), 14 * 64000);
  // A second forward pass is enough, as with checkpoints.
  EXPECT_LE(runs.size(), 64u + 40u);
}

TEST(RematerializeTest, NoMoreThanNecessary) {
  RematerializeProblem problem = makeChain(32, 64000);
  int64_t bytes = pack(problem.schedule);
  EXPECT_EQ(find(problem, bytes - 64000).size(), 65u);
}

static void addOp(RematerializeProblem &problem,
                  std::initializer_list<unsigned> reads,
                  std::initializer_list<unsigned> makes) {
  problem.schedule.ops.emplace_back();
  problem.schedule.ops.back().reads = reads;
  problem.schedule.ops.back().makes = makes;
  problem.costs.push_back(makes.size() ? 10 : -1);
}

/// Gradients, then a scalar that their updates read.
static RematerializeProblem makeUpdates(int64_t scalarBytes) {
  RematerializeProblem problem;
  problem.schedule.bytes = {64000, 64000, 64000, 64, scalarBytes};
  for (unsigned blob : {0, 1, 2})
    addOp(problem, {}, {blob});
  addOp(problem, {}, {3});
  addOp(problem, {3}, {4});
  for (unsigned blob : {0, 1, 2})
    addOp(problem, {blob, 4}, {});
  return problem;
}

/// What only reads, late in the given order, runs as soon as what it waits for
/// allows: then nothing has to run again.
TEST(RematerializeTest, ReadersRunEarly) {
  const Runs early = {0, 3, 4, 5, 1, 6, 2, 7};
  EXPECT_EQ(find(makeUpdates(64), 64128), early);
  EXPECT_EQ(find(makeUpdates(1024), 65088), early);
  RematerializeProblem problem = makeUpdates(64);
  problem.keepsOrder = true;
  EXPECT_GT(find(problem, 64128).size(), early.size());
  // An op that makes more than a few numbers does not run before its time.
  EXPECT_NE(find(makeUpdates(1088), 65152), early);
}

/// The given order stays where a reader that runs early keeps more than it
/// frees: the scalar that another op reads as well is larger than what it alone
/// reads.
TEST(RematerializeTest, EarlyReadersThatCostMore) {
  RematerializeProblem problem;
  problem.schedule.bytes = {64000, 64, 64000, 1024};
  addOp(problem, {}, {0, 1});
  addOp(problem, {0}, {2});
  addOp(problem, {}, {3});
  addOp(problem, {1, 3}, {});
  addOp(problem, {2, 3}, {});
  problem.costs.assign(problem.costs.size(), -1);
  EXPECT_EQ(getPeak(problem, asWritten(problem)), 128064);
  EXPECT_EQ(find(problem, 128000), asWritten(problem));
}

/// A reader that waits for many ops, one after the other, takes neither the
/// stack nor a walk for each reader.
TEST(RematerializeTest, ReadersOfALongChain) {
  constexpr unsigned length = 200'000;
  RematerializeProblem problem;
  // Without bytes, so that there is nothing to pack.
  problem.schedule.bytes.assign(length, 0);
  addOp(problem, {}, {0});
  for (unsigned blob = 1; blob < length; ++blob)
    addOp(problem, {blob - 1}, {blob});
  const Runs chain = asWritten(problem);
  unsigned numReaders = 2000;
  for (unsigned i = 0; i < numReaders; ++i) {
    problem.schedule.bytes.push_back(64000);
    addOp(problem, {}, {length + i});
  }
  for (unsigned i = 0; i < numReaders; ++i)
    addOp(problem, {length + i, length - 1}, {});
  Runs expected = chain;
  for (unsigned i = 0; i < numReaders; ++i) {
    expected.push_back(length + i);
    expected.push_back(length + numReaders + i);
  }
  EXPECT_EQ(find(problem, 64000), expected);
}

/// Of a chain that is longer than what may run again for one blob, the end runs
/// again.
TEST(RematerializeTest, TheEndOfALongChain) {
  constexpr unsigned length = 100;
  RematerializeProblem problem;
  problem.keepsOrder = true;
  problem.schedule.bytes.assign(length, 64000);
  // 64 ops before the last. More than an eighth of 64000: it would be computed
  // again if it could.
  problem.schedule.bytes[length - 65] = 10048;
  addOp(problem, {}, {0});
  for (unsigned blob = 1; blob < length; ++blob)
    addOp(problem, {blob - 1}, {blob});
  // The peak, while which the last of the chain waits.
  problem.schedule.bytes.insert(problem.schedule.bytes.end(), {640000, 64});
  addOp(problem, {}, {length});
  addOp(problem, {length}, {length + 1});
  addOp(problem, {length - 1, length + 1}, {});
  Runs expected = asWritten(problem);
  auto last = expected.end() - 1;
  Runs again(64);
  std::iota(again.begin(), again.end(), length - 64);
  expected.insert(last, again.begin(), again.end());
  EXPECT_EQ(find(problem, 640000 + 10048 + 64), expected);
}

/// The cheaper of two blobs of the same size.
TEST(RematerializeTest, CheapOpsFirst) {
  RematerializeProblem problem;
  problem.keepsOrder = true;
  problem.schedule.bytes = {1024, 1024, 2048, 64, 64};
  problem.schedule.ops.resize(5);
  problem.schedule.ops[0].makes = {0};
  problem.schedule.ops[1].makes = {1};
  problem.schedule.ops[2].makes = {2};
  problem.schedule.ops[3].reads = {2};
  problem.schedule.ops[3].makes = {3};
  problem.schedule.ops[4].reads = {1, 3, 0};
  problem.schedule.ops[4].makes = {4};
  problem.costs = {1000, 10, -1, -1, -1};
  EXPECT_EQ(find(problem, 3200), (Runs{0, 1, 2, 3, 1, 4}));
  problem.costs = {10, 1000, -1, -1, -1};
  EXPECT_EQ(find(problem, 3200), (Runs{0, 1, 2, 3, 0, 4}));
  // What must not run again stays.
  problem.costs = {-1, -1, -1, -1, -1};
  EXPECT_EQ(find(problem, 3200), (Runs{0, 1, 2, 3, 4}));
  // Nor before what has to come later.
  problem.costs = {-1, 10, -1, -1, -1};
  problem.schedule.ops[3].after = {1};
  EXPECT_EQ(find(problem, 3200), (Runs{0, 1, 2, 3, 4}));
}

/// Who reads a blob after its producer ran again reads the new one.
TEST(RematerializeTest, ExpandedRuns) {
  RematerializeProblem problem = makeChain(2, 128);
  ScheduleProblem graph = expandRuns(problem.schedule, {0, 1, 2, 0, 3});
  ASSERT_EQ(graph.ops.size(), 5u);
  EXPECT_EQ(graph.bytes, (std::vector<int64_t>{128, 128, 64, 128, 64}));
  EXPECT_EQ(graph.ops[1].reads, (llvm::SmallVector<unsigned>{0}));
  EXPECT_EQ(graph.ops[4].reads, (llvm::SmallVector<unsigned>{2, 3}));
}

TEST(RematerializeTest, Nothing) {
  EXPECT_TRUE(find({}, 0).empty());
  EXPECT_EQ(pack({}), 0);
}
