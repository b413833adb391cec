//===- Image.h - Images of a layout -----------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_REFERENCE_IMAGE_H
#define JOBDIALECT_LIB_REFERENCE_IMAGE_H

#include "JobDialect/IR/ImageLayout.h"

namespace mlir::job {

/// The elements of images, or of a filter, as an array.
struct Image {
  ImageDims<int64_t> extents, strides;

  Image(ImageLayout layout, ArrayRef<int64_t> shape)
      : extents(getImageDims(layout, shape)),
        strides(getImageStrides(layout, extents)) {}

  int64_t getIndex(int64_t n, int64_t c, int64_t h, int64_t w) const {
    return n * strides.n + c * strides.c + h * strides.h + w * strides.w;
  }
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_REFERENCE_IMAGE_H
