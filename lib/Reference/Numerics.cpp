//===- Numerics.cpp - Philox and special functions ------------------------===//

#include "JobDialect/Reference/Numerics.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;

std::array<uint32_t, 4> job::philox4x32(std::array<uint32_t, 4> counter,
                                        std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53) * counter[0];
    uint64_t product1 = uint64_t(0xCD9E8D57) * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    // Weyl sequences of the golden ratio and of sqrt(3) - 1.
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

double job::philoxUniform(int64_t seed, int64_t step, int64_t id,
                          int64_t index) {
  auto low = [](int64_t value) { return static_cast<uint32_t>(value); };
  auto high = [](int64_t value) {
    return static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
  };
  uint32_t bits = philox4x32({low(index), low(id), low(step), high(step)},
                             {low(seed), high(seed)})[0];
  return ((bits >> 9) + 0.5) * 0x1p-23;
}

double job::erfInv(double x) {
  double magnitude = std::abs(x);
  if (!(magnitude <= 1))
    return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == 1)
    return std::copysign(std::numeric_limits<double>::infinity(), x);

  // Start: the first term of the series near 0, else Winitzki's formula, which
  // is right to 2e-3.
  double y = magnitude * std::sqrt(std::numbers::pi) / 2;
  if (magnitude > 1e-2) {
    constexpr double a = 0.147;
    double logTerm = std::log1p(-magnitude * magnitude);
    double b = 2 / (std::numbers::pi * a) + logTerm / 2;
    y = std::sqrt(std::sqrt(b * b - logTerm / a) - b);
  }
  // Halley's method triples the correct digits in each step. Above 1/2 the
  // complement is solved instead: 1 - x is exact there, and erfc keeps its
  // relative precision where erf is all but 1.
  for (int i = 0; i < 4; ++i) {
    double error = magnitude < 0.5 ? std::erf(y) - magnitude
                                   : (1 - magnitude) - std::erfc(y);
    double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-y * y);
    double newton = error / slope;
    y -= newton / (1 + y * newton);
  }
  return std::copysign(y, x);
}

double job::digamma(double x) {
  double result = 0;
  if (x <= 0) {
    // The reflection formula. The fraction keeps the tangent's precision.
    double fraction = x - std::nearbyint(x);
    if (!std::isfinite(x) || fraction == 0)
      return std::numeric_limits<double>::quiet_NaN();
    result = -std::numbers::pi / std::tan(std::numbers::pi * fraction);
    x = 1 - x;
  }
  for (; x < 20; ++x)
    result -= 1 / x;
  // Bernoulli numbers B(2n) / 2n.
  constexpr double series[] = {1.0 / 12,   -1.0 / 120,    1.0 / 252,
                               -1.0 / 240, 1.0 / 132,     -691.0 / 32760,
                               1.0 / 12,   -3617.0 / 8160};
  double sum = 0;
  for (double coefficient : llvm::reverse(series))
    sum = (sum + coefficient) / (x * x);
  return result + std::log(x) - 0.5 / x - sum;
}
