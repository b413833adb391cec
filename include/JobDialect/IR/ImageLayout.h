//===- ImageLayout.h - The dimensions of images -----------------*- C++ -*-===//
//
// Where channels, height and width are in an image of each layout. The filters
// of convolutions are alike: outputs take the place of the batch.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_IMAGELAYOUT_H
#define JOBDIALECT_IR_IMAGELAYOUT_H

#include "JobDialect/IR/JobDialect.h"

namespace mlir::job {

/// Extents, strides or indices of an image, or of a filter, by dimension.
template <typename T> struct ImageDims {
  T n, c, h, w;

  /// From the order of a layout.
  static ImageDims get(ImageLayout layout, ArrayRef<T> dims) {
    if (layout == ImageLayout::NHWC)
      return {dims[0], dims[3], dims[1], dims[2]};
    return {dims[0], dims[1], dims[2], dims[3]};
  }
  /// In the order of a layout.
  std::array<T, 4> inOrder(ImageLayout layout) const {
    if (layout == ImageLayout::NHWC)
      return {n, h, w, c};
    return {n, c, h, w};
  }
};

inline ImageDims<int64_t> getImageDims(ImageLayout layout,
                                       ArrayRef<int64_t> shape) {
  return ImageDims<int64_t>::get(layout, shape);
}

/// The strides of a dense image of these extents.
inline ImageDims<int64_t> getImageStrides(ImageLayout layout,
                                          const ImageDims<int64_t> &extents) {
  std::array<int64_t, 4> shape = extents.inOrder(layout), strides;
  int64_t stride = 1;
  for (int i = 3; i >= 0; --i) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return ImageDims<int64_t>::get(layout, strides);
}

/// The permutation from NCHW: dimension `i` of the layout is dimension
/// `permutation[i]` of NCHW.
inline std::array<int64_t, 4> getPermutation(ImageLayout layout) {
  return ImageDims<int64_t>{0, 1, 2, 3}.inOrder(layout);
}

} // namespace mlir::job

#endif // JOBDIALECT_IR_IMAGELAYOUT_H
