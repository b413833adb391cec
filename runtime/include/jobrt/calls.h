//===- calls.h - The functions of libraries ---------------------*- C++ -*-===//
//
// The configuration of each library function of docs/artifact.md: its
// parameters and their limits, how its work is split, and the buffers, chunks
// and workspace that follow from them. The compiler checks text with it, and
// the runtime checks artifacts, so each rule is written once. The compiler
// alone decides which split is best. Header only.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_H
#define JOBRT_CALLS_H

#include "jobrt/abi.h"

#include <algorithm>
#include <cmath>
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

/// An error unless oneDNN computes with elements of `type` on a CPU.
inline std::string checkHostType(int64_t type) {
  if (type != static_cast<int64_t>(Element::kF16))
    return "";
  return "expects 'type' f32 or bf16 but got f16";
}

//===----------------------------------------------------------------------===//
// onednn.matmul
//===----------------------------------------------------------------------===//

/// `batch` products out[m,n] = op(a)[m,k] op(b)[k,n], with sums in f32. Members
/// are named as their keys, here and below. `kTarget` names the target of the
/// compiler that has the function.
struct MatMul {
  static constexpr const char *kCallee = "onednn.matmul";
  static constexpr const char *kTarget = "cpu";

  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t transpose_a = 0, transpose_b = 0;
  /// An Element, f32 or bf16: that of all arrays.
  int64_t type = 0;
  /// Parts of the batch, and of the rows and columns of each product.
  int64_t batch_parts = 1, row_parts = 1, column_parts = 1;
  /// Bytes of workspace of each chunk; 0 for f32.
  int64_t slice = 0;

  bool operator==(const MatMul &) const = default;

  /// Calls `visitor(parameter, member)` for each parameter.
  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    visitor(Parameter{"batch", 1, kMaxExtent, 1}, config.batch);
    visitor(Parameter{"m"}, config.m);
    visitor(Parameter{"n"}, config.n);
    visitor(Parameter{"k"}, config.k);
    visitor(flag("transpose_a"), config.transpose_a);
    visitor(flag("transpose_b"), config.transpose_b);
    visitor(choice("type", kElementNames), config.type);
    visitor(parts("batch_parts"), config.batch_parts);
    visitor(parts("row_parts"), config.row_parts);
    visitor(parts("column_parts"), config.column_parts);
    visitor(Parameter{"slice", 0, kMaxBytes / JOBRT_MAX_CHUNKS, 0,
                      /*isSplit=*/true},
            config.slice);
  }

  /// An error if parameters within their limits are inconsistent, else "".
  std::string checkRelations() const {
    if (std::string error = checkHostType(type); !error.empty())
      return error;
    int64_t whole = slice / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
    if (std::string error = checkEqual("slice", slice, isNarrow() ? whole : 0);
        !error.empty())
      return error;
    if (std::string error = checkParts("batch_parts", batch_parts, batch, 1);
        !error.empty())
      return error;
    if (std::string error = checkParts("row_parts", row_parts, m, kBlock);
        !error.empty())
      return error;
    return checkParts("column_parts", column_parts, n, kBlock);
  }

  /// In the order of the command: first the operands, then the results.
  std::vector<Buffer> buffers() const {
    return {{"a", {batch, m, k}, /*isResult=*/false, element()},
            {"b", {batch, k, n}, /*isResult=*/false, element()},
            {"out", {batch, m, n}, /*isResult=*/true, element()}};
  }
  Element element() const { return static_cast<Element>(type); }
  bool isNarrow() const { return element() != Element::kF32; }
  /// The feature that the processor needs beside those of the artifact's own
  /// code, "" for none.
  const char *requiredFeature() const { return isNarrow() ? kBF16Feature : ""; }
  int64_t chunks() const { return batch_parts * row_parts * column_parts; }
  int64_t workspaceBytes() const { return chunks() * slice; }
  /// None if a chunk does not write a block of the first result, or the block
  /// is not complete before all chunks are.
  std::optional<ResultBlocks> resultBlocks() const {
    return ResultBlocks{{0, partSize(batch, 1, batch_parts)},
                        {1, partSize(m, kBlock, row_parts)},
                        {2, partSize(n, kBlock, column_parts)}};
  }
};

