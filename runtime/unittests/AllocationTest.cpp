//===- AllocationTest.cpp - Nothing is allocated after load ---------------===//

#include "lib/base/AllocationCounter.h"
#include "unittests/DelayedDriver.h"
#include "unittests/MixedArtifact.h"
#include "unittests/TestCalls.h"
#include "unittests/c_api/CApiTest.h"

#include <cerrno>
#include <cstdlib>
#include <malloc.h>

using namespace jobrt;
using namespace jobrt::test;

/// Keeps the optimizer from removing an allocation.
static void *volatile sink;

static void touch(void *pointer) {
  sink = pointer;
  std::free(pointer);
}

TEST(AllocationTest, CountsEveryFunctionOfTheFamily) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  struct {
    const char *name;
    void (*allocate)();
  } rows[] = {{"malloc", [] { touch(std::malloc(10)); }},
              {"calloc", [] { touch(std::calloc(10, 3)); }},
              {"realloc", [] { touch(std::realloc(nullptr, 10)); }},
              {"memalign", [] { touch(memalign(64, 10)); }},
              {"aligned_alloc", [] { touch(std::aligned_alloc(64, 64)); }},
              {"posix_memalign",
               [] {
                 void *pointer = nullptr;
                 EXPECT_EQ(posix_memalign(&pointer, 64, 10), 0);
                 EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 64, 0u);
                 touch(pointer);
               }},
              {"new", [] {
                 auto *pointer = new int;
                 sink = pointer;
                 delete pointer;
               }}};
  for (auto &row : rows) {
    int64_t before = threadAllocations();
    row.allocate();
    EXPECT_EQ(threadAllocations() - before, 1) << row.name;
  }
  void *pointer = nullptr;
  EXPECT_EQ(posix_memalign(&pointer, 3, 10), EINVAL);
}

/// The report after one step of that job.
static AllocationReport reportOf(Session &session, const char *entry,
                                 bool blocking) {
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  Expected<Future> future =
      blocking ? session.run(entry, inputs) : session.submit(entry, inputs);
  EXPECT_TRUE(future.ok() && future->wait().ok());
  return session.lastAllocations();
}

TEST(AllocationTest, NothingOfOursFromTheFirstStepOn) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  for (int threads : {1, 3}) {
    SessionOptions options;
    options.threads = threads;
    std::unique_ptr<Session> session = makeSession(options);
    for (int step = 0; step < 20; ++step)
      for (bool blocking : {true, false})
        for (const char *entry : {"train_job", "predict_job", "copy_job"}) {
          AllocationReport report = reportOf(*session, entry, blocking);
          EXPECT_EQ(report.ours, 0) << entry << " " << step;
          // A library may make a record of a thread when it first meets it.
          if (step > 0)
            EXPECT_EQ(report.library, 0) << entry << " " << step;
        }
  }
}

TEST(AllocationTest, SeveralQueuesAllocateNothing) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  for (int threads : {1, 3}) {
    SessionOptions options;
    options.threads = threads;
    std::unique_ptr<Session> session = makeSession(options, queueManifest());
    for (int step = 0; step < 20; ++step)
      EXPECT_EQ(reportOf(*session, "queue_job", /*blocking=*/true).ours, 0)
          << step;
  }
}

TEST(AllocationTest, SeveralDevicesAllocateNothing) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  registerTestCall();
  registerDelayedDriver();
  for (const char *drivers : {"host,host", "delayed,host"}) {
    SessionOptions options;
    options.driver = drivers;
    options.threads = 2;
    Expected<std::unique_ptr<Session>> session =
        Session::create(loadTestArtifact(mixedManifest()), options);
    ASSERT_TRUE(session.ok()) << session.status().toString();
    for (int step = 0; step < 20; ++step)
      for (const char *entry : {"train_job", "predict_job", "repeat_job"})
        EXPECT_EQ(reportOf(**session, entry, step % 2 == 0).ours, 0)
            << entry << " " << step;
  }
}

TEST(AllocationTest, OutputsWithACountAllocateNothing) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  std::unique_ptr<Session> session = makeSession({}, boundedManifest());
  for (int step = 0; step < 20; ++step)
    EXPECT_EQ(reportOf(*session, "train_job", step % 2 == 0).ours, 0) << step;
}

TEST(AllocationTest, HostCallsAreNotOurs) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  std::unique_ptr<Session> session = makeSession({}, hostCallManifest());
  auto allocate = [](std::span<const HostBuffer>) -> Status {
    touch(std::malloc(10));
    return {};
  };
  ASSERT_TRUE(session->registerFunction("twice", allocate).ok());
  ASSERT_TRUE(session->registerFunction("watch", allocate).ok());
  for (int step = 0; step < 5; ++step) {
    AllocationReport report = reportOf(*session, "host_job", /*blocking=*/true);
    EXPECT_EQ(report.ours, 0);
    EXPECT_EQ(report.library, 2);
  }
}

TEST(AllocationTest, TheWholeCallAllocatesNothing) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  // Counted from outside: the future and its callback too.
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  int calls = 0;
  for (int step = 0; step < 10; ++step) {
    int64_t before = threadAllocations();
    {
      Expected<Future> future = session->run("train_job", inputs);
      Future copy = *future;
      copy.onDone([&calls](const Future &) { ++calls; });
      EXPECT_TRUE(copy.wait().ok());
    }
    EXPECT_EQ(threadAllocations() - before, 0) << step;
  }
  EXPECT_EQ(calls, 10);
}

