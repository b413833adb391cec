//===- pool2d.h - Poolings --------------------------------------*- C++ -*-===//
//
// The functions cudnn.avg_pool2d and cudnn.avg_pool2d_grad.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_POOL2D_H
#define JOBRT_CALLS_POOL2D_H

#include "jobrt/calls/conv2d.h"

#include <tuple>

namespace jobrt::calls {

/// The parameters of both functions, on a GPU: means of windows of `kh` x `kw`
/// pixels of `n` images of `c` channels and `h` x `w` pixels, without what is
/// padding, for `oh` x `ow` windows. Sums are in f32.
struct CudnnAvgPool2dBase {
  static constexpr const char *kTarget = "cuda";

  int64_t n = 1, c = 1, h = 1, w = 1;
  int64_t kh = 1, kw = 1;
  int64_t oh = 1, ow = 1;
  int64_t stride_h = 1, stride_w = 1;
  int64_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  /// An Element: that of both arrays.
  int64_t type = 0;
  /// A Layout: that of both arrays.
  int64_t layout = 0;

  bool operator==(const CudnnAvgPool2dBase &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    auto padding = [](const char *key) {
      return Parameter{key, 0, JOBRT_CONV2D_MAX_PADDING, 0};
    };
    visitor(Parameter{"n"}, config.n);
    visitor(Parameter{"c"}, config.c);
    visitor(Parameter{"h"}, config.h);
    visitor(Parameter{"w"}, config.w);
    visitor(Parameter{"kh"}, config.kh);
    visitor(Parameter{"kw"}, config.kw);
    visitor(Parameter{"oh"}, config.oh);
    visitor(Parameter{"ow"}, config.ow);
    visitor(Parameter{"stride_h", 1, kMaxExtent, 1}, config.stride_h);
    visitor(Parameter{"stride_w", 1, kMaxExtent, 1}, config.stride_w);
    visitor(padding("pad_top"), config.pad_top);
    visitor(padding("pad_left"), config.pad_left);
    visitor(padding("pad_bottom"), config.pad_bottom);
    visitor(padding("pad_right"), config.pad_right);
    visitor(choice("type", kElementNames), config.type);
    visitor(choice("layout", kLayoutNames), config.layout);
  }

  std::string checkRelations() const {
    // No window is only padding.
    for (auto [key, padding, size] : {std::tuple("pad_top", pad_top, kh),
                                      {"pad_left", pad_left, kw},
                                      {"pad_bottom", pad_bottom, kh},
                                      {"pad_right", pad_right, kw}})
      if (padding >= size)
        return std::string("expects '") + key + "' from 0 to " +
               std::to_string(size - 1) + " but got " + std::to_string(padding);
    if (std::string error = ConvGeometry::checkExtent(
            "oh", oh, h, pad_top + pad_bottom, kh, 1, stride_h);
        !error.empty())
      return error;
    return ConvGeometry::checkExtent("ow", ow, w, pad_left + pad_right, kw, 1,
                                     stride_w);
  }

  Element element() const { return static_cast<Element>(type); }
  // NCHW.
  std::vector<int64_t> inputExtents() const { return {n, c, h, w}; }
  std::vector<int64_t> outputExtents() const { return {n, c, oh, ow}; }

  Buffer input(const char *name, bool isResult = false) const {
    return {name, stored(inputExtents()), isResult, element()};
  }
  Buffer output(const char *name, bool isResult = false) const {
    return {name, stored(outputExtents()), isResult, element()};
  }
  /// The library divides the work itself.
  int64_t chunks() const { return 1; }
  int64_t workspaceBytes() const { return 0; }
  std::optional<ResultBlocks> resultBlocks() const { return std::nullopt; }

private:
  std::vector<int64_t> stored(std::vector<int64_t> extents) const {
    return storedExtents(layout, std::move(extents));
  }
};

struct CudnnAvgPool2d : CudnnAvgPool2dBase {
  static constexpr const char *kCallee = "cudnn.avg_pool2d";
  static constexpr bool kIsGradient = false;

  std::vector<Buffer> buffers() const {
    return {input("input"), output("out", /*isResult=*/true)};
  }
};

struct CudnnAvgPool2dGrad : CudnnAvgPool2dBase {
  static constexpr const char *kCallee = "cudnn.avg_pool2d_grad";
  static constexpr bool kIsGradient = true;

  std::vector<Buffer> buffers() const {
    return {output("grad_out"), input("grad_input", /*isResult=*/true)};
  }
};

} // namespace jobrt::calls

#endif // JOBRT_CALLS_POOL2D_H
