//===- StreamTest.cpp - Work in call order --------------------------------===//

#include "lib/executor/Stream.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <deque>

using namespace jobrt;
using namespace jobrt::test;

namespace {
class TestTask final : public Stream::Task {
public:
  explicit TestTask(std::function<void()> body) : body(std::move(body)) {}
  void run() override { body(); }

private:
  std::function<void()> body;
};
} // namespace

TEST(StreamTest, RunsInOrderOnItsOwnThread) {
  std::vector<int> order;
  std::deque<TestTask> tasks;
  std::thread::id ranOn;
  {
    Stream stream;
    ASSERT_TRUE(stream.start().ok());
    for (int i = 0; i < 100; ++i) {
      tasks.emplace_back([&, i] {
        order.push_back(i);
        ranOn = std::this_thread::get_id();
      });
      stream.enqueue(tasks.back());
    }
    stream.drain();
    EXPECT_EQ(order.size(), 100u);
  }
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(order[i], i);
  EXPECT_NE(ranOn, std::this_thread::get_id());
}

TEST(StreamTest, RunsInlineWhenIdle) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  std::thread::id ranOn;
  TestTask task([&] { ranOn = std::this_thread::get_id(); });
  EXPECT_TRUE(stream.runOrEnqueue(task));
  EXPECT_EQ(ranOn, std::this_thread::get_id());
}

TEST(StreamTest, QueuesBehindWhatRuns) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  Gate gate;
  std::vector<int> order;
  TestTask first([&] {
    gate.wait();
    order.push_back(1);
  });
  TestTask second([&] { order.push_back(2); });
  stream.enqueue(first);
  gate.waitForArrivals(1);
  EXPECT_FALSE(stream.runOrEnqueue(second));
  gate.open();
  stream.drain();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(StreamTest, TasksBehindAnInlineOneFollowIt) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  Gate gate;
  std::vector<int> order;
  TestTask inlineTask([&] {
    gate.wait();
    order.push_back(1);
  });
  TestTask queued([&] { order.push_back(2); });
  std::thread caller([&] { stream.runAndWait(inlineTask); });
  gate.waitForArrivals(1);
  stream.enqueue(queued);
  gate.open();
  caller.join();
  stream.drain();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(StreamTest, RunsWhatIsQueuedBeforeItStops) {
  int count = 0;
  std::deque<TestTask> tasks;
  {
    Stream stream;
    ASSERT_TRUE(stream.start().ok());
    for (int i = 0; i < 10; ++i) {
      tasks.emplace_back([&] { ++count; });
      stream.enqueue(tasks.back());
    }
  }
  EXPECT_EQ(count, 10);
}

TEST(StreamTest, NothingIsToldToAStreamThatNeverStarted) {
  Stream stream;
  SUCCEED();
}
