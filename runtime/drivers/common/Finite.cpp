//===- Finite.cpp - Values that are NaN or infinity -----------------------===//

#include "drivers/common/Finite.h"

#include <algorithm>

using namespace jobrt;

/// Elements of a loop without branches, which can be vectorized.
static constexpr int64_t kBlockElements = 4096;

/// Whether some element has all bits of `exponent` set.
template <typename Bits>
static bool anyNonFinite(const Bits *data, int64_t count, Bits exponent) {
  Bits found = 0;
  for (int64_t i = 0; i < count; ++i)
    found |= (data[i] & exponent) == exponent;
  return found != 0;
}

template <typename Bits>
static uint32_t checkBits(const void *opaque, int64_t count, Bits exponent,
                          Bits mantissa) {
  auto *data = static_cast<const Bits *>(opaque);
  uint32_t word = 0;
  for (int64_t begin = 0; begin < count; begin += kBlockElements) {
    int64_t size = std::min(kBlockElements, count - begin);
    if (!anyNonFinite(data + begin, size, exponent))
      continue;
    // The only check of its command.
    word = JOBRT_CHECK_FAILED | 1u << 1;
    for (int64_t i = begin; i < begin + size; ++i)
      if ((data[i] & exponent) == exponent && (data[i] & mantissa) != 0)
        return word | 1;
  }
  return word;
}

uint32_t jobrt::checkFinite(const void *data, int64_t count, DType dtype) {
  switch (dtype) {
  case DType::kF16:
    return checkBits<uint16_t>(data, count, 0x7c00, 0x03ff);
  case DType::kBF16:
    return checkBits<uint16_t>(data, count, 0x7f80, 0x007f);
  case DType::kF32:
    return checkBits<uint32_t>(data, count, 0x7f800000, 0x007fffff);
  case DType::kF64:
    return checkBits<uint64_t>(data, count, uint64_t(0x7ff) << 52,
                               (uint64_t(1) << 52) - 1);
  default:
    return 0;
  }
}

Status jobrt::describeNonFinite(const EntryInfo &entry, const CheckedOp &op,
                                uint32_t word, int64_t step,
                                const char *variables) {
  std::string text = "job '" + entry.name + "'";
  if (!op.name.empty())
    text += ", '" + op.name + "'";
  text += ": expects finite values but got ";
  text += jobrt_check_is_nan(word) ? "NaN" : "infinity";
  text += " in step " + std::to_string(step) + " of this job";
  return Status(StatusCode::kNotFinite, text + variables, op.location);
}
