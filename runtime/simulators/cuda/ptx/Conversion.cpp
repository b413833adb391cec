//===- Conversion.cpp - cvt of PTX ----------------------------------------===//

#include "simulators/cuda/ptx/Handlers.h"

using namespace jobsim;
using namespace jobsim::ptx;

namespace {
/// How a value that the result's type does not have is rounded; those to an
/// integer have an i in PTX.
enum class Rounding : uint8_t { kNearest, kZero, kDown, kUp };

/// What a cvt of other than two integers does.
struct Conversion {
  Type to, from;
  Rounding rounding = Rounding::kNearest;
  bool toInteger = false, saturates = false, clampsNegative = false;
};

/// In `flags` of an instruction.
uint32_t pack(Conversion conversion) {
  return uint32_t(conversion.to) | uint32_t(conversion.from) << 8 |
         uint32_t(conversion.rounding) << 16 |
         uint32_t(conversion.toInteger) << 18 |
         uint32_t(conversion.saturates) << 19 |
         uint32_t(conversion.clampsNegative) << 20;
}
Conversion unpack(uint32_t flags) {
  return {Type(flags & 255),         Type(flags >> 8 & 255),
          Rounding(flags >> 16 & 3), bool(flags >> 18 & 1),
          bool(flags >> 19 & 1),     bool(flags >> 20 & 1)};
}

/// An integer of 64 bits or a float, exactly.
using Number = long double;
static_assert(std::numeric_limits<Number>::digits >= 64);

Number read(Type type, uint64_t slot) {
  switch (type) {
  case Type::kU8:
    return get<uint8_t>(slot);
  case Type::kU16:
    return get<uint16_t>(slot);
  case Type::kU32:
    return get<uint32_t>(slot);
  case Type::kU64:
    return get<uint64_t>(slot);
  case Type::kS8:
    return get<int8_t>(slot);
  case Type::kS16:
    return get<int16_t>(slot);
  case Type::kS32:
    return get<int32_t>(slot);
  case Type::kS64:
    return get<int64_t>(slot);
  case Type::kF16:
    return get<Half>(slot);
  case Type::kBF16:
    return get<BFloat>(slot);
  case Type::kF32:
    return get<float>(slot);
  default:
    return get<double>(slot);
  }
}

Number roundToInteger(Number value, Rounding rounding) {
  switch (rounding) {
  case Rounding::kNearest:
    return std::nearbyint(value);
  case Rounding::kZero:
    return std::trunc(value);
  case Rounding::kDown:
    return std::floor(value);
  case Rounding::kUp:
    return std::ceil(value);
  }
  return value;
}

/// To an integer type, whose limits hold what is beyond them. Of a NaN: PTX
/// ISA, "cvt".
template <typename T> uint64_t clamp(Number value, bool isWide) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value))
    return isWide ? uint64_t(1) << (8 * sizeof(T) - 1) : 0;
  if (value <= Number(Limits::min()))
    return put<T>(Limits::min());
  if (value >= Number(Limits::max()))
    return put<T>(Limits::max());
  return put<T>(static_cast<T>(value));
}

uint64_t putInteger(Type type, Type from, Number value) {
  bool isWide = from == Type::kF64 || bytesOf(type) == 8;
  switch (type) {
  case Type::kU8:
    return clamp<uint8_t>(value, isWide);
  case Type::kU16:
    return clamp<uint16_t>(value, isWide);
  case Type::kU32:
    return clamp<uint32_t>(value, isWide);
  case Type::kU64:
    return clamp<uint64_t>(value, isWide);
  case Type::kS8:
    return clamp<int8_t>(value, isWide);
  case Type::kS16:
    return clamp<int16_t>(value, isWide);
  case Type::kS32:
    return clamp<int32_t>(value, isWide);
  default:
    return clamp<int64_t>(value, isWide);
  }
}

/// To T, in a direction: the nearest number, or its neighbour.
template <typename T> T roundTo(Number value, Rounding rounding) {
  T nearest = static_cast<T>(value);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  bool isDown =
      rounding == Rounding::kDown || (rounding == Rounding::kZero && value > 0);
  bool isUp =
      rounding == Rounding::kUp || (rounding == Rounding::kZero && value < 0);
  if (isDown && Number(nearest) > value)
    return std::nextafter(nearest, -infinity);
  if (isUp && Number(nearest) < value)
    return std::nextafter(nearest, infinity);
  return nearest;
}

uint64_t putFloat(Type type, Number value, Rounding rounding) {
  switch (type) {
  case Type::kF16:
    return put<Half>(value);
  case Type::kBF16:
    return put<BFloat>(value);
  case Type::kF32:
    return put<float>(roundTo<float>(value, rounding));
  default:
    return put<double>(roundTo<double>(value, rounding));
  }
}

