//===- attention.h - Attention ----------------------------------*- C++ -*-===//
//
// The function host.attention and its gradient.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_ATTENTION_H
#define JOBRT_CALLS_ATTENTION_H

#include "jobrt/calls/common.h"

namespace jobrt::calls {

//===----------------------------------------------------------------------===//
// host.attention and its gradient
//===----------------------------------------------------------------------===//

inline constexpr int64_t kQueryBlock = JOBRT_ATTENTION_QUERY_BLOCK;
inline constexpr int64_t kKeyBlock = JOBRT_ATTENTION_KEY_BLOCK;
inline constexpr int64_t kQueryPass = JOBRT_ATTENTION_QUERY_PASS;

/// The parameters of both functions of attention; blobs are (batch, position,
/// head, channel).
struct AttentionBase {
  static constexpr const char *kTarget = "cpu";

  int64_t batch = 1, heads = 1;
  int64_t queries = 1, keys = 1;
  int64_t channels = 1, value_channels = 1;
  /// 1: query t attends to keys up to t + keys - queries.
  int64_t causal = 0;
  double scale = 1;
  /// Parts of the heads of all images, and of the queries of each head.
  int64_t head_parts = 1, query_parts = 1;

  bool operator==(const AttentionBase &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    visitor(Parameter{"batch", 1, kMaxExtent, 1}, config.batch);
    visitor(Parameter{"heads", 1, kMaxExtent, 1}, config.heads);
    visitor(Parameter{"queries"}, config.queries);
    visitor(Parameter{"keys"}, config.keys);
    visitor(Parameter{"channels"}, config.channels);
    visitor(Parameter{"value_channels"}, config.value_channels);
    visitor(flag("causal"), config.causal);
    visitor("scale", config.scale);
    visitor(parts("head_parts"), config.head_parts);
    visitor(parts("query_parts"), config.query_parts);
  }

  std::string checkRelations() const {
    if (causal && keys < queries)
      return "expects at least " + std::to_string(queries) +
             " for 'keys' but got " + std::to_string(keys);
    if (std::string error = checkParts("head_parts", head_parts, items(), 1);
        !error.empty())
      return error;
    if (std::string error =
            checkParts("query_parts", query_parts, queries, kQueryBlock);
        !error.empty())
      return error;
    return query_parts == 1 ? ""
                            : checkEqual("head_parts", head_parts, items());
  }

  int64_t items() const { return batch * heads; }
  /// None: heads are not blocks of rows.
  std::optional<ResultBlocks> resultBlocks() const { return std::nullopt; }
  int64_t chunks() const { return head_parts * query_parts; }
  /// Queries of the largest part of a head.
  int64_t partQueries() const {
    return std::min(queries, partSize(queries, kQueryBlock, query_parts));
  }

  std::vector<int64_t> queryExtents() const {
    return {batch, queries, heads, channels};
  }
  std::vector<int64_t> keyExtents() const {
    return {batch, keys, heads, channels};
  }
  std::vector<int64_t> valueExtents() const {
    return {batch, keys, heads, value_channels};
  }
  std::vector<int64_t> resultExtents() const {
    return {batch, queries, heads, value_channels};
  }
  std::vector<int64_t> rowExtents() const { return {batch, heads, queries}; }

  int64_t keysOfBlock() const {
    return roundToBlock(std::min(keys, kKeyBlock));
  }
};

struct Attention : AttentionBase {
  static constexpr const char *kCallee = "host.attention";

  std::vector<Buffer> buffers() const {
    return {{"query", queryExtents()},
            {"key", keyExtents()},
            {"value", valueExtents()},
            {"result", resultExtents(), /*isResult=*/true},
            {"logsumexp", rowExtents(), /*isResult=*/true}};
  }
  /// Floats of a chunk's slice of the workspace: reordered keys and values,
  /// weights, sums.
  int64_t slice() const {
    int64_t pass = std::min(partQueries(), kQueryPass);
    int64_t values = roundToBlock(value_channels);
    return keysOfBlock() * (roundToBlock(channels) + values) +
           std::min(partQueries(), kQueryBlock) * keysOfBlock() +
           pass * values + 2 * roundToBlock(pass);
  }
  int64_t workspaceBytes() const { return 4 * chunks() * slice(); }
};

struct AttentionGrad : AttentionBase {
  static constexpr const char *kCallee = "host.attention_grad";

  std::vector<Buffer> buffers() const {
    return {{"grad", resultExtents()},
            {"query", queryExtents()},
            {"key", keyExtents()},
            {"value", valueExtents()},
            {"result", resultExtents()},
            {"logsumexp", rowExtents()},
            {"query_grad", queryExtents(), /*isResult=*/true},
            {"key_grad", keyExtents(), /*isResult=*/true},
            {"value_grad", valueExtents(), /*isResult=*/true}};
  }
  int64_t slice() const {
    int64_t block = std::min(partQueries(), kQueryBlock);
    int64_t reordered = roundToBlock(channels),
            values = roundToBlock(value_channels);
    return keysOfBlock() * (3 * reordered + 2 * values) +
           block * (reordered + values) + 2 * block * keysOfBlock() +
           partQueries() * reordered + roundToBlock(partQueries());
  }
  /// Floats of the partial gradients of keys and values that a part of a head
  /// stores in the workspace after all slices; 0 if chunks have whole heads.
  int64_t partial() const {
    return query_parts == 1 ? 0
                            : roundToBlock(keys * (channels + value_channels));
  }
  int64_t workspaceBytes() const {
    return 4 * chunks() * (slice() + partial());
  }
};

} // namespace jobrt::calls

#endif // JOBRT_CALLS_ATTENTION_H
