//===- CallbackTest.cpp - Callbacks of futures ----------------------------===//

#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <chrono>
#include <pthread.h>
#include <set>
#include <stdexcept>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;

static Future mustSubmit(Session &session, const char *entry, Blob &blob) {
  Expected<Future> future = session.submit(entry, {blob.view()});
  EXPECT_TRUE(future.ok()) << future.status().toString();
  return std::move(*future);
}

/// The step's number as the train job counts it.
static int64_t stepOf(const Future &future) {
  return *static_cast<int64_t *>(future.output(1).data);
}

TEST(CallbackTest, RunInStepOrderOneAtATime) {
  SessionOptions options;
  options.credits = 3;
  std::unique_ptr<Session> session = makeSession(options);
  ASSERT_TRUE(session->initialize(0).ok());
  std::vector<int64_t> order;
  std::atomic<int> inside{0};
  Blob x(1);
  for (int i = 0; i < 200; ++i)
    mustSubmit(*session, "train_job", x).onDone([&](const Future &future) {
      EXPECT_EQ(++inside, 1);
      EXPECT_TRUE(future.done());
      EXPECT_TRUE(future.wait().ok());
      order.push_back(stepOf(future));
      --inside;
    });
  ASSERT_TRUE(session->synchronize().ok());
  ASSERT_EQ(order.size(), 200u);
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(order[i], i + 1);
}

TEST(CallbackTest, ThoseOfSubmitRunInStepOrderWhicheverThreadSubmits) {
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(0).ok());
  std::vector<int64_t> order;
  auto note = [&](const Future &future) { order.push_back(stepOf(future)); };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      Blob x(1);
      for (int i = 0; i < 100; ++i)
        EXPECT_TRUE(session->submit("train_job", {x.view()}, note).ok());
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_TRUE(session->synchronize().ok());
  ASSERT_EQ(order.size(), 400u);
  for (int i = 0; i < 400; ++i)
    ASSERT_EQ(order[i], i + 1);
}

TEST(CallbackTest, TrySubmitDoesNotWaitForACallback) {
  SessionOptions options;
  options.credits = 1;
  std::unique_ptr<Session> session = makeSession(options);
  Gate gate;
  Blob x(1);
  ASSERT_TRUE(
      session
          ->submit("copy_job", {x.view()}, [&](const Future &) { gate.wait(); })
          .ok());
  Expected<Future> none = session->trySubmit("copy_job", {x.view()});
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->valid());
  gate.open();
  ASSERT_TRUE(session->waitForCredit().ok());
  Expected<Future> future = session->trySubmit("copy_job", {x.view()});
  ASSERT_TRUE(future.ok() && future->valid());
  EXPECT_TRUE(future->wait().ok());
}

TEST(CallbackTest, AnInterruptedWaitFailsAndTheStepGoesOn) {
  Gate gate;
  std::atomic<bool> interrupts{true};
  SessionOptions options;
  options.credits = 1;
  options.interrupted = [&] { return interrupts.load(); };
  std::unique_ptr<Session> session = makeSession(options);
  int calls = 0;
  Blob x(1);
  Expected<Future> future =
      session->submit("copy_job", {x.view()}, [&](const Future &) {
        gate.wait();
        ++calls;
      });
  ASSERT_TRUE(future.ok());
  // The credit is given back when the callback has returned.
  EXPECT_EQ(session->submit("copy_job", {x.view()}).status().code(),
            StatusCode::kCancelled);
  EXPECT_EQ(session->waitForCredit().code(), StatusCode::kCancelled);
  EXPECT_EQ(session->synchronize().code(), StatusCode::kCancelled);
  EXPECT_EQ(calls, 0);
  interrupts = false;
  gate.open();
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_EQ(calls, 1);
}