uint64_t convert(Conversion conversion, uint64_t slot) {
  Number value = read(conversion.from, slot);
  bool toFloat = isFloat(conversion.to);
  if (conversion.toInteger)
    value = roundToInteger(value, conversion.rounding);
  if (!toFloat)
    return putInteger(conversion.to, conversion.from, value);
  // A NaN becomes 0 in both.
  if (conversion.saturates)
    value = value > 0 ? std::min(value, Number(1)) : Number(0);
  if (conversion.clampsNegative && value < 0)
    value = 0;
  return putFloat(conversion.to, value, conversion.rounding);
}

void convertOne(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] =
      convert(unpack(instruction.flags), frame.slots[instruction.slots[1]]);
}

/// cvt.rn.bf16x2.f32: the first value is in the upper half.
void convertTwo(Frame &frame, const Instruction &instruction) {
  Conversion conversion = unpack(instruction.flags);
  uint64_t high = convert(conversion, frame.slots[instruction.slots[1]]);
  uint64_t low = convert(conversion, frame.slots[instruction.slots[2]]);
  frame.slots[instruction.slots[0]] = high << 16 | (low & 0xffff);
}

template <typename To, typename From>
void resize(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] =
      put<To>(get<From>(frame.slots[instruction.slots[1]]));
}

template <typename To> Handler resizeFrom(Type from) {
  switch (from) {
  case Type::kU8:
    return resize<To, uint8_t>;
  case Type::kU16:
    return resize<To, uint16_t>;
  case Type::kU32:
    return resize<To, uint32_t>;
  case Type::kU64:
    return resize<To, uint64_t>;
  case Type::kS8:
    return resize<To, int8_t>;
  case Type::kS16:
    return resize<To, int16_t>;
  case Type::kS32:
    return resize<To, int32_t>;
  case Type::kS64:
    return resize<To, int64_t>;
  default:
    return nullptr;
  }
}

/// Of two integers: the result is extended as its type is.
Handler findResize(Type to, Type from) {
  switch (to) {
  case Type::kU8:
    return resizeFrom<uint8_t>(from);
  case Type::kU16:
    return resizeFrom<uint16_t>(from);
  case Type::kU32:
    return resizeFrom<uint32_t>(from);
  case Type::kU64:
    return resizeFrom<uint64_t>(from);
  case Type::kS8:
    return resizeFrom<int8_t>(from);
  case Type::kS16:
    return resizeFrom<int16_t>(from);
  case Type::kS32:
    return resizeFrom<int32_t>(from);
  case Type::kS64:
    return resizeFrom<int64_t>(from);
  default:
    return nullptr;
  }
}

struct RoundingName {
  std::string_view name;
  Rounding rounding;
  bool toInteger;
};
constexpr RoundingName kRoundings[] = {
    {"rn", Rounding::kNearest, false}, {"rz", Rounding::kZero, false},
    {"rm", Rounding::kDown, false},    {"rp", Rounding::kUp, false},
    {"rni", Rounding::kNearest, true}, {"rzi", Rounding::kZero, true},
    {"rmi", Rounding::kDown, true},    {"rpi", Rounding::kUp, true}};

/// Whether the words ask for what convert() does.
bool findRounding(const Statement &statement, Conversion &conversion) {
  bool found = false;
  for (const RoundingName &rounding : kRoundings)
    if (statement.has(rounding.name)) {
      if (found)
        return false;
      found = true;
      conversion.rounding = rounding.rounding;
      conversion.toInteger = rounding.toInteger;
    }
  conversion.saturates = statement.has("sat");
  conversion.clampsNegative = statement.has("relu");
  // Only those of 32 and 64 bits round in a direction.
  return conversion.toInteger || conversion.rounding == Rounding::kNearest ||
         conversion.to == Type::kF32 || conversion.to == Type::kF64;
}
} // namespace

bool ptx::decodeConversion(const Statement &statement,
                           Instruction &instruction) {
  std::optional<Type> to = statement.type(1), from = statement.type();
  if (statement.name() != "cvt" || !to || !from)
    return false;
  if (!isFloat(*to) && !isFloat(*from))
    return statement.hasOnly({}, 2) &&
           setForm(statement, {findResize(*to, *from), 2}, instruction);
  if (!statement.hasOnly(
          {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "sat", "relu"},
          2))
    return false;
  bool isPacked = *to == Type::kF16x2 || *to == Type::kBF16x2;
  if (isBits(*to) || isBits(*from) || isPair(*from) ||
      (isPacked && *from != Type::kF32))
    return false;
  Conversion conversion{*to, *from};
  if (isPacked)
    conversion.to = *to == Type::kF16x2 ? Type::kF16 : Type::kBF16;
  if (!findRounding(statement, conversion))
    return false;
  // A float becomes an integer by one of the roundings to an integer.
  if (!isFloat(*to) && !conversion.toInteger)
    return false;
  instruction.flags = pack(conversion);
  Form form = isPacked ? Form{convertTwo, 3} : Form{convertOne, 2};
  return setForm(statement, form, instruction);
}
