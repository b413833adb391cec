//===- Bits.cpp - Instructions of PTX on bits -----------------------------===//

#include "simulators/cuda/ptx/Handlers.h"

using namespace jobsim;
using namespace jobsim::ptx;

namespace {
/// Shifts take the amount from a register of 32 bits; one beyond the width
/// shifts everything out.
template <typename T, bool isLeft>
void shift(Frame &frame, const Instruction &instruction) {
  constexpr unsigned width = 8 * sizeof(T);
  const auto &at = instruction.slots;
  T value = get<T>(frame.slots[at[1]]);
  auto amount = get<uint32_t>(frame.slots[at[2]]);
  if constexpr (isLeft)
    value = amount < width ? T(uint64_t(value) << amount) : T(0);
  else if constexpr (std::is_signed_v<T>)
    value = value >> std::min(amount, width - 1);
  else
    value = amount < width ? T(value >> amount) : T(0);
  frame.slots[at[0]] = put<T>(value);
}

template <bool isLeft> Form shiftOf(Type type) {
  switch (type) {
  case Type::kB16:
  case Type::kU16:
    return {shift<uint16_t, isLeft>, 3};
  case Type::kB32:
  case Type::kU32:
    return {shift<uint32_t, isLeft>, 3};
  case Type::kB64:
  case Type::kU64:
    return {shift<uint64_t, isLeft>, 3};
  case Type::kS16:
    return {shift<int16_t, isLeft>, 3};
  case Type::kS32:
    return {shift<int32_t, isLeft>, 3};
  case Type::kS64:
    return {shift<int64_t, isLeft>, 3};
  default:
    return {};
  }
}

/// shf: of the 64 bits of two registers.
template <bool isLeft, bool wraps>
uint32_t funnel(uint32_t low, uint32_t high, uint32_t amount) {
  amount = wraps ? amount & 31 : std::min(amount, 32u);
  uint64_t both = uint64_t(high) << 32 | low;
  return isLeft ? both << amount >> 32 : both >> amount;
}

/// prmt: each of four bytes is one of eight, or copies of its sign.
uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t choice = selector >> (4 * i) & 15;
    uint8_t byte = bytes >> (8 * (choice & 7));
    if (choice & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= uint32_t(byte) << (8 * i);
  }
  return result;
}

/// bfe: `length` bits from `begin`, with the sign of the last one.
template <typename T> T extract(T value, uint32_t begin, uint32_t length) {
  constexpr unsigned width = 8 * sizeof(T);
  begin &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  unsigned last = std::min<unsigned>(begin + length - 1, width - 1);
  bool sign = std::is_signed_v<T> && value >> last & 1;
  T result = 0;
  for (unsigned i = 0; i < width; ++i) {
    bool bit =
        i < length && begin + i < width ? value >> (begin + i) & 1 : sign;
    result |= static_cast<T>(uint64_t(bit) << i);
  }
  return result;
}

template <typename T>
void extractField(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  frame.slots[at[0]] = put<T>(extract(get<T>(frame.slots[at[1]]),
                                      get<uint32_t>(frame.slots[at[2]]),
                                      get<uint32_t>(frame.slots[at[3]])));
}

/// bfi: `length` bits of a in place of those of b from `begin`.
template <typename T>
void insertField(Frame &frame, const Instruction &instruction) {
  constexpr unsigned width = 8 * sizeof(T);
  const auto &at = instruction.slots;
  T from = get<T>(frame.slots[at[1]]), result = get<T>(frame.slots[at[2]]);
  unsigned begin = frame.slots[at[3]] & 255, length = frame.slots[at[4]] & 255;
  for (unsigned i = 0; i < length && begin + i < width; ++i) {
    T bit = T(1) << (begin + i);
    result = from >> i & 1 ? result | bit : result & ~bit;
  }
  frame.slots[at[0]] = result;
}

