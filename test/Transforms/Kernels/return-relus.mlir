// Relus of poolings return to the convolutions whose calls compute them.
// RUN: job-opt %s --job-place=device=gpu --job-select-implementations --job-return-relus | FileCheck %s
// RUN: job-opt %s --job-place=device=gpu --job-select-implementations --job-return-relus | job-opt --job-return-relus | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-place{device=gpu},job.func(job-select-implementations,job-return-relus)" -o /dev/null
// RUN: job-opt %s --job-select-implementations --job-return-relus | FileCheck %s --check-prefix=HOST

// The calls of the host are of another library.
// HOST-COUNT-7: job.relu {{.*}} : <1x2x2x2xf32>


// With a bias, on either side of the sum. The gradient of the pooling reads the
// relu: where that is 0, nothing comes to it.
// CHECK-LABEL: job.func @biased(
// CHECK:         %[[CONV:.*]] = job.conv2d
// CHECK:         %[[SUM:.*]] = job.add %{{.*}}, %[[CONV]]
// CHECK-NEXT:    %[[RELU:.*]] = job.relu %[[SUM]] : <1x2x4x4xf32>
// CHECK-NEXT:    %[[POOL:.*]] = job.max_pool2d %[[RELU]]
// CHECK:         job.compare gt %[[POOL]],
// CHECK:         %[[D:.*]] = job.select
// CHECK-NEXT:    %[[DX:.*]] = job.max_pool2d_grad %[[D]], %[[RELU]]
// CHECK-NEXT:    job.return %[[POOL]], %[[DX]]
job.func @biased(%x: !job.blob<1x1x4x4xf32>, %f: !job.blob<2x1x3x3xf32>, %b: !job.blob<2xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>) kind predict {
  %conv = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %bias = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<2xf32> to !job.blob<1x2x4x4xf32>
  %sum = job.add %bias, %conv : !job.blob<1x2x4x4xf32>
  %pool = job.max_pool2d %sum {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y = job.relu %pool : !job.blob<1x2x2x2xf32>
  %zero = job.constant dense<0.0> : tensor<1x2x2x2xf32>
  %positive = job.compare gt %y, %zero : !job.blob<1x2x2x2xf32>
  %d = job.select %positive, %dy, %zero : !job.blob<1x2x2x2xi1>, !job.blob<1x2x2x2xf32>
  %dx = job.max_pool2d_grad %d, %sum {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  job.return %y, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
}

// Without a bias or gradients.
// CHECK-LABEL: job.func @plain(
// CHECK:         %[[CONV:.*]] = job.conv2d
// CHECK-NEXT:    %[[RELU:.*]] = job.relu %[[CONV]] : <1x2x4x4xf32>
// CHECK-NEXT:    %[[POOL:.*]] = job.max_pool2d %[[RELU]]
// CHECK-NEXT:    job.return %[[POOL]]
job.func @plain(%x: !job.blob<1x1x4x4xf32>, %f: !job.blob<2x1x3x3xf32>) -> !job.blob<1x2x2x2xf32> kind predict {
  %conv = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %pool = job.max_pool2d %conv {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y = job.relu %pool : !job.blob<1x2x2x2xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

// A gradient that is not 0 where the relu is needs the first maximum of what is
// negative: that of the pooling itself.
// CHECK-LABEL: job.func @other_gradient(
// CHECK:         %[[POOL:.*]] = job.max_pool2d %[[CONV:.*]] {
// CHECK:         job.relu %[[POOL]] : <1x2x2x2xf32>
// CHECK:         job.max_pool2d_grad %{{.*}}, %[[CONV]]
job.func @other_gradient(%x: !job.blob<1x1x4x4xf32>, %f: !job.blob<2x1x3x3xf32>, %dy: !job.blob<1x2x2x2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>) kind predict {
  %conv = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %pool = job.max_pool2d %conv {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y = job.relu %pool : !job.blob<1x2x2x2xf32>
  %dx = job.max_pool2d_grad %dy, %conv {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
  job.return %y, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>
}

// Nor does it return where the maximum itself, the sum before the relu, or the
// product is needed, nor to what no such call computes.
// CHECK-LABEL: job.func @needed(
// CHECK-COUNT-4: job.relu {{.*}} : <1x2x2x2xf32>
job.func @needed(%x: !job.blob<1x1x4x4xf32>, %f: !job.blob<2x1x3x3xf32>, %b: !job.blob<2xf32>) -> (!job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>, !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>, !job.blob<1x2x2x2xf32>) kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %pool = job.max_pool2d %0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y0 = job.relu %pool : !job.blob<1x2x2x2xf32>
  %1 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %pool1 = job.max_pool2d %1 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y1 = job.relu %pool1 : !job.blob<1x2x2x2xf32>
  %2 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %bias = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<2xf32> to !job.blob<1x2x4x4xf32>
  %sum = job.add %2, %bias : !job.blob<1x2x4x4xf32>
  %pool2 = job.max_pool2d %sum {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y2 = job.relu %pool2 : !job.blob<1x2x2x2xf32>
  %3 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, plan.implementation = #plan.generated_kernel} : !job.blob<1x1x4x4xf32>, !job.blob<2x1x3x3xf32>
  %pool3 = job.max_pool2d %3 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x4xf32>
  %y3 = job.relu %pool3 : !job.blob<1x2x2x2xf32>
  job.return %y0, %pool, %y1, %1, %y2, %2, %y3 : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>, !job.blob<1x2x2x2xf32>, !job.blob<1x2x4x4xf32>, !job.blob<1x2x2x2xf32>
}
