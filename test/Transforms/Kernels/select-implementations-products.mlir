// RUN: job-opt %s --job-place --job-select-implementations | FileCheck %s

// The gradient of a filter of one pixel is a product of pixels, where that is
// faster: the gradient, transposed, and the image.

// CHECK-LABEL: job.func @bf16(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.matmul<m = 256, n = 512, k = 1568, transpose_a = 1, type = bf16
job.func @bf16(%dy: !job.blob<8x14x14x256xbf16>, %x: !job.blob<8x14x14x512xbf16>) -> !job.blob<256x1x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x14x14x256xbf16>, !job.blob<8x14x14x512xbf16> -> !job.blob<256x1x1x512xbf16>
  job.return %0 : !job.blob<256x1x1x512xbf16>
}

// CHECK-LABEL: job.func @f32(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.matmul<m = 256, n = 512, k = 392, transpose_a = 1
job.func @f32(%dy: !job.blob<8x7x7x256xf32>, %x: !job.blob<8x7x7x512xf32>) -> !job.blob<256x1x1x512xf32> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x7x7x256xf32>, !job.blob<8x7x7x512xf32> -> !job.blob<256x1x1x512xf32>
  job.return %0 : !job.blob<256x1x1x512xf32>
}

// Larger images, fewer channels.
// CHECK-LABEL: job.func @f32_larger(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @f32_larger(%dy: !job.blob<8x14x14x256xf32>, %x: !job.blob<8x14x14x512xf32>) -> !job.blob<256x1x1x512xf32> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x14x14x256xf32>, !job.blob<8x14x14x512xf32> -> !job.blob<256x1x1x512xf32>
  job.return %0 : !job.blob<256x1x1x512xf32>
}

// CHECK-LABEL: job.func @bf16_larger(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @bf16_larger(%dy: !job.blob<8x17x17x256xbf16>, %x: !job.blob<8x17x17x512xbf16>) -> !job.blob<256x1x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x17x17x256xbf16>, !job.blob<8x17x17x512xbf16> -> !job.blob<256x1x1x512xbf16>
  job.return %0 : !job.blob<256x1x1x512xbf16>
}

// CHECK-LABEL: job.func @few_channels(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @few_channels(%dy: !job.blob<8x7x7x255xbf16>, %x: !job.blob<8x7x7x512xbf16>) -> !job.blob<255x1x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x7x7x255xbf16>, !job.blob<8x7x7x512xbf16> -> !job.blob<255x1x1x512xbf16>
  job.return %0 : !job.blob<255x1x1x512xbf16>
}

// Pixels that are skipped or added, a window, the other layout.
// CHECK-LABEL: job.func @strided(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @strided(%dy: !job.blob<8x4x4x256xbf16>, %x: !job.blob<8x7x7x512xbf16>) -> !job.blob<256x1x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x4x4x256xbf16>, !job.blob<8x7x7x512xbf16> -> !job.blob<256x1x1x512xbf16>
  job.return %0 : !job.blob<256x1x1x512xbf16>
}

// CHECK-LABEL: job.func @strided_and_padded(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @strided_and_padded(%dy: !job.blob<8x7x7x256xbf16>, %x: !job.blob<8x7x7x512xbf16>) -> !job.blob<256x1x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x7x7x256xbf16>, !job.blob<8x7x7x512xbf16> -> !job.blob<256x1x1x512xbf16>
  job.return %0 : !job.blob<256x1x1x512xbf16>
}

// CHECK-LABEL: job.func @padded(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @padded(%dy: !job.blob<8x8x8x256xbf16>, %x: !job.blob<8x7x7x512xbf16>) -> !job.blob<256x1x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x8x8x256xbf16>, !job.blob<8x7x7x512xbf16> -> !job.blob<256x1x1x512xbf16>
  job.return %0 : !job.blob<256x1x1x512xbf16>
}

// CHECK-LABEL: job.func @window(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @window(%dy: !job.blob<8x7x7x256xbf16>, %x: !job.blob<8x7x7x512xbf16>) -> !job.blob<256x3x1x512xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<8x7x7x256xbf16>, !job.blob<8x7x7x512xbf16> -> !job.blob<256x3x1x512xbf16>
  job.return %0 : !job.blob<256x3x1x512xbf16>
}

// CHECK-LABEL: job.func @planes(
// CHECK: job.conv2d_filter_grad {{.*}}#plan.onednn.conv2d_filter_grad<
job.func @planes(%dy: !job.blob<8x256x7x7xbf16>, %x: !job.blob<8x512x7x7xbf16>) -> !job.blob<256x512x1x1xbf16> kind predict {
  %0 = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<8x256x7x7xbf16>, !job.blob<8x512x7x7xbf16> -> !job.blob<256x512x1x1xbf16>
  job.return %0 : !job.blob<256x512x1x1xbf16>
}