template <typename T> T reverse(T value) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    result = result << 1 | (value >> i & 1);
  return result;
}

/// popc and clz, whose results have 32 bits.
template <typename T, auto function>
void count(Frame &frame, const Instruction &instruction) {
  const auto &at = instruction.slots;
  frame.slots[at[0]] =
      static_cast<uint32_t>(function(get<T>(frame.slots[at[1]])));
}

void invertPredicate(Frame &frame, const Instruction &instruction) {
  frame.slots[instruction.slots[0]] = !(frame.slots[instruction.slots[1]] & 1);
}

/// Predicates are 0 or 1.
template <auto function> Form logicOf(Type type) {
  if (type == Type::kPred)
    return {handler<2, uint64_t, function>, 3};
  return integerForm<2, function>(type);
}
} // namespace

static Form findLogic(const Statement &statement, Type type) {
  const std::string &name = statement.name();
  if (!statement.hasOnly({}))
    return {};
  if (name == "and")
    return logicOf<[](auto a, auto b) { return a & b; }>(type);
  if (name == "or")
    return logicOf<[](auto a, auto b) { return a | b; }>(type);
  if (name == "xor")
    return logicOf<[](auto a, auto b) { return a ^ b; }>(type);
  if (name == "not" && type == Type::kPred)
    return {invertPredicate, 2};
  if (name == "not")
    return integerForm<1, [](auto a) { return ~a; }>(type);
  if (name == "shl")
    return shiftOf<true>(type);
  if (name == "shr")
    return shiftOf<false>(type);
  return {};
}

static Form findFields(const Statement &statement, Type type) {
  const std::string &name = statement.name();
  if (!statement.hasOnly({}))
    return {};
  bool isWide = bytesOf(type) == 8;
  if (name == "prmt" && type == Type::kB32)
    return {handler<3, uint32_t, permute>, 4};
  if (name == "bfe")
    switch (type) {
    case Type::kU32:
      return {extractField<uint32_t>, 4};
    case Type::kS32:
      return {extractField<int32_t>, 4};
    case Type::kU64:
      return {extractField<uint64_t>, 4};
    case Type::kS64:
      return {extractField<int64_t>, 4};
    default:
      return {};
    }
  if (type != Type::kB32 && type != Type::kB64)
    return {};
  if (name == "bfi")
    return {isWide ? insertField<uint64_t> : insertField<uint32_t>, 5};
  if (name == "brev")
    return integerForm<1, [](auto a) { return reverse(a); }>(type);
  if (name == "popc")
    return {isWide
                ? count<uint64_t, [](uint64_t a) { return std::popcount(a); }>
                : count<uint32_t, [](uint32_t a) { return std::popcount(a); }>,
            2};
  if (name == "clz")
    return {
        isWide
            ? count<uint64_t, [](uint64_t a) { return std::countl_zero(a); }>
            : count<uint32_t, [](uint32_t a) { return std::countl_zero(a); }>,
        2};
  return {};
}

static Form findFunnel(const Statement &statement, Type type) {
  if (statement.name() != "shf" || type != Type::kB32)
    return {};
  if (statement.hasOnly({"l", "wrap"}))
    return {handler<3, uint32_t, funnel<true, true>>, 4};
  if (statement.hasOnly({"l", "clamp"}))
    return {handler<3, uint32_t, funnel<true, false>>, 4};
  if (statement.hasOnly({"r", "wrap"}))
    return {handler<3, uint32_t, funnel<false, true>>, 4};
  if (statement.hasOnly({"r", "clamp"}))
    return {handler<3, uint32_t, funnel<false, false>>, 4};
  return {};
}

bool ptx::decodeBits(const Statement &statement, Instruction &instruction) {
  std::optional<Type> type = statement.type();
  if (!type)
    return false;
  for (auto find : {findLogic, findFields, findFunnel})
    if (Form form = find(statement, *type); form.execute)
      return setForm(statement, form, instruction);
  return false;
}
