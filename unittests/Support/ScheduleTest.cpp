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

/// Whether producers and what has to come first stand first.
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
    for (size_t producer = 0; producer < order.size(); ++producer)
      for (unsigned blob : problem.ops[producer].makes)
        if (isRead(problem.ops[op], blob) && position[producer] > position[op])
          return false;
  }
  return true;
}

/// Live bytes op by op, blob by blob, by definition. No blob is overwritten
/// that is read later, and none twice.
static int64_t countPeak(const ScheduleProblem &problem, const Order &order) {
  size_t n = order.size();
  std::vector<int64_t> live(n, 0);
  std::vector<bool> isMade(problem.bytes.size());
  for (const ScheduledOp &op : problem.ops)
    for (unsigned blob : op.makes)
      isMade[blob] = true;
  for (unsigned blob = 0; blob < isMade.size(); ++blob)
    for (size_t last = n; !isMade[blob] && last-- > 0;)
      if (isRead(problem.ops[order[last]], blob)) {
        for (size_t j = 0; j <= last; ++j)
          live[j] += problem.bytes[blob];
        break;
      }
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
/// blobs have the size of those that take their memory. `numInitial` blobs are
/// made by no op.
static ScheduleProblem drawProblem(std::mt19937 &random, size_t numOps,
                                   size_t numInitial = 0) {
  ScheduleProblem problem;
  while (problem.bytes.size() < numInitial)
    problem.bytes.push_back(64 * (random() % 20));
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

TEST(ScheduleTest, BlobsThatNoOpMakes) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    ScheduleProblem problem =
        drawProblem(random, 1 + random() % 40, random() % 5);
    Order written = asWritten(problem);
    llvm::SmallVector<unsigned> found = findOrder(problem);
    Order order(found.begin(), found.end());
    EXPECT_TRUE(isLegal(problem, order));
    EXPECT_EQ(getPeakBytes(problem, order), countPeak(problem, order));
    EXPECT_EQ(getPeakBytes(problem, written), countPeak(problem, written));
  }
}

/// The buffers have the live bytes that the search for an order goes by.
TEST(ScheduleTest, BuffersHaveTheLiveBytes) {
  unsigned numShared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    ScheduleProblem problem =
        drawProblem(random, 1 + random() % 40, random() % 5);
    BlobBuffers buffers = assignBuffers(problem);
    std::vector<int64_t> live(problem.ops.size());
    for (const BufferInterval &buffer : buffers.buffers)
      for (int64_t op = buffer.first; op <= buffer.last; ++op)
        live[op] += buffer.bytes;
    EXPECT_EQ(live, getLiveBytes(problem, asWritten(problem)));
    for (unsigned blob = 0; blob < problem.bytes.size(); ++blob)
      if (unsigned source = buffers.overwritten[blob]; source != kNoBlob) {
        ++numShared;
        EXPECT_EQ(buffers.bufferOf[blob], buffers.bufferOf[source]);
      }
  }
  EXPECT_GT(numShared, 300u);
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
  // Each of the ten small ones stays until its producer is done: none is read.
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

/// A training step: layers forwards, backwards with a gradient for each, and
/// their updates, two variables each, all at the end; every update reads the
/// rate, and the last op comes after all.
static ScheduleProblem makeTrainingStep(unsigned numLayers) {
  ScheduleProblem problem;
  auto addBlob = [&](int64_t bytes) {
    problem.bytes.push_back(bytes);
    return unsigned(problem.bytes.size() - 1);
  };
  auto addOp = [&](llvm::ArrayRef<unsigned> reads,
                   llvm::ArrayRef<unsigned> makes) {
    problem.ops.emplace_back();
    problem.ops.back().reads.assign(reads.begin(), reads.end());
    problem.ops.back().makes.assign(makes.begin(), makes.end());
  };
  unsigned rate = addBlob(64);
  addOp({}, {rate});
  std::vector<unsigned> layers = {addBlob(8192)}, weights, gradients;
  addOp({}, {layers[0]});
  for (unsigned i = 0; i < numLayers; ++i) {
    weights.push_back(addBlob(0));
    addOp({}, {weights[i]});
    layers.push_back(addBlob(8192));
    addOp({layers[i], weights[i]}, {layers[i + 1]});
  }
  unsigned gradient = addBlob(8192);
  addOp({layers.back()}, {gradient});
  for (unsigned i = numLayers; i-- > 0;) {
    unsigned next = addBlob(8192);
    gradients.push_back(addBlob(16384));
    addOp({layers[i], gradient}, {gradients.back()});
    addOp({weights[i], gradient}, {next});
    gradient = next;
  }
  for (unsigned i = 0; i < numLayers; ++i)
    for (unsigned part = 0; part < 2; ++part)
      addOp({rate, gradients[i], weights[i]}, {});
  addOp({}, {});
  for (unsigned op = 0; op + 1 < problem.ops.size(); ++op)
    problem.ops.back().after.push_back(op);
  return problem;
}

/// Ops, blobs and dependences.
static size_t getSize(const ScheduleProblem &problem) {
  size_t size = problem.bytes.size();
  for (const ScheduledOp &op : problem.ops)
    size += 1 + op.reads.size() + op.makes.size() + op.after.size();
  return size;
}

