//===- ScheduleTest.cpp - Tests of orders with few live bytes -------------===//

#include "JobDialect/Support/Schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace mlir::job;
using Order = std::vector<unsigned>;

static Order asWritten(const ScheduleProblem &problem) {
  Order order(problem.ops.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

static bool isRead(const ScheduledOp &op, unsigned blob) {
  return llvm::is_contained(op.reads, blob);
}

/// Whether makers and what has to come first stand first.
static bool isLegal(const ScheduleProblem &problem, const Order &order) {
  std::vector<size_t> position(order.size(), order.size());
  for (size_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  for (size_t op = 0; op < order.size(); ++op) {
    if (position[op] == order.size())
      return false;
    for (unsigned before : problem.ops[op].after)
      if (position[before] > position[op])
        return false;
    for (size_t maker = 0; maker < order.size(); ++maker)
      for (unsigned blob : problem.ops[maker].makes)
        if (isRead(problem.ops[op], blob) && position[maker] > position[op])
          return false;
  }
  return true;
}

/// Live bytes op by op, blob by blob, by definition. No blob is overwritten
/// that is read later, and none twice.
static int64_t countPeak(const ScheduleProblem &problem, const Order &order) {
  size_t n = order.size();
  std::vector<int64_t> live(n, 0);
  for (size_t i = 0; i < n; ++i) {
    for (unsigned blob : problem.ops[order[i]].makes) {
      size_t last = i;
      for (size_t j = i; j < n; ++j)
        if (isRead(problem.ops[order[j]], blob))
          last = j;
      for (size_t j = i; j <= last; ++j)
        live[j] += problem.bytes[blob];
    }
    std::vector<unsigned> takers, taken;
    for (auto [blob, source] : problem.ops[order[i]].overwrites) {
      bool isLater = false;
      for (size_t j = i + 1; j < n; ++j)
        isLater |= isRead(problem.ops[order[j]], source);
      if (isLater || llvm::is_contained(takers, blob) ||
          llvm::is_contained(taken, source))
        continue;
      takers.push_back(blob);
      taken.push_back(source);
      live[i] -= problem.bytes[source];
    }
  }
  return *std::max_element(live.begin(), live.end());
}

/// Ops that read up to three earlier blobs and make up to two. Overwritten
/// blobs have the size of those that take their memory.
static ScheduleProblem drawProblem(std::mt19937 &random, size_t numOps) {
  ScheduleProblem problem;
  for (size_t op = 0; op < numOps; ++op) {
    ScheduledOp scheduled;
    size_t numBlobs = problem.bytes.size();
    for (size_t i = 0; numBlobs && i < random() % 4; ++i) {
      unsigned blob = random() % numBlobs;
      if (!isRead(scheduled, blob))
        scheduled.reads.push_back(blob);
    }
    for (size_t i = 0; i < random() % 3; ++i) {
      unsigned blob = problem.bytes.size();
      scheduled.makes.push_back(blob);
      int64_t bytes = 64 * (random() % 20);
      if (!scheduled.reads.empty() && random() % 2) {
        unsigned source = scheduled.reads[random() % scheduled.reads.size()];
        bytes = problem.bytes[source];
        scheduled.overwrites.emplace_back(blob, source);
      }
      problem.bytes.push_back(bytes);
    }
    if (op > 0 && random() % 8 == 0)
      scheduled.after.push_back(random() % op);
    problem.ops.push_back(scheduled);
  }
  return problem;
}

TEST(ScheduleTest, OrdersAreLegalAndNoWorse) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    ScheduleProblem problem = drawProblem(random, 1 + random() % 60);
    Order written = asWritten(problem);
    llvm::SmallVector<unsigned> found = findOrder(problem);
    Order order(found.begin(), found.end());
    ASSERT_EQ(order.size(), written.size());
    EXPECT_TRUE(isLegal(problem, order));
    EXPECT_EQ(getPeakBytes(problem, order), countPeak(problem, order));
    EXPECT_EQ(getPeakBytes(problem, written), countPeak(problem, written));
    EXPECT_LE(getPeakBytes(problem, order), getPeakBytes(problem, written));
    // What is no better is left as it was.
    if (getPeakBytes(problem, order) == getPeakBytes(problem, written)) {
      EXPECT_EQ(order, written);
    }
    EXPECT_EQ(findOrder(problem), found);
  }
}

/// Against all orders of a few ops.
TEST(ScheduleTest, FewOpsAreMostlyOptimal) {
  unsigned count = 200, optimal = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    std::mt19937 random(seed);
    ScheduleProblem problem = drawProblem(random, 7);
    int64_t best = countPeak(problem, asWritten(problem));
    Order order = asWritten(problem);
    do
      if (isLegal(problem, order))
        best = std::min(best, countPeak(problem, order));
    while (std::next_permutation(order.begin(), order.end()));
    int64_t found = getPeakBytes(problem, findOrder(problem));
    EXPECT_GE(found, best) << "seed " << seed;
    optimal += found == best;
  }
  EXPECT_GE(optimal, count * 95 / 100);
}

/// Branches that blow up and shrink: one after the other.
TEST(ScheduleTest, Branches) {
  ScheduleProblem problem;
  unsigned numBranches = 10;
  for (unsigned i = 0; i < numBranches; ++i) {
    ScheduledOp op;
    op.makes = {i};
    problem.ops.push_back(op);
    problem.bytes.push_back(1000);
  }
  for (unsigned i = 0; i < numBranches; ++i) {
    ScheduledOp op;
    op.reads = {i};
    op.makes = {numBranches + i};
    problem.ops.push_back(op);
    problem.bytes.push_back(1);
  }
  EXPECT_EQ(getPeakBytes(problem, asWritten(problem)), 10001);
  // Each of the ten small ones stays until its maker is done: none is read.
  EXPECT_EQ(getPeakBytes(problem, findOrder(problem)), 1001);
}

/// A gradient's update right after the gradient, not all at the end.
TEST(ScheduleTest, UpdatesComeEarly) {
  ScheduleProblem problem;
  unsigned numLayers = 50;
  for (unsigned i = 0; i < numLayers; ++i) {
    ScheduledOp op;
    op.makes = {i};
    if (i > 0)
      op.after = {i - 1};
    problem.ops.push_back(op);
    problem.bytes.push_back(64);
  }
  for (unsigned i = 0; i < numLayers; ++i) {
    ScheduledOp op;
    op.reads = {i};
    problem.ops.push_back(op);
  }
  EXPECT_EQ(getPeakBytes(problem, asWritten(problem)), 64 * numLayers);
  EXPECT_EQ(getPeakBytes(problem, findOrder(problem)), 64);
}

TEST(ScheduleTest, Nothing) {
  EXPECT_TRUE(findOrder({}).empty());
  EXPECT_EQ(getPeakBytes({}, {}), 0);
}