TEST(AllocationTest, TheWholeCallFromCAllocatesNothing) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  CSession session;
  CBlob x(1), result;
  int64_t shape[] = {1}, count = 0;
  const jobrt_view input = x.view();
  const jobrt_buffer outputs[] = {result.buffer(),
                                  {JOBRT_I64, 1, shape, &count}};
  int calls = 0;
  auto countCall = [](const jobrt_future *, void *user) {
    ++*static_cast<int *>(user);
  };
  for (int step = 0; step < 10; ++step) {
    int64_t before = threadAllocations();
    EXPECT_EQ(jobrt_session_initialize(session.handle, 1, nullptr), JOBRT_OK);
    EXPECT_EQ(jobrt_session_call(session.handle, "train_job", &input, 1,
                                 outputs, 2, nullptr),
              JOBRT_OK);
    for (auto start : {jobrt_session_run, jobrt_session_submit}) {
      jobrt_future *future = nullptr, *copy = nullptr;
      jobrt_view output;
      EXPECT_EQ(start(session.handle, "train_job", &input, 1, &future, nullptr),
                JOBRT_OK);
      EXPECT_EQ(jobrt_future_copy(future, &copy, nullptr), JOBRT_OK);
      jobrt_future_destroy(future);
      EXPECT_EQ(jobrt_future_wait(copy, nullptr), JOBRT_OK);
      EXPECT_EQ(jobrt_future_output(copy, 0, &output, nullptr), JOBRT_OK);
      EXPECT_EQ(jobrt_future_on_done(copy, countCall, &calls, nullptr),
                JOBRT_OK);
      jobrt_future_destroy(copy);
    }
    EXPECT_EQ(threadAllocations() - before, 0) << step;
  }
  EXPECT_EQ(jobrt_session_synchronize(session.handle, nullptr), JOBRT_OK);
  EXPECT_EQ(calls, 20);
  EXPECT_EQ(count, 1);
}

TEST(AllocationTest, ATraceAllocatesNothingInTheSteps) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  TemporaryFolder folder;
  SessionOptions options;
  options.threads = 3;
  std::unique_ptr<Session> session = makeSession(options);
  ASSERT_TRUE(session->startTrace({folder.file("trace.json"), 5}).ok());
  for (int step = 0; step < 20; ++step)
    for (bool blocking : {true, false})
      EXPECT_EQ(reportOf(*session, "train_job", blocking).ours, 0) << step;
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  int64_t before = threadAllocations();
  {
    Expected<Future> future = session->run("train_job", inputs);
    future->onDone([](const Future &) {});
    EXPECT_TRUE(future->wait().ok());
  }
  EXPECT_EQ(threadAllocations() - before, 0);
  EXPECT_TRUE(session->finishTrace().ok());
}

TEST(AllocationTest, StepsThatCompleteLaterAllocateNothing) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  registerDelayedDriver();
  SessionOptions options;
  options.driver = "delayed";
  std::unique_ptr<Session> session = makeSession(options);
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  int calls = 0;
  int64_t before = threadAllocations();
  int64_t inCompletions = numAllocationsInCompletions();
  for (int step = 0; step < 100; ++step) {
    Expected<Future> future = step % 5 ? session->submit("train_job", inputs)
                                       : session->run("train_job", inputs);
    future->onDone([&calls](const Future &) { ++calls; });
  }
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_EQ(threadAllocations() - before, 0);
  EXPECT_EQ(numAllocationsInCompletions() - inCompletions, 0);
  EXPECT_EQ(session->lastAllocations().ours, 0);
  EXPECT_EQ(calls, 100);
}

TEST(AllocationTest, LibrariesAreCountedApart) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  CallScope scope({.beforeChunk =
                       [](int64_t chunk) {
                         touch(std::malloc(100));
                         if (chunk == 2)
                           touch(std::malloc(100));
                         return Status();
                       },
                   .atFinish =
                       [] {
                         touch(std::malloc(100));
                         return Status();
                       }});
  for (int threads : {1, 4}) {
    SessionOptions options;
    options.threads = threads;
    std::unique_ptr<Session> session = makeSession(options);
    for (bool blocking : {true, false}) {
      reportOf(*session, "copy_job", blocking);
      AllocationReport report = reportOf(*session, "copy_job", blocking);
      EXPECT_EQ(report.ours, 0);
      EXPECT_EQ(report.library, 6);
    }
  }
}

TEST(AllocationTest, SlotsForKeptFuturesAreOurs) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer has replaced malloc";
  SessionOptions options;
  options.credits = 1;
  std::unique_ptr<Session> session = makeSession(options);
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  Expected<Future> first = session->run("train_job", inputs);
  EXPECT_EQ(session->lastAllocations().ours, 0);
  Expected<Future> second = session->run("train_job", inputs);
  EXPECT_GT(session->lastAllocations().ours, 0);
}

TEST(AllocationTest, UnknownWithoutASource) {
  setAllocationSource(nullptr);
  std::unique_ptr<Session> session = makeSession();
  AllocationReport report = reportOf(*session, "train_job", true);
  EXPECT_EQ(report.ours, -1);
  EXPECT_EQ(report.library, -1);
  if (countsAllocations())
    setAllocationSource(&threadAllocations);
}