//===----------------------------------------------------------------------===//
// Convolutions, and onednn.conv2d and its gradients
//===----------------------------------------------------------------------===//

enum class Conv2dKind { kForward, kDataGrad, kFilterGrad };

/// How input, filter and output of a convolution are stored: NCHW with a filter
/// OIHW, or NHWC with a filter OHWI.
enum class Layout { kNCHW, kNHWC };
inline constexpr const char *kLayoutNames[] = {"nchw", "nhwc"};

/// What a convolution computes, of any library: `n` images of `c` channels and
/// `h` x `w` pixels, a filter of `oc` x `c / groups` x `kh` x `kw`, and `oc`
/// channels of `oh` x `ow` pixels.
struct ConvGeometry {
  int64_t n = 1, c = 1, h = 1, w = 1;
  int64_t oc = 1, kh = 1, kw = 1;
  int64_t oh = 1, ow = 1;
  int64_t stride_h = 1, stride_w = 1;
  int64_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int64_t dilation_h = 1, dilation_w = 1;
  int64_t groups = 1;
  /// A Layout: that of all arrays.
  int64_t layout = 0;

  bool operator==(const ConvGeometry &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    auto padding = [](const char *key) {
      return Parameter{key, 0, JOBRT_CONV2D_MAX_PADDING, 0};
    };
    auto step = [](const char *key) {
      return Parameter{key, 1, kMaxExtent, 1};
    };
    visitor(Parameter{"n"}, config.n);
    visitor(Parameter{"c"}, config.c);
    visitor(Parameter{"h"}, config.h);
    visitor(Parameter{"w"}, config.w);
    visitor(Parameter{"oc"}, config.oc);
    visitor(Parameter{"kh"}, config.kh);
    visitor(Parameter{"kw"}, config.kw);
    visitor(Parameter{"oh"}, config.oh);
    visitor(Parameter{"ow"}, config.ow);
    visitor(step("stride_h"), config.stride_h);
    visitor(step("stride_w"), config.stride_w);
    visitor(padding("pad_top"), config.pad_top);
    visitor(padding("pad_left"), config.pad_left);
    visitor(padding("pad_bottom"), config.pad_bottom);
    visitor(padding("pad_right"), config.pad_right);
    visitor(step("dilation_h"), config.dilation_h);
    visitor(step("dilation_w"), config.dilation_w);
    visitor(step("groups"), config.groups);
  }

  /// Checks that an output extent follows from its input extent.
  static std::string checkExtent(const char *key, int64_t out, int64_t in,
                                 int64_t padding, int64_t kernel,
                                 int64_t dilation, int64_t stride) {
    int64_t reach = dilation * (kernel - 1) + 1;
    int64_t room = in + padding - reach;
    if (room < 0 || in + padding > kMaxExtent)
      return "expects a padded input of at " +
             (room < 0 ? "least " + std::to_string(reach)
                       : "most " + std::to_string(kMaxExtent)) +
             " for '" + key + "' but got " + std::to_string(in + padding);
    return checkEqual(key, out, room / stride + 1);
  }

  std::string checkRelations() const {
    for (auto [key, channels] : {std::pair("c", c), {"oc", oc}})
      if (channels % groups != 0)
        return std::string("expects '") + key + "' to be a multiple of the " +
               std::to_string(groups) + " groups but got " +
               std::to_string(channels);
    if (std::string error = checkExtent("oh", oh, h, pad_top + pad_bottom, kh,
                                        dilation_h, stride_h);
        !error.empty())
      return error;
    return checkExtent("ow", ow, w, pad_left + pad_right, kw, dilation_w,
                       stride_w);
  }

  // NCHW and OIHW.
  std::vector<int64_t> inputExtents() const { return {n, c, h, w}; }
  std::vector<int64_t> filterExtents() const {
    return {oc, c / groups, kh, kw};
  }
  std::vector<int64_t> outputExtents() const { return {n, oc, oh, ow}; }

  bool isChannelsLast() const {
    return layout == static_cast<int64_t>(Layout::kNHWC);
  }
  /// Extents of NCHW or OIHW in the order in which they are stored.
  std::vector<int64_t> stored(std::vector<int64_t> extents) const {
    if (isChannelsLast())
      std::rotate(extents.begin() + 1, extents.begin() + 2, extents.end());
    return extents;
  }
};

