//===- MathTest.cpp - Errors of the elementary functions ------------------===//
//
// Compares the compiled functions with the C library's in the next larger
// precision. f32 functions of one argument are sampled over all of f32.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <new>
#include <random>
#include <vector>

using namespace mlir::job;

namespace {

constexpr int64_t count = 1 << 16;

/// A vector whose memory is aligned as the runtime's buffers are.
template <typename T> struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U> AlignedAllocator(const AlignedAllocator<U> &) {}
  T *allocate(size_t size) {
    return static_cast<T *>(
        ::operator new(size * sizeof(T), std::align_val_t(JOBRT_ALIGNMENT)));
  }
  void deallocate(T *memory, size_t) {
    ::operator delete(memory, std::align_val_t(JOBRT_ALIGNMENT));
  }
  friend bool operator==(AlignedAllocator, AlignedAllocator) { return true; }
};
template <typename T> using Buffer = std::vector<T, AlignedAllocator<T>>;

/// How far `value` is from `exact`, in units in the last place of the exact
/// result's float (that of the smallest normal number for denormals).
template <typename Float> double getUlps(Float value, long double exact) {
  using Limits = std::numeric_limits<Float>;
  Float rounded = Float(exact);
  if (std::isnan(rounded) || std::isnan(value))
    return std::isnan(rounded) == std::isnan(value) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(value))
    return rounded == value ? 0 : HUGE_VAL;
  int exponent = rounded == 0 ? Limits::min_exponent : std::ilogb(rounded) + 1;
  exponent = std::max(exponent, int(Limits::min_exponent));
  long double unit = std::ldexp(1.0L, exponent - Limits::digits);
  return double(std::fabs((long double)value - exact) / unit);
}

template <typename Float> std::string getBlob() {
  return "!job.blob<" + std::to_string(count) +
         (sizeof(Float) == 4 ? "xf32>" : "xf64>");
}

/// Random bits, and every special value.
template <typename Float> Buffer<Float> sampleAll(uint64_t seed) {
  using Limits = std::numeric_limits<Float>;
  using Bits = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(seed);
  Buffer<Float> values(count);
  for (Float &value : values)
    value = std::bit_cast<Float>(Bits(random()));
  Float special[] = {0,
                     Float(-0.0),
                     1,
                     -1,
                     Limits::infinity(),
                     -Limits::infinity(),
                     Limits::quiet_NaN(),
                     Limits::denorm_min(),
                     -Limits::denorm_min(),
                     Limits::min(),
                     Limits::max(),
                     Limits::lowest()};
  std::copy(std::begin(special), std::end(special), values.begin());
  return values;
}

template <typename Float>
Buffer<Float> sampleRange(uint64_t seed, double low, double high) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  Buffer<Float> values(count);
  for (Float &value : values)
    value = Float(distribution(random));
  return values;
}

struct Function {
  const char *name;
  long double (*exact)(long double);
  /// Where the function is interesting, besides everywhere.
  double low, high;
  double maxUlps32, maxUlps64;
  /// Which of the op's functions.
  const char *attribute = "";
};

long double logistic(long double x) { return 1 / (1 + std::exp(-x)); }
long double rsqrt(long double x) { return 1 / std::sqrt(x); }

long double gelu(long double x) {
  if (x == -HUGE_VALL)
    return -0.0L; // the limit
  return x / 2 * std::erfc(-x * 0.70710678118654752440L);
}

/// (1 + tanh u) / 2 without a difference of near numbers.
long double geluTanh(long double x) {
  if (x == -HUGE_VALL)
    return -0.0L; // the limit
  long double u =
      0.797884560802865355879892119868763737L * (x + 0.044715L * x * x * x);
  return x * logistic(2 * u);
}

/// Newton's method on the C library's erf, started from Winitzki's formula.
long double erfInv(long double x) {
  if (!(std::fabs(x) < 1))
    return std::fabs(x) == 1 ? std::copysign(HUGE_VALL, x) : NAN;
  long double magnitude = std::fabs(x), a = 0.147L;
  long double log = std::log1p(-magnitude * magnitude);
  long double b = 2 / (3.14159265358979L * a) + log / 2;
  long double y = std::sqrt(std::sqrt(b * b - log / a) - b);
  if (magnitude < 1e-5L)
    y = magnitude * 0.886226925452758013649L;
  // The difference of complements keeps its precision near 1.
  for (int i = 0; i < 20; ++i) {
    long double error = magnitude < 0.5L ? std::erf(y) - magnitude
                                         : (1 - magnitude) - std::erfc(y);
    long double slope = 1.12837916709551257390L * std::exp(-y * y);
    y -= error / slope;
  }
  return std::copysign(y, x);
}

