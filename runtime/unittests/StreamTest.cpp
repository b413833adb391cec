//===- StreamTest.cpp - Work in call order --------------------------------===//

#include "lib/executor/Stream.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <algorithm>
#include <deque>
#include <random>

using namespace jobrt;
using namespace jobrt::test;

namespace {
/// A task that has ended when it has begun.
class TestTask final : public Stream::Task {
public:
  explicit TestTask(std::function<void()> body, Stream::Lane order = 0)
      : Task(order), body(std::move(body)) {}

private:
  void begin() override {
    body();
    complete({});
  }
  void retire(Status) override {}

  std::function<void()> body;
};

/// A task that the test completes.
class LaterTask final : public Stream::Task {
public:
  explicit LaterTask(std::function<void(Status)> onRetire = nullptr)
      : Task(0), onRetire(std::move(onRetire)) {}
  bool hasBegun() const { return begun.load(); }

private:
  void begin() override { begun.store(true); }
  void retire(Status status) override {
    if (onRetire)
      onRetire(std::move(status));
  }

  std::function<void(Status)> onRetire;
  std::atomic<bool> begun{false};
};
} // namespace

/// Waits for the stream's thread to begin a task.
static void waitUntilBegun(const LaterTask &task) {
  while (!task.hasBegun())
    std::this_thread::yield();
}

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
  EXPECT_TRUE(stream.beginOrEnqueue(task));
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
  EXPECT_FALSE(stream.beginOrEnqueue(second));
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

TEST(StreamTest, BeginsTasksWhileEarlierOnesAreInFlight) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  std::vector<int> retired;
  std::deque<LaterTask> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([&, i](Status status) {
      EXPECT_EQ(status.message(), std::to_string(i));
      retired.push_back(i);
    });
    stream.enqueue(tasks.back());
  }
  waitUntilBegun(tasks.back());
  auto complete = [&](int i) {
    tasks[i].complete(Status(StatusCode::kInternal, std::to_string(i)));
  };
  complete(1);
  complete(2);
  EXPECT_TRUE(retired.empty()) << "tasks retire in order";
  // The caller is not held up by what is in flight.
  LaterTask last;
  EXPECT_TRUE(stream.beginOrEnqueue(last));
  complete(0);
  EXPECT_EQ(retired, (std::vector<int>{0, 1, 2}));
  last.complete({});
  stream.drain();
}

TEST(StreamTest, AnExclusiveTaskRunsAlone) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  LaterTask before, after;
  bool hasRun = false;
  TestTask exclusive(
      [&] {
        EXPECT_FALSE(after.hasBegun());
        hasRun = true;
      },
      Stream::kExclusive);
  EXPECT_TRUE(stream.beginOrEnqueue(before));
  EXPECT_FALSE(stream.beginOrEnqueue(exclusive));
  EXPECT_FALSE(stream.beginOrEnqueue(after));
  EXPECT_FALSE(hasRun);
  before.complete({});
  waitUntilBegun(after);
  EXPECT_TRUE(hasRun);
  after.complete({});
}

TEST(StreamTest, WaitsForItsOwnTaskOnly) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  LaterTask own, later;
  std::thread caller([&] { stream.runAndWait(own); });
  waitUntilBegun(own);
  stream.enqueue(later);
  waitUntilBegun(later);
  own.complete({});
  // With `later` in flight.
  caller.join();
  later.complete({});
}

TEST(StreamTest, ItsEndWaitsForWhatIsInFlight) {
  int retired = 0;
  LaterTask task([&](Status) { ++retired; });
  std::thread device;
  {
    Stream stream;
    ASSERT_TRUE(stream.start().ok());
    EXPECT_TRUE(stream.beginOrEnqueue(task));
    device = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      task.complete({});
    });
  }
  EXPECT_EQ(retired, 1);
  device.join();
}

