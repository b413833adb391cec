// The order in which a kernel adds the terms of its sums does not depend on
// whose memory its other result takes. Here that is the memory of a product, or
// memory of its own.
//
// RUN: rm -rf %t && mkdir %t
// RUN: job-opt %s --job-plan-pipeline=layouts=false | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline="layouts=false in-place=false" | FileCheck %s --check-prefix=APART
// RUN: job-run %s --entry sums --output %t/a --layouts=false
// RUN: job-run %s --entry sums --output %t/b --in-place=false --layouts=false
// RUN: cmp %t/a/terms.npy %t/b/terms.npy
// RUN: cmp %t/a/centred.npy %t/b/centred.npy
// RUN: cmp %t/a/products.npy %t/b/products.npy

// CHECK: plan.dispatch {{.*}} inouts({{.*}}memref<16x16x28x28xf32, #arena>) outs({{.*}}memref<16xf32, #outputs>, memref<16xf32, #outputs>, memref<16xf32, #outputs>
// APART-NOT: inouts

job.func @sums(%x: !job.blob<16x16x28x28xf32>, %y: !job.blob<16x16x28x28xf32>, %filter: !job.blob<16x16x3x3xf32>, %mean: !job.blob<16xf32>)
    -> (!job.blob<16xf32> {job.name = "terms"}, !job.blob<16xf32> {job.name = "centred"}, !job.blob<16xf32> {job.name = "products"}, !job.blob<16x16x28x28xf32>) kind predict {
  %a = job.conv2d %x, %filter {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : !job.blob<16x16x28x28xf32>, !job.blob<16x16x3x3xf32>
  %b = job.add %a, %y : !job.blob<16x16x28x28xf32>
  %c = job.maximum %b, %x : !job.blob<16x16x28x28xf32>
  %terms = job.reduce_sum %c {axes = array<i64: 0, 2, 3>} : !job.blob<16x16x28x28xf32>
  %means = job.broadcast_in_dim %mean {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<16x16x28x28xf32>
  %d = job.sub %y, %means : !job.blob<16x16x28x28xf32>
  %centred = job.reduce_sum %d {axes = array<i64: 0, 2, 3>} : !job.blob<16x16x28x28xf32>
  %e = job.mul %c, %d : !job.blob<16x16x28x28xf32>
  %products = job.reduce_sum %e {axes = array<i64: 0, 2, 3>} : !job.blob<16x16x28x28xf32>
  %f = job.mul %c, %means : !job.blob<16x16x28x28xf32>
  %g = job.conv2d %f, %filter {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : !job.blob<16x16x28x28xf32>, !job.blob<16x16x3x3xf32>
  job.return %terms, %centred, %products, %g : !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16x16x28x28xf32>
}
