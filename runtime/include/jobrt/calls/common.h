//===- common.h - What all configurations of calls share --------*- C++ -*-===//
//
// Parameters with their limits, arrays, and how work is split into parts.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_COMMON_H
#define JOBRT_CALLS_COMMON_H

#include "jobrt/abi.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jobrt::calls {

/// Extents are below this, so that products of two and sums do not overflow.
inline constexpr int64_t kMaxExtent = INT32_MAX;
/// More bytes than an address can reach, and few enough that sums and products
/// of sizes do not overflow.
inline constexpr int64_t kMaxBytes = int64_t(1) << 48;
/// The workspace of a queue starts at a multiple of this number of bytes, which
/// cuBLASLt needs on compute capability 9.
inline constexpr int64_t kWorkspaceAlignment = 256;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// An integer parameter: its key in text and in manifests, and its limits.
struct Parameter {
  const char *key;
  int64_t low = 1, high = kMaxExtent;
  /// The value if text omits the parameter. Manifests have all parameters.
  std::optional<int64_t> fallback = std::nullopt;
  /// Whether it is part of the split: of how the work is done, which does not
  /// change what is computed.
  bool isSplit = false;
  /// The words for the values in text, if it has words.
  const char *const *words = nullptr;
};

/// A parameter that is 0 or 1.
constexpr Parameter flag(const char *key) { return {key, 0, 1, 0}; }
/// A parameter that is one of several words in text, the first one if text
/// omits it.
template <size_t count>
constexpr Parameter choice(const char *key, const char *const (&words)[count]) {
  return {key, 0, int64_t(count) - 1, 0, false, words};
}
/// The number of parts into which a dimension is split.
constexpr Parameter parts(const char *key) {
  return {key, 1, JOBRT_MAX_CHUNKS, 1, true};
}

/// The types of elements of arrays, and the names of those that functions
/// compute with.
enum class Element { kF32, kF16, kBF16, kI8 };
inline constexpr const char *kElementNames[] = {"f32", "f16", "bf16"};

constexpr int64_t elementBytes(Element element) {
  switch (element) {
  case Element::kF32:
    return 4;
  case Element::kF16:
  case Element::kBF16:
    return 2;
  case Element::kI8:
    return 1;
  }
  return 4;
}

/// The feature that a processor needs for products of bf16.
inline constexpr const char *kBF16Feature = "avx512bf16";

/// An array that a call reads or writes.
struct Buffer {
  const char *name;
  std::vector<int64_t> extents;
  bool isResult = false;
  Element element = Element::kF32;
};

/// Bytes of an array, -1 if there are kMaxBytes or more.
inline int64_t arrayBytes(const Buffer &buffer) {
  int64_t bytes = elementBytes(buffer.element);
  for (int64_t extent : buffer.extents)
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes >= kMaxBytes)
      return -1;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

constexpr int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// Channels, rows and columns are split into whole blocks of this size: the
/// lanes of a vector, the rows of a block of the library's kernels.
inline constexpr int64_t kBlock = 16;
constexpr int64_t roundToBlock(int64_t a) {
  return ceilDiv(a, kBlock) * kBlock;
}

/// Elements of a part if `extent` elements are split into `parts` parts of
/// whole groups of `unit` elements. The last part may be smaller.
constexpr int64_t partSize(int64_t extent, int64_t unit, int64_t parts) {
  return unit * ceilDiv(ceilDiv(extent, unit), parts);
}

/// First element of part `part`; a part ends where the next one begins.
constexpr int64_t partBegin(int64_t extent, int64_t unit, int64_t parts,
                            int64_t part) {
  return std::min(extent, part * partSize(extent, unit, parts));
}

/// The maximum number of parts, up to `parts`, that `groups` groups fill if all
/// but the last are of one size: 96 groups make 48 parts of 2, and not 64.
constexpr int64_t filledParts(int64_t groups, int64_t parts) {
  return ceilDiv(groups, ceilDiv(groups, std::min(parts, groups)));
}

/// An error unless `extent` elements can be split into `parts` parts, none of
/// them empty; "" if they can.
inline std::string checkParts(const char *key, int64_t parts, int64_t extent,
                              int64_t unit) {
  int64_t groups = ceilDiv(extent, unit);
  if (parts > groups)
    return std::string("expects '") + key + "' from 1 to " +
           std::to_string(groups) + " but got " + std::to_string(parts);
  if (int64_t filled = filledParts(groups, parts); parts != filled)
    return std::string("expects '") + key + "' to split " +
           std::to_string(groups) + " into parts that are not empty, as " +
           std::to_string(filled) + " does, but got " + std::to_string(parts);
  return "";
}

/// A dimension of a result, outermost 0, in blocks of `size` elements; the last
/// block may be smaller.
struct BlockedDim {
  int64_t dim, size;
};

/// The block of a result that each chunk of a call writes, and no other chunk
/// reads or writes: chunk i writes block i, in row-major order of the blocks.
/// Dimensions that are not listed are whole.
using ResultBlocks = std::vector<BlockedDim>;

inline std::string checkEqual(const char *key, int64_t value,
                              int64_t expected) {
  if (value == expected)
    return "";
  return std::string("expects '") + key + "' to be " +
         std::to_string(expected) + " but got " + std::to_string(value);
}

/// What a function computes with a product or a convolution before it stores
/// it. A bias has one number for each column of a product, or channel of a
/// convolution. A mask has a bit for each element of the result, in rows of
/// whole groups of 128. The gelu is
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
enum class Epilogue {
  kNone,
  kBias,
  /// 0 where the result, with or without a bias, is negative.
  kBiasRelu,
  kRelu,
  /// That with a bias, and the mask of where the result is not 0.
  kBiasReluMask,
  /// 0 where a mask is; and the sums of the columns of that.
  kReluGrad,
  kReluGradBiasGrad,
  /// The gelu of the sum with a bias; and that sum.
  kBiasGelu,
  kBiasGeluInput,
  /// The product with the gelu's derivative at an input; and the sums of the
  /// columns of that.
  kGeluGrad,
  kGeluGradBiasGrad,
  /// The sums over k of a factor, of `m` or `n` items, that is stored as k rows
  /// of these items: a transposed, b not.
  kBiasGradA,
  kBiasGradB
};

/// An error unless oneDNN computes with elements of `type` on a CPU.
inline std::string checkHostType(int64_t type) {
  if (type != static_cast<int64_t>(Element::kF16))
    return "";
  return "expects 'type' f32 or bf16 but got f16";
}

} // namespace jobrt::calls

#endif // JOBRT_CALLS_COMMON_H