/// The parameters of all three functions; input NCHW, filter OIHW. Sums are in
/// f32.
struct Conv2d : ConvGeometry {
  static constexpr const char *kTarget = "cpu";

  /// An Element, f32 or bf16: that of all arrays.
  int64_t type = 0;
  /// Parts of the batch, and of the channels of the result: those of the input
  /// for its gradient, else those of the output.
  int64_t batch_parts = 1, channel_parts = 1;
  /// Images that a chunk processes at a time.
  int64_t tile = 1;
  /// Bytes of workspace of each chunk.
  int64_t slice = JOBRT_ALIGNMENT;

  bool operator==(const Conv2d &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    ConvGeometry::visit(config, visitor);
    visitor(choice("layout", kLayoutNames), config.layout);
    visitor(choice("type", kElementNames), config.type);
    visitor(parts("batch_parts"), config.batch_parts);
    visitor(parts("channel_parts"), config.channel_parts);
    visitor(Parameter{"tile", 1, kMaxExtent, 1, /*isSplit=*/true}, config.tile);
    visitor(Parameter{"slice", JOBRT_ALIGNMENT, kMaxBytes / JOBRT_MAX_CHUNKS,
                      JOBRT_ALIGNMENT, /*isSplit=*/true},
            config.slice);
  }

  std::string checkRelations(Conv2dKind kind) const {
    if (std::string error = checkHostType(type); !error.empty())
      return error;
    if (std::string error = ConvGeometry::checkRelations(); !error.empty())
      return error;
    if (std::string error = checkParts("batch_parts", batch_parts, n, 1);
        !error.empty())
      return error;
    // The library splits the channels of one group only.
    int64_t channels = kind == Conv2dKind::kDataGrad ? c : oc;
    if (std::string error = checkParts("channel_parts", channel_parts,
                                       groups == 1 ? channels : 1, kBlock);
        !error.empty())
      return error;
    if (std::string error =
            checkParts("tile", tile, ceilDiv(n, batch_parts), 1);
        !error.empty())
      return error;
    return checkEqual("slice", slice,
                      slice / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT);
  }

  Element element() const { return static_cast<Element>(type); }
  bool isNarrow() const { return element() != Element::kF32; }
  const char *requiredFeature() const { return isNarrow() ? kBF16Feature : ""; }
  Buffer input(const char *name, bool isResult = false) const {
    return {name, stored(inputExtents()), isResult, element()};
  }
  Buffer filter(const char *name, bool isResult = false) const {
    return {name, stored(filterExtents()), isResult, element()};
  }
  Buffer output(const char *name, bool isResult = false) const {
    return {name, stored(outputExtents()), isResult, element()};
  }
  int64_t chunks() const { return batch_parts * channel_parts; }
  int64_t workspaceBytes() const { return chunks() * slice; }
  /// Blocks of images and of their channels.
  ResultBlocks imageBlocks(int64_t channels) const {
    return {
        {0, partSize(n, 1, batch_parts)},
        {isChannelsLast() ? 3 : 1, partSize(channels, kBlock, channel_parts)}};
  }
};

struct Conv2dForward : Conv2d {
  static constexpr const char *kCallee = "onednn.conv2d";
  static constexpr Conv2dKind kKind = Conv2dKind::kForward;

  std::string checkRelations() const { return Conv2d::checkRelations(kKind); }
  std::vector<Buffer> buffers() const {
    return {input("input"), filter("filter"), output("out", /*isResult=*/true)};
  }
  std::optional<ResultBlocks> resultBlocks() const { return imageBlocks(oc); }
};

struct Conv2dDataGrad : Conv2d {
  static constexpr const char *kCallee = "onednn.conv2d_data_grad";
  static constexpr Conv2dKind kKind = Conv2dKind::kDataGrad;

  std::string checkRelations() const { return Conv2d::checkRelations(kKind); }
  std::vector<Buffer> buffers() const {
    return {output("grad_out"), filter("filter"),
            input("grad_input", /*isResult=*/true)};
  }
  std::optional<ResultBlocks> resultBlocks() const { return imageBlocks(c); }
};

struct Conv2dFilterGrad : Conv2d {
  static constexpr const char *kCallee = "onednn.conv2d_filter_grad";
  static constexpr Conv2dKind kKind = Conv2dKind::kFilterGrad;

