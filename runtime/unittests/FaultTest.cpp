//===- FaultTest.cpp - Memory that runs out at every place ----------------===//
//
// Lets the n-th allocation of an operation fail, for every n: the operation
// fails with a status, or did not need it; what was before still works.
// Loading is not among them: the JSON library allocates in a destructor.
//
//===----------------------------------------------------------------------===//

#include "unittests/c_api/CApiTest.h"

#include <cstdlib>
#include <new>

using namespace jobrt;
using namespace jobrt::test;

/// Allocations of this thread until one fails; negative for none.
static thread_local long countdown = -1;

void *operator new(size_t size) {
  if (countdown >= 0 && countdown-- == 0)
    throw std::bad_alloc();
  if (void *memory = std::malloc(size))
    return memory;
  throw std::bad_alloc();
}
void *operator new[](size_t size) { return operator new(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t) noexcept { std::free(memory); }

/// Calls `operation` with failures at every place until it succeeds without
/// one. `operation` returns its status.
template <typename Operation>
static void failEverywhere(const std::string &message, Operation operation) {
  for (long n = 0; n < 100'000; ++n) {
    countdown = n;
    Status status = operation();
    bool wasReached = countdown < 0;
    countdown = -1;
    if (!wasReached) {
      EXPECT_TRUE(status.ok()) << status.toString();
      EXPECT_GT(n, 0) << "the operation allocates nothing";
      return;
    }
    if (!status.ok()) {
      EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
      EXPECT_EQ(status.message(), message);
    }
  }
  FAIL() << "the operation never succeeds";
}

TEST(FaultTest, MakingASession) {
  std::shared_ptr<const Artifact> artifact = loadTestArtifact();
  for (const char *driver : {"host", "null"}) {
    SessionOptions options;
    options.driver = driver;
    options.threads = 3;
    failEverywhere("no memory left to make a session",
                   [&] { return Session::create(artifact, options).status(); });
  }
}

TEST(FaultTest, AStepWhoseOutputsNeedRoom) {
  SessionOptions options;
  options.credits = 1;
  std::unique_ptr<Session> session = makeSession(options);
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  Expected<Future> kept = session->run("train_job", inputs);
  ASSERT_TRUE(kept.ok());
  std::vector<Future> futures;
  futures.reserve(10);
  for (bool blocking : {true, false})
    failEverywhere("no memory left to queue a step", [&] {
      Expected<Future> future = blocking ? session->run("train_job", inputs)
                                         : session->submit("train_job", inputs);
      if (!future.ok())
        return future.status();
      Status status = future->wait();
      futures.push_back(std::move(*future));
      return status;
    });
}

TEST(FaultTest, ReadingAndWritingVariables) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  TensorView view = x.view();
  failEverywhere("no memory left to read a variable",
                 [&] { return session->readVariable("weight").status(); });
  failEverywhere("no memory left to write a variable",
                 [&] { return session->writeVariable("weight", view); });
  std::vector<std::pair<std::string, TensorView>> values{{"weight", view}};
  failEverywhere("no memory left to write variables",
                 [&] { return session->writeVariables(values); });
  Expected<Tensor> read = session->readVariable("weight");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(floats(read->view()), x.values);
}

TEST(FaultTest, TheErrorOfAStep) {
  SessionOptions options;
  options.threads = 1;
  std::unique_ptr<Session> session = makeSession(options);
  Status broke(StatusCode::kInternal, "broke");
  CallScope scope({.beforeChunk = [&](int64_t) { return broke; }});
  Blob x(1);
  std::vector<TensorView> inputs{x.view()};
  for (long n = 0;; ++n) {
    countdown = n;
    Expected<Future> future = session->run("copy_job", inputs);
    bool wasReached = countdown < 0;
    countdown = -1;
    ASSERT_TRUE(future.ok());
    Status status = future->wait();
    EXPECT_FALSE(status.ok());
    if (!wasReached) {
      EXPECT_TRUE(contains(status.message(), "test.call: broke"));
      break;
    }
    EXPECT_EQ(status.message(), "no memory left to describe the error of a "
                                "step");
  }
}

/// Every function of C that makes something: it fails with a code and an error
/// object, or does the whole of its work.
TEST(FaultTest, TheCApi) {
  CSession session;
  CBlob x(1), product;
  jobrt_view input = x.view();
  int64_t count = 0;
  const int64_t one[] = {1};
  jobrt_buffer outputs[] = {product.buffer(), {JOBRT_I64, 1, one, &count}};
  auto fail = [&](auto call) {
    for (long n = 0; n < 100'000; ++n) {
      jobrt_error *error = nullptr;
      countdown = n;
      jobrt_status status = call(&error);
      bool wasReached = countdown < 0;
      countdown = -1;
      if (status != JOBRT_OK) {
        EXPECT_EQ(status, JOBRT_RESOURCE_EXHAUSTED);
        EXPECT_EQ(jobrt_error_status(error), status);
        EXPECT_TRUE(contains(jobrt_error_message(error), "no memory left to"));
        jobrt_error_destroy(error);
      }
      if (!wasReached) {
        EXPECT_EQ(status, JOBRT_OK);
        return;
      }
    }
    FAIL() << "the operation never succeeds";
  };

  jobrt_session *second = nullptr;
  fail([&](jobrt_error **error) {
    jobrt_session_destroy(std::exchange(second, nullptr));
    return jobrt_session_create(session.artifact.handle, nullptr, &second,
                                error);
  });
  jobrt_session_destroy(second);

  // A step that is reported to have failed has not run.
  int64_t steps = 0;
  fail([&](jobrt_error **error) {
    jobrt_status status = jobrt_session_call(session.handle, "train_job",
                                             &input, 1, outputs, 2, error);
    steps += status == JOBRT_OK;
    return status;
  });
  EXPECT_EQ(count, steps);
  jobrt_future *future = nullptr, *copy = nullptr;
  for (auto start : {jobrt_session_run, jobrt_session_submit})
    fail([&](jobrt_error **error) {
      jobrt_future_destroy(std::exchange(future, nullptr));
      jobrt_status status =
          start(session.handle, "train_job", &input, 1, &future, error);
      steps += status == JOBRT_OK;
      return status;
    });
  EXPECT_EQ(jobrt_future_wait(future, nullptr), JOBRT_OK);
  jobrt_view output;
  EXPECT_EQ(jobrt_future_output(future, 1, &output, nullptr), JOBRT_OK);
  EXPECT_EQ(*static_cast<const int64_t *>(output.data), steps);
  fail([&](jobrt_error **error) {
    return jobrt_future_copy(future, &copy, error);
  });
  jobrt_future_destroy(copy);
  jobrt_future_destroy(future);

  const char *names[] = {"weight", "count"};
  jobrt_tensor *tensors[2] = {};
  fail([&](jobrt_error **error) {
    return jobrt_session_read_variables(session.handle, names, 2, tensors,
                                        error);
  });
  jobrt_view values[] = {jobrt_tensor_view(tensors[0]),
                         jobrt_tensor_view(tensors[1])};
  fail([&](jobrt_error **error) {
    return jobrt_session_write_variables(session.handle, names, values, 2,
                                         error);
  });
  for (jobrt_tensor *tensor : tensors)
    jobrt_tensor_destroy(tensor);
}
