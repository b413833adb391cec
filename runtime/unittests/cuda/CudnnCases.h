//===- CudnnCases.h - What tests of cuDNN compute ---------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_CUDNNCASES_H
#define JOBRT_UNITTESTS_CUDA_CUDNNCASES_H

#include "jobrt/calls.h"

namespace jobrt::test {

/// The same with the extents of its output.
inline calls::CudnnConv2d withOutput(calls::CudnnConv2d conv) {
  auto extent = [](int64_t in, int64_t padding, int64_t kernel,
                   int64_t dilation, int64_t stride) {
    return (in + padding - dilation * (kernel - 1) - 1) / stride + 1;
  };
  conv.oh = extent(conv.h, conv.pad_top + conv.pad_bottom, conv.kh,
                   conv.dilation_h, conv.stride_h);
  conv.ow = extent(conv.w, conv.pad_left + conv.pad_right, conv.kw,
                   conv.dilation_w, conv.stride_w);
  return conv;
}

inline calls::CudnnConv2d simple(int64_t n, int64_t c, int64_t h, int64_t oc,
                                 int64_t k, int64_t padding) {
  calls::CudnnConv2d conv;
  conv.n = n;
  conv.c = c;
  conv.h = conv.w = h;
  conv.oc = oc;
  conv.kh = conv.kw = k;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = padding;
  return withOutput(conv);
}

/// Everything that differs from one dimension to the other.
inline calls::CudnnConv2d uneven() {
  calls::CudnnConv2d conv;
  conv.n = 3;
  conv.c = 4;
  conv.h = 9;
  conv.w = 8;
  conv.oc = 6;
  conv.kh = 3;
  conv.kw = 2;
  conv.stride_h = 2;
  conv.pad_top = 1;
  conv.pad_right = 3;
  conv.dilation_w = 2;
  conv.groups = 2;
  return withOutput(conv);
}

/// Room for the copies of all arrays and for partial sums.
inline constexpr int64_t kWorkspace = 1 << 20;

/// A pooling of which everything differs from one dimension to the other.
inline calls::CudnnAvgPool2dBase unevenPool() {
  calls::CudnnAvgPool2dBase pool;
  pool.n = 2;
  pool.c = 3;
  pool.h = 9;
  pool.w = 8;
  pool.kh = 3;
  pool.kw = 4;
  pool.stride_h = 2;
  pool.pad_top = 1;
  pool.pad_right = 3;
  pool.oh = 4;
  pool.ow = 8;
  return pool;
}

/// One window for each plane.
inline calls::CudnnAvgPool2dBase globalPool() {
  calls::CudnnAvgPool2dBase pool;
  pool.n = 3;
  pool.c = 5;
  pool.h = pool.kh = 7;
  pool.w = pool.kw = 6;
  return pool;
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_CUDNNCASES_H
