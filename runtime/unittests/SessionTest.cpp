//===- SessionTest.cpp - Steps, variables, errors, credits ----------------===//

#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// The one element of an output of 1xi64.
static int64_t scalar(const TensorView &view) {
  EXPECT_EQ(view.dtype, DType::kI64);
  return *static_cast<int64_t *>(view.data);
}

static std::vector<float> readWeight(Session &session) {
  Expected<Tensor> tensor = session.readVariable("weight");
  EXPECT_TRUE(tensor.ok()) << tensor.status().toString();
  return floats(tensor->view());
}

static Future mustRun(Session &session, const char *entry, Blob &blob) {
  Expected<Future> future = session.run(entry, {blob.view()});
  EXPECT_TRUE(future.ok()) << future.status().toString();
  EXPECT_TRUE(future->wait().ok()) << future->wait().toString();
  return std::move(*future);
}

static Future mustSubmit(Session &session, const char *entry, Blob &blob) {
  Expected<Future> future = session.submit(entry, {blob.view()});
  EXPECT_TRUE(future.ok()) << future.status().toString();
  return std::move(*future);
}

TEST(SessionTest, InitializesFromASeed) {
  std::unique_ptr<Session> session = makeSession();
  EXPECT_EQ(readWeight(*session), Blob(0).values);
  ASSERT_TRUE(session->initialize(5).ok());
  EXPECT_EQ(readWeight(*session), Blob(5, 1).values);
}

TEST(SessionTest, ArtifactWithoutVariablesNeedsNoInitialization) {
  json manifest = testManifest();
  manifest["variables"] = json::array();
  manifest["entries"].erase(0);
  EXPECT_TRUE(makeSession({}, manifest)->initialize(1).ok());
}

TEST(SessionTest, TrainsStepByStep) {
  for (int threads : {1, 2, 5}) {
    SessionOptions options;
    options.threads = threads;
    std::unique_ptr<Session> session = makeSession(options);
    EXPECT_EQ(session->threads(), threads);
    ASSERT_TRUE(session->initialize(1).ok());
    Blob x(2);
    for (int step = 0; step < 10; ++step) {
      Future future = mustRun(*session, "train_job", x);
      ASSERT_EQ(future.numOutputs(), 2);
      EXPECT_TRUE(future.done());
      std::vector<float> product = floats(future.output(0));
      for (int64_t i = 0; i < kBlobSize; ++i)
        EXPECT_EQ(product[i], 2.0f * (1.0f + i + 2.0f * step));
      EXPECT_EQ(scalar(future.output(1)), step + 1);
    }
    EXPECT_EQ(readWeight(*session), Blob(21, 1).values);
  }
}

TEST(SessionTest, OutputsHaveAsManyRowsAsTheirCount) {
  std::unique_ptr<Session> session = makeSession({}, boundedManifest());
  ASSERT_TRUE(session->initialize(1).ok());
  // Several steps are in flight; each has a count of its own.
  Blob x(2);
  std::vector<Future> futures;
  for (int64_t step = 1; step <= kBlobSize; ++step)
    futures.push_back(mustSubmit(*session, "train_job", x));
  for (int64_t step = 1; step <= kBlobSize; ++step) {
    const Future &future = futures[step - 1];
    ASSERT_TRUE(future.wait().ok()) << future.wait().toString();
    EXPECT_EQ(future.output(0).shape, Shape{step});
    EXPECT_EQ(future.output(0).bytes(), 4 * step);
    EXPECT_EQ(future.output(1).shape, Shape{1});
  }
  // Those of other jobs are not cut.
  EXPECT_EQ(mustRun(*session, "predict_job", x).output(0).shape,
            Shape{kBlobSize});
}

