//===- ForkTest.cpp - Sessions in a forked child --------------------------===//
//
// A child has none of its parent's threads, so whatever waited for one would
// wait for ever. Each test runs its checks in a child, which an alarm ends when
// they hang.
//
//===----------------------------------------------------------------------===//

#include "lib/base/Fork.h"
#include "unittests/c_api/CApiTest.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace jobrt;
using namespace jobrt::test;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define JOBRT_HAS_TSAN
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define JOBRT_HAS_TSAN
#endif

static constexpr char kMessage[] =
    "expects to be in the process that made the session but got a fork of it: "
    "make a session in each process";

/// Runs `checks` in a child. It passes when all of its expectations hold.
template <typename Checks> static void inChild(Checks checks) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    checks();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << (WIFSIGNALED(status) ? "the child hung or crashed" : "see above");
}

static void expectForked(const Status &status) {
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), kMessage);
}

TEST(ForkTest, EveryCallOfTheSessionIsAnError) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(1).ok());
  Blob x(1);
  inChild([&] {
    expectForked(session->initialize(1));
    expectForked(session->run("train_job", {x.view()}).status());
    expectForked(session->submit("train_job", {x.view()}).status());
    expectForked(session->synchronize());
    expectForked(session->readVariable("weight").status());
    expectForked(session->readVariables({"weight"}).status());
    expectForked(session->writeVariable("weight", x.view()));
    expectForked(session->startTrace({folder.file("trace.json"), 1}));
    expectForked(session->finishTrace());
    session->cancel();
    EXPECT_GT(session->memory().total(), 0);
    EXPECT_EQ(session->lastAllocations().ours, -1);
    session.reset();
  });
  EXPECT_TRUE(session->run("train_job", {x.view()}).ok());
}

TEST(ForkTest, FuturesOfTheParent) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(2);
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Expected<Future> done = session->run("train_job", {x.view()});
  Expected<Future> pending = session->submit("copy_job", {x.view()});
  ASSERT_TRUE(done.ok() && pending.ok());
  gate.waitForArrivals(1);
  inChild([&] {
    EXPECT_TRUE(done->wait().ok());
    EXPECT_EQ(done->numOutputs(), 2);
    expectForked(pending->wait());
    // A callback is called, and learns the same.
    int calls = 0;
    done->onDone([&](const Future &future) {
      EXPECT_TRUE(future.wait().ok());
      ++calls;
    });
    pending->onDone([&](const Future &future) {
      expectForked(future.wait());
      ++calls;
    });
    EXPECT_EQ(calls, 2);
    *done = Future();
    *pending = Future();
  });
  gate.open();
  EXPECT_TRUE(pending->wait().ok());
}

TEST(ForkTest, AForkWaitsForGuards) {
  // What a guard surrounds has either not begun or ended in the child.
  std::atomic<bool> inside{false}, stop{false};
  std::thread thread([&] {
    while (!stop.load()) {
      ForkGuard outer, nested;
      inside.store(true);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      inside.store(false);
    }
  });
  for (int i = 0; i < 50; ++i)
    inChild([&] {
      EXPECT_FALSE(inside.load());
      ForkGuard again;
    });
  stop.store(true);
  thread.join();
}

TEST(ForkTest, FromC) {
  CSession session;
  CBlob x(1);
  jobrt_view input = x.view();
  inChild([&] {
    expectError(JOBRT_INVALID_ARGUMENT, kMessage, [&](jobrt_error **error) {
      return jobrt_session_call(session.handle, "train_job", &input, 1, nullptr,
                                0, error);
    });
    jobrt_session_cancel(session.handle);
    jobrt_session_destroy(session.handle);
  });
}

TEST(ForkTest, TheChildMakesASessionOfItsOwn) {
#ifdef JOBRT_HAS_TSAN
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a child";
#endif
  SessionOptions options;
  options.threads = 3;
  std::unique_ptr<Session> session = makeSession(options);
  ASSERT_TRUE(session->initialize(1).ok());
  inChild([&] {
    std::unique_ptr<Session> own = makeSession(options);
    ASSERT_TRUE(own->initialize(2).ok());
    Blob x(1, 1);
    for (int step = 0; step < 10; ++step) {
      Expected<Future> future = own->submit("copy_job", {x.view()});
      ASSERT_TRUE(future.ok() && future->wait().ok());
      EXPECT_EQ(floats(future->output(0)), x.values);
    }
    EXPECT_TRUE(own->synchronize().ok());
  });
}
