//===- BaseTest.cpp - Status, tensors, memory, threads --------------------===//

#include "jobrt/tensor.h"
#include "lib/base/AllocationCounter.h"
#include "lib/base/Cores.h"
#include "lib/base/SystemError.h"
#include "lib/base/Threads.h"
#include "lib/executor/JsonReader.h"
#include "lib/memory/Region.h"
#include "unittests/TestArtifact.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

using namespace jobrt;
using jobrt::test::contains;

TEST(StatusTest, SuccessHasNoMessage) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.toString(), "");
  EXPECT_TRUE(Status(StatusCode::kOk, "ignored").ok());
}

TEST(StatusTest, ErrorSaysWhereAndWhat) {
  Status status(StatusCode::kIo, "cannot read", "train.py:3:1");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_EQ(status.location(), "train.py:3:1");
  EXPECT_EQ(status.toString(), "train.py:3:1: cannot read");
  EXPECT_EQ(Status(StatusCode::kIo, "cannot read").toString(), "cannot read");
}

TEST(StatusTest, EveryCodeHasItsName) {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(StatusCode::kNotFinite); ++i)
    names.insert(statusCodeName(static_cast<StatusCode>(i)));
  EXPECT_EQ(names.size(), static_cast<size_t>(StatusCode::kNotFinite) + 1);
  EXPECT_FALSE(names.count("unknown error"));
}

TEST(StatusTest, ExpectedHoldsValueOrError) {
  Expected<std::string> value(std::string("text"));
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, "text");
  EXPECT_EQ(value->size(), 4u);
  EXPECT_TRUE(value.status().ok());
  Expected<std::string> error(Status(StatusCode::kNotFound, "nothing"));
  EXPECT_FALSE(error.ok());
  EXPECT_EQ(error.status().message(), "nothing");
}

TEST(TensorTest, NamesAndSizesOfTypes) {
  struct {
    DType dtype;
    const char *name;
    int64_t bytes;
  } rows[] = {{DType::kI1, "i1", 1},    {DType::kI8, "i8", 1},
              {DType::kI32, "i32", 4},  {DType::kI64, "i64", 8},
              {DType::kF32, "f32", 4},  {DType::kF64, "f64", 8},
              {DType::kUI8, "ui8", 1},  {DType::kF16, "f16", 2},
              {DType::kBF16, "bf16", 2}};
  for (auto &row : rows) {
    EXPECT_STREQ(dtypeName(row.dtype), row.name);
    EXPECT_EQ(dtypeBytes(row.dtype), row.bytes);
    EXPECT_EQ(parseDType(row.name), row.dtype);
  }
  EXPECT_EQ(parseDType("f8"), std::nullopt);
  EXPECT_EQ(formatType({100, 784}, DType::kF32), "100x784xf32");
  EXPECT_EQ(formatType({}, DType::kI64), "i64");
}

TEST(TensorTest, CountsElementsWithoutOverflow) {
  constexpr int64_t big = int64_t(1) << 32;
  EXPECT_EQ(numElements({}), 1);
  EXPECT_EQ(numElements({2, 3, 4}), 24);
  EXPECT_EQ(numElements({7, 0}), 0);
  EXPECT_EQ(numElements({big, big}), std::nullopt);
  EXPECT_EQ(numElements({3, -1}), std::nullopt);
}