/// Several threads pass in tasks of both orders, and several others complete
/// them at random.
TEST(StreamTest, RandomOrders) {
  constexpr int kTasks = 400, kCallers = 3, kDevices = 2;
  std::mt19937_64 seeds(testSeed());
  Stream stream;
  ASSERT_TRUE(stream.start().ok());

  std::mutex mutex;
  std::vector<Stream::Task *> inFlight;
  std::vector<Stream::Task *> begun;
  int numRetired = 0;
  class Random final : public Stream::Task {
  public:
    Random(Stream::Lane order, std::function<void(Random &)> onBegin,
           std::function<void(Random &)> onRetire)
        : Task(order), isExclusive(order == Stream::kExclusive),
          onBegin(std::move(onBegin)), onRetire(std::move(onRetire)) {}
    const bool isExclusive;

  private:
    void begin() override { onBegin(*this); }
    void retire(Status) override { onRetire(*this); }
    std::function<void(Random &)> onBegin, onRetire;
  };
  auto onBegin = [&](Random &task) {
    {
      std::lock_guard lock(mutex);
      if (task.isExclusive)
        EXPECT_EQ(begun.size(), static_cast<size_t>(numRetired));
      begun.push_back(&task);
      if (!task.isExclusive) {
        inFlight.push_back(&task);
        return;
      }
    }
    task.complete({});
  };
  auto onRetire = [&](Random &task) {
    std::lock_guard lock(mutex);
    EXPECT_EQ(begun[numRetired++], &task);
  };
  std::vector<std::thread> devices, callers;
  for (int i = 0; i < kDevices; ++i)
    devices.emplace_back([&, seed = seeds()] {
      std::mt19937_64 random(seed);
      std::unique_lock lock(mutex);
      while (numRetired < kTasks * kCallers) {
        Stream::Task *chosen = nullptr;
        if (!inFlight.empty()) {
          std::swap(inFlight[random() % inFlight.size()], inFlight.back());
          chosen = inFlight.back();
          inFlight.pop_back();
        }
        lock.unlock();
        if (chosen)
          chosen->complete({});
        else
          std::this_thread::yield();
        lock.lock();
      }
    });
  std::vector<std::deque<Random>> tasks(kCallers);
  for (std::deque<Random> &own : tasks)
    callers.emplace_back([&, seed = seeds()] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < kTasks; ++i) {
        auto order = random() % 8 ? 0 : Stream::kExclusive;
        Random &task = own.emplace_back(order, onBegin, onRetire);
        switch (random() % 3) {
        case 0:
          stream.enqueue(task);
          break;
        case 1:
          stream.beginOrEnqueue(task);
          break;
        case 2:
          stream.runAndWait(task);
          break;
        }
      }
    });
  for (std::thread &thread : callers)
    thread.join();
  stream.drain();
  for (std::thread &thread : devices)
    thread.join();
  EXPECT_EQ(numRetired, kTasks * kCallers);
}

TEST(StreamTest, TasksOfOneLaneOverlapAndThoseOfAnotherWait) {
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  LaterTask first, second, other, last;
  other.setLane(1);
  EXPECT_TRUE(stream.beginOrEnqueue(first));
  EXPECT_TRUE(stream.beginOrEnqueue(second));
  EXPECT_FALSE(stream.beginOrEnqueue(other));
  EXPECT_FALSE(stream.beginOrEnqueue(last));
  second.complete({});
  EXPECT_FALSE(other.hasBegun());
  first.complete({});
  waitUntilBegun(other);
  EXPECT_FALSE(last.hasBegun());
  other.complete({});
  waitUntilBegun(last);
  last.complete({});
  stream.drain();
}

TEST(StreamTest, AnExclusiveTaskGoesOnOnTheThreadOfTheStream) {
  class Parts final : public Stream::Task, public Stream::Continuation {
  public:
    Parts() : Task(Stream::kExclusive) {}
    void proceed() override {
      thread = std::this_thread::get_id();
      if (++count == 3)
        complete({});
      else
        hasProceeded = true;
    }
    int count = 0;
    std::thread::id thread;
    std::atomic<bool> hasBegun{false}, hasProceeded{true};

  private:
    void begin() override { hasBegun = true; }
    void retire(Status) override {}
  };
  Stream stream;
  ASSERT_TRUE(stream.start().ok());
  Parts task;
  LaterTask after;
  EXPECT_TRUE(stream.beginOrEnqueue(task));
  EXPECT_FALSE(stream.beginOrEnqueue(after));
  for (int i = 0; i < 3; ++i) {
    while (!task.hasProceeded.exchange(false))
      std::this_thread::yield();
    EXPECT_FALSE(after.hasBegun());
    stream.post(task);
  }
  waitUntilBegun(after);
  EXPECT_EQ(task.count, 3);
  EXPECT_NE(task.thread, std::this_thread::get_id());
  after.complete({});
  stream.drain();
}

TEST(StreamTest, NothingIsToldToAStreamThatNeverStarted) {
  Stream stream;
  SUCCEED();
}
