//===- HappensBeforeTest.cpp - The order of commands on several queues ----===//

#include "JobDialect/Support/HappensBefore.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace mlir::job;

TEST(HappensBeforeTest, CommandsOfOneQueueAreInOrder) {
  HappensBefore order(1);
  int64_t a = order.addCommand(0), b = order.addCommand(0);
  EXPECT_TRUE(order.isBefore(a, b));
  EXPECT_FALSE(order.isBefore(b, a));
  EXPECT_FALSE(order.isBefore(a, a));
}

TEST(HappensBeforeTest, QueuesAreOrderedByEventsOnly) {
  HappensBefore order(3);
  int64_t a = order.addCommand(0);
  int64_t event = order.addEvent(0);
  int64_t late = order.addCommand(0);
  int64_t early = order.addCommand(1);
  order.addWait(1, event);
  int64_t b = order.addCommand(1);
  int64_t other = order.addCommand(2);
  EXPECT_TRUE(order.isBefore(a, b));
  EXPECT_FALSE(order.isBefore(a, early));
  EXPECT_FALSE(order.isBefore(late, b)) << "it is recorded behind the event";
  EXPECT_FALSE(order.isBefore(other, b));
  EXPECT_FALSE(order.isBefore(b, other));
}

TEST(HappensBeforeTest, WaitsAreTransitive) {
  HappensBefore order(3);
  int64_t a = order.addCommand(0);
  order.addWait(1, order.addEvent(0));
  // Without a command of its own, queue 1 hands on what it waited for.
  order.addWait(2, order.addEvent(1));
  EXPECT_TRUE(order.isBefore(a, order.addCommand(2)));
}

TEST(HappensBeforeTest, JoinedQueuesAreOrdered) {
  HappensBefore order(2);
  int64_t a = order.addCommand(0), b = order.addCommand(1);
  order.joinQueues();
  int64_t c = order.addCommand(0), d = order.addCommand(1);
  for (int64_t before : {a, b})
    for (int64_t after : {c, d})
      EXPECT_TRUE(order.isBefore(before, after));
  EXPECT_FALSE(order.isBefore(c, d) || order.isBefore(d, c));
}

namespace {
/// The same by brute force: a graph of commands, events and waits, and a search
/// for a path.
class Graph {
public:
  explicit Graph(unsigned numQueues) : last(numQueues, -1) {}

  void addCommand(unsigned queue) { commands.push_back(addNode(queue)); }
  void addEvent(unsigned queue) { events.push_back(addNode(queue)); }
  void addWait(unsigned queue, int64_t event) {
    int node = addNode(queue);
    successors[events[event]].push_back(node);
  }
  void joinQueues() {
    std::vector<int> before = last;
    for (unsigned queue = 0; queue < last.size(); ++queue) {
      int node = addNode(queue);
      for (int other : before)
        if (other >= 0)
          successors[other].push_back(node);
    }
  }

  bool isBefore(int64_t a, int64_t b) const {
    std::vector<bool> seen(successors.size());
    std::vector<int> open = {commands[a]};
    while (!open.empty()) {
      int node = open.back();
      open.pop_back();
      for (int next : successors[node]) {
        if (next == commands[b])
          return true;
        if (!seen[next])
          open.push_back(next);
        seen[next] = true;
      }
    }
    return false;
  }

private:
  int addNode(unsigned queue) {
    int node = static_cast<int>(successors.size());
    successors.emplace_back();
    if (last[queue] >= 0)
      successors[last[queue]].push_back(node);
    last[queue] = node;
    return node;
  }

  std::vector<int> last, commands, events;
  std::vector<std::vector<int>> successors;
};
} // namespace

TEST(HappensBeforeTest, RandomOrdersAgreeWithASearchForPaths) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    unsigned numQueues = random() % 5 + 1;
    HappensBefore order(numQueues);
    Graph graph(numQueues);
    int64_t commands = 0, events = 0;
    for (unsigned i = 0, e = random() % 60 + 2; i < e; ++i) {
      unsigned queue = random() % numQueues;
      switch (random() % 16) {
      case 0:
        if (random() % 3 == 0) {
          order.joinQueues();
          graph.joinQueues();
        }
        break;
      case 1:
      case 2:
      case 3:
        EXPECT_EQ(order.addEvent(queue), events++);
        graph.addEvent(queue);
        break;
      case 4:
      case 5:
      case 6:
      case 7:
        if (events > 0) {
          int64_t event = random() % events;
          order.addWait(queue, event);
          graph.addWait(queue, event);
        }
        break;
      default:
        EXPECT_EQ(order.addCommand(queue), commands++);
        graph.addCommand(queue);
      }
    }
    for (int64_t a = 0; a < commands; ++a)
      for (int64_t b = 0; b < commands; ++b)
        ASSERT_EQ(order.isBefore(a, b), graph.isBefore(a, b))
            << "seed " << seed << ", commands " << a << " and " << b;
  }
}
