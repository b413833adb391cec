//===- conv2d.h - Convolutions ----------------------------------*- C++ -*-===//
//
// The functions onednn.conv2d and cudnn.conv2d, and their gradients.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_CONV2D_H
#define JOBRT_CALLS_CONV2D_H

#include "jobrt/calls/common.h"

namespace jobrt::calls {

//===----------------------------------------------------------------------===//
// Convolutions, and onednn.conv2d and its gradients
//===----------------------------------------------------------------------===//

enum class Conv2dKind { kForward, kDataGrad, kFilterGrad };

/// How input, filter and output of a convolution are stored: NCHW with a filter
/// OIHW, or NHWC with a filter OHWI.
enum class Layout { kNCHW, kNHWC };
inline constexpr const char *kLayoutNames[] = {"nchw", "nhwc"};

/// Extents of NCHW or OIHW in the order in which a Layout stores them.
inline std::vector<int64_t> storedExtents(int64_t layout,
                                          std::vector<int64_t> extents) {
  if (layout == static_cast<int64_t>(Layout::kNHWC))
    std::rotate(extents.begin() + 1, extents.begin() + 2, extents.end());
  return extents;
}

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
  std::vector<int64_t> stored(std::vector<int64_t> extents) const {
    return storedExtents(layout, std::move(extents));
  }
};

/// The parameters of all three functions. Sums are in f32.
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

/// The first of all epilogues.
inline constexpr const char *kConvEpilogueNames[] = {"none", "bias",
                                                     "bias_relu"};

struct CudnnConv2dForward : CudnnConv2d {
  static constexpr const char *kCallee = "cudnn.conv2d";
  static constexpr Conv2dKind kKind = Conv2dKind::kForward;

  /// An Epilogue: none, kBias or kBiasRelu.
  int64_t epilogue = 0;

  bool operator==(const CudnnConv2dForward &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    CudnnConv2d::visit(config, visitor);
    visitor(choice("epilogue", kConvEpilogueNames), config.epilogue);
  }

  bool hasBias() const { return epilogue != 0; }
  bool hasRelu() const {
    return epilogue == static_cast<int64_t>(Epilogue::kBiasRelu);
  }
  std::vector<Buffer> buffers() const {
    std::vector<Buffer> buffers = {input("input"), filter("filter")};
    if (hasBias())
      buffers.push_back({"bias", {oc}, /*isResult=*/false, element()});
    buffers.push_back(output("out", /*isResult=*/true));
    return buffers;
  }
  int64_t biasRun() const { return isChannelsLast() ? 1 : oh * ow; }
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

} // namespace jobrt::calls

#endif // JOBRT_CALLS_CONV2D_H
