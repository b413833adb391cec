//===- CancelTest.cpp - Sessions that are cancelled -----------------------===//

#include "unittests/c_api/CApiTest.h"

#include <thread>

using namespace jobrt;
using namespace jobrt::test;

static constexpr char kTrainMessage[] =
    "job 'train_job': the session was cancelled before this step ran";

namespace {
/// A session whose steps of 'copy_job' wait for the gate.
class CancelTest : public testing::Test {
protected:
  /// A test that fails leaves no step waiting.
  ~CancelTest() override { gate.open(); }

  Expected<Future> submit(const char *entry) {
    return session->submit(entry, {x.view()});
  }

  Gate gate;
  CallScope scope{{.beforeChunk = [this](int64_t) {
    gate.wait();
    return Status();
  }}};
  Blob x{2};
  std::unique_ptr<Session> session = makeSession();
};
} // namespace

TEST_F(CancelTest, StepsThatHaveNotBegunAreCancelled) {
  ASSERT_TRUE(session->initialize(1).ok());
  Expected<Future> running = submit("copy_job"), first = submit("train_job"),
                   second = submit("train_job");
  ASSERT_TRUE(running.ok() && first.ok() && second.ok());
  std::vector<std::string> order;
  auto note = [&](const Future &future) {
    order.push_back(future.wait().message());
  };
  for (auto *future : {&running, &first, &second})
    (*future)->onDone(note);
  gate.waitForArrivals(1);
  session->cancel();
  EXPECT_FALSE(first->done()) << "steps complete in order";
  gate.open();
  EXPECT_TRUE(session->synchronize().ok()) << "who cancelled knows";
  EXPECT_EQ(order,
            (std::vector<std::string>{"", kTrainMessage, kTrainMessage}));
  EXPECT_TRUE(running->wait().ok());
  EXPECT_EQ(floats(running->output(0)), x.values);
  EXPECT_EQ(first->wait().code(), StatusCode::kCancelled);
}

TEST_F(CancelTest, LaterCallsFailAndVariablesStay) {
  ASSERT_TRUE(session->initialize(1).ok());
  session->cancel();
  session->cancel();
  for (Status status : {submit("train_job").status(),
                        session->run("train_job", {x.view()}).status()}) {
    EXPECT_EQ(status.code(), StatusCode::kCancelled);
    EXPECT_EQ(status.message(), kTrainMessage);
  }
  EXPECT_EQ(session->initialize(2).code(), StatusCode::kCancelled);
  Expected<Tensor> weight = session->readVariable("weight");
  ASSERT_TRUE(weight.ok());
  EXPECT_EQ(floats(weight->view())[0], 1.0f);
  EXPECT_TRUE(session->writeVariable("weight", x.view()).ok());
}

TEST_F(CancelTest, WakesSubmitsThatWaitForACredit) {
  SessionOptions options;
  options.credits = 1;
  session = makeSession(options);
  Expected<Future> running = submit("copy_job");
  ASSERT_TRUE(running.ok());
  gate.waitForArrivals(1);
  Status status;
  std::thread caller([&] { status = submit("train_job").status(); });
  session->cancel();
  caller.join();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  gate.open();
}

TEST_F(CancelTest, EndsAChainOfSteps) {
  // Without it the session's end would wait for ever.
  std::function<void(const Future &)> next = [&](const Future &) {
    if (Expected<Future> future = submit("train_job"); future.ok())
      future->onDone(next);
  };
  Expected<Future> future = submit("train_job");
  ASSERT_TRUE(future.ok());
  future->onDone(next);
  session->cancel();
  // A callback that runs now uses the pointer.
  ASSERT_TRUE(session->synchronize().ok());
  session.reset();
}

TEST(CCancelTest, FromC) {
  CSession session;
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  CBlob x(2);
  jobrt_view input = x.view();
  jobrt_future *running = nullptr, *queued = nullptr;
  ASSERT_EQ(jobrt_session_submit(session.handle, "copy_job", &input, 1,
                                 &running, nullptr),
            JOBRT_OK);
  ASSERT_EQ(jobrt_session_submit(session.handle, "train_job", &input, 1,
                                 &queued, nullptr),
            JOBRT_OK);
  gate.waitForArrivals(1);
  jobrt_session_cancel(session.handle);
  jobrt_session_cancel(nullptr);
  gate.open();
  EXPECT_EQ(jobrt_future_wait(running, nullptr), JOBRT_OK);
  expectError(JOBRT_CANCELLED, kTrainMessage, [&](jobrt_error **error) {
    return jobrt_future_wait(queued, error);
  });
  expectError(JOBRT_CANCELLED, kTrainMessage, [&](jobrt_error **error) {
    return jobrt_session_call(session.handle, "train_job", &input, 1, nullptr,
                              0, error);
  });
  jobrt_future_destroy(running);
  jobrt_future_destroy(queued);
}