TEST(CallbackTest, AnInterruptedWaitForAStep) {
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  SessionOptions options;
  std::atomic<bool> interrupts{true};
  options.interrupted = [&] { return interrupts.load(); };
  std::unique_ptr<Session> session = makeSession(options);
  Blob x(1);
  Future future = mustSubmit(*session, "copy_job", x);
  EXPECT_EQ(future.wait().code(), StatusCode::kCancelled);
  EXPECT_EQ(session->synchronize().code(), StatusCode::kCancelled);
  EXPECT_FALSE(future.done());
  interrupts = false;
  gate.open();
  EXPECT_TRUE(future.wait().ok());
}

TEST(CallbackTest, RunOnTheirOwnThreadWhenTheStepIsNotDone) {
  std::unique_ptr<Session> session = makeSession();
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  std::set<std::thread::id> threads;
  Blob x(1);
  for (int i = 0; i < 3; ++i)
    mustSubmit(*session, "copy_job", x).onDone([&](const Future &) {
      threads.insert(std::this_thread::get_id());
    });
  gate.open();
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_FALSE(threads.count(std::this_thread::get_id()));
}

TEST(CallbackTest, RunAtOnceWhenTheStepIsDone) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Expected<Future> future = session->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok());
  std::thread::id ranOn;
  future->onDone([&](const Future &) { ranOn = std::this_thread::get_id(); });
  EXPECT_EQ(ranOn, std::this_thread::get_id());
}

TEST(CallbackTest, ADoneStepQueuesBehindRunningCallbacks) {
  std::unique_ptr<Session> session = makeSession();
  // Until the first callback is added: it would run at once on this thread.
  Gate stepMayRun;
  CallScope scope({.beforeChunk = [&](int64_t) {
    stepMayRun.wait();
    return Status();
  }});
  Blob x(1);
  Gate gate;
  std::vector<int> order;
  mustSubmit(*session, "copy_job", x).onDone([&](const Future &) {
    gate.wait();
    order.push_back(1);
  });
  stepMayRun.open();
  gate.waitForArrivals(1);
  Expected<Future> second = session->run("copy_job", {x.view()});
  ASSERT_TRUE(second.ok() && second->wait().ok());
  second->onDone([&](const Future &) { order.push_back(2); });
  gate.open();
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(CallbackTest, SeveralOfOneStepRunInTheirOrder) {
  std::unique_ptr<Session> session = makeSession();
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Blob x(1);
  std::vector<int> order;
  Future future = mustSubmit(*session, "copy_job", x);
  for (int i = 0; i < 10; ++i)
    future.onDone([&, i](const Future &) { order.push_back(i); });
  gate.open();
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(CallbackTest, MayAddCallbacksAndSteps) {
  SessionOptions options;
  options.credits = 1;
  std::unique_ptr<Session> session = makeSession(options);
  ASSERT_TRUE(session->initialize(0).ok());
  Blob x(1);
  std::atomic<int> depth{0};
  std::function<void(const Future &)> next = [&](const Future &future) {
    if (++depth == 20)
      return;
    // With its own step's credit returned and one more callback on itself.
    if (depth % 2)
      mustSubmit(*session, "train_job", x).onDone(next);
    else
      future.onDone(next);
  };
  mustSubmit(*session, "train_job", x).onDone(next);
  while (depth < 20)
    std::this_thread::yield();
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(depth, 20);
}

TEST(CallbackTest, TheSessionsEndWaitsForChainsOfSteps) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  std::atomic<int> calls{0};
  Session *raw = session.get();
  std::function<void(const Future &)> next = [&](const Future &) {
    if (++calls < 10)
      mustSubmit(*raw, "train_job", x).onDone(next);
  };
  mustSubmit(*session, "train_job", x).onDone(next);
  session.reset();
  EXPECT_EQ(calls, 10);
}

/// The end looks while a callback is between its own step and the next one,
/// whose callback is the one to begin a third.
TEST(CallbackTest, TheSessionsEndWaitsForSlowChainsOfSteps) {
  auto pause = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  std::unique_ptr<Session> session = makeSession();
  CallScope scope({.beforeChunk = [&](int64_t) {
    pause(5);
    return Status();
  }});
  Blob x(1);
  Gate betweenSteps;
  std::atomic<int> calls{0};
  Session *raw = session.get();
  std::function<void(const Future &)> next = [&](const Future &) {
    if (++calls == 3)
      return;
    if (calls == 2)
      pause(20);
    Future future = mustSubmit(*raw, "copy_job", x);
    if (calls == 1) {
      EXPECT_TRUE(future.wait().ok());
      betweenSteps.open();
      pause(20);
    }
    future.onDone(next);
  };
  mustSubmit(*session, "copy_job", x).onDone(next);
  betweenSteps.wait();
  session.reset();
  EXPECT_EQ(calls, 3);
}

TEST(CallbackTest, SlowCallbacksHoldSubmittersBack) {
  SessionOptions options;
  options.credits = 2;
  std::unique_ptr<Session> session = makeSession(options);
  Blob x(1);
  std::atomic<int> submitted{0}, called{0};
  int worst = 0;
  for (int i = 0; i < 30; ++i) {
    Future future = mustSubmit(*session, "train_job", x);
    ++submitted;
    future.onDone([&](const Future &) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++called;
    });
    worst = std::max(worst, submitted - called);
  }
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(called, 30);
  EXPECT_LE(worst, 3);
}

