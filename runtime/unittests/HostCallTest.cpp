//===- HostCallTest.cpp - Functions of a session --------------------------===//

#include "lib/executor/Manifest.h"
#include "unittests/TestArtifact.h"

#include <algorithm>
#include <stdexcept>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class HostCallTest : public testing::Test {
protected:
  /// Doubles its first buffer into its second one.
  static Status twice(std::span<const HostBuffer> buffers) {
    auto *from = static_cast<const float *>(buffers[0].data);
    auto *to = static_cast<float *>(buffers[1].data);
    for (int64_t i = 0; i < kBlobSize; ++i)
      to[i] = 2 * from[i];
    return {};
  }

  /// Keeps what it sees.
  HostFunction watch() {
    return [this](std::span<const HostBuffer> buffers) -> Status {
      auto *values = static_cast<const float *>(buffers[0].data);
      seen.emplace_back(values, values + kBlobSize);
      return {};
    };
  }

  std::unique_ptr<Session> start(const json &manifest, int threads = 1) {
    SessionOptions options;
    options.threads = threads;
    std::unique_ptr<Session> session = makeSession(options, manifest);
    EXPECT_TRUE(session->registerFunction("twice", twice).ok());
    EXPECT_TRUE(session->registerFunction("watch", watch()).ok());
    return session;
  }

  std::vector<std::vector<float>> seen;
  Blob x{1, 0.5f};
};
} // namespace

TEST_F(HostCallTest, RunsInOrderWithTheCommands) {
  for (int threads : {1, 3}) {
    seen.clear();
    std::unique_ptr<Session> session = start(hostCallManifest(), threads);
    std::vector<float> doubled = x.values;
    for (float &value : doubled)
      value *= 2;
    for (int i = 0; i < 3; ++i) {
      Expected<Future> future = session->submit("host_job", {x.view()});
      ASSERT_TRUE(future.ok()) << future.status().toString();
      ASSERT_TRUE(future->wait().ok()) << future->wait().toString();
      EXPECT_EQ(floats(future->output(0)), doubled);
    }
    EXPECT_EQ(seen, std::vector(3, doubled));
  }
}

TEST_F(HostCallTest, RunsInTheOrderOfItsQueue) {
  // Queue 1 watches what the host wrote on queue 0.
  json manifest = hostCallManifest();
  json &commands = manifest["entries"][4]["commands"];
  commands[1]["queue"] = 1;
  json record = {{"op", "record"}, {"event", 0}, {"args", json::array()}};
  json wait = {
      {"op", "wait"}, {"event", 0}, {"queue", 1}, {"args", json::array()}};
  commands.insert(commands.begin() + 1, {record, wait});
  for (int threads : {1, 3}) {
    seen.clear();
    std::unique_ptr<Session> session = start(manifest, threads);
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(session->run("host_job", {x.view()})->wait().ok());
    ASSERT_EQ(seen.size(), 50u);
    for (const std::vector<float> &values : seen)
      EXPECT_EQ(values[1], 3.0f);
  }
}

TEST_F(HostCallTest, SeesTypesAndEffects) {
  std::unique_ptr<Session> session = makeSession({}, hostCallManifest());
  auto check = [](std::span<const HostBuffer> buffers) -> Status {
    EXPECT_EQ(buffers.size(), 2u);
    for (const HostBuffer &buffer : buffers) {
      EXPECT_EQ(buffer.dtype, DType::kF32);
      EXPECT_EQ(buffer.bytes, 256);
      EXPECT_EQ(Shape(buffer.shape, buffer.shape + buffer.rank), (Shape{8, 8}));
    }
    EXPECT_TRUE(buffers[0].isRead && !buffers[0].isWritten);
    EXPECT_TRUE(!buffers[1].isRead && buffers[1].isWritten);
    return {};
  };
  ASSERT_TRUE(session->registerFunction("twice", check).ok());
  ASSERT_TRUE(session->registerFunction("watch", watch()).ok());
  EXPECT_TRUE(session->run("host_job", {x.view()})->wait().ok());
}

TEST_F(HostCallTest, AMissingFunctionIsAnErrorOfTheCall) {
  std::unique_ptr<Session> session = makeSession({}, hostCallManifest());
  ASSERT_TRUE(session->registerFunction("twice", twice).ok());
  Expected<Future> future = session->submit("host_job", {x.view()});
  ASSERT_FALSE(future.ok());
  EXPECT_EQ(future.status().code(), StatusCode::kNotFound);
  EXPECT_EQ(future.status().message(),
            "job 'host_job': expects a function 'watch' to be registered with "
            "the session but got none");
  EXPECT_EQ(future.status().location(), "train.py:20:8");
  // Other jobs do not need it.
  EXPECT_TRUE(session->run("predict_job", {x.view()})->wait().ok());
}

