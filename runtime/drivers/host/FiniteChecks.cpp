//===- FiniteChecks.cpp - Checks of buffers for NaN and infinity ----------===//

#include "drivers/host/FiniteChecks.h"

#include <algorithm>

using namespace jobrt;

ResultChecks::ResultChecks(const Command &command, const LibraryCall &call)
    : dtype(call.hasNarrowResults ? DType::kBF16 : DType::kF32),
      elementBytes(dtypeBytes(dtype)) {
  for (size_t i = 0; i < command.args.size(); ++i)
    if (command.args[i].isWritten)
      results.emplace_back(i, command.args[i].bytes / elementBytes);
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
uint32_t ResultChecks::checkBlock(const char *data,
                                  const std::vector<Range> &block,
                                  size_t dim) const {
  int64_t inner = 1;
  for (size_t i = dim + 1; i < block.size(); ++i)
    inner *= block[i].extent;
  const Range &range = block[dim];
  inner *= elementBytes;
  data += range.begin * inner;
  if (dim + 1 >= firstWhole)
    return checkFinite(data, range.size * inner / elementBytes, dtype);
  uint32_t word = 0;
  for (int64_t i = 0; i < range.size; ++i)
    word = std::max(word, checkBlock(data + i * inner, block, dim + 1));
  return word;
}

uint32_t ResultChecks::checkChunk(void *const *args, int64_t chunk) const {
  if (blocks.empty())
    return 0;
  auto *data = static_cast<const char *>(args[results.front().first]);
  return checkBlock(data, blocks[chunk], /*dim=*/0);
}

uint32_t ResultChecks::checkRest(void *const *args) const {
  uint32_t word = 0;
  for (size_t i = blocks.empty() ? 0 : 1; i < results.size(); ++i)
    word = std::max(
        word, checkFinite(args[results[i].first], results[i].second, dtype));
  return word;
}
