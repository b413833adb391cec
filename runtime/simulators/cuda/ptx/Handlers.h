//===- Handlers.h - Handlers of instructions of one form --------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_PTX_HANDLERS_H
#define JOBRT_SIMULATORS_CUDA_PTX_HANDLERS_H

#include "simulators/cuda/ptx/Decoder.h"

namespace jobsim::ptx {

/// What executes an instruction, and how many operands that has.
struct Form {
  Handler execute = nullptr;
  unsigned operands = 0;
};

/// Decodes a statement with this form; false if it has none, or other operands.
inline bool setForm(const Statement &statement, Form form,
                    Instruction &instruction) {
  instruction.execute = form.execute;
  return form.execute && statement.setSlots(instruction, form.operands);
}

/// `function` of values of type T: slot 0 is the result, those that follow the
/// arguments.
template <unsigned arity, typename T, auto function>
void handler(Frame &frame, const Instruction &instruction) {
  uint64_t *slots = frame.slots;
  const auto &at = instruction.slots;
  if constexpr (arity == 1)
    slots[at[0]] = put<T>(function(get<T>(slots[at[1]])));
  else if constexpr (arity == 2)
    slots[at[0]] = put<T>(function(get<T>(slots[at[1]]), get<T>(slots[at[2]])));
  else
    slots[at[0]] = put<T>(function(get<T>(slots[at[1]]), get<T>(slots[at[2]]),
                                   get<T>(slots[at[3]])));
}

/// The same of both halves of registers of 32 bits.
template <unsigned arity, typename T, auto function>
void packedHandler(Frame &frame, const Instruction &instruction) {
  uint64_t *slots = frame.slots;
  const auto &at = instruction.slots;
  uint64_t result = 0;
  for (unsigned shift : {0, 16}) {
    auto part = [&](unsigned i) { return get<T>(slots[at[i]] >> shift); };
    uint64_t half = 0;
    if constexpr (arity == 1)
      half = put<T>(function(part(1)));
    else if constexpr (arity == 2)
      half = put<T>(function(part(1), part(2)));
    else
      half = put<T>(function(part(1), part(2), part(3)));
    result |= (half & 0xffff) << shift;
  }
  slots[at[0]] = result;
}

/// Nothing for types that are no integers of 16 bits or more, or pairs of them.
template <unsigned arity, auto function> Form integerForm(Type type) {
  switch (type) {
  case Type::kB16:
  case Type::kU16:
    return {handler<arity, uint16_t, function>, arity + 1};
  case Type::kB32:
  case Type::kU32:
    return {handler<arity, uint32_t, function>, arity + 1};
  case Type::kB64:
  case Type::kU64:
    return {handler<arity, uint64_t, function>, arity + 1};
  case Type::kS16:
    return {handler<arity, int16_t, function>, arity + 1};
  case Type::kS32:
    return {handler<arity, int32_t, function>, arity + 1};
  case Type::kS64:
    return {handler<arity, int64_t, function>, arity + 1};
  case Type::kU16x2:
    return {packedHandler<arity, uint16_t, function>, arity + 1};
  case Type::kS16x2:
    return {packedHandler<arity, int16_t, function>, arity + 1};
  default:
    return {};
  }
}

/// Nothing for types that are no floats.
template <unsigned arity, auto function> Form floatForm(Type type) {
  switch (type) {
  case Type::kF16:
    return {handler<arity, Half, function>, arity + 1};
  case Type::kBF16:
    return {handler<arity, BFloat, function>, arity + 1};
  case Type::kF32:
    return {handler<arity, float, function>, arity + 1};
  case Type::kF64:
    return {handler<arity, double, function>, arity + 1};
  case Type::kF16x2:
    return {packedHandler<arity, Half, function>, arity + 1};
  case Type::kBF16x2:
    return {packedHandler<arity, BFloat, function>, arity + 1};
  default:
    return {};
  }
}

} // namespace jobsim::ptx

#endif // JOBRT_SIMULATORS_CUDA_PTX_HANDLERS_H
