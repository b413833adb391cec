//===- Arithmetic.cpp - Arithmetic instructions of PTX --------------------===//

#include "simulators/cuda/ptx/Handlers.h"

using namespace jobsim;
using namespace jobsim::ptx;

namespace {
using UInt128 = unsigned __int128;

/// Of signed integers as of unsigned ones: without undefined behaviour.
template <typename T> auto wrap(T value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<uint64_t>(value);
  else
    return value;
}

/// The upper half of a product.
template <typename T> T multiplyHigh(T a, T b) {
  constexpr unsigned bits = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(__int128(a) * b >> bits);
  else
    return static_cast<T>(UInt128(a) * b >> bits);
}

/// By zero: PTX leaves the value open.
template <typename T> T divide(T a, T b) {
  if (b == 0)
    return static_cast<T>(~uint64_t(0));
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return static_cast<T>(0 - static_cast<uint64_t>(a));
  return a / b;
}

template <typename T> T remainder(T a, T b) {
  if (b == 0)
    return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return 0;
  return a % b;
}

/// The sum of doubles, to odd.
double addToOdd(double a, double b) {
  double sum = a + b, part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  if (!std::isfinite(sum) || error == 0 || std::bit_cast<uint64_t>(sum) & 1)
    return sum;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return std::nextafter(sum, error > 0 ? kInfinity : -kInfinity);
}

/// A NaN loses against a number; -0 is less than 0.
template <typename T> T minimum(T a, T b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
template <typename T> T maximum(T a, T b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}

constexpr auto add = [](auto a, auto b) { return wrap(a) + wrap(b); };
constexpr auto subtract = [](auto a, auto b) { return wrap(a) - wrap(b); };
constexpr auto multiply = [](auto a, auto b) { return wrap(a) * wrap(b); };
constexpr auto multiplyAdd = [](auto a, auto b, auto c) {
  return wrap(a) * wrap(b) + wrap(c);
};
constexpr auto negate = [](auto a) { return 0 - wrap(a); };
constexpr auto absolute = [](auto a) { return a < 0 ? 0 - wrap(a) : wrap(a); };

/// a * b of twice the width, and c of that width.
template <typename T, bool isSum>
void wide(Frame &frame, const Instruction &instruction) {
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  const auto &at = instruction.slots;
  uint64_t product = static_cast<uint64_t>(Wide(get<T>(frame.slots[at[1]])) *
                                           Wide(get<T>(frame.slots[at[2]])));
  if constexpr (isSum)
    product += frame.slots[at[3]];
  frame.slots[at[0]] = product;
}

template <bool isSum> Form wideOf(Type type) {
  switch (type) {
  case Type::kU16:
    return {wide<uint16_t, isSum>, isSum ? 4 : 3};
  case Type::kS16:
    return {wide<int16_t, isSum>, isSum ? 4 : 3};
  case Type::kU32:
    return {wide<uint32_t, isSum>, isSum ? 4 : 3};
  case Type::kS32:
    return {wide<int32_t, isSum>, isSum ? 4 : 3};
  default:
    return {};
  }
}

/// Changes the sign bit alone, of a NaN as well.
template <typename Bits, bool clears>
void setSign(Frame &frame, const Instruction &instruction) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  Bits bits = static_cast<Bits>(frame.slots[instruction.slots[1]]);
  frame.slots[instruction.slots[0]] =
      static_cast<Bits>(clears ? bits & ~sign : bits ^ sign);
}

/// Of both halves.
template <bool clears>
void setSigns(Frame &frame, const Instruction &instruction) {
  constexpr uint32_t signs = 0x80008000;
  auto bits = static_cast<uint32_t>(frame.slots[instruction.slots[1]]);
  frame.slots[instruction.slots[0]] = clears ? bits & ~signs : bits ^ signs;
}

template <bool clears> Form signOf(Type type) {
  switch (type) {
  case Type::kF16:
  case Type::kBF16:
    return {setSign<uint16_t, clears>, 2};
  case Type::kF32:
    return {setSign<uint32_t, clears>, 2};
  case Type::kF64:
    return {setSign<uint64_t, clears>, 2};
  case Type::kF16x2:
  case Type::kBF16x2:
    return {setSigns<clears>, 2};
  default:
    return {};
  }
}

/// The sign of a with the magnitude of b.
template <typename Bits>
void copySign(Frame &frame, const Instruction &instruction) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  Bits from = static_cast<Bits>(frame.slots[instruction.slots[1]]);
  Bits magnitude = static_cast<Bits>(frame.slots[instruction.slots[2]]);
  frame.slots[instruction.slots[0]] =
      static_cast<Bits>((magnitude & ~sign) | (from & sign));
}
} // namespace

