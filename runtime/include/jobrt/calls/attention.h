//===- attention.h - Attention ----------------------------------*- C++ -*-===//
//
// The functions host.attention and cudnn.attention, and their gradients.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_ATTENTION_H
#define JOBRT_CALLS_ATTENTION_H

#include "jobrt/calls/common.h"

#include <utility>

namespace jobrt::calls {

//===----------------------------------------------------------------------===//
// Attention, and host.attention and its gradient
//===----------------------------------------------------------------------===//

/// What attention computes, of any library; blobs are (batch, position, head,
/// channel).
struct AttentionGeometry {
  int64_t batch = 1, heads = 1;
  int64_t queries = 1, keys = 1;
  int64_t channels = 1, value_channels = 1;
  /// 1: query t attends to keys up to t + keys - queries.
  int64_t causal = 0;
  double scale = 1;

  bool operator==(const AttentionGeometry &) const = default;

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
  }

  std::string checkRelations() const {
    if (causal && keys < queries)
      return "expects at least " + std::to_string(queries) +
             " for 'keys' but got " + std::to_string(keys);
    return "";
  }

  int64_t items() const { return batch * heads; }
  /// None: heads are not blocks of rows.
  std::optional<ResultBlocks> resultBlocks() const { return std::nullopt; }

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

  /// In the order of the command. The logarithms of sums, one for each row of
  /// weights, are in f32.
  std::vector<Buffer> forwardBuffers(Element element) const {
    return {{"query", queryExtents(), /*isResult=*/false, element},
            {"key", keyExtents(), /*isResult=*/false, element},
            {"value", valueExtents(), /*isResult=*/false, element},
            {"result", resultExtents(), /*isResult=*/true, element},
            {"logsumexp", rowExtents(), /*isResult=*/true}};
  }
  std::vector<Buffer> gradientBuffers(Element element) const {
    return {{"grad", resultExtents(), /*isResult=*/false, element},
            {"query", queryExtents(), /*isResult=*/false, element},
            {"key", keyExtents(), /*isResult=*/false, element},
            {"value", valueExtents(), /*isResult=*/false, element},
            {"result", resultExtents(), /*isResult=*/false, element},
            {"logsumexp", rowExtents()},
            {"query_grad", queryExtents(), /*isResult=*/true, element},
            {"key_grad", keyExtents(), /*isResult=*/true, element},
            {"value_grad", valueExtents(), /*isResult=*/true, element}};
  }
};

inline constexpr int64_t kQueryBlock = JOBRT_ATTENTION_QUERY_BLOCK;
inline constexpr int64_t kKeyBlock = JOBRT_ATTENTION_KEY_BLOCK;
inline constexpr int64_t kQueryPass = JOBRT_ATTENTION_QUERY_PASS;

/// The parameters of both functions.
struct AttentionBase : AttentionGeometry {
  static constexpr const char *kTarget = "cpu";

  /// Parts of the heads of all images, and of the queries of each head.
  int64_t head_parts = 1, query_parts = 1;

  bool operator==(const AttentionBase &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    AttentionGeometry::visit(config, visitor);
    visitor(parts("head_parts"), config.head_parts);
    visitor(parts("query_parts"), config.query_parts);
  }

  std::string checkRelations() const {
    if (std::string error = AttentionGeometry::checkRelations(); !error.empty())
      return error;
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

  int64_t chunks() const { return head_parts * query_parts; }
  /// Queries of the largest part of a head.
  int64_t partQueries() const {
    return std::min(queries, partSize(queries, kQueryBlock, query_parts));
  }
  int64_t keysOfBlock() const {
    return roundToBlock(std::min(keys, kKeyBlock));
  }
};

struct Attention : AttentionBase {
  static constexpr const char *kCallee = "host.attention";

  std::vector<Buffer> buffers() const { return forwardBuffers(Element::kF32); }
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