TEST(SessionTest, ACountOutsideOfItsBoundIsAnError) {
  std::unique_ptr<Session> session = makeSession({}, boundedManifest());
  ASSERT_TRUE(session->initialize(1).ok());
  Blob x(2);
  for (auto [count, isValid] : {std::pair<int64_t, bool>{-1, false},
                                {0, true},
                                {64, true},
                                {65, false},
                                {INT64_MAX, false}}) {
    // The step adds one.
    int64_t before = count - 1;
    ASSERT_TRUE(
        session->writeVariable("count", {DType::kI64, {1}, &before}).ok());
    Expected<Future> future = session->run("train_job", {x.view()});
    ASSERT_TRUE(future.ok());
    Status status = future->wait();
    EXPECT_EQ(status.ok(), isValid) << count;
    if (isValid) {
      EXPECT_EQ(future->output(0).shape, Shape{count});
      continue;
    }
    EXPECT_EQ(status.code(), StatusCode::kInternal);
    EXPECT_EQ(status.message(), "job 'train_job', output 'product': expects a "
                                "count of 0 to 64 but got " +
                                    std::to_string(count) +
                                    "; variables have been changed by this "
                                    "step");
    // The step was complete.
    Expected<Tensor> after = session->readVariable("count");
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(*static_cast<const int64_t *>(after->data()), count);
  }
}

TEST(SessionTest, ElementsBeforeACountAreTogether) {
  nlohmann::json manifest = boundedManifest();
  nlohmann::json &output = manifest["entries"][1]["outputs"][0];
  output["shape"] = {4, 16};
  output["bounded_dim"] = 1;
  Blob x(2);
  for (int64_t i = 0; i < kBlobSize; ++i)
    x.values[i] = static_cast<float>(i + 1);
  auto run = [&](int64_t count) {
    std::unique_ptr<Session> session = makeSession({}, manifest);
    EXPECT_EQ(
        formatType(session->artifact().findEntry("train_job")->outputs[0]),
        "4x?<=16>xf32");
    EXPECT_TRUE(session->initialize(1).ok());
    int64_t before = count - 1;
    EXPECT_TRUE(
        session->writeVariable("count", {DType::kI64, {1}, &before}).ok());
    return mustRun(*session, "train_job", x);
  };
  // Of the same step with all elements.
  Future all = run(16), some = run(3);
  EXPECT_EQ(all.output(0).shape, (Shape{4, 16}));
  EXPECT_EQ(some.output(0).shape, (Shape{4, 3}));
  auto *whole = static_cast<const float *>(all.outputData(0));
  auto *packed = static_cast<const float *>(some.outputData(0));
  for (int64_t row = 0; row < 4; ++row)
    for (int64_t column = 0; column < 3; ++column)
      EXPECT_EQ(packed[row * 3 + column], whole[row * 16 + column]);
  for (int64_t i = 12; i < kBlobSize; ++i)
    EXPECT_EQ(packed[i], 0.0f);
}

TEST(SessionTest, JobsShareVariables) {
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(1).ok());
  Blob x(1);
  mustRun(*session, "train_job", x);
  Future future = mustRun(*session, "predict_job", x);
  std::vector<float> sum = floats(future.output(0));
  EXPECT_EQ(sum[0], 2.0f + 0.5f);
  EXPECT_EQ(sum[17], 19.0f + 1.5f);
  EXPECT_EQ(future.output(0).shape, (Shape{kBlobSize}));
}

TEST(SessionTest, SessionsOfOneArtifactAreIndependent) {
  std::shared_ptr<const Artifact> artifact = loadTestArtifact();
  Expected<std::unique_ptr<Session>> a = Session::create(artifact);
  Expected<std::unique_ptr<Session>> b = Session::create(artifact);
  ASSERT_TRUE(a.ok() && b.ok());
  ASSERT_TRUE((*a)->initialize(1).ok());
  ASSERT_TRUE((*b)->initialize(2).ok());
  EXPECT_EQ(readWeight(**a), Blob(1, 1).values);
  EXPECT_EQ(readWeight(**b), Blob(2, 1).values);
}

TEST(SessionTest, InputsAreCopiedAtTheCall) {
  std::unique_ptr<Session> session = makeSession();
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Blob x(3);
  Future future = mustSubmit(*session, "copy_job", x);
  gate.waitForArrivals(1);
  EXPECT_FALSE(future.done());
  std::fill(x.values.begin(), x.values.end(), 99.0f);
  gate.open();
  ASSERT_TRUE(future.wait().ok());
  EXPECT_EQ(floats(future.output(0)), Blob(3).values);
}