  std::string checkRelations() const { return Conv2d::checkRelations(kKind); }
  std::vector<Buffer> buffers() const {
    return {output("grad_out"), input("input"),
            filter("grad_filter", /*isResult=*/true)};
  }
  std::optional<ResultBlocks> resultBlocks() const {
    // Parts of the batch are added after all chunks.
    if (batch_parts > 1)
      return std::nullopt;
    return ResultBlocks{{0, partSize(oc, kBlock, channel_parts)}};
  }
};

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

//===----------------------------------------------------------------------===//
// cublaslt.matmul
//===----------------------------------------------------------------------===//

/// What the library computes with a product before it stores it. A bias has `n`
/// elements, which are added to each row. A mask has a bit for each element of
/// the result, in rows of whole groups of 128. The gelu is
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
  /// The sums over k of a factor: `m` of a, `n` of b.
  kBiasGradA,
  kBiasGradB
};
inline constexpr const char *kEpilogueNames[] = {"none",
                                                 "bias",
                                                 "bias_relu",
                                                 "relu",
                                                 "bias_relu_mask",
                                                 "relu_grad",
                                                 "relu_grad_bias_grad",
                                                 "bias_gelu",
                                                 "bias_gelu_input",
                                                 "gelu_grad",
                                                 "gelu_grad_bias_grad",
                                                 "bias_grad_a",
                                                 "bias_grad_b"};

/// Bits of a row of a mask are a multiple of this number, elements of a row of
/// a gelu's input of that.
inline constexpr int64_t kMaskGroup = 128, kGeluInputGroup = 8;

/// `batch` products out[m,n] = op(a)[m,k] op(b)[k,n] on a GPU, in row-major
/// order, with sums in f32.
struct CublasLtMatMul {
  static constexpr const char *kCallee = "cublaslt.matmul";
  static constexpr const char *kTarget = "cuda";

  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t transpose_a = 0, transpose_b = 0;
  /// An Element: that of all arrays.
  int64_t type = 0;
  /// An Epilogue.
  int64_t epilogue = 0;
  /// 1: factors in f32 may be rounded to TF32.
  int64_t tf32 = 0;
  /// Bytes of workspace that an algorithm may need.
  int64_t workspace = 0;

  bool operator==(const CublasLtMatMul &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    visitor(Parameter{"batch", 1, kMaxExtent, 1}, config.batch);
    visitor(Parameter{"m"}, config.m);
    visitor(Parameter{"n"}, config.n);
    visitor(Parameter{"k"}, config.k);
    visitor(flag("transpose_a"), config.transpose_a);
    visitor(flag("transpose_b"), config.transpose_b);
    visitor(choice("type", kElementNames), config.type);
    visitor(choice("epilogue", kEpilogueNames), config.epilogue);
    visitor(Parameter{"tf32", 0, 1, 0, /*isSplit=*/true}, config.tf32);
    visitor(Parameter{"workspace", 0, kMaxBytes - 1, 0, /*isSplit=*/true},
            config.workspace);
  }

  std::string checkRelations() const {
    if (std::string error = checkEqual("tf32", tf32, type == 0 ? tf32 : 0);
        !error.empty())
      return error;
    if (std::string error = checkEqual("batch", batch, epilogue ? 1 : batch);
        !error.empty())
      return error;
    if (hasGeluInput() && n % kGeluInputGroup != 0)
      return "expects 'n' to be a multiple of " +
             std::to_string(kGeluInputGroup) + " with the epilogue " +
             kEpilogueNames[epilogue] + " but got " + std::to_string(n);
    return checkEqual("workspace", workspace,
                      workspace / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT);
  }