  std::vector<Buffer> buffers() const { return gradientBuffers(Element::kF32); }
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

//===----------------------------------------------------------------------===//
// cudnn.attention and its gradient
//===----------------------------------------------------------------------===//

/// Where the heads of an array of attention are in memory: in which buffer of
/// the command, from which of its heads on.
struct HeadsPlace {
  size_t buffer;
  int64_t first = 0;
};

/// The parameters of both functions, on a GPU, with sums in f32. The limits are
/// those of the library's engines for flash attention.
struct CudnnAttentionBase : AttentionGeometry {
  static constexpr const char *kTarget = "cuda";
  static constexpr int64_t kMaxChannels = 128, kChannelGroup = 8;

  /// An Element, f16 or bf16: that of all arrays but `logsumexp`.
  int64_t type = 0;
  /// Bytes of workspace that an engine may need.
  int64_t workspace = 0;
  /// Of an operand: how many heads of other arrays its buffer has before and
  /// after its own, at each position.
  int64_t query_before = 0, query_after = 0;
  int64_t key_before = 0, key_after = 0;
  int64_t value_before = 0, value_after = 0;

  bool operator==(const CudnnAttentionBase &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    AttentionGeometry::visit(config, visitor);
    visitor(choice("type", kElementNames), config.type);
    visitor(Parameter{"workspace", 0, kMaxBytes - 1, 0, /*isSplit=*/true},
            config.workspace);
    visitor(otherHeads("query_before"), config.query_before);
    visitor(otherHeads("query_after"), config.query_after);
    visitor(otherHeads("key_before"), config.key_before);
    visitor(otherHeads("key_after"), config.key_after);
    visitor(otherHeads("value_before"), config.value_before);
    visitor(otherHeads("value_after"), config.value_after);
  }
  static constexpr Parameter otherHeads(const char *key) {
    return {key, 0, kMaxExtent, 0};
  }

  std::string checkRelations() const {
    if (std::string error = AttentionGeometry::checkRelations(); !error.empty())
      return error;
    if (element() == Element::kF32)
      return "expects 'type' f16 or bf16 but got f32";
    for (auto [key, count] : {std::pair{"channels", channels},
                              std::pair{"value_channels", value_channels}})
      if (count > kMaxChannels || count % kChannelGroup != 0)
        return std::string("expects '") + key + "' to be a multiple of " +
               std::to_string(kChannelGroup) + " up to " +
               std::to_string(kMaxChannels) + " but got " +
               std::to_string(count);
    return checkEqual("workspace", workspace,
                      workspace / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT);
  }

  Element element() const { return static_cast<Element>(type); }
  /// The library divides the work itself.
  int64_t chunks() const { return 1; }
  int64_t workspaceBytes() const { return workspace; }

protected:
  /// Makes room for the other heads in the buffers of the operands, the first
  /// of which is number `query`.
  void addOtherHeads(std::vector<Buffer> &buffers, size_t query) const {
    buffers[query].extents[2] += query_before + query_after;
    buffers[query + 1].extents[2] += key_before + key_after;
    buffers[query + 2].extents[2] += value_before + value_after;
  }
};

struct CudnnAttention : CudnnAttentionBase {
  static constexpr const char *kCallee = "cudnn.attention";

  std::vector<Buffer> buffers() const {
    std::vector<Buffer> result = forwardBuffers(element());
    addOtherHeads(result, 0);
    return result;
  }
  /// The places of the arrays of `forwardBuffers`.
  std::vector<HeadsPlace> places() const {
    return {{0, query_before}, {1, key_before}, {2, value_before}, {3}, {4}};
  }
};

struct CudnnAttentionGrad : CudnnAttentionBase {
  static constexpr const char *kCallee = "cudnn.attention_grad";
  /// The queries and the keys of a block of the library's engines.
  static constexpr int64_t kScoreBlock = 128;