TEST(CallbackTest, SeeErrorsOfTheirStep) {
  std::unique_ptr<Session> session = makeSession();
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status(StatusCode::kInternal, "broke");
  }});
  Blob x(1);
  std::string message;
  mustSubmit(*session, "copy_job", x).onDone([&](const Future &future) {
    message = future.wait().message();
  });
  gate.open();
  EXPECT_TRUE(session->synchronize().ok()) << "the callback saw it";
  EXPECT_TRUE(contains(message, "test.call: broke"));
}

TEST(CallbackTest, ExceptionsReachSynchronize) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Expected<Future> future = session->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok());
  future->onDone(
      [](const Future &) { throw std::runtime_error("file is gone"); });
  Status status = session->synchronize();
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_EQ(status.message(),
            "job 'train_job': a callback threw: file is gone");
  mustSubmit(*session, "train_job", x).onDone([](const Future &) { throw 1; });
  EXPECT_EQ(session->synchronize().message(),
            "job 'train_job': a callback threw: an exception of unknown type");
  EXPECT_TRUE(session->synchronize().ok());
}

TEST(CallbackTest, SynchronizeInsideOfACallbackIsAnError) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Status status;
  mustSubmit(*session, "train_job", x).onDone([&](const Future &) {
    status = session->synchronize();
  });
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "synchronize expects to be called outside of a "
                              "callback, which it would wait for");
}

TEST(CallbackTest, MayReadVariables) {
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(3).ok());
  Blob x(1);
  float read = 0;
  mustSubmit(*session, "train_job", x).onDone([&](const Future &) {
    Expected<Tensor> weight = session->readVariable("weight");
    ASSERT_TRUE(weight.ok());
    read = floats(weight->view())[0];
  });
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(read, 4.0f);
}

/// As Python does with threads that outlive the interpreter.
TEST(CallbackTest, AThreadMayEndInside) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Expected<Future> done = session->run("train_job", {x.view()});
  ASSERT_TRUE(done.ok());
  auto end = [](const Future &) { pthread_exit(nullptr); };
  std::thread([&] { done->onDone(end); }).join();
  EXPECT_TRUE(session->synchronize().ok());
  // The session's own thread, or this one when the step is over by then: who
  // waits for callbacks calls them from then on.
  std::thread([&] { mustSubmit(*session, "train_job", x).onDone(end); }).join();
  EXPECT_TRUE(session->synchronize().ok());
  int calls = 0;
  for (int i = 0; i < 10; ++i) // more than there are credits
    mustSubmit(*session, "train_job", x).onDone([&](const Future &) {
      ++calls;
    });
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_EQ(calls, 10);
  session.reset();
}

