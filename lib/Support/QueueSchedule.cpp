//===- QueueSchedule.cpp - Which queue runs what --------------------------===//

#include "JobDialect/Support/QueueSchedule.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <queue>
#include <tuple>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// For each unit those that wait for it, and for how many it waits itself.
struct Followers {
  explicit Followers(ArrayRef<QueueUnit> units)
      : followers(units.size()), missing(units.size()) {
    for (auto [number, unit] : llvm::enumerate(units))
      for (unsigned wait : unit.waits)
        add(wait, number);
  }
  void add(unsigned unit, unsigned follower) {
    assert(unit < follower && "a unit waits for one behind it");
    followers[unit].push_back(follower);
    ++missing[follower];
  }

  std::vector<SmallVector<unsigned, 4>> followers;
  std::vector<unsigned> missing;
};

/// When a device has begun all units so far, and when it has done their work.
struct DeviceClock {
  double launched = 0, done = 0;

  /// When the work of a unit begins that waits for others until `time`.
  double getBegin(const QueueUnit &unit, double time) const {
    // What has no launch or no work, such as an event, waits for neither.
    if (unit.launch > 0)
      time = std::max(time, launched) + unit.launch;
    return unit.work > 0 ? std::max(time, done) : time;
  }
  /// Runs the unit, and returns its end.
  double run(const QueueUnit &unit, double time) {
    double end = getBegin(unit, time) + unit.work;
    if (unit.launch > 0)
      launched = std::max(time, launched) + unit.launch;
    if (unit.work > 0)
      done = end;
    return end;
  }
};
} // namespace

double mlir::job::getQueueTime(ArrayRef<QueueUnit> units,
                               ArrayRef<unsigned> queueOf,
                               ArrayRef<unsigned> deviceOf) {
  Followers graph(units);
  std::vector<std::optional<unsigned>> lastOf(deviceOf.size());
  for (auto [number, queue] : llvm::enumerate(queueOf)) {
    if (lastOf[queue])
      graph.add(*lastOf[queue], number);
    lastOf[queue] = number;
  }
  // For each unit the end of what it waits for.
  std::vector<double> waitEnds(units.size(), 0);
  using Entry = std::pair<double, unsigned>; // that end, unit
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (graph.missing[unit] == 0)
      ready.emplace(0, unit);
  std::vector<DeviceClock> clocks(1 + *llvm::max_element(deviceOf));
  double last = 0;
  while (!ready.empty()) {
    auto [time, unit] = ready.top();
    ready.pop();
    DeviceClock &clock = clocks[deviceOf[queueOf[unit]]];
    double end = clock.run(units[unit], time);
    last = std::max(last, end);
    for (unsigned follower : graph.followers[unit]) {
      waitEnds[follower] = std::max(waitEnds[follower], end);
      if (--graph.missing[follower] == 0)
        ready.emplace(waitEnds[follower], follower);
    }
  }
  return last;
}

namespace {

/// Computes the schedule of one device.
class QueuePlanner {
public:
  QueuePlanner(ArrayRef<QueueUnit> units, unsigned numQueues)
      : units(units), graph(units), waitEnds(units.size(), 0),
        lastWait(units.size()), chains(units.size()), queueEnds(numQueues, 0) {
    schedule.queueOf.assign(units.size(), 0);
    for (unsigned unit = units.size(); unit-- > 0;) {
      double longest = 0;
      for (unsigned follower : graph.followers[unit])
        longest = std::max(longest, chains[follower]);
      chains[unit] = units[unit].launch + units[unit].work + longest;
    }
  }

  QueueSchedule run();

private:
  struct Place {
    unsigned queue;
    /// When it waits for nothing any more, and when its work begins.
    double ready, begin;
  };
  Place findPlace(unsigned unit) const;

  ArrayRef<QueueUnit> units;
  Followers graph;
  /// For each unit when what it waits for has ended, and the last of these.
  std::vector<double> waitEnds;
  std::vector<std::optional<unsigned>> lastWait;
  /// For each unit the time of the longest chain that begins with it.
  std::vector<double> chains;
  /// For each queue the end of its last unit.
  std::vector<double> queueEnds;
  DeviceClock clock;
  QueueSchedule schedule;
};

} // namespace

/// The queue on which a unit is ready first; of several that of the unit that
/// it waits for longest, which needs no event.
QueuePlanner::Place QueuePlanner::findPlace(unsigned unit) const {
  auto getReady = [&](unsigned queue) {
    return std::max(waitEnds[unit], queueEnds[queue]);
  };
  unsigned best = lastWait[unit] ? schedule.queueOf[*lastWait[unit]] : 0;
  for (unsigned queue = 0; queue < queueEnds.size(); ++queue)
    if (getReady(queue) < getReady(best))
      best = queue;
  double ready = getReady(best);
  return {best, ready, clock.getBegin(units[unit], ready)};
}

QueueSchedule QueuePlanner::run() {
  SmallVector<unsigned> ready;
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (graph.missing[unit] == 0)
      ready.push_back(unit);
  while (!ready.empty()) {
    unsigned *best = nullptr;
    Place place;
    for (unsigned &unit : ready) {
      Place other = findPlace(unit);
      if (!best || std::tuple(other.begin, -chains[unit], unit) <
                       std::tuple(place.begin, -chains[*best], *best)) {
        best = &unit;
        place = other;
      }
    }
    unsigned unit = *best;
    ready.erase(best);
    schedule.order.push_back(unit);
    schedule.queueOf[unit] = place.queue;
    double end = clock.run(units[unit], place.ready);
    queueEnds[place.queue] = end;
    for (unsigned follower : graph.followers[unit]) {
      if (!lastWait[follower] || end >= waitEnds[follower]) {
        waitEnds[follower] = end;
        lastWait[follower] = unit;
      }
      if (--graph.missing[follower] == 0)
        ready.push_back(follower);
    }
  }
  return std::move(schedule);
}

QueueSchedule mlir::job::planQueues(ArrayRef<QueueUnit> units,
                                    unsigned numQueues) {
  assert(numQueues >= 1 && "expects a queue");
  QueueSchedule schedule = QueuePlanner(units, numQueues).run();
  // As the device would run it: in the order in which units become ready.
  std::vector<QueueUnit> ordered;
  std::vector<unsigned> queues, numberOf(units.size());
  for (auto [number, unit] : llvm::enumerate(schedule.order)) {
    numberOf[unit] = number;
    QueueUnit &copy = ordered.emplace_back(units[unit]);
    for (unsigned &wait : copy.waits)
      wait = numberOf[wait];
    queues.push_back(schedule.queueOf[unit]);
  }
  schedule.time =
      getQueueTime(ordered, queues, std::vector<unsigned>(numQueues, 0));
  return schedule;
}