TEST(SessionTest, RunsOnTheCallingThreadWhenIdle) {
  SessionOptions options;
  options.threads = 1;
  std::unique_ptr<Session> session = makeSession(options);
  std::thread::id ranOn;
  CallScope scope({.beforeChunk = [&](int64_t) {
    ranOn = std::this_thread::get_id();
    return Status();
  }});
  Blob x(1);
  mustRun(*session, "copy_job", x);
  EXPECT_EQ(ranOn, std::this_thread::get_id());
  ASSERT_TRUE(mustSubmit(*session, "copy_job", x).wait().ok());
  EXPECT_NE(ranOn, std::this_thread::get_id());
}

TEST(SessionTest, StepsRunInCallOrder) {
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(0).ok());
  Blob x(1);
  std::vector<Future> futures;
  for (int i = 0; i < 20; ++i)
    futures.push_back(mustSubmit(*session, "train_job", x));
  // A blocking call comes after all of them.
  EXPECT_EQ(scalar(mustRun(*session, "train_job", x).output(1)), 21);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(futures[i].wait().ok());
    EXPECT_EQ(scalar(futures[i].output(1)), i + 1);
  }
}

TEST(SessionTest, KeptFuturesKeepTheirOutputs) {
  SessionOptions options;
  options.credits = 2;
  std::unique_ptr<Session> session = makeSession(options);
  ASSERT_TRUE(session->initialize(0).ok());
  int64_t stagingBefore = session->memory().staging;
  Blob x(1);
  std::vector<Future> kept;
  for (int i = 0; i < 50; ++i)
    kept.push_back(mustSubmit(*session, "train_job", x));
  ASSERT_TRUE(session->synchronize().ok());
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(scalar(kept[i].output(1)), i + 1);
    EXPECT_EQ(floats(kept[i].output(0))[3], 3.0f + i);
  }
  // Slots that were made for them are counted, and given back.
  EXPECT_EQ(session->memory().staging, stagingBefore + 48 * 320);
  kept.clear();
  EXPECT_LE(session->memory().staging, stagingBefore + 2 * 320);
}

TEST(SessionTest, AnAssignedFutureGivesItsSlotBackAtOnce) {
  SessionOptions options;
  options.credits = 1;
  std::unique_ptr<Session> session = makeSession(options);
  int64_t staging = session->memory().staging;
  Blob x(1);
  Future kept = mustRun(*session, "train_job", x);
  Future empty;
  kept = std::move(empty);
  EXPECT_FALSE(kept.valid());
  Future next = mustRun(*session, "train_job", x);
  EXPECT_EQ(session->memory().staging, staging) << "the slot was free";
}

TEST(SessionTest, FutureOutlivesTheSession) {
  Future future, copy;
  EXPECT_FALSE(future.valid());
  EXPECT_FALSE(future.done());
  {
    std::unique_ptr<Session> session = makeSession();
    ASSERT_TRUE(session->initialize(7).ok());
    Blob x(1);
    future = mustRun(*session, "train_job", x);
    copy = future;
    Future moved = std::move(copy);
    copy = moved;
  }
  EXPECT_TRUE(future.valid());
  EXPECT_TRUE(future.wait().ok());
  EXPECT_EQ(floats(future.output(0))[1], 8.0f);
  future = Future();
  EXPECT_EQ(floats(copy.output(0))[1], 8.0f);
  bool called = false;
  copy.onDone([&](const Future &) { called = true; });
  EXPECT_TRUE(called);
}

