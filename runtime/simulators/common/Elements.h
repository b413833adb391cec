//===- Elements.h - Elements of arrays in stand-ins -------------*- C++ -*-===//
//
// Conversions of f16 and bf16, and the rounding of TF32, for the stand-ins of
// libraries: to nearest even, on any host.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_COMMON_ELEMENTS_H
#define JOBRT_SIMULATORS_COMMON_ELEMENTS_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace jobsim {

inline float fromBF16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

/// Rounds to the nearest multiple of 2^dropped units in the last place, ties to
/// even.
inline uint32_t roundBits(uint32_t bits, unsigned dropped) {
  uint32_t odd = bits >> dropped & 1;
  return bits + (uint32_t(1) << (dropped - 1)) - 1 + odd;
}

inline uint16_t toBF16(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return bits >> 16 | 0x40;
  return roundBits(bits, 16) >> 16;
}

inline float fromF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f,
           mantissa = bits & 0x3ff;
  if (exponent == 0x1f)
    return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent > 0)
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = std::ldexp(float(mantissa), -24);
  return sign ? -magnitude : magnitude;
}

inline uint16_t toF16(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = bits >> 16 & 0x8000;
  float magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  // Half a unit above the largest number.
  if (magnitude >= 65520)
    return sign | 0x7c00;
  // Subnormal: multiples of 2^-24.
  if (magnitude < 0x1p-14f)
    return sign | uint16_t(std::nearbyint(magnitude * 0x1p24f));
  uint32_t rounded = roundBits(bits & 0x7fffffff, 13);
  return sign | uint16_t((rounded >> 13) - (112 << 10));
}

/// To the 10 bits of mantissa that tensor cores read.
inline float toTF32(float value) {
  if (!std::isfinite(value))
    return value;
  return std::bit_cast<float>(roundBits(std::bit_cast<uint32_t>(value), 13) &
                              ~uint32_t(0x1fff));
}

} // namespace jobsim

#endif // JOBRT_SIMULATORS_COMMON_ELEMENTS_H