/// Instructions that integers and floats have.
static Form findCommon(const Statement &statement, Type type) {
  const std::string &name = statement.name();
  if (isFloat(type)) {
    // To nearest even: without the word, the compiler may fuse, which it does
    // not have to.
    if (!statement.hasOnly({"rn"}))
      return {};
    if (name == "add")
      return floatForm<2, add>(type);
    if (name == "sub")
      return floatForm<2, subtract>(type);
    if (name == "mul")
      return floatForm<2, multiply>(type);
    return {};
  }
  if (name == "add" && statement.hasOnly({}))
    return integerForm<2, add>(type);
  if (name == "sub" && statement.hasOnly({}))
    return integerForm<2, subtract>(type);
  if (name != "mul" && name != "mad")
    return {};
  bool isSum = name == "mad";
  if (statement.hasOnly({"lo"}))
    return isSum ? integerForm<3, multiplyAdd>(type)
                 : integerForm<2, multiply>(type);
  if (statement.hasOnly({"wide"}))
    return isSum ? wideOf<true>(type) : wideOf<false>(type);
  if (statement.hasOnly({"hi"}))
    return isSum ? integerForm<3,
                               [](auto a, auto b, auto c) {
                                 return wrap(multiplyHigh(a, b)) + wrap(c);
                               }>(type)
                 : integerForm<2, [](auto a, auto b) {
                     return multiplyHigh(a, b);
                   }>(type);
  return {};
}

static Form findIntegers(const Statement &statement, Type type) {
  const std::string &name = statement.name();
  if (isFloat(type) || !statement.hasOnly({}))
    return {};
  if (name == "div")
    return integerForm<2, [](auto a, auto b) { return divide(a, b); }>(type);
  if (name == "rem")
    return integerForm<2, [](auto a, auto b) { return remainder(a, b); }>(type);
  if (name == "neg")
    return integerForm<1, negate>(type);
  if (name == "abs")
    return integerForm<1, absolute>(type);
  if (name == "min")
    return integerForm<2, [](auto a, auto b) { return std::min(a, b); }>(type);
  if (name == "max")
    return integerForm<2, [](auto a, auto b) { return std::max(a, b); }>(type);
  return {};
}

static Form findMultiplyAdd(Type type) {
  switch (type) {
  case Type::kF32:
    return {
        handler<3, float,
                [](float a, float b, float c) { return std::fma(a, b, c); }>,
        4};
  case Type::kF64:
    return {
        handler<3, double,
                [](double a, double b, double c) { return std::fma(a, b, c); }>,
        4};
  default:
    // The product is exact.
    return floatForm<3, [](double a, double b, double c) {
      return addToOdd(a * b, c);
    }>(type);
  }
}

static Form findFloats(const Statement &statement, Type type) {
  const std::string &name = statement.name();
  if (!isFloat(type))
    return {};
  bool isPlain = statement.hasOnly({});
  if (name == "neg" && isPlain)
    return signOf<false>(type);
  if (name == "abs" && isPlain)
    return signOf<true>(type);
  if (name == "fma" && statement.hasOnly({"rn"}))
    return findMultiplyAdd(type);
  if (name == "min" && isPlain)
    return floatForm<2, [](auto a, auto b) { return minimum(a, b); }>(type);
  if (name == "max" && isPlain)
    return floatForm<2, [](auto a, auto b) { return maximum(a, b); }>(type);
  if (name == "min" && statement.hasOnly({"NaN"}))
    return floatForm<2, [](auto a, auto b) {
      return std::isnan(a) ? a : std::isnan(b) ? b : minimum(a, b);
    }>(type);
  if (name == "max" && statement.hasOnly({"NaN"}))
    return floatForm<2, [](auto a, auto b) {
      return std::isnan(a) ? a : std::isnan(b) ? b : maximum(a, b);
    }>(type);
  if (name == "copysign" && isPlain)
    return type == Type::kF32   ? Form{copySign<uint32_t>, 3}
           : type == Type::kF64 ? Form{copySign<uint64_t>, 3}
                                : Form();
  if (type != Type::kF32 && type != Type::kF64)
    return {};
  // An approximation may be off by a few units; this is the nearest number.
  bool isNear = statement.hasOnly({"rn"}) || statement.hasOnly({"approx"});
  if (name == "div" && (isNear || statement.hasOnly({"full"})))
    return floatForm<2, [](auto a, auto b) { return a / b; }>(type);
  if (name == "rcp" && isNear)
    return floatForm<1, [](auto a) { return decltype(a)(1) / a; }>(type);
  if (name == "sqrt" && isNear)
    return floatForm<1, [](auto a) { return std::sqrt(a); }>(type);
  if (name == "rsqrt" && statement.hasOnly({"approx"}))
    return floatForm<1, [](auto a) {
      return decltype(a)(1 / std::sqrt(double(a)));
    }>(type);
  if (type == Type::kF64 || !statement.hasOnly({"approx"}))
    return {};
  if (name == "ex2")
    return {handler<1, float, [](float a) { return std::exp2(a); }>, 2};
  if (name == "lg2")
    return {handler<1, float, [](float a) { return std::log2(a); }>, 2};
  return {};
}

bool ptx::decodeArithmetic(const Statement &statement,
                           Instruction &instruction) {
  std::optional<Type> type = statement.type();
  if (!type)
    return false;
  for (auto find : {findCommon, findIntegers, findFloats})
    if (Form form = find(statement, *type); form.execute)
      return setForm(statement, form, instruction);
  return false;
}
