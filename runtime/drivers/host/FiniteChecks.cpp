//===- FiniteChecks.cpp - Checks of buffers for NaN and infinity ----------===//

#include "drivers/host/FiniteChecks.h"

#include "jobrt/abi.h"

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

ResultChecks::ResultChecks(const Command &command, const LibraryCall &call) {
  for (size_t i = 0; i < command.args.size(); ++i)
    if (command.args[i].isWritten)
      results.emplace_back(i, command.args[i].bytes / int64_t(sizeof(float)));
  const std::optional<LibraryCall::BlockedResult> &result = call.blockedResult;
  if (!result)
    return;
  for (int64_t chunk = 0; chunk < command.chunks; ++chunk) {
    std::vector<Range> &block = blocks.emplace_back();
    for (int64_t extent : result->extents)
      block.push_back({0, extent, extent});
    // Blocks are numbered with the last dimension innermost.
    int64_t rest = chunk;
    for (auto it = result->blocks.rbegin(); it != result->blocks.rend(); ++it) {
      Range &range = block[it->dim];
      int64_t parts = calls::ceilDiv(range.extent, it->size);
      range.begin = rest % parts * it->size;
      range.size = std::min(it->size, range.extent - range.begin);
      rest /= parts;
      if (parts > 1)
        firstWhole = std::max<size_t>(firstWhole, it->dim + 1);
    }
  }
}

/// Checks the dimensions of a block from `dim` on.
uint32_t ResultChecks::checkBlock(const float *data,
                                  const std::vector<Range> &block,
                                  size_t dim) const {
  int64_t inner = 1;
  for (size_t i = dim + 1; i < block.size(); ++i)
    inner *= block[i].extent;
  const Range &range = block[dim];
  data += range.begin * inner;
  if (dim + 1 >= firstWhole)
    return checkFinite(data, range.size * inner, DType::kF32);
  uint32_t word = 0;
  for (int64_t i = 0; i < range.size; ++i)
    word = std::max(word, checkBlock(data + i * inner, block, dim + 1));
  return word;
}

uint32_t ResultChecks::checkChunk(void *const *args, int64_t chunk) const {
  if (blocks.empty())
    return 0;
  auto *data = static_cast<const float *>(args[results.front().first]);
  return checkBlock(data, blocks[chunk], /*dim=*/0);
}

uint32_t ResultChecks::checkRest(void *const *args) const {
  uint32_t word = 0;
  for (size_t i = blocks.empty() ? 0 : 1; i < results.size(); ++i)
    word = std::max(word, checkFinite(args[results[i].first], results[i].second,
                                      DType::kF32));
  return word;
}