  Element element() const { return static_cast<Element>(type); }
  bool is(std::initializer_list<Epilogue> kinds) const {
    return std::find(kinds.begin(), kinds.end(),
                     static_cast<Epilogue>(epilogue)) != kinds.end();
  }
  bool hasBias() const {
    return is({Epilogue::kBias, Epilogue::kBiasRelu, Epilogue::kBiasReluMask,
               Epilogue::kBiasGelu, Epilogue::kBiasGeluInput});
  }
  /// A second array with an element for each of the result: written by a
  /// forward epilogue, read by a gradient.
  bool hasMask() const {
    return is({Epilogue::kBiasReluMask, Epilogue::kReluGrad,
               Epilogue::kReluGradBiasGrad});
  }
  bool hasGeluInput() const {
    return is({Epilogue::kBiasGeluInput, Epilogue::kGeluGrad,
               Epilogue::kGeluGradBiasGrad});
  }
  bool hasAuxiliary() const { return hasMask() || hasGeluInput(); }
  bool writesAuxiliary() const {
    return is({Epilogue::kBiasReluMask, Epilogue::kBiasGeluInput});
  }
  /// Elements of the gradient of a bias, 0 if there is none.
  int64_t biasGradElements() const {
    if (is({Epilogue::kBiasGradA}))
      return m;
    return is({Epilogue::kReluGradBiasGrad, Epilogue::kGeluGradBiasGrad,
               Epilogue::kBiasGradB})
               ? n
               : 0;
  }
  /// Elements of a row of the auxiliary array: bits of a mask.
  int64_t auxiliaryRow() const {
    return hasMask() ? ceilDiv(n, kMaskGroup) * kMaskGroup : n;
  }
  Buffer auxiliary() const {
    if (hasMask())
      return {"mask", {m, auxiliaryRow() / 8}, writesAuxiliary(), Element::kI8};
    return {"gelu_input", {m, n}, writesAuxiliary(), element()};
  }
  std::vector<Buffer> buffers() const {
    std::vector<Buffer> buffers = {{"a", {batch, m, k}, false, element()},
                                   {"b", {batch, k, n}, false, element()}};
    if (hasBias())
      buffers.push_back({"bias", {n}, false, element()});
    if (hasAuxiliary() && !writesAuxiliary())
      buffers.push_back(auxiliary());
    buffers.push_back({"out", {batch, m, n}, /*isResult=*/true, element()});
    if (writesAuxiliary())
      buffers.push_back(auxiliary());
    if (int64_t elements = biasGradElements())
      buffers.push_back(
          {"bias_grad", {elements}, /*isResult=*/true, element()});
    return buffers;
  }
  /// The library divides the work itself.
  int64_t chunks() const { return 1; }
  int64_t workspaceBytes() const { return workspace; }
  std::optional<ResultBlocks> resultBlocks() const { return std::nullopt; }
};

//===----------------------------------------------------------------------===//
// cudnn.conv2d and its gradients
//===----------------------------------------------------------------------===//

/// The parameters of all three functions, on a GPU, with sums in f32.
struct CudnnConv2d : ConvGeometry {
  static constexpr const char *kTarget = "cuda";

  /// An Element: that of all arrays.
  int64_t type = 0;
  /// 1: factors in f32 may be rounded to TF32.
  int64_t tf32 = 0;
  /// Bytes of workspace that an engine may need.
  int64_t workspace = 0;

  bool operator==(const CudnnConv2d &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    ConvGeometry::visit(config, visitor);
    visitor(choice("type", kElementNames), config.type);
    visitor(choice("layout", kLayoutNames), config.layout);
    visitor(Parameter{"tf32", 0, 1, 0, /*isSplit=*/true}, config.tf32);
    visitor(Parameter{"workspace", 0, kMaxBytes - 1, 0, /*isSplit=*/true},
            config.workspace);
  }

  std::string checkRelations() const {
    if (std::string error = ConvGeometry::checkRelations(); !error.empty())
      return error;
    if (std::string error = checkEqual("tf32", tf32, type == 0 ? tf32 : 0);
        !error.empty())
      return error;
    return checkEqual("workspace", workspace,
                      workspace / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT);
  }

  Element element() const { return static_cast<Element>(type); }
  Buffer input(const char *name, bool isResult = false) const {
    return {name, stored(inputExtents()), isResult, element()};
  }
  Buffer filter(const char *name, bool isResult = false) const {
    return {name, stored(filterExtents()), isResult, element()};
  }
  Buffer output(const char *name, bool isResult = false) const {
    return {name, stored(outputExtents()), isResult, element()};
  }
  /// The library divides the work itself.
  int64_t chunks() const { return 1; }
  int64_t workspaceBytes() const { return workspace; }
  std::optional<ResultBlocks> resultBlocks() const { return std::nullopt; }
};