  /// Parts of the batch, which the library computes one after the other with
  /// the same workspace.
  int64_t batch_parts = 1;
  /// 1: the gradient of the keys is in one buffer with that of the queries,
  /// after it at each position; and so that of the values with that of the
  /// keys.
  int64_t join_query_key = 0, join_key_value = 0;

  bool operator==(const CudnnAttentionGrad &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    CudnnAttentionBase::visit(config, visitor);
    visitor(parts("batch_parts"), config.batch_parts);
    visitor(flag("join_query_key"), config.join_query_key);
    visitor(flag("join_key_value"), config.join_key_value);
  }

  std::string checkRelations() const {
    if (std::string error = CudnnAttentionBase::checkRelations();
        !error.empty())
      return error;
    if (join_query_key)
      if (std::string error = checkEqual("keys", keys, queries); !error.empty())
        return error;
    if (join_key_value)
      if (std::string error =
              checkEqual("value_channels", value_channels, channels);
          !error.empty())
        return error;
    return batch % batch_parts == 0
               ? ""
               : "expects 'batch_parts' to divide " + std::to_string(batch) +
                     " but got " + std::to_string(batch_parts);
  }

  /// Bytes of the sums of the rows of a part, in f32, which the call keeps in
  /// front of the library's workspace.
  int64_t rowBytes() const {
    int64_t rows = batch / batch_parts * heads * queries;
    return ceilDiv(4 * rows, JOBRT_ALIGNMENT) * JOBRT_ALIGNMENT;
  }
  int64_t workspaceBytes() const { return rowBytes() + workspace; }
  /// The gradients of the scores of all parts, stored and read once. Of a mask
  /// that is causal, those of the blocks with a query and a key that it sees:
  /// the last queries see all keys, each one before it a key less, and a block
  /// ends half of its length after the diagonal on average.
  int64_t workspaceTraffic() const {
    int64_t bytes = 2 * elementBytes(element());
    int64_t rows = causal ? std::min(queries, keys) : queries;
    int64_t stored =
        causal ? std::min(keys, keys - rows / 2 + kScoreBlock / 2) : keys;
    for (int64_t extent : {batch, heads, rows, stored})
      if (__builtin_mul_overflow(bytes, extent, &bytes))
        return INT64_MAX;
    return bytes;
  }
  std::vector<Buffer> buffers() const {
    std::vector<Buffer> arrays = gradientBuffers(element()), result;
    addOtherHeads(arrays, 1);
    for (size_t i = 0; i < arrays.size(); ++i)
      if (isJoined(i))
        result.back().extents[2] += arrays[i].extents[2];
      else
        result.push_back(std::move(arrays[i]));
    return result;
  }
  /// The places of the arrays of `gradientBuffers`.
  std::vector<HeadsPlace> places() const {
    std::vector<HeadsPlace> result = {
        {0}, {1, query_before}, {2, key_before}, {3, value_before}, {4}, {5}};
    for (size_t i = result.size(); i < kNumArrays; ++i) {
      HeadsPlace last = result.back();
      result.push_back(isJoined(i) ? HeadsPlace{last.buffer, last.first + heads}
                                   : HeadsPlace{last.buffer + 1});
    }
    return result;
  }

  /// How many heads of other gradients the buffers of the three have.
  std::vector<int64_t> otherHeadsOfGrads() const {
    std::vector<Buffer> all = buffers();
    std::vector<HeadsPlace> arrays = places();
    std::vector<int64_t> result;
    for (size_t i = kKeyGrad - 1; i < kNumArrays; ++i)
      result.push_back(all[arrays[i].buffer].extents[2] - heads);
    return result;
  }

private:
  static constexpr size_t kKeyGrad = 7, kValueGrad = 8, kNumArrays = 9;

  /// Whether array `i` is in the buffer of the one before it.
  bool isJoined(size_t i) const {
    return (i == kKeyGrad && join_query_key) ||
           (i == kValueGrad && join_key_value);
  }
};

} // namespace jobrt::calls

#endif // JOBRT_CALLS_ATTENTION_H