/// The search for an order takes steps in proportion to the graph, and the
/// moves from four orders, and those back, at most 20 million each.
TEST(ScheduleTest, StepsAreBounded) {
  for (unsigned numLayers : {50, 200, 800, 3200}) {
    ScheduleProblem problem = makeTrainingStep(numLayers);
    size_t steps = 0;
    llvm::SmallVector<unsigned> order = findOrder(problem, &steps);
    EXPECT_LE(steps, 300 * getSize(problem) + 100'000'000)
        << numLayers << " layers";
    // All layers are alive at once, the rate, and what the last layer's
    // gradient is made from.
    EXPECT_LE(getPeakBytes(problem, order), 8192 * (numLayers + 5))
        << numLayers << " layers";
  }
}

/// Thousands of ops could come next, all the time, and no move helps.
TEST(ScheduleTest, StepsOfWideGraphs) {
  for (unsigned numPairs : {20000, 40000}) {
    ScheduleProblem problem;
    for (unsigned i = 0; i < numPairs; ++i) {
      problem.bytes.push_back(64 * (1 + i % 10));
      problem.ops.emplace_back();
      problem.ops.back().makes = {i};
      problem.ops.emplace_back();
      problem.ops.back().reads = {i};
    }
    size_t steps = 0;
    Order order = asWritten(problem);
    llvm::SmallVector<unsigned> found = findOrder(problem, &steps);
    EXPECT_EQ(Order(found.begin(), found.end()), order);
    EXPECT_LE(steps, 100 * getSize(problem)) << numPairs << " pairs";
  }
}

/// Only what the peak requires leaves its place.
TEST(ScheduleTest, KeepsTheOrderThatWasGiven) {
  ScheduleProblem problem;
  problem.bytes = {1000, 1000, 8};
  auto add = [&](std::initializer_list<unsigned> reads,
                 std::initializer_list<unsigned> makes) {
    problem.ops.emplace_back();
    problem.ops.back().reads = reads;
    problem.ops.back().makes = makes;
  };
  add({}, {0});
  add({}, {1});
  add({1}, {2});
  for (int i = 0; i < 20; ++i)
    add({2}, {});
  add({0}, {});
  Order expected = asWritten(problem);
  std::rotate(expected.begin(), expected.begin() + 1, expected.begin() + 3);
  llvm::SmallVector<unsigned> found = findOrder(problem);
  EXPECT_EQ(Order(found.begin(), found.end()), expected);
  EXPECT_EQ(getPeakBytes(problem, found), 1008);
}

/// Chains that each go from group 0 over a transfer, group 1, to group 2, and
/// an op without a group that needs `bytes`.
static ScheduleProblem makeChains(int64_t bytes) {
  ScheduleProblem problem;
  auto add = [&](unsigned group, std::initializer_list<unsigned> reads) {
    ScheduledOp &op = problem.ops.emplace_back();
    op.group = group;
    op.reads = reads;
    op.makes = {static_cast<unsigned>(problem.bytes.size())};
    problem.bytes.push_back(8);
    return op.makes.front();
  };
  for (int i = 0; i < 3; ++i)
    add(2, {add(1, {add(0, {})})});
  add(kNoGroup, {});
  problem.bytes.back() = bytes;
  return problem;
}

TEST(ScheduleTest, OpsOfAGroupStandTogether) {
  ScheduleProblem problem = makeChains(1000);
  Order given = asWritten(problem);
  EXPECT_EQ(countGroupChanges(problem, given), 8u);
  llvm::SmallVector<unsigned> found = findOrder(problem);
  EXPECT_TRUE(isLegal(problem, Order(found.begin(), found.end())));
  EXPECT_EQ(countGroupChanges(problem, found), 2u);
  EXPECT_EQ(getPeakBytes(problem, found), getPeakBytes(problem, given));
}

TEST(ScheduleTest, GroupsDoNotRaiseThePeak) {
  ScheduleProblem problem = makeChains(0);
  llvm::SmallVector<unsigned> found = findOrder(problem);
  EXPECT_EQ(Order(found.begin(), found.end()), asWritten(problem));
  EXPECT_EQ(getPeakBytes(problem, found), 16);
}

TEST(ScheduleTest, GroupsOfRandomGraphs) {
  for (int seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    ScheduleProblem problem = drawProblem(random, 1 + random() % 40);
    llvm::SmallVector<unsigned> alone = findOrder(problem);
    for (ScheduledOp &op : problem.ops)
      op.group = random() % 4 ? random() % 3 : kNoGroup;
    llvm::SmallVector<unsigned> found = findOrder(problem);
    EXPECT_TRUE(isLegal(problem, Order(found.begin(), found.end()))) << seed;
    // Neighbours of one group may also be a start for a lower peak.
    EXPECT_LE(getPeakBytes(problem, found), getPeakBytes(problem, alone))
        << seed;
    EXPECT_LE(countGroupChanges(problem, found),
              countGroupChanges(problem, alone))
        << seed;
  }
}

TEST(ScheduleTest, Nothing) {
  EXPECT_TRUE(findOrder({}).empty());
  EXPECT_EQ(getPeakBytes({}, {}), 0);
}
