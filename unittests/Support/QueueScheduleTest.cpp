//===- QueueScheduleTest.cpp - Tests of the queues of units ---------------===//

#include "JobDialect/Support/QueueSchedule.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace mlir::job;
using Units = std::vector<QueueUnit>;
using Queues = std::vector<unsigned>;

static double getTime(const Units &units, const Queues &queues,
                      const Queues &devices) {
  return getQueueTime(units, queues, devices);
}

static double getSum(const Units &units) {
  double sum = 0;
  for (const QueueUnit &unit : units)
    sum += unit.launch + unit.work;
  return sum;
}

TEST(QueueTime, UnitsOfOneQueueFollowOneAnother) {
  EXPECT_EQ(getTime({}, {}, {0}), 0);
  Units units{{2, 3, {}}, {2, 4, {}}, {0, 5, {}}};
  EXPECT_EQ(getTime(units, {0, 0, 0}, {0}), 16);
}

// The second one is launched while the device works on the first one.
TEST(QueueTime, LaunchesOverlapWithWork) {
  EXPECT_EQ(getTime({{2, 3, {}}, {2, 4, {}}}, {0, 1}, {0, 0}), 9);
  EXPECT_EQ(getTime({{2, 1, {}}, {2, 4, {}}}, {0, 1}, {0, 0}), 8);
  EXPECT_EQ(getTime({{2, 1, {}}, {9, 4, {}}}, {0, 1}, {0, 0}), 15);
}

// Small kernels take as long as their launches on any number of queues.
TEST(QueueTime, LaunchesFollowOneAnother) {
  Units units(4, QueueUnit{2, 0, {}});
  EXPECT_EQ(getTime(units, {0, 1, 2, 3}, {0, 0, 0, 0}), 8);
}

// The second one is launched when the first one has ended.
TEST(QueueTime, AUnitFollowsWhatItWaitsFor) {
  EXPECT_EQ(getTime({{2, 3, {}}, {2, 4, {0}}}, {0, 1}, {0, 0}), 11);
  // 3 waits for 2 by its queue, and for 1 by an event.
  Units units{{2, 3, {}}, {2, 10, {}}, {2, 1, {0}}, {2, 1, {1}}};
  EXPECT_EQ(getTime(units, {0, 1, 0, 0}, {0, 0}), 19);
}

TEST(QueueTime, DevicesWorkAtOnce) {
  EXPECT_EQ(getTime({{2, 3, {}}, {2, 4, {}}}, {0, 1}, {0, 1}), 6);
}

// An event is no work: it neither waits for the device nor keeps it.
TEST(QueueTime, EventsDoNotWaitForTheDevice) {
  Units units{{0, 10, {}}, {0, 0, {}}, {2, 1, {1}}};
  EXPECT_EQ(getTime(units, {0, 1, 2}, {0, 0, 0}), 11);
}

// A chain, and beside it what only its beginning is needed for.
TEST(QueueSchedule, WhatIsBesideAChainFillsItsGaps) {
  Units units{{2, 3, {}},  {2, 3, {0}}, {2, 2, {0}},
              {2, 3, {1}}, {2, 2, {1}}, {2, 3, {3}}};
  EXPECT_EQ(planQueues(units, 1).time, getSum(units));
  QueueSchedule schedule = planQueues(units, 2);
  // The chain takes 20; what fills its gaps takes no longer than these.
  EXPECT_EQ(schedule.time, 20);
  EXPECT_EQ(schedule.queueOf[0], schedule.queueOf[1]);
  EXPECT_NE(schedule.queueOf[1], schedule.queueOf[2]);
}

TEST(QueueSchedule, AChainStaysOnOneQueue) {
  Units units{{2, 3, {}}, {2, 3, {0}}, {2, 3, {1}}};
  QueueSchedule schedule = planQueues(units, 2);
  EXPECT_EQ(schedule.queueOf, Queues({0, 0, 0}));
  EXPECT_EQ(schedule.order, Queues({0, 1, 2}));
  EXPECT_EQ(planQueues({}, 2).time, 0);
}

static Units makeRandomUnits(std::mt19937 &random) {
  auto draw = [&](unsigned count) { return random() % count; };
  Units units(draw(12));
  for (auto [number, unit] : llvm::enumerate(units)) {
    unit.launch = draw(4);
    unit.work = draw(6);
    for (unsigned wait = 0; wait < number; ++wait)
      if (draw(3) == 0)
        unit.waits.push_back(wait);
  }
  return units;
}

/// Looks at all units again before each one that begins.
static double getTimeSlowly(const Units &units, const Queues &queueOf,
                            const Queues &deviceOf) {
  std::vector<double> ends(units.size(), -1), freeAt(2, 0), launchedAt(2, 0);
  double last = 0;
  for (size_t done = 0; done < units.size(); ++done) {
    std::optional<std::pair<double, unsigned>> next; // ready, unit
    for (unsigned unit = 0; unit < units.size(); ++unit) {
      double ready = 0;
      bool isReady = ends[unit] < 0;
      for (unsigned other = 0; other < unit; ++other)
        if (queueOf[other] == queueOf[unit] ||
            llvm::is_contained(units[unit].waits, other)) {
          isReady &= ends[other] >= 0;
          ready = std::max(ready, ends[other]);
        }
      std::pair<double, unsigned> found(ready, unit);
      if (isReady && (!next || found < *next))
        next = found;
    }
    auto [ready, unit] = *next;
    double &device = freeAt[deviceOf[queueOf[unit]]];
    double &launcher = launchedAt[deviceOf[queueOf[unit]]];
    if (units[unit].launch > 0)
      ready = launcher = std::max(launcher, ready) + units[unit].launch;
    ends[unit] = ready;
    if (units[unit].work > 0)
      ends[unit] = device = std::max(device, ready) + units[unit].work;
    last = std::max(last, ends[unit]);
  }
  return last;
}

TEST(QueueTime, RandomTimesAgreeWithASlowSearch) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Units units = makeRandomUnits(random);
    Queues devices(1 + random() % 3);
    for (unsigned &device : devices)
      device = random() % 2;
    Queues queues(units.size());
    for (unsigned &queue : queues)
      queue = random() % devices.size();
    EXPECT_EQ(getTime(units, queues, devices),
              getTimeSlowly(units, queues, devices));
  }
}

TEST(QueueSchedule, RandomSchedulesAreValid) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Units units = makeRandomUnits(random);
    unsigned numQueues = 1 + random() % 3;
    QueueSchedule schedule = planQueues(units, numQueues);
    ASSERT_EQ(schedule.order.size(), units.size());
    std::vector<bool> done(units.size(), false);
    for (unsigned unit : schedule.order) {
      ASSERT_LT(unit, units.size());
      EXPECT_FALSE(done[unit]);
      done[unit] = true;
      EXPECT_LT(schedule.queueOf[unit], numQueues);
      for (unsigned wait : units[unit].waits)
        EXPECT_TRUE(done[wait]);
    }
    // Not below all work, all launches or the longest chain, nor above one
    // queue.
    double work = 0, launches = 0, longest = 0;
    std::vector<double> chains;
    for (const QueueUnit &unit : units) {
      work += unit.work;
      launches += unit.launch;
      double before = 0;
      for (unsigned wait : unit.waits)
        before = std::max(before, chains[wait]);
      chains.push_back(before + unit.launch + unit.work);
      longest = std::max(longest, chains.back());
    }
    EXPECT_GE(schedule.time, std::max({work, launches, longest}));
    EXPECT_LE(schedule.time, getSum(units));
    if (numQueues == 1)
      EXPECT_EQ(schedule.time, getSum(units));
  }
}