const Function functions[] = {
    {"exp", std::exp, -110, 100, 2, 2},
    {"log", std::log, 0.4, 2.5, 2, 2},
    {"sqrt", std::sqrt, 0, 10, 0.5, 0.5},
    {"rsqrt", rsqrt, 0, 10, 2, 2},
    {"tanh", std::tanh, -12, 12, 4, 4},
    {"sigmoid", logistic, -100, 30, 3, 3},
    {"sin", std::sin, -30, 30, 3, 4},
    {"cos", std::cos, -30, 30, 3, 4},
    {"erf_inv", erfInv, -1, 1, 4, 4},
    {"erf", std::erf, -4, 4, 4, 4},
    {"gelu", gelu, -20, 10, 4, 4},
    {"expm1", std::expm1, -40, 3, 4, 4},
    {"log1p", std::log1p, -1, 2, 4, 4},
    {"gelu", geluTanh, -24, 10, 4, 4, " approximate tanh"},
};

class MathTest : public testing::TestWithParam<Function> {};

template <typename Float>
void check(const Function &function, double maxUlps, uint64_t seed) {
  Kernel kernel("job." + std::string(function.name) + " %0" +
                    function.attribute + " : " + getBlob<Float>(),
                {getBlob<Float>()});
  double worst = 0;
  Float worstArgument = 0;
  auto run = [&](const Buffer<Float> &x) {
    Buffer<Float> y(count);
    kernel({x.data(), y.data()});
    for (int64_t i = 0; i < count; ++i) {
      double ulps = getUlps(y[i], function.exact(x[i]));
      if (ulps > worst) {
        worst = ulps;
        worstArgument = x[i];
      }
    }
  };
  for (int i = 0; i < 8; ++i)
    run(sampleAll<Float>(seed + i));
  for (int i = 0; i < 4; ++i)
    run(sampleRange<Float>(seed + i, function.low, function.high));
  std::printf("  %s%s f%zu: %.3f ulp at %.17g\n", function.name,
              function.attribute, 8 * sizeof(Float), worst,
              double(worstArgument));
  EXPECT_LE(worst, maxUlps) << "at " << worstArgument << ", seed " << seed;
}

TEST_P(MathTest, F32) { check<float>(GetParam(), GetParam().maxUlps32, 1); }
TEST_P(MathTest, F64) { check<double>(GetParam(), GetParam().maxUlps64, 2); }

INSTANTIATE_TEST_SUITE_P(All, MathTest, testing::ValuesIn(functions),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           return *info.param.attribute ? name + "_tanh" : name;
                         });

template <typename Float> void checkPow(double maxUlps, uint64_t seed) {
  Kernel kernel("job.pow %0, %1 : " + getBlob<Float>(),
                {getBlob<Float>(), getBlob<Float>()});
  Buffer<Float> x = sampleAll<Float>(seed);
  Buffer<Float> near = sampleRange<Float>(seed + 1, 0.5, 2);
  // Exponents that keep results in range, whatever the base.
  Buffer<Float> y = sampleRange<Float>(seed + 2, -1.1, 1.1), z(count);
  double worst = 0;
  auto run = [&](Float scale) {
    for (Float &value : y)
      value *= scale;
    kernel({x.data(), y.data(), z.data()});
    for (int64_t i = 0; i < count; ++i) {
      // The domain of the op: x > 0, or x = 0 and y > 0; NaN below.
      if (x[i] == 0 && !(y[i] > 0))
        continue;
      long double exact =
          x[i] < 0 ? NAN : std::pow((long double)x[i], (long double)y[i]);
      worst = std::max(worst, getUlps(z[i], exact));
    }
  };
  run(1);
  x = near;
  run(sizeof(Float) == 4 ? 130 : 1050);
  std::printf("  pow f%zu: %.3f ulp\n", 8 * sizeof(Float), worst);
  EXPECT_LE(worst, maxUlps) << "seed " << seed;
}

TEST(PowTest, F32) { checkPow<float>(1, 3); }
TEST(PowTest, F64) { checkPow<double>(4, 4); }

} // namespace
