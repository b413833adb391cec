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
#include <cstring>
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
    {"tan", std::tan, -30, 30, 4, 5},
    {"acos", std::acos, -1, 1, 4, 4},
    {"asin", std::asin, -1, 1, 4, 4},
    {"atan", std::atan, -4, 4, 4, 4},
    {"cosh", std::cosh, -20, 20, 4, 4},
    {"sinh", std::sinh, -3, 3, 4, 4},
    {"acosh", std::acosh, 1, 1.5, 4, 4},
    {"asinh", std::asinh, -3, 3, 4, 4},
    {"atanh", std::atanh, -1, 1, 4, 4},
    {"erfc", std::erfc, -4, 28, 4, 5},
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
      long double exact = std::pow((long double)x[i], (long double)y[i]);
      worst = std::max(worst, getUlps(z[i], exact));
      if (!std::isnan(z[i]))
        ASSERT_EQ(std::signbit(z[i]), std::signbit(exact))
            << x[i] << " to the power of " << y[i] << ", seed " << seed;
    }
  };
  run(1);
  x = near;
  run(sizeof(Float) == 4 ? 130 : 1050);
  // Integers have powers of negative numbers.
  for (int64_t i = 0; i < count; ++i) {
    x[i] = -near[i];
    y[i] = std::rint(y[i]);
  }
  run(1);
  // Every special value, integers and numbers between them with each other.
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> special{0,
                             1,
                             2,
                             3,
                             Float(0.5),
                             Float(1.5),
                             1 / Limits::epsilon(),
                             1 / Limits::epsilon() + 1,
                             2 / Limits::epsilon() + 2,
                             Limits::denorm_min(),
                             Limits::max(),
                             Limits::infinity(),
                             Limits::quiet_NaN()};
  for (size_t i = 0, e = special.size(); i < e; ++i)
    special.push_back(-special[i]);
  for (size_t i = 0, size = special.size(); i < size * size; ++i) {
    x[i] = special[i / size];
    y[i] = special[i % size];
  }
  run(1);
  std::printf("  pow f%zu: %.3f ulp\n", 8 * sizeof(Float), worst);
  EXPECT_LE(worst, maxUlps) << "seed " << seed;
}

/// Exponents that are known when the kernel is compiled.
template <typename Float>
void checkPowOfConstant(double maxUlps, uint64_t seed) {
  for (double exponent :
       {0., 1., 2., 3., 4., 5., 16., 17., -1., -2., -16., 0.5, -1.5}) {
    std::string type = getBlob<Float>();
    std::string tensor = "tensor" + type.substr(std::strlen("!job.blob"));
    Kernel kernel("%y = job.constant dense<" + std::to_string(exponent) +
                      "> : " + tensor + "\n  job.pow %0, %y : " + type,
                  {type});
    Buffer<Float> z(count);
    double worst = 0;
    for (const Buffer<Float> &x :
         {sampleAll<Float>(seed), sampleRange<Float>(seed + 1, -2, 2)}) {
      kernel({x.data(), z.data()});
      for (int64_t i = 0; i < count; ++i)
        worst = std::max(worst, getUlps(z[i], std::pow((long double)x[i],
                                                       (long double)exponent)));
    }
    EXPECT_LE(worst, maxUlps) << "exponent " << exponent << ", seed " << seed;
  }
}

template <typename Float> void checkAtan2(double maxUlps, uint64_t seed) {
  Kernel kernel("job.atan2 %0, %1 : " + getBlob<Float>(),
                {getBlob<Float>(), getBlob<Float>()});
  Buffer<Float> z(count);
  double worst = 0;
  auto run = [&](const Buffer<Float> &y, const Buffer<Float> &x) {
    kernel({y.data(), x.data(), z.data()});
    for (int64_t i = 0; i < count; ++i) {
      long double exact = std::atan2((long double)y[i], (long double)x[i]);
      worst = std::max(worst, getUlps(z[i], exact));
      if (!std::isnan(z[i])) {
        EXPECT_EQ(std::signbit(z[i]), std::signbit(exact));
      }
    }
  };
  Buffer<Float> y = sampleAll<Float>(seed), x = sampleAll<Float>(seed + 1);
  // Every special value with every other one.
  for (int i = 0; i < 144; ++i) {
    y[1024 + i] = y[i / 12];
    x[1024 + i] = x[i % 12];
  }
  run(y, x);
  run(sampleRange<Float>(seed + 2, -2, 2), sampleRange<Float>(seed + 3, -2, 2));
  std::printf("  atan2 f%zu: %.3f ulp\n", 8 * sizeof(Float), worst);
  EXPECT_LE(worst, maxUlps) << "seed " << seed;
}

TEST(Atan2Test, F32) { checkAtan2<float>(4, 5); }
TEST(Atan2Test, F64) { checkAtan2<double>(4, 6); }

/// The recurrence, and Stirling's series from 60 on.
long double digamma(long double x) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  long double result = 0;
  if (x <= 0) {
    long double fraction = x - std::nearbyint(x);
    if (!std::isfinite(x) || fraction == 0)
      return NAN;
    result = -pi / std::tan(pi * fraction);
    x = 1 - x;
  }
  for (; x < 60; ++x)
    result -= 1 / x;
  long double square = 1 / (x * x);
  return result + std::log(x) - 0.5L / x -
         square * (1 / 12.0L - square * (1 / 120.0L -
                                         square * (1 / 252.0L - square / 240)));
}