TEST_F(HostCallTest, ErrorsReachTheFutureWithTheLine) {
  struct {
    HostFunction function;
    StatusCode code;
    const char *message;
  } rows[] = {{[](std::span<const HostBuffer>) {
                 return Status(StatusCode::kIo, "no");
               },
               StatusCode::kIo, "no"},
              {[](std::span<const HostBuffer>) -> Status {
                 throw std::runtime_error("thrown");
               },
               StatusCode::kInternal, "thrown"},
              {[](std::span<const HostBuffer>) -> Status { throw 1; },
               StatusCode::kInternal, "an exception of unknown type"}};
  for (int queue : {0, 1})
    for (auto &row : rows) {
      json manifest = hostCallManifest();
      for (json &command : manifest["entries"][4]["commands"])
        command["queue"] = queue;
      std::unique_ptr<Session> session = makeSession({}, manifest);
      ASSERT_TRUE(session->registerFunction("twice", twice).ok());
      ASSERT_TRUE(session->registerFunction("watch", row.function).ok());
      Status status = session->run("host_job", {x.view()})->wait();
      EXPECT_EQ(status.code(), row.code);
      EXPECT_EQ(
          status.message(),
          "job 'host_job', 'watched': watch: " + std::string(row.message) +
              "; variables are as they were before this step");
      EXPECT_EQ(status.location(), "train.py:20:8");
    }
}

TEST_F(HostCallTest, AFunctionCannotCallItsSession) {
  std::unique_ptr<Session> session = makeSession({}, hostCallManifest());
  std::unique_ptr<Session> other = start(hostCallManifest());
  Status variable, job, synchronized, otherJob;
  ASSERT_TRUE(session->registerFunction("twice", twice).ok());
  ASSERT_TRUE(session
                  ->registerFunction(
                      "watch",
                      [&](std::span<const HostBuffer>) {
                        variable = session->readVariables({}).status();
                        job = session->run("predict_job", {x.view()}).status();
                        synchronized = session->synchronize();
                        otherJob = other->run("host_job", {x.view()})->wait();
                        return Status();
                      })
                  .ok());
  EXPECT_TRUE(session->run("host_job", {x.view()})->wait().ok());
  for (const Status &status : {variable, job, synchronized}) {
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "expects calls of the session outside of its "
                                "functions, which a step waits for");
  }
  EXPECT_TRUE(otherJob.ok());
  EXPECT_TRUE(session->run("predict_job", {x.view()})->wait().ok());
}

TEST_F(HostCallTest, RegistrationErrors) {
  std::unique_ptr<Session> session = start(hostCallManifest());
  Status twice = session->registerFunction("watch", watch());
  EXPECT_EQ(twice.code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(twice.message(),
            "expects one function 'watch' but got a second one");
  EXPECT_EQ(session->registerFunction("", watch()).message(),
            "expects a name of the function but got an empty one");
  EXPECT_EQ(session->registerFunction("f", nullptr).message(),
            "expects a function for 'f' but got none");
}

namespace {
struct BadRow {
  const char *pointer, *value, *message;
};
} // namespace

static const BadRow kBadRows[] = {
    {"/types", "[]", ".types: expects 2 types but got 0"},
    {"/types/0", "[\"f32\"]", ".types[0]: expects [dtype, shape]"},
    {"/types/0/0", "\"f64\"",
     ".types[0]: expects a type of 256 bytes but got 8x8xf64"},
    {"/types/0/1", "[281474976710656, 281474976710656]",
     ".types[0]: expects a type of 256 bytes but got "
     "281474976710656x281474976710656xf32"},
    {"/callee", "1", ".callee: expects a string but got 1"},
    {"/chunks", "2", ".chunks: expects an integer from 1 to 1 but got 2"},
    {"/writes", "[]", ".args[1]: expects a buffer that is read or written"},
};

TEST_F(HostCallTest, RefusesABadManifest) {
  ASSERT_TRUE(parseManifest(hostCallManifest().dump()).ok());
  for (const BadRow &row : kBadRows) {
    json manifest = hostCallManifest();
    manifest["entries"][4]["commands"][0][json::json_pointer(row.pointer)] =
        json::parse(row.value);
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    ASSERT_FALSE(parsed.ok()) << row.message;
    EXPECT_TRUE(contains(parsed.status().message(),
                         std::string("entries[4].commands[0]") + row.message));
  }
}
