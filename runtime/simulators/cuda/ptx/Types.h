//===- Types.h - The types of PTX, and values in slots ----------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_PTX_TYPES_H
#define JOBRT_SIMULATORS_CUDA_PTX_TYPES_H

#include "simulators/common/Elements.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace jobsim::ptx {

enum class Type {
  kPred,
  // Bits of any type.
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kF16x2,
  kBF16x2,
  kU16x2,
  kS16x2,
};

/// "u32"; nothing if it is no type.
std::optional<Type> parseType(std::string_view name);
unsigned bytesOf(Type type);
bool isSigned(Type type);
/// A predicate, or bits of any type.
bool isBits(Type type);
/// Two numbers of 16 bits in one register.
bool isPair(Type type);
bool isFloat(Type type);

/// Floats of 16 bits, in registers. Instructions compute in double, which holds
/// sums and products of two of them without an error that matters.
struct Half {};
struct BFloat {};

template <typename T>
inline constexpr bool isNarrow =
    std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;

/// To float, to odd: an inexact value gets an odd last bit, so that rounding to
/// fewer bits afterwards is that of the value itself.
template <typename From> float roundToOdd(From value) {
  float nearest = static_cast<float>(value);
  if (static_cast<From>(nearest) == value || !std::isfinite(nearest) ||
      std::bit_cast<uint32_t>(nearest) & 1)
    return nearest;
  return std::nextafter(nearest, static_cast<From>(nearest) < value
                                     ? std::numeric_limits<float>::infinity()
                                     : -std::numeric_limits<float>::infinity());
}

/// The value of type T in the low bits of a slot.
template <typename T> auto get(uint64_t slot) {
  if constexpr (std::is_same_v<T, Half>)
    return double(fromF16(static_cast<uint16_t>(slot)));
  else if constexpr (std::is_same_v<T, BFloat>)
    return double(fromBF16(static_cast<uint16_t>(slot)));
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(slot));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(slot);
  else
    return static_cast<T>(slot);
}

/// The slot of a result. A NaN of 16 or 32 bits that is computed has all bits
/// but its sign: PTX ISA, "Floating Point Instructions".
template <typename T, typename Value> uint64_t put(Value value) {
  if constexpr (isNarrow<T>) {
    if (std::isnan(value))
      return 0x7fff;
    float rounded = roundToOdd(value);
    return std::is_same_v<T, Half> ? toF16(rounded) : toBF16(rounded);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::isnan(value) ? 0x7fffffff
                             : std::bit_cast<uint32_t>(float(value));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<uint64_t>(double(value));
  } else {
    return static_cast<uint64_t>(static_cast<T>(value));
  }
}

} // namespace jobsim::ptx

#endif // JOBRT_SIMULATORS_CUDA_PTX_TYPES_H
