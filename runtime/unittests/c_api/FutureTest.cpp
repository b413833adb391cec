//===- FutureTest.cpp - Calls in flight in C ------------------------------===//

#include "unittests/c_api/CApiTest.h"

#include <stdexcept>
#include <utility>

using namespace jobrt;
using namespace jobrt::test;

static jobrt_future *submit(CSession &session, const char *entry,
                            const CBlob &x) {
  jobrt_view input = x.view();
  jobrt_future *future = nullptr;
  EXPECT_EQ(
      jobrt_session_submit(session.handle, entry, &input, 1, &future, nullptr),
      JOBRT_OK);
  return future;
}

TEST(CFutureTest, InFlightThenDone) {
  CSession session;
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  CBlob x(3);
  jobrt_future *future = submit(session, "copy_job", x);
  gate.waitForArrivals(1);
  EXPECT_EQ(jobrt_future_done(future), 0);
  EXPECT_STREQ(jobrt_entry_name(jobrt_future_entry(future)), "copy_job");
  jobrt_view output;
  expectError(JOBRT_INVALID_ARGUMENT,
              "job 'copy_job': expects a step that is done but got one in "
              "flight",
              [&](jobrt_error **error) {
                return jobrt_future_output(future, 0, &output, error);
              });
  gate.open();
  EXPECT_EQ(jobrt_future_wait(future, nullptr), JOBRT_OK);
  EXPECT_EQ(jobrt_future_done(future), 1);
  EXPECT_EQ(jobrt_future_num_outputs(future), 2);
  EXPECT_EQ(jobrt_future_output(future, 0, &output, nullptr), JOBRT_OK);
  EXPECT_EQ(output.dtype, JOBRT_F32);
  EXPECT_EQ(output.rank, 1);
  EXPECT_EQ(output.shape[0], kBlobSize);
  EXPECT_EQ(static_cast<const float *>(output.data)[5], 3.0f);
  jobrt_future_destroy(future);
}

TEST(CFutureTest, OutputsWithACount) {
  CArtifact artifact(boundedManifest());
  const jobrt_entry *entry =
      jobrt_artifact_find_entry(artifact.handle, "train_job");
  EXPECT_EQ(jobrt_port_count(jobrt_entry_output(entry, 0)), 1);
  EXPECT_EQ(jobrt_port_count(jobrt_entry_output(entry, 1)), -1);
  EXPECT_EQ(jobrt_port_count(jobrt_entry_input(entry, 0)), -1);
  EXPECT_EQ(jobrt_port_count(nullptr), -1);
  EXPECT_EQ(jobrt_port_bounded_dim(jobrt_entry_output(entry, 0)), 0);
  EXPECT_EQ(jobrt_port_bounded_dim(jobrt_entry_output(entry, 1)), -1);
  EXPECT_EQ(jobrt_port_bounded_dim(nullptr), -1);
  jobrt_session *session = nullptr;
  ASSERT_EQ(jobrt_session_create(artifact.handle, nullptr, &session, nullptr),
            JOBRT_OK);
  ASSERT_EQ(jobrt_session_initialize(session, 1, nullptr), JOBRT_OK);
  CBlob x(2);
  jobrt_view input = x.view();
  jobrt_future *first = nullptr, *second = nullptr;
  for (jobrt_future **future : {&first, &second})
    ASSERT_EQ(
        jobrt_session_run(session, "train_job", &input, 1, future, nullptr),
        JOBRT_OK);
  // A view's shape is that of its own step, also after the session.
  jobrt_session_destroy(session);
  jobrt_view one, two;
  ASSERT_EQ(jobrt_future_output(first, 0, &one, nullptr), JOBRT_OK);
  ASSERT_EQ(jobrt_future_output(second, 0, &two, nullptr), JOBRT_OK);
  EXPECT_EQ(one.rank, 1);
  EXPECT_EQ(one.shape[0], 1);
  EXPECT_EQ(two.shape[0], 2);
  jobrt_future_destroy(first);
  jobrt_future_destroy(second);
}

TEST(CFutureTest, OutlivesTheSession) {
  jobrt_future *future = nullptr, *copy = nullptr;
  {
    CSession session;
    future = submit(session, "train_job", CBlob(2));
  }
  EXPECT_EQ(jobrt_future_copy(future, &copy, nullptr), JOBRT_OK);
  jobrt_future_destroy(future);
  jobrt_view output;
  ASSERT_EQ(jobrt_future_output(copy, 0, &output, nullptr), JOBRT_OK);
  EXPECT_EQ(output.shape[0], kBlobSize);
  EXPECT_EQ(static_cast<const float *>(output.data)[1], 4.0f);
  jobrt_future_destroy(copy);
}

TEST(CFutureTest, Failed) {
  CSession session;
  CallScope scope({.beforeChunk = [](int64_t) {
    return Status(StatusCode::kResourceExhausted, "no room");
  }});
  CBlob x(3);
  jobrt_view input = x.view(), output;
  jobrt_future *future = nullptr;
  EXPECT_EQ(jobrt_session_run(session.handle, "copy_job", &input, 1, &future,
                              nullptr),
            JOBRT_OK);
  EXPECT_EQ(jobrt_future_wait(future, nullptr), JOBRT_RESOURCE_EXHAUSTED);
  EXPECT_EQ(jobrt_future_output(future, 0, &output, nullptr),
            JOBRT_RESOURCE_EXHAUSTED);
  jobrt_future_destroy(future);
}