/// The functions have zeros below 0: errors are relative to the larger of 1 and
/// the result, in units in the last place.
template <typename Float>
void checkGamma(const char *name, long double (*exact)(long double),
                double maxUlps, uint64_t seed) {
  Kernel kernel("job." + std::string(name) + " %0 : " + getBlob<Float>(),
                {getBlob<Float>()});
  Buffer<Float> y(count);
  double worst = 0;
  Float worstArgument = 0;
  auto run = [&](const Buffer<Float> &x) {
    kernel({x.data(), y.data()});
    for (int64_t i = 0; i < count; ++i) {
      long double expected = exact(x[i]);
      double ulps = std::fabs(expected) < 1 && !std::isnan(y[i])
                        ? double(std::fabs(y[i] - expected) /
                                 std::numeric_limits<Float>::epsilon())
                        : getUlps(y[i], expected);
      if (ulps > worst) {
        worst = ulps;
        worstArgument = x[i];
      }
    }
  };
  for (int i = 0; i < 2; ++i)
    run(sampleAll<Float>(seed + i));
  run(sampleRange<Float>(seed + 2, 0, 3));
  run(sampleRange<Float>(seed + 3, 0, 30));
  run(sampleRange<Float>(seed + 4, -10, 0));
  std::printf("  %s f%zu: %.3f ulp at %.17g\n", name, 8 * sizeof(Float), worst,
              double(worstArgument));
  EXPECT_LE(worst, maxUlps) << "at " << worstArgument << ", seed " << seed;
}

TEST(LgammaTest, F32) { checkGamma<float>("lgamma", std::lgamma, 1, 7); }
TEST(LgammaTest, F64) { checkGamma<double>("lgamma", std::lgamma, 16, 8); }
TEST(DigammaTest, F32) { checkGamma<float>("digamma", digamma, 1, 9); }
TEST(DigammaTest, F64) { checkGamma<double>("digamma", digamma, 32, 10); }

/// Zeros of the logarithm, where it keeps its relative precision.
template <typename Float> void checkLgammaZeros() {
  Kernel kernel("job.lgamma %0 : " + getBlob<Float>(), {getBlob<Float>()});
  for (Float zero : {1, 2}) {
    Buffer<Float> x(count), y(count);
    for (int64_t i = 0; i < count; ++i)
      x[i] = zero + (i - count / 2) * std::numeric_limits<Float>::epsilon();
    kernel({x.data(), y.data()});
    for (int64_t i = 0; i < count; ++i)
      EXPECT_LE(getUlps(y[i], std::lgamma((long double)x[i])), 8)
          << "at " << x[i];
  }
}

TEST(LgammaZerosTest, F32) { checkLgammaZeros<float>(); }
TEST(LgammaZerosTest, F64) { checkLgammaZeros<double>(); }

/// Remainders of quotients with more bits than a float are exact, and have the
/// sign of the divisor.
template <typename Float> void checkMod(uint64_t seed) {
  Kernel mod("job.mod %0, %1 : " + getBlob<Float>(),
             {getBlob<Float>(), getBlob<Float>()});
  Kernel divide("job.floor_div %0, %1 : " + getBlob<Float>(),
                {getBlob<Float>(), getBlob<Float>()});
  Buffer<Float> x = sampleRange<Float>(seed, -1, 1);
  Buffer<Float> y = sampleRange<Float>(seed + 1, -1, 1), z(count), q(count);
  for (double scale : {1.0, 1e3, 1e6, 1e12, 1e20}) {
    for (Float &value : x)
      value *= Float(scale);
    mod({x.data(), y.data(), z.data()});
    divide({x.data(), y.data(), q.data()});
    for (int64_t i = 0; i < count; ++i) {
      Float rest = std::fmod(x[i], y[i]);
      Float expected =
          rest != 0 && (rest < 0) != (y[i] < 0) ? rest + y[i] : rest;
      ASSERT_EQ(z[i], expected) << x[i] << " mod " << y[i] << ", seed " << seed;
      // The rest is exact, so that the quotient is one rounded once.
      long double quotient =
          std::floor(((long double)x[i] - rest) / y[i] + 0.5L) -
          (rest != 0 && (rest < 0) != (y[i] < 0));
      ASSERT_LE(getUlps(q[i], quotient), 1) << x[i] << " / " << y[i];
    }
    for (Float &value : x)
      value /= Float(scale);
  }
}

TEST(ModTest, F32) { checkMod<float>(11); }
TEST(ModTest, F64) { checkMod<double>(12); }

TEST(PowTest, F32) { checkPow<float>(1, 3); }
TEST(PowTest, F64) { checkPow<double>(4, 4); }
TEST(PowOfConstantTest, F32) { checkPowOfConstant<float>(1, 13); }
TEST(PowOfConstantTest, F64) { checkPowOfConstant<double>(4, 14); }

} // namespace
