//===- MatMulTest.cpp - Matrix products against plain loops ---------------===//

#include "drivers/host/onednn/Dnnl.h"
#include "unittests/CallTest.h"

#include <cstring>

using namespace jobrt;
using namespace jobrt::test;

namespace {
struct Shape3 {
  int64_t m, n, k;
  bool transposeA, transposeB;
  int64_t batch = 1;
};
} // namespace

static Command makeCommand(const Shape3 &shape, int64_t chunks) {
  Command command;
  command.kind = Command::Kind::kCall;
  command.callee = "onednn.matmul";
  command.config = {{"batch", shape.batch},
                    {"m", shape.m},
                    {"n", shape.n},
                    {"k", shape.k},
                    {"transpose_a", int64_t(shape.transposeA)},
                    {"transpose_b", int64_t(shape.transposeB)}};
  command.chunks = chunks;
  command.args = {
      {Space::kArena, 0, 4 * shape.batch * shape.m * shape.k, true, false},
      {Space::kArena, 0, 4 * shape.batch * shape.k * shape.n, true, false},
      {Space::kArena, 0, 4 * shape.batch * shape.m * shape.n, false, true}};
  return command;
}

static std::vector<double> reference(const Shape3 &shape, const float *a,
                                     const float *b) {
  std::vector<double> result(shape.batch * shape.m * shape.n);
  double *out = result.data();
  for (int64_t matrix = 0; matrix < shape.batch; ++matrix) {
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t p = 0; p < shape.k; ++p) {
        double left =
            shape.transposeA ? a[p * shape.m + i] : a[i * shape.k + p];
        for (int64_t j = 0; j < shape.n; ++j)
          out[i * shape.n + j] +=
              left *
              (shape.transposeB ? b[j * shape.k + p] : b[p * shape.n + j]);
      }
    a += shape.m * shape.k;
    b += shape.k * shape.n;
    out += shape.m * shape.n;
  }
  return result;
}

static void check(const Shape3 &shape, int64_t chunks,
                  std::mt19937_64 &random) {
  SCOPED_TRACE("batch " + std::to_string(shape.batch) + " m " +
               std::to_string(shape.m) + " n " + std::to_string(shape.n) +
               " k " + std::to_string(shape.k) +
               (shape.transposeA ? " transpose_a" : "") +
               (shape.transposeB ? " transpose_b" : "") + ", " +
               std::to_string(chunks) + " chunks");
  Command command = makeCommand(shape, chunks);
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
  for (const Shape3 &shape :
       {Shape3{100, 512, 784, false, true}, Shape3{100, 10, 512, false, true},
        Shape3{512, 784, 100, true, false}, Shape3{10, 512, 100, true, false},
        Shape3{100, 512, 10, false, false}, Shape3{300, 70, 65, true, true},
        Shape3{1, 1, 1, false, false}, Shape3{1, 300, 40, false, true},
        Shape3{300, 1, 40, true, false}, Shape3{64, 64, 32, false, true, 24},
        Shape3{200, 130, 65, true, false, 3},
        Shape3{17, 5, 9, false, false, 7}})
    for (int64_t chunks :
         {jobrt_matmul_chunks(shape.batch, shape.m, shape.n, shape.k),
          int64_t(1), int64_t(5)})
      check(shape, chunks, random);
}

TEST(MatMul, RandomShapes) {
  std::mt19937_64 random(testSeed());
  auto uniform = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int i = 0; i < 100 && !::testing::Test::HasFailure(); ++i) {
    Shape3 shape{uniform(1, 150),    uniform(1, 150),    uniform(1, 150),
                 uniform(0, 1) == 1, uniform(0, 1) == 1, uniform(1, 5)};
    check(shape, uniform(1, 9), random);
  }
}

TEST(MatMul, ChunksOfTheContract) {
  EXPECT_EQ(jobrt_matmul_chunks(1, 100, 512, 784), 8);
  EXPECT_EQ(jobrt_matmul_chunks(1, 100, 10, 512), 1);
  EXPECT_EQ(jobrt_matmul_chunks(1, 512, 3136, 100), 8);
  EXPECT_EQ(jobrt_matmul_chunks(1, 512, 784, 100), 8);
  EXPECT_EQ(jobrt_matmul_chunks(1, 100, 20, 100000), 7);
  // Many products: ranges of them. Few: parts of each, all of one size.
  EXPECT_EQ(jobrt_matmul_chunks(96, 256, 256, 64), 8);
  EXPECT_EQ(jobrt_matmul_chunks(12, 256, 256, 64), 12);
  EXPECT_EQ(jobrt_matmul_chunks(3, 512, 512, 64), 9);
  EXPECT_EQ(jobrt_matmul_chunks(3, 16, 16, 65536), 3);
  EXPECT_EQ(jobrt_parts_of_item(96, 8), 1);
  EXPECT_EQ(jobrt_parts_of_item(3, 9), 3);
  EXPECT_EQ(jobrt_parts_of_item(3, 8), 2);
  EXPECT_TRUE(jobrt_matmul_splits_columns(100, 512));
  EXPECT_FALSE(jobrt_matmul_splits_columns(512, 100));
  // 49 groups of 16 columns in 8 chunks: 6 or 7 each.
  EXPECT_EQ(jobrt_chunk_begin(784, 16, 8, 0), 0);
  EXPECT_EQ(jobrt_chunk_begin(784, 16, 8, 1), 96);
  EXPECT_EQ(jobrt_chunk_begin(784, 16, 8, 7), 672);
  EXPECT_EQ(jobrt_chunk_begin(784, 16, 8, 8), 784);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void expectRefused(const std::function<void(Command &)> &damage,
                          const std::string &message) {
  Command command = makeCommand({4, 6, 8, false, true}, 1);
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
                "expects 'm' from 1 to 2147483647 but got a "
                "fraction");
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
  expectRefused([](Command &command) { command.chunks = 1025; },
                "expects from 1 to 1024 chunks but got 1025");
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