TEST(TensorTest, PacksElementsBeforeACount) {
  const std::vector<int32_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  auto pack = [&](Shape shape, size_t dim, int64_t count) {
    std::vector<int32_t> data = all;
    packElements(data.data(), shape, DType::kI32, dim, count);
    return data;
  };
  using Data = std::vector<int32_t>;
  EXPECT_EQ(pack({2, 6}, 1, 6), all);
  EXPECT_EQ(pack({2, 6}, 1, 2), (Data{0, 1, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(pack({2, 6}, 1, 0), Data(12, 0));
  EXPECT_EQ(pack({2, 3, 2}, 1, 1), (Data{0, 1, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(pack({2, 3, 2}, 2, 1), (Data{0, 2, 4, 6, 8, 10, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(pack({4, 3}, 0, 1), (Data{0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(TensorTest, PermutesDimensions) {
  const Shape shape = {2, 3, 4}, permutation = {1, 2, 0};
  EXPECT_EQ(permuteShape(shape, permutation), (Shape{3, 4, 2}));
  EXPECT_EQ(invertPermutation(permutation), (Shape{2, 0, 1}));

  auto check = [&]<typename Element>(DType dtype, Element) {
    std::vector<Element> data(24), permuted(24), restored(24);
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<Element>(i);
    permuteElements(data.data(), permuted.data(), shape, dtype, permutation);
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t j = 0; j < 3; ++j)
        for (int64_t k = 0; k < 4; ++k)
          EXPECT_EQ(permuted[(j * 4 + k) * 2 + i], data[(i * 3 + j) * 4 + k]);
    permuteElements(permuted.data(), restored.data(), {3, 4, 2}, dtype,
                    invertPermutation(permutation));
    EXPECT_EQ(restored, data);
  };
  check(DType::kUI8, uint8_t());
  check(DType::kBF16, uint16_t());
  check(DType::kI32, int32_t());
  check(DType::kF64, double());

  double scalar = 1, copy = 0;
  permuteElements(&scalar, &copy, {}, DType::kF64, {});
  EXPECT_EQ(copy, 1);
  // Nothing is accessed.
  permuteElements(nullptr, nullptr, {3, 0}, DType::kF32, {1, 0});
}

TEST(TensorTest, IsAlignedAndZero) {
  Expected<Tensor> tensor = Tensor::create(DType::kF64, {5, 3});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % 64, 0u);
  EXPECT_EQ(tensor->bytes(), 120);
  EXPECT_EQ(tensor->view().bytes(), 120);
  EXPECT_EQ(tensor->dtype(), DType::kF64);
  EXPECT_EQ(tensor->shape(), (Shape{5, 3}));
  for (int i = 0; i < 15; ++i)
    EXPECT_EQ(static_cast<double *>(tensor->data())[i], 0.0);
}

TEST(TensorTest, EmptyOneHasAnAddress) {
  Expected<Tensor> tensor = Tensor::create(DType::kF32, {0, 3});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->bytes(), 0);
  EXPECT_NE(tensor->data(), nullptr);
}

TEST(TensorTest, RefusesImpossibleSizes) {
  constexpr int64_t big = int64_t(1) << 32;
  Expected<Tensor> overflow = Tensor::create(DType::kF32, {big, big});
  ASSERT_FALSE(overflow.ok());
  EXPECT_EQ(overflow.status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(contains(
      overflow.status().message(),
      "a tensor expects a shape with a size below 2^63 bytes and no negative "
      "extent but got 4294967296x4294967296xf32"));
  Expected<Tensor> huge = Tensor::create(DType::kI8, {int64_t(1) << 60});
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.status().code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(contains(huge.status().message(),
                       "cannot allocate 1152921504606846976 bytes for a tensor "
                       "1152921504606846976xi8"));
}

TEST(RegionTest, IsAlignedAndZeroAtEverySize) {
  for (int64_t bytes :
       {int64_t(0), int64_t(1), int64_t(63), int64_t(64), int64_t(4095),
        (int64_t(4) << 20) - 1, int64_t(4) << 20, (int64_t(5) << 20) + 12345}) {
    Expected<Region> region = Region::create(bytes, "test");
    ASSERT_TRUE(region.ok()) << bytes;
    EXPECT_EQ(region->bytes(), bytes);
    ASSERT_NE(region->data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(region->data()) % 64, 0u);
    for (int64_t i = 0; i < bytes; i += 509)
      ASSERT_EQ(region->data()[i], std::byte(0)) << bytes << " at " << i;
    // All of it can be written.
    std::memset(region->data(), 0xff, bytes);
  }
}

TEST(RegionTest, BigOnesStartAtAHugePage) {
  Expected<Region> region = Region::create(int64_t(8) << 20, "test");
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(region->data()) % (2 << 20), 0u);
}

TEST(RegionTest, MovesItsMemory) {
  Expected<Region> first = Region::create(100, "test");
  ASSERT_TRUE(first.ok());
  std::byte *data = first->data();
  Region second = std::move(*first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first->data(), nullptr);
  Region third;
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.bytes(), 100);
}

TEST(RegionTest, SaysWhatDidNotFit) {
  for (int64_t bytes :
       {int64_t(1) << 60, std::numeric_limits<int64_t>::max(), int64_t(-1)}) {
    Expected<Region> region = Region::create(bytes, "arena");
    ASSERT_FALSE(region.ok()) << bytes;
    EXPECT_EQ(region.status().code(), StatusCode::kResourceExhausted);
    EXPECT_EQ(region.status().message(), "cannot allocate " +
                                             std::to_string(bytes) +
                                             " bytes for the arena");
  }
}

TEST(SystemErrorTest, IsInLowerCase) {
  EXPECT_EQ(describeSystemError(ENOENT), "no such file or directory");
}

TEST(ThreadsTest, RunsTheBodyUnderItsName) {
  std::string name(16, '\0');
  Expected<std::thread> thread = startThread("jobrt-test", [&] {
    pthread_getname_np(pthread_self(), name.data(), name.size());
  });
  ASSERT_TRUE(thread.ok());
  thread->join();
  EXPECT_STREQ(name.c_str(), "jobrt-test");
  EXPECT_GE(availableCores(), 1);
}

/// Ends the process with 0 when starting a thread fails as it should.
static void startThreadsWithoutMemory() {
  // A thread needs megabytes of addresses for its stack; some stacks of
  // threads that have ended may be there to be used again.
  rlimit limit{1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &limit);
  for (int i = 0; i < 100; ++i) {
    Expected<std::thread> thread = startThread("jobrt-test", [] { pause(); });
    if (!thread.ok())
      _exit(thread.status().code() == StatusCode::kResourceExhausted &&
                    contains(thread.status().message(),
                             "cannot start the thread 'jobrt-test': resource "
                             "temporarily unavailable")
                ? 0
                : 1);
    thread->detach();
  }
  _exit(2);
}

TEST(ThreadsTest, AThreadThatCannotStartIsAnError) {
  if (!countsAllocations())
    GTEST_SKIP() << "a sanitizer needs more addresses than the limit leaves";
  EXPECT_EXIT(startThreadsWithoutMemory(), testing::ExitedWithCode(0), "");
}

#if defined(__x86_64__)
TEST(ThreadsTest, FloatEnvironmentIsTheDefaultAndComesBack) {
  volatile float smallest = std::numeric_limits<float>::min();
  unsigned before = _mm_getcsr();
  constexpr unsigned flushToZero = 0x8040;
  _mm_setcsr(before | flushToZero);
  volatile float flushed = smallest / 2;
  float kept;
  {
    FloatEnvironmentScope scope;
    volatile float denormal = smallest / 2;
    kept = denormal;
  }
  unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(flushed, 0.0f);
  EXPECT_GT(kept, 0.0f);
  EXPECT_EQ(after & flushToZero, flushToZero);
}
#endif

TEST(JsonTest, SyntaxErrorsSayWhere) {
  EXPECT_EQ(parseJson("{\"a\": 1,}").status().message(),
            "expects JSON but got a syntax error at byte 9");
  EXPECT_EQ(parseJson("").status().message(),
            "expects JSON but got a syntax error at byte 1");
  EXPECT_TRUE(contains(parseJson("1e999").status().message(),
                       "expects JSON but got: "));
}

TEST(JsonTest, NestingIsBounded) {
  std::string deep = std::string(65, '[') + std::string(65, ']');
  EXPECT_EQ(parseJson(deep).status().message(),
            "expects JSON of at most 64 levels but got 65");
  EXPECT_TRUE(parseJson(deep.substr(1, 128)).ok());
  EXPECT_FALSE(parseJson(std::string(10'000'000, '[')).ok());
  // Brackets inside of strings do not count.
  EXPECT_TRUE(parseJson("\"\\\"" + std::string(100, '[') + "\"").ok());
}

TEST(JsonTest, KeepsTheFirstErrorWithItsPath) {
  Expected<nlohmann::json> root = parseJson(R"({"a": [{"b": "x"}]})");
  ASSERT_TRUE(root.ok());
  JsonErrors errors;
  JsonReader reader(*root, errors);
  reader.member("a").element(0).member("b").integer(0, 9);
  reader.member("missing").string();
  EXPECT_EQ(errors.status().message(),
            "a[0].b: expects an integer from 0 to 9 but got a string");
}

TEST(JsonTest, EveryGetterChecksItsType) {
  struct {
    const char *text;
    void (*read)(const JsonReader &);
    const char *message;
  } rows[] = {
      {"[]", [](const JsonReader &r) { r.member("a"); },
       "top level: expects an object but got an array"},
      {"{}", [](const JsonReader &r) { r.member("a"); },
       "top level: expects a member 'a'"},
      {"{}", [](const JsonReader &r) { r.arraySize(); },
       "top level: expects an array but got an object"},
      {"null", [](const JsonReader &r) { r.members(); },
       "top level: expects an object but got null"},
      {"true", [](const JsonReader &r) { r.string(); },
       "top level: expects a string but got a boolean"},
      {"1", [](const JsonReader &r) { r.boolean(); },
       "top level: expects a boolean but got 1"},
      {"1.5", [](const JsonReader &r) { r.integer(0, 9); },
       "top level: expects an integer from 0 to 9 but got a fraction"},
      {"-1", [](const JsonReader &r) { r.integer(0, 9); },
       "top level: expects an integer from 0 to 9 but got -1"},
      {"18446744073709551615", [](const JsonReader &r) { r.integer(0, 9); },
       "top level: expects an integer from 0 to 9 but got "
       "18446744073709551615"},
      {"-1180591620717411303424", [](const JsonReader &r) { r.integer(-9, 9); },
       "top level: expects an integer from -9 to 9 but got "
       "-1.1805916207174113e+21"},
  };
  for (auto &row : rows) {
    Expected<nlohmann::json> root = parseJson(row.text);
    ASSERT_TRUE(root.ok());
    JsonErrors errors;
    row.read(JsonReader(*root, errors));
    EXPECT_EQ(errors.status().message(), row.message) << row.text;
  }
}