struct CudnnConv2dForward : CudnnConv2d {
  static constexpr const char *kCallee = "cudnn.conv2d";
  static constexpr Conv2dKind kKind = Conv2dKind::kForward;

  std::vector<Buffer> buffers() const {
    return {input("input"), filter("filter"), output("out", true)};
  }
};

struct CudnnConv2dDataGrad : CudnnConv2d {
  static constexpr const char *kCallee = "cudnn.conv2d_data_grad";
  static constexpr Conv2dKind kKind = Conv2dKind::kDataGrad;

  std::vector<Buffer> buffers() const {
    return {output("grad_out"), filter("filter"), input("grad_input", true)};
  }
};

struct CudnnConv2dFilterGrad : CudnnConv2d {
  static constexpr const char *kCallee = "cudnn.conv2d_filter_grad";
  static constexpr Conv2dKind kKind = Conv2dKind::kFilterGrad;

  std::vector<Buffer> buffers() const {
    return {output("grad_out"), input("input"), filter("grad_filter", true)};
  }
};

//===----------------------------------------------------------------------===//
// All configurations
//===----------------------------------------------------------------------===//

/// The configuration that computes the same in one chunk.
template <typename Config> Config withoutSplit(Config config) {
  struct {
    void operator()(const Parameter &parameter, int64_t &value) {
      if (parameter.isSplit)
        value = *parameter.fallback;
    }
    void operator()(const char *, double &) {}
  } reset;
  Config::visit(config, reset);
  return config;
}

/// The configuration of a function that has no epilogue, with one; none if the
/// function cannot have it.
template <typename Config>
std::optional<Config> withEpilogue(Config config, Epilogue epilogue) {
  if constexpr (requires { config.epilogue; }) {
    if (config.epilogue == 0 && config.batch == 1) {
      config.epilogue = static_cast<int64_t>(epilogue);
      return config;
    }
  }
  return std::nullopt;
}

/// The feature that a processor needs for a call, "" for none.
template <typename Config> const char *requiredFeature(const Config &config) {
  if constexpr (requires { config.requiredFeature(); })
    return config.requiredFeature();
  return "";
}

/// An error if a configuration is invalid, else "". Does not overflow for any
/// values.
template <typename Config> std::string check(const Config &config) {
  struct {
    std::string error;
    void operator()(const Parameter &parameter, int64_t value) {
      if (error.empty() && (value < parameter.low || value > parameter.high))
        error = std::string("expects '") + parameter.key + "' from " +
                std::to_string(parameter.low) + " to " +
                std::to_string(parameter.high) + " but got " +
                std::to_string(value);
    }
    void operator()(const char *key, double value) {
      // A number is finite if it rounds to a finite number.
      if (error.empty() && !std::isfinite(static_cast<float>(value))) {
        char text[32];
        std::snprintf(text, sizeof(text), "%g", value);
        error = std::string("expects '") + key +
                "' to be finite in f32 but got " + text;
      }
    }
  } limits;
  Config::visit(config, limits);
  if (!limits.error.empty())
    return limits.error;
  // Whole arrays first: later checks compute with parts of them.
  for (const Buffer &buffer : config.buffers())
    if (arrayBytes(buffer) < 0)
      return std::string("the size of ") + buffer.name + " overflows";
  if (std::string error = config.checkRelations(); !error.empty())
    return error;
  if (config.chunks() > JOBRT_MAX_CHUNKS)
    return "expects at most " + std::to_string(JOBRT_MAX_CHUNKS) +
           " parts in all but got " + std::to_string(config.chunks());
  return "";
}

/// Whether factors in f32 may be rounded to TF32.
template <typename Config> bool usesTF32(const Config &config) {
  if constexpr (requires { config.tf32; })
    return config.tf32 != 0;
  return false;
}

/// The configuration whose factors may be rounded to TF32; the same one if the
/// function has no such parameter, or no factors in f32.
template <typename Config> Config withTF32(Config config) {
  if constexpr (requires { config.tf32; }) {
    Config rounded = config;
    rounded.tf32 = 1;
    if (check(rounded).empty())
      return rounded;
  }
  return config;
}

} // namespace jobrt::calls

#endif // JOBRT_CALLS_H
