//===- MatMulTest.cpp - Matrix products against plain loops ---------------===//

#include "drivers/host/onednn/Dnnl.h"
#include "unittests/CallTest.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <pthread.h>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;

static calls::MatMul makeShape(int64_t m, int64_t n, int64_t k, bool transposeA,
                               bool transposeB, int64_t batch = 1) {
  calls::MatMul shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.transpose_a = transposeA;
  shape.transpose_b = transposeB;
  shape.batch = batch;
  return shape;
}

static calls::MatMul split(calls::MatMul shape, int64_t batchParts,
                           int64_t rowParts, int64_t columnParts) {
  shape.batch_parts = calls::filledParts(shape.batch, batchParts);
  shape.row_parts =
      calls::filledParts(calls::ceilDiv(shape.m, calls::kBlock), rowParts);
  shape.column_parts =
      calls::filledParts(calls::ceilDiv(shape.n, calls::kBlock), columnParts);
  return shape;
}

static std::vector<double> reference(const calls::MatMul &shape, const float *a,
                                     const float *b) {
  std::vector<double> result(shape.batch * shape.m * shape.n);
  double *out = result.data();
  for (int64_t matrix = 0; matrix < shape.batch; ++matrix) {
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t p = 0; p < shape.k; ++p) {
        double left =
            shape.transpose_a ? a[p * shape.m + i] : a[i * shape.k + p];
        for (int64_t j = 0; j < shape.n; ++j)
          out[i * shape.n + j] +=
              left *
              (shape.transpose_b ? b[j * shape.k + p] : b[p * shape.n + j]);
      }
    a += shape.m * shape.k;
    b += shape.k * shape.n;
    out += shape.m * shape.n;
  }
  return result;
}

static void check(const calls::MatMul &shape, std::mt19937_64 &random) {
  int64_t chunks = shape.chunks();
  SCOPED_TRACE("batch " + std::to_string(shape.batch) + " m " +
               std::to_string(shape.m) + " n " + std::to_string(shape.n) +
               " k " + std::to_string(shape.k) +
               (shape.transpose_a ? " transpose_a" : "") +
               (shape.transpose_b ? " transpose_b" : "") + ", parts " +
               std::to_string(shape.batch_parts) + " " +
               std::to_string(shape.row_parts) + " " +
               std::to_string(shape.column_parts));
  Command command = makeCommand(shape);
  auto call = createCall(command);
  ASSERT_TRUE(call.ok()) << call.status().message();
  std::vector<GuardedBuffer> buffers;
  for (const BufferRef &arg : command.args)
    buffers.emplace_back(arg.bytes);
  std::vector<void *> args;
  for (GuardedBuffer &buffer : buffers)
    args.push_back(buffer.data());
  buffers[0].fillRandom(random);
  buffers[1].fillRandom(random);
  std::vector<double> exact =
      reference(shape, buffers[0].data(), buffers[1].data());
  std::vector<float> first;
  for (ChunkOrder order : kChunkOrders) {
    buffers[2].poison();
    Status status = runCall(**call, chunks, args.data(), order);
    ASSERT_TRUE(status.ok()) << status.message();
    for (const GuardedBuffer &buffer : buffers)
      ASSERT_TRUE(buffer.guardsIntact());
    if (first.empty()) {
      first.assign(buffers[2].data(), buffers[2].data() + exact.size());
      expectClose(first.data(), exact, shape.k);
    }
    EXPECT_EQ(0, std::memcmp(first.data(), buffers[2].data(),
                             first.size() * sizeof(float)))
        << "other bits in chunk order " << int(order);
  }
}

TEST(MatMul, KnownShapes) {
  std::mt19937_64 random(testSeed());
  for (const calls::MatMul &shape :
       {makeShape(100, 512, 784, false, true),
        makeShape(100, 10, 512, false, true),
        makeShape(512, 784, 100, true, false),
        makeShape(10, 512, 100, true, false),
        makeShape(100, 512, 10, false, false),
        makeShape(300, 70, 65, true, true), makeShape(1, 1, 1, false, false),
        makeShape(1, 300, 40, false, true), makeShape(300, 1, 40, true, false),
        makeShape(64, 64, 32, false, true, 24),
        makeShape(200, 130, 65, true, false, 3),
        makeShape(17, 5, 9, false, false, 7)}) {
    check(shape, random);
    check(split(shape, 1, 1, 5), random);
    check(split(shape, 1, 5, 1), random);
    check(split(shape, 5, 1, 1), random);
    check(split(shape, 2, 3, 4), random);
    check(split(shape, 1, 8, 8), random);
  }
}

TEST(MatMul, RandomShapes) {
  std::mt19937_64 random(testSeed());
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 100 && !::testing::Test::HasFailure(); ++i) {
    calls::MatMul shape =
        makeShape(uniform(1, 150), uniform(1, 150), uniform(1, 150),
                  uniform(0, 1), uniform(0, 1), uniform(1, 5));
    check(split(shape, uniform(1, 4), uniform(1, 4), uniform(1, 4)), random);
  }
}