/// The thread that waits calls the callbacks of the same step that are left.
TEST(CallbackTest, AThreadThatEndsInsideLeavesTheOtherCallbacks) {
  std::unique_ptr<Session> session = makeSession();
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Blob x(3);
  Future step = mustSubmit(*session, "copy_job", x);
  std::vector<int> order;
  step.onDone([&](const Future &) { order.push_back(0); });
  step.onDone([](const Future &) { pthread_exit(nullptr); });
  step.onDone([&](const Future &) { order.push_back(1); });
  gate.open();
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_EQ(order, std::vector({0, 1}));
}

//===----------------------------------------------------------------------===//
// The session's end
//===----------------------------------------------------------------------===//

/// The steps that are in flight are run; their callbacks follow the one that
/// ended the session.
TEST(CallbackTest, MayEndTheSessionOnTheCallbackThread) {
  SessionOptions options;
  options.credits = 5;
  std::unique_ptr<Session> session = makeSession(options);
  Gate gate, end;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Blob x(3);
  std::vector<int> order;
  std::vector<Future> futures;
  for (int i = 0; i < 4; ++i)
    futures.push_back(mustSubmit(*session, "copy_job", x));
  for (int i = 0; i < 4; ++i)
    futures[i].onDone([&, i](const Future &future) {
      if (i == 1)
        session.reset();
      EXPECT_TRUE(future.wait().ok());
      EXPECT_EQ(floats(future.output(0)), x.values);
      order.push_back(i);
      if (i == 3)
        end.open();
    });
  gate.open();
  end.wait();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(session, nullptr);
}

TEST(CallbackTest, MayEndTheSessionOnTheCallersThread) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Expected<Future> future = session->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok());
  future->onDone([&](const Future &) { session.reset(); });
  EXPECT_EQ(session, nullptr);
  bool called = false;
  future->onDone([&](const Future &) { called = true; });
  EXPECT_TRUE(called);
}

TEST(CallbackTest, MayEndASessionInsideAnOuterCallbackOfIt) {
  std::unique_ptr<Session> session = makeSession(), other = makeSession();
  Blob x(1);
  Expected<Future> outer = session->run("train_job", {x.view()});
  Expected<Future> inner = other->run("train_job", {x.view()});
  ASSERT_TRUE(outer.ok() && inner.ok());
  outer->onDone([&](const Future &) {
    inner->onDone([&](const Future &) { session.reset(); });
  });
  EXPECT_EQ(session, nullptr);
}

namespace {
/// Holds its thread's end up.
struct ThreadEnd {
  ~ThreadEnd() {
    if (reached) {
      reached->open();
      mayGoOn->wait();
    }
  }
  Gate *reached = nullptr, *mayGoOn = nullptr;
};
} // namespace

static thread_local ThreadEnd threadEnd;

/// The callback thread has looked at its queue for the last time but has not
/// been joined: whoever adds a callback calls it.
TEST(CallbackTest, NoneIsLostWhileTheCallbackThreadEnds) {
  std::unique_ptr<Session> session = makeSession();
  Gate gate, reached, mayGoOn;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Blob x(1);
  Future future = mustSubmit(*session, "copy_job", x);
  future.onDone([&](const Future &) {
    threadEnd.reached = &reached;
    threadEnd.mayGoOn = &mayGoOn;
  });
  gate.open();
  std::thread ender([&] { session.reset(); });
  reached.wait();
  bool called = false;
  future.onDone([&](const Future &) {
    future.onDone([&](const Future &) { called = true; });
  });
  EXPECT_TRUE(called);
  mayGoOn.open();
  ender.join();
}

/// The last reference on everything goes inside the callback.
TEST(CallbackTest, AFutureMayBeFreedInItsCallback) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Expected<Future> ran = session->run("train_job", {x.view()});
  ASSERT_TRUE(ran.ok());
  auto future = std::make_unique<Future>(std::move(*ran));
  session.reset();
  bool called = false;
  future->onDone([&](const Future &) {
    future.reset();
    called = true;
  });
  EXPECT_TRUE(called);
}