TEST(SessionTest, DestructorWaitsForSteps) {
  Gate gate;
  std::atomic<bool> finished{false};
  CallScope scope({.beforeChunk =
                       [&](int64_t) {
                         gate.wait();
                         return Status();
                       },
                   .atFinish =
                       [&] {
                         finished = true;
                         return Status();
                       }});
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Future future = mustSubmit(*session, "copy_job", x);
  std::thread opener([&] {
    gate.waitForArrivals(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    gate.open();
  });
  session.reset();
  EXPECT_TRUE(finished);
  EXPECT_TRUE(future.done());
  opener.join();
}

//===----------------------------------------------------------------------===//
// Credits
//===----------------------------------------------------------------------===//

TEST(SessionTest, SubmitBlocksWithoutACredit) {
  SessionOptions options;
  options.credits = 2;
  std::unique_ptr<Session> session = makeSession(options);
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  Blob x(1);
  mustSubmit(*session, "copy_job", x);
  mustSubmit(*session, "copy_job", x);
  std::atomic<bool> returned{false};
  std::thread third([&] {
    Blob y(2);
    EXPECT_TRUE(mustSubmit(*session, "copy_job", y).wait().ok());
    returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(returned);
  gate.open();
  third.join();
  EXPECT_TRUE(returned);
  EXPECT_TRUE(session->synchronize().ok());
}

TEST(SessionTest, RefusesAnUnreasonableNumberOfCredits) {
  for (int credits : {0, -1, 4097}) {
    SessionOptions options;
    options.credits = credits;
    Expected<std::unique_ptr<Session>> session =
        Session::create(loadTestArtifact(), options);
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(session.status().message(),
              "expects a number of credits from 1 to 4096 but got " +
                  std::to_string(credits));
  }
}

TEST(SessionTest, RefusesAnUnreasonableNumberOfThreads) {
  for (int threads : {-1, 5000}) {
    SessionOptions options;
    options.threads = threads;
    EXPECT_EQ(Session::create(loadTestArtifact(), options).status().message(),
              "expects a number of threads from 0 to 4096 but got " +
                  std::to_string(threads));
  }
}

TEST(SessionTest, RefusesAnUnknownDriver) {
  SessionOptions options;
  options.driver = "tpu";
  Expected<std::unique_ptr<Session>> session =
      Session::create(loadTestArtifact(), options);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidArgument);
  // Tests may have added others.
  EXPECT_TRUE(
      contains(session.status().message(), "expects a driver of host, null"));
  EXPECT_TRUE(contains(session.status().message(), " but got 'tpu'"));
  EXPECT_EQ(driverNames()[0], "host");
  EXPECT_EQ(driverNames()[1], "null");
}

//===----------------------------------------------------------------------===//
// Errors of the arguments
//===----------------------------------------------------------------------===//

static void expectArgumentError(Session &session, std::string_view entry,
                                const std::vector<TensorView> &inputs,
                                StatusCode code, const std::string &message) {
  for (bool blocking : {false, true}) {
    Expected<Future> future =
        blocking ? session.run(entry, inputs) : session.submit(entry, inputs);
    ASSERT_FALSE(future.ok());
    EXPECT_EQ(future.status().code(), code);
    EXPECT_EQ(future.status().message(), message);
  }
}

TEST(SessionTest, WrongArguments) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  expectArgumentError(*session, "evaluate", {x.view()}, StatusCode::kNotFound,
                      "expects a job of 'jobmlir_init', 'train_job', "
                      "'predict_job', 'copy_job' but got 'evaluate'");
  expectArgumentError(*session, "train_job", {}, StatusCode::kInvalidArgument,
                      "job 'train_job' expects 1 inputs but got 0");
  expectArgumentError(*session, "train_job", {x.view(), x.view()},
                      StatusCode::kInvalidArgument,
                      "job 'train_job' expects 1 inputs but got 2");
  TensorView wrong = x.view();
  wrong.shape = {8, 8};
  expectArgumentError(*session, "train_job", {wrong},
                      StatusCode::kInvalidArgument,
                      "job 'train_job', input 'x': expects 64xf32 but got "
                      "8x8xf32");
  wrong = x.view();
  wrong.dtype = DType::kI32;
  expectArgumentError(*session, "train_job", {wrong},
                      StatusCode::kInvalidArgument,
                      "job 'train_job', input 'x': expects 64xf32 but got "
                      "64xi32");
  wrong = x.view();
  wrong.data = nullptr;
  expectArgumentError(*session, "train_job", {wrong},
                      StatusCode::kInvalidArgument,
                      "job 'train_job', input 'x': expects data but got a null "
                      "pointer");
  // Nothing is left over from all that.
  EXPECT_TRUE(session->synchronize().ok());
  mustRun(*session, "train_job", x);
}

TEST(SessionTest, WrongVariables) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  Expected<Tensor> tensor = session->readVariable("bias");
  ASSERT_FALSE(tensor.ok());
  EXPECT_EQ(tensor.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(tensor.status().message(),
            "expects a variable of 'weight', 'count' but got 'bias'");
  EXPECT_EQ(session->writeVariable("bias", x.view()).message(),
            "expects a variable of 'weight', 'count' but got 'bias'");
  TensorView wrong = x.view();
  wrong.shape = {1, 64};
  Status status = session->writeVariable("weight", wrong);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "variable 'weight': expects 64xf32 but got 1x64xf32");
  EXPECT_EQ(status.location(), "train.py:12:4");
  wrong = x.view();
  wrong.data = nullptr;
  EXPECT_EQ(session->writeVariable("weight", wrong).message(),
            "variable 'weight': expects data but got a null pointer");
}

