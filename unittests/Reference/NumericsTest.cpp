//===- NumericsTest.cpp - Philox and special functions --------------------===//

#include "JobDialect/Reference/Numerics.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir::job;

namespace {

using Words4 = std::array<uint32_t, 4>;
using Words2 = std::array<uint32_t, 2>;

// The known answers that Random123 publishes (kat_vectors).
TEST(PhiloxTest, KnownAnswers) {
  EXPECT_EQ(philox4x32(Words4{0, 0, 0, 0}, Words2{0, 0}),
            (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32(Words4{ones, ones, ones, ones}, Words2{ones, ones}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32(Words4{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       Words2{0xa4093822, 0x299f31d0}),
            (Words4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(PhiloxTest, UniformUsesEveryArgument) {
  // (0x6627e8d5 >> 9 plus a half) / 2^23.
  double zero = philoxUniform(0, 0, 0, 0);
  EXPECT_EQ(zero, (0x6627e8d5 / 512 + 0.5) / 8388608.0);
  constexpr int64_t high = int64_t(1) << 32;
  EXPECT_NE(philoxUniform(1, 0, 0, 0), zero);
  EXPECT_NE(philoxUniform(high, 0, 0, 0), zero);
  EXPECT_NE(philoxUniform(0, 1, 0, 0), zero);
  EXPECT_NE(philoxUniform(0, high, 0, 0), zero);
  EXPECT_NE(philoxUniform(0, 0, 1, 0), zero);
  EXPECT_NE(philoxUniform(0, 0, 0, 1), zero);
}

TEST(PhiloxTest, UniformIsUniformAndExactInSingle) {
  constexpr int count = 1 << 16;
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) {
    double number = philoxUniform(7, 3, 1, i);
    ASSERT_GT(number, 0);
    ASSERT_LT(number, 1);
    ASSERT_EQ(number, static_cast<float>(number));
    sum += number;
    squares += number * number;
  }
  // Five standard deviations of the mean and of the mean square.
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
}

/// Checks that erf(erfInv(x)) is x, as exactly as doubles allow: x moves by
/// slope * y * epsilon when y moves by an ulp.
void expectInverse(double x) {
  double y = erfInv(x);
  double slope = 2 / std::sqrt(M_PI) * std::exp(-y * y);
  double tolerance = 2e-16 * (2 * std::abs(x) + 4 * slope * std::abs(y));
  EXPECT_NEAR(std::erf(y), x, tolerance) << "at " << x;
  // The complement tells more in the tails.
  if (x > 0.5) {
    EXPECT_NEAR(std::erfc(y), 1 - x, 2e-15 * (1 - x) * (1 + y * y))
        << "at " << x;
  }
  EXPECT_EQ(erfInv(-x), -y);
}

TEST(ErfInvTest, Inverse) {
  for (double x : {0.0, 1e-300, 1e-20, 1e-8, 0.0099, 0.0101, 0.1, 0.4999, 0.5,
                   0.5001, 0.9, 0.999999, 1 - 1e-10, 1 - 0x1p-53})
    expectInverse(x);
  // Values of Mathematica, to 16 digits.
  EXPECT_DOUBLE_EQ(erfInv(0.5), 0.4769362762044699);
  EXPECT_DOUBLE_EQ(erfInv(0.1), 0.08885599049425769);
  EXPECT_DOUBLE_EQ(erfInv(0.9), 1.163087153676674);
}

TEST(ErfInvTest, RandomInverse) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0, 1), exponent(-16, 0);
  for (int i = 0; i < 10000; ++i) {
    expectInverse(uniform(generator));
    expectInverse(1 - std::pow(10, exponent(generator)));
  }
}

TEST(ErfInvTest, OutsideOfTheDomain) {
  EXPECT_EQ(erfInv(1), INFINITY);
  EXPECT_EQ(erfInv(-1), -INFINITY);
  EXPECT_TRUE(std::isnan(erfInv(1.5)));
  EXPECT_TRUE(std::isnan(erfInv(NAN)));
}

// Values of mpmath, to 17 digits.
TEST(DigammaTest, Values) {
  EXPECT_DOUBLE_EQ(digamma(1), -0.57721566490153286);
  EXPECT_DOUBLE_EQ(digamma(0.5), -1.9635100260214235);
  EXPECT_DOUBLE_EQ(digamma(10), 2.2517525890667211);
  EXPECT_DOUBLE_EQ(digamma(1e10), 23.025850929890457);
  EXPECT_NEAR(digamma(-0.5), 0.036489973978576521, 1e-15);
  EXPECT_DOUBLE_EQ(digamma(-10.25), 5.5168584198862733);
  EXPECT_DOUBLE_EQ(digamma(1e-10), -10000000000.577215);
}

TEST(DigammaTest, Limits) {
  for (double pole : {0.0, -0.0, -1.0, -7.0, double(-INFINITY), double(NAN)})
    EXPECT_TRUE(std::isnan(digamma(pole))) << "at " << pole;
  EXPECT_EQ(digamma(INFINITY), INFINITY);
}

} // namespace