namespace {
/// What a callback found.
struct Found {
  jobrt_session *session = nullptr;
  jobrt_future *kept = nullptr;
  jobrt_status waiting = -1, synchronizing = -1;
};
} // namespace

static void lookAround(const jobrt_future *future, void *user) {
  auto *found = static_cast<Found *>(user);
  found->waiting = jobrt_future_wait(future, nullptr);
  found->synchronizing = jobrt_session_synchronize(found->session, nullptr);
  jobrt_future_copy(future, &found->kept, nullptr);
}

TEST(CFutureTest, Callbacks) {
  CSession session;
  Found found;
  found.session = session.handle;
  jobrt_future *future = submit(session, "train_job", CBlob(2));
  ASSERT_EQ(jobrt_future_on_done(future, lookAround, &found, nullptr),
            JOBRT_OK);
  jobrt_future_destroy(future);
  EXPECT_EQ(jobrt_session_synchronize(session.handle, nullptr), JOBRT_OK);
  EXPECT_EQ(found.waiting, JOBRT_OK);
  EXPECT_EQ(found.synchronizing, JOBRT_INVALID_ARGUMENT);
  jobrt_view output;
  EXPECT_EQ(jobrt_future_output(found.kept, 0, &output, nullptr), JOBRT_OK);
  jobrt_future_destroy(found.kept);
}

TEST(CFutureTest, ExceptionsOfCallbacksComeOutOfSynchronize) {
  CSession session;
  jobrt_future *future = submit(session, "train_job", CBlob(2));
  auto throws = [](const jobrt_future *, void *) {
    throw std::runtime_error("surprise");
  };
  ASSERT_EQ(jobrt_future_on_done(future, throws, nullptr, nullptr), JOBRT_OK);
  expectError(JOBRT_INTERNAL, "job 'train_job': a callback threw: surprise",
              [&](jobrt_error **error) {
                if (error)
                  return jobrt_session_synchronize(session.handle, error);
                // The second time there is nothing left to report.
                EXPECT_EQ(jobrt_session_synchronize(session.handle, nullptr),
                          JOBRT_OK);
                return jobrt_status(JOBRT_INTERNAL);
              });
  jobrt_future_destroy(future);
}

TEST(CFutureTest, Errors) {
  CSession session;
  jobrt_future *future = submit(session, "train_job", CBlob(2)), *copy;
  ASSERT_EQ(jobrt_future_wait(future, nullptr), JOBRT_OK);
  jobrt_view output;
  auto expect = [](const char *message, auto call) {
    expectError(JOBRT_INVALID_ARGUMENT, message, call);
  };
  for (int32_t index : {-1, 2})
    expect(
        ("job 'train_job': expects the index of one of 2 outputs but got " +
         std::to_string(index))
            .c_str(),
        [&](jobrt_error **error) {
          return jobrt_future_output(future, index, &output, error);
        });
  expect("expects a place for the output but got NULL",
         [&](jobrt_error **error) {
           return jobrt_future_output(future, 0, nullptr, error);
         });
  expect("expects a callback but got NULL", [&](jobrt_error **error) {
    return jobrt_future_on_done(future, nullptr, nullptr, error);
  });
  expect("expects a place for the copy but got NULL", [&](jobrt_error **error) {
    return jobrt_future_copy(future, nullptr, error);
  });
  jobrt_future_destroy(future);

  expect("expects a future but got NULL", [&](jobrt_error **error) {
    return jobrt_future_wait(nullptr, error);
  });
  expect("expects a future but got NULL", [&](jobrt_error **error) {
    return jobrt_future_output(nullptr, 0, &output, error);
  });
  expect("expects a future but got NULL", [&](jobrt_error **error) {
    return jobrt_future_on_done(nullptr, lookAround, nullptr, error);
  });
  expect("expects a future but got NULL", [&](jobrt_error **error) {
    return jobrt_future_copy(nullptr, &copy, error);
  });
  EXPECT_EQ(jobrt_future_done(nullptr), 0);
  EXPECT_EQ(jobrt_future_entry(nullptr), nullptr);
  EXPECT_EQ(jobrt_future_num_outputs(nullptr), 0);
  jobrt_future_destroy(nullptr);
}

namespace {
/// What a callback that ends its session needs.
struct Ending {
  jobrt_session *session;
  Gate gate;
};
} // namespace

TEST(CFutureTest, ACallbackMayDestroyTheSession) {
  CSession session;
  Ending ending{std::exchange(session.handle, nullptr), {}};
  CBlob x(2);
  jobrt_view input = x.view();
  jobrt_future *future = nullptr;
  ASSERT_EQ(jobrt_session_submit(ending.session, "train_job", &input, 1,
                                 &future, nullptr),
            JOBRT_OK);
  auto destroy = [](const jobrt_future *done, void *user) {
    auto *ending = static_cast<Ending *>(user);
    jobrt_session_destroy(ending->session);
    EXPECT_EQ(jobrt_future_wait(done, nullptr), JOBRT_OK);
    ending->gate.open();
  };
  ASSERT_EQ(jobrt_future_on_done(future, destroy, &ending, nullptr), JOBRT_OK);
  ending.gate.wait();
  jobrt_future_destroy(future);
}