TEST(SessionTest, StoresVariablesPermuted) {
  json manifest = testManifest();
  manifest["variables"][0]["shape"] = {4, 16};
  manifest["variables"][0]["permutation"] = {1, 0};
  std::unique_ptr<Session> session = makeSession({}, manifest);
  // In the bank, 16x4: 0, 1, 2...
  ASSERT_TRUE(session->initialize(0).ok());
  std::vector<float> expected;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 16; ++j)
      expected.push_back(static_cast<float>(j * 4 + i));
  EXPECT_EQ(readWeight(*session), expected);
  EXPECT_EQ(session->readVariable("weight")->shape(), (Shape{4, 16}));

  // The entries see what is stored.
  Blob value(100), x(1);
  TensorView view = value.view();
  view.shape = {4, 16};
  ASSERT_TRUE(session->writeVariable("weight", view).ok());
  EXPECT_EQ(readWeight(*session), value.values);
  Future result = mustRun(*session, "train_job", x);
  std::vector<float> product = floats(result.output(0));
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(product[j * 4 + i],
                x.values[j * 4 + i] * value.values[i * 16 + j]);
  view.shape = {16, 4};
  EXPECT_EQ(session->writeVariable("weight", view).message(),
            "variable 'weight': expects 4x16xf32 but got 16x4xf32");
}

TEST(SessionTest, StoresVariablesPermutedWithinDimensions) {
  json manifest = testManifest();
  manifest["variables"][0]["shape"] = {2, 32};
  manifest["variables"][0]["expanded_shape"] = {2, 4, 8};
  manifest["variables"][0]["permutation"] = {0, 2, 1};
  std::unique_ptr<Session> session = makeSession({}, manifest);
  // In the bank, 2x8x4: 0, 1, 2...
  ASSERT_TRUE(session->initialize(0).ok());
  std::vector<float> expected;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 8; ++k)
        expected.push_back(static_cast<float>(i * 32 + k * 4 + j));
  EXPECT_EQ(readWeight(*session), expected);
  EXPECT_EQ(session->readVariable("weight")->shape(), (Shape{2, 32}));

  // The entries see what is stored.
  Blob value(100), x(1);
  TensorView view = value.view();
  view.shape = {2, 32};
  ASSERT_TRUE(session->writeVariable("weight", view).ok());
  EXPECT_EQ(readWeight(*session), value.values);
  Future result = mustRun(*session, "train_job", x);
  std::vector<float> product = floats(result.output(0));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 8; ++k) {
        int stored = i * 32 + k * 4 + j;
        EXPECT_EQ(product[stored],
                  x.values[stored] * value.values[i * 32 + j * 8 + k]);
      }
  view.shape = {2, 4, 8};
  EXPECT_EQ(session->writeVariable("weight", view).message(),
            "variable 'weight': expects 2x32xf32 but got 2x4x8xf32");
}

TEST(SessionTest, WritesAllVariablesOrNone) {
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(1).ok());
  Blob x(9);
  int64_t count = 5;
  TensorView countView{DType::kI64, {1}, &count};
  TensorView wrong{DType::kI64, {2}, &count};
  EXPECT_FALSE(
      session->writeVariables({{"weight", x.view()}, {"count", wrong}}).ok());
  EXPECT_EQ(readWeight(*session), Blob(1, 1).values);
  ASSERT_TRUE(
      session->writeVariables({{"weight", x.view()}, {"count", countView}})
          .ok());
  EXPECT_EQ(readWeight(*session), x.values);
  Expected<Tensor> read = session->readVariable("count");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(scalar(read->view()), 5);
}