TEST(Parts, AreOfWholeGroups) {
  // 49 groups of 16 columns in 7 parts of 7, and in 8 parts, which would leave
  // one part with none.
  EXPECT_EQ(calls::partBegin(784, 16, 7, 0), 0);
  EXPECT_EQ(calls::partBegin(784, 16, 7, 1), 112);
  EXPECT_EQ(calls::partBegin(784, 16, 7, 7), 784);
  EXPECT_EQ(calls::filledParts(49, 8), 7);
  EXPECT_EQ(calls::checkParts("parts", 8, 784, 16),
            "expects 'parts' to split 49 into parts that are not empty, as 7 "
            "does, but got 8");
  // The last part may be smaller.
  EXPECT_EQ(calls::partBegin(100, 16, 2, 1), 64);
  EXPECT_EQ(calls::partBegin(100, 16, 2, 2), 100);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void expectRefused(const std::function<void(Command &)> &damage,
                          const std::string &message) {
  Command command = makeCommand(makeShape(4, 6, 8, false, true));
  damage(command);
  auto call = createCall(command);
  ASSERT_FALSE(call.ok()) << message;
  EXPECT_EQ(call.status().code(), StatusCode::kDataLoss);
  EXPECT_EQ(call.status().message(), message);
}

TEST(MatMul, DamagedCommandIsRefused) {
  expectRefused([](Command &command) { command.config.erase("k"); },
                "expects 'k' in the configuration");
  expectRefused([](Command &command) { command.config["alpha"] = int64_t(1); },
                "has no configuration key 'alpha'");
  expectRefused([](Command &command) { command.config["m"] = int64_t(0); },
                "expects 'm' from 1 to 2147483647 but got 0");
  expectRefused([](Command &command) { command.config["m"] = 4.0; },
                "expects an integer as 'm' but got a fraction");
  expectRefused(
      [](Command &command) { command.config["transpose_a"] = int64_t(2); },
      "expects 'transpose_a' from 0 to 1 but got 2");
  expectRefused([](Command &command) { command.args.pop_back(); },
                "expects 3 buffers but got 2");
  expectRefused([](Command &command) { command.args[2].bytes = 64; },
                "expects 96 bytes for out but got 64");
  expectRefused([](Command &command) { command.args[2].isWritten = false; },
                "expects out to be written and not read");
  expectRefused([](Command &command) { command.args[0].isWritten = true; },
                "expects a to be read and not written");
  expectRefused([](Command &command) { command.chunks = 2; },
                "expects 1 chunks, by its configuration, but got 2");
  expectRefused(
      [](Command &command) { command.config["row_parts"] = int64_t(2); },
      "expects 'row_parts' from 1 to 1 but got 2");
  for (int64_t value :
       {INT64_MIN, int64_t(-1), int64_t(1) << 31, int64_t(1) << 60, INT64_MAX})
    for (const char *key : {"batch", "m", "n", "k"})
      expectRefused([=](Command &command) { command.config[key] = value; },
                    std::string("expects '") + key +
                        "' from 1 to 2147483647 but got " +
                        std::to_string(value));
  expectRefused(
      [](Command &command) {
        for (const char *key : {"batch", "k", "n"})
          command.config[key] = int64_t(INT32_MAX);
      },
      "the size of a overflows");
}

TEST(Dnnl, FailuresOfTheLibraryAreStatuses) {
  struct Row {
    dnnl_status_t status;
    StatusCode code;
    const char *reason;
  };
  for (const Row &row :
       {Row{dnnl_out_of_memory, StatusCode::kResourceExhausted,
            "out of memory"},
        Row{dnnl_invalid_arguments, StatusCode::kInternal, "invalid arguments"},
        Row{dnnl_unimplemented, StatusCode::kUnimplemented, "unimplemented"},
        Row{dnnl_runtime_error, StatusCode::kInternal, "runtime error"},
        Row{dnnl_not_required, StatusCode::kInternal, "error"}}) {
    Status status = onednn::dnnlStatus(row.status, "multiply matrices");
    EXPECT_EQ(status.code(), row.code);
    EXPECT_EQ(status.message(),
              std::string("oneDNN cannot multiply matrices: ") + row.reason);
  }
  EXPECT_TRUE(onednn::dnnlStatus(dnnl_success, "multiply matrices").ok());
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

namespace {

volatile sig_atomic_t numSignals = 0;

void countSignal(int) { numSignals = numSignals + 1; }

/// Sends SIGUSR1, whose handler runs on the thread's own stack, to the thread
/// that created it, again and again.
class SignalStorm {
public:
  SignalStorm() {
    struct sigaction action = {};
    action.sa_handler = countSignal;
    sigaction(SIGUSR1, &action, &old);
    numSignals = 0;
    sender = std::thread([this, target = pthread_self()] {
      while (!isOver.load())
        pthread_kill(target, SIGUSR1);
    });
  }
  ~SignalStorm() {
    isOver.store(true);
    sender.join();
    sigaction(SIGUSR1, &old, nullptr);
  }

private:
  struct sigaction old;
  std::atomic<bool> isOver{false};
  std::thread sender;
};

} // namespace

/// Kernels of the library use the stack pointer as a general register.
TEST(MatMulTest, HandlersOfSignalsOverwriteNothing) {
  std::mt19937_64 random(5);
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true}) {
      calls::MatMul shape = makeShape(64, 96, 512, transposeA, transposeB);
      Command command = makeCommand(shape);
      auto call = createCall(command);
      ASSERT_TRUE(call.ok()) << call.status().message();
      std::vector<GuardedBuffer> buffers;
      for (const BufferRef &arg : command.args)
        buffers.emplace_back(arg.bytes);
      std::vector<void *> args;
      for (GuardedBuffer &buffer : buffers)
        args.push_back(buffer.data());
      buffers[0].fillRandom(random);
      buffers[1].fillRandom(random);
      std::vector<double> exact =
          reference(shape, buffers[0].data(), buffers[1].data());
      SignalStorm storm;
      for (int run = 0; run < 300 || numSignals == 0; ++run) {
        Status status =
            runCall(**call, shape.chunks(), args.data(), kChunkOrders[0]);
        ASSERT_TRUE(status.ok()) << status.message();
        for (const GuardedBuffer &buffer : buffers)
          ASSERT_TRUE(buffer.guardsIntact());
        expectClose(buffers[2].data(), exact, shape.k);
      }
    }
}