TEST(SessionTest, VariablesAreReadAndWrittenInOrder) {
  std::unique_ptr<Session> session = makeSession();
  ASSERT_TRUE(session->initialize(0).ok());
  Blob x(1), zero(0);
  for (int i = 0; i < 3; ++i)
    mustSubmit(*session, "train_job", x);
  EXPECT_EQ(readWeight(*session)[0], 3.0f);
  mustSubmit(*session, "train_job", x);
  ASSERT_TRUE(session->writeVariable("weight", zero.view()).ok());
  Future last = mustSubmit(*session, "train_job", x);
  EXPECT_EQ(readWeight(*session)[0], 1.0f);
  ASSERT_TRUE(last.wait().ok());
  EXPECT_EQ(scalar(last.output(1)), 5);
}

//===----------------------------------------------------------------------===//
// Errors of a step
//===----------------------------------------------------------------------===//

TEST(SessionTest, AFailedStepSaysWhichCommandAndWhere) {
  std::unique_ptr<Session> session = makeSession();
  Blob x(1);
  {
    CallScope scope({.beforeChunk = [&](int64_t chunk) {
      return chunk == 0 ? Status()
                        : Status(StatusCode::kInternal,
                                 "chunk " + std::to_string(chunk) + " broke");
    }});
    for (bool blocking : {false, true}) {
      Expected<Future> future = blocking
                                    ? session->run("copy_job", {x.view()})
                                    : session->submit("copy_job", {x.view()});
      ASSERT_TRUE(future.ok());
      Status status = future->wait();
      EXPECT_EQ(status.code(), StatusCode::kInternal);
      // The lowest chunk's error, whichever came first.
      EXPECT_EQ(status.message(),
                "job 'copy_job', 'hidden': test.call: chunk 1 broke; variables "
                "are as they were before this step");
      EXPECT_EQ(status.location(), "train.py:20:8");
    }
  }
  EXPECT_TRUE(session->synchronize().ok()) << "both were seen";
  mustRun(*session, "copy_job", x);
}

TEST(SessionTest, AnErrorAtTheEndOfACallIsOneToo) {
  std::unique_ptr<Session> session = makeSession();
  CallScope scope({.atFinish = [] {
    return Status(StatusCode::kResourceExhausted, "no space");
  }});
  Blob x(1);
  Expected<Future> future = session->run("copy_job", {x.view()});
  ASSERT_TRUE(future.ok());
  EXPECT_EQ(future->wait().code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(contains(future->wait().message(), "test.call: no space; "));
}

TEST(SessionTest, AFailedStepSaysWhenVariablesMayHaveChanged) {
  auto dispatch = [](const json &reads, const json &writes) -> json {
    return {{"op", "dispatch"}, {"kernel", 3},    {"args", {{"bank", 256, 8}}},
            {"flops", 1},       {"reads", reads}, {"writes", writes}};
  };
  struct {
    json command;
    bool mayHaveChanged;
  } rows[] = {
      {{{"op", "fill"}, {"value", 0}, {"args", {{"bank", 0, 64}}}}, true},
      {{{"op", "copy"}, {"args", {{"arena", 0, 64}, {"bank", 0, 64}}}}, true},
      {{{"op", "copy"}, {"args", {{"bank", 0, 64}, {"arena", 0, 64}}}}, false},
      {dispatch(json::array(), json::array({0})), true},
      {dispatch(json::array({0}), json::array({0})), true},
      {dispatch(json::array({0}), json::array()), false},
      {{{"op", "fill"}, {"value", 0}, {"args", {{"arena", 0, 64}}}}, false},
  };
  for (auto &row : rows) {
    json manifest = testManifest();
    json &commands = manifest["entries"][3]["commands"];
    commands.insert(commands.begin(), row.command);
    std::unique_ptr<Session> session = makeSession({}, manifest);
    CallScope scope({.beforeChunk = [](int64_t) {
      return Status(StatusCode::kInternal, "broke");
    }});
    Blob x(1);
    Expected<Future> future = session->run("copy_job", {x.view()});
    ASSERT_TRUE(future.ok());
    EXPECT_TRUE(
        contains(future->wait().message(),
                 row.mayHaveChanged
                     ? "broke; variables may have been changed by this step"
                     : "broke; variables are as they were before this step"))
        << row.command;
  }
}

TEST(SessionTest, SynchronizeReturnsTheFirstErrorThatNoWaitReturned) {
  std::unique_ptr<Session> session = makeSession();
  std::atomic<int> step{0};
  CallScope scope({.beforeChunk = [&](int64_t chunk) {
    return chunk != 0 ? Status()
                      : Status(StatusCode::kInternal,
                               "step " + std::to_string(++step));
  }});
  Blob x(1);
  Future seen = mustSubmit(*session, "copy_job", x);
  mustSubmit(*session, "copy_job", x);
  mustSubmit(*session, "copy_job", x);
  EXPECT_TRUE(contains(seen.wait().message(), "step 1"));
  EXPECT_TRUE(contains(session->synchronize().message(), "step 2"));
  EXPECT_TRUE(session->synchronize().ok());
}

TEST(SessionTest, LibraryFunctionThatRefusesItsConfiguration) {
  json manifest = testManifest();
  manifest["entries"][3]["commands"][0]["config"]["size"] = 0;
  Expected<std::unique_ptr<Session>> session =
      Session::create(loadTestArtifact(manifest));
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(session.status().message(),
            "job 'copy_job', 'hidden': test.call: expects a positive 'size' in "
            "the configuration");
  EXPECT_EQ(session.status().location(), "train.py:20:8");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(SessionTest, ReportsItsMemory) {
  SessionOptions options;
  options.credits = 3;
  std::unique_ptr<Session> session = makeSession(options);
  MemoryReport memory = session->memory();
  EXPECT_EQ(memory.arena, 512) << "jobs share the largest one";
  EXPECT_EQ(memory.bank, 320);
  EXPECT_EQ(memory.workspace, 128);
  EXPECT_EQ(memory.constants, 64);
  EXPECT_EQ(memory.staging, 3 * (256 + 320));
  EXPECT_EQ(memory.total(), 512 + 320 + 128 + 64 + 3 * 576);
}

TEST(SessionTest, SaysWhichMemoryDidNotFit) {
  struct {
    const char *member;
    const char *message;
  } rows[] = {{"arena_bytes", "bytes for the arena"},
              {"workspace_bytes", "bytes for the workspace"},
              {"input_bytes", "bytes for the inputs of a step"},
              {"output_bytes", "bytes for the outputs of a step"}};
  for (auto &row : rows) {
    json manifest = testManifest();
    manifest["entries"][1][row.member] = int64_t(1) << 48;
    Expected<std::unique_ptr<Session>> session =
        Session::create(loadTestArtifact(manifest));
    ASSERT_FALSE(session.ok());
    EXPECT_EQ(session.status().code(), StatusCode::kResourceExhausted);
    EXPECT_EQ(session.status().message(),
              std::string("cannot allocate 281474976710656 ") + row.message);
  }
  json manifest = testManifest();
  manifest["bank_bytes"] = int64_t(1) << 48;
  EXPECT_TRUE(
      contains(Session::create(loadTestArtifact(manifest)).status().message(),
               "bytes for the variables"));
}

/// Each step has a chunk that waits until the other one has begun.
TEST(SessionTest, StepsOfTwoSessionsRunAtTheSameTime) {
  SessionOptions options;
  options.threads = 2;
  std::unique_ptr<Session> sessions[] = {makeSession(options),
                                         makeSession(options)};
  std::set<std::thread::id> inside;
  std::mutex mutex;
  Gate gate;
  Blob x(1);
  CallScope scope({.beforeChunk = [&](int64_t chunk) {
    if (chunk > 0)
      return Status();
    {
      std::lock_guard lock(mutex);
      inside.insert(std::this_thread::get_id());
      if (inside.size() == 2)
        gate.open();
    }
    gate.wait();
    return Status();
  }});
  Expected<Future> first = sessions[0]->submit("copy_job", {x.view()});
  Expected<Future> second = sessions[1]->submit("copy_job", {x.view()});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE(first->wait().ok());
  EXPECT_TRUE(second->wait().ok());
  EXPECT_EQ(inside.size(), 2u);
}
