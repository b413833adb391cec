// RUN: job-opt %s --plan-fuse-column-sums --explain=kernels 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// The gradients of a normalisation's scale and shift are sums of the columns that
// the gradient of its operand reads row by row.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: plan.executable @sums_join {
// CHECK-COUNT-2: iterator_types = ["reduction", "parallel"]
// Sums of products of elements with a number of their row, and of elements.
plan.executable @sums {
  func.func @body(%x: tensor<1024x128xbf16>, %s: tensor<1024xf32>, %a: tensor<128xf32>, %b: tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%a : tensor<128xf32>) -> tensor<128xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%b : tensor<128xf32>) -> tensor<128xf32>
    %2:2 = linalg.generic {indexing_maps = [#all, #rows, #columns, #columns], iterator_types = ["reduction", "parallel"]} ins(%x, %s : tensor<1024x128xbf16>, tensor<1024xf32>) outs(%0, %1 : tensor<128xf32>, tensor<128xf32>) {
    ^bb0(%p: bf16, %q: f32, %scaled: f32, %sum: f32):
      %3 = arith.extf %p : bf16 to f32
      %4 = arith.mulf %3, %q : f32
      %5 = arith.addf %scaled, %4 : f32
      %6 = arith.addf %sum, %3 : f32
      linalg.yield %5, %6 : f32, f32
    } -> (tensor<128xf32>, tensor<128xf32>)
    return %2#0, %2#1 : tensor<128xf32>, tensor<128xf32>
  }
}

// The rows are in 128 parts of 8. The sums are first: what they read is written
// by the last pass.
// CHECK-LABEL: plan.executable @rows_sums {
// CHECK: func.func @body(%[[S:.*]]: tensor<1024xf32>, %[[X:.*]]: tensor<1024x128xbf16>, %[[A:.*]]: tensor<128x128xf32>, %[[B:.*]]: tensor<128x128xf32>) -> (tensor<1024x128xbf16>, tensor<128x128xf32>, tensor<128x128xf32>) {
// CHECK: tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [128, 8, 128]
// CHECK: tensor.expand_shape %[[S]] {{\[\[}}0, 1]] output_shape [128, 8]
// CHECK: %[[SUMS:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: %[[ROW:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[OUT:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[OUT]] {{\[\[}}0, 1], [2]]
// CHECK: return %[[WHOLE]], %[[SUMS]]#0, %[[SUMS]]#1
// CHECK-LABEL: plan.executable @rows {
plan.executable @rows {
  func.func @body(%s: tensor<1024xf32>, %x: tensor<1024x128xbf16>) -> tensor<1024x128xbf16> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1024xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024xf32>) -> tensor<1024xf32>
    %1 = linalg.generic {indexing_maps = [#all, #rows, #rows], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<1024x128xbf16>, tensor<1024xf32>) outs(%0 : tensor<1024xf32>) {
    ^bb0(%p: bf16, %q: f32, %sum: f32):
      %3 = arith.extf %p : bf16 to f32
      %4 = arith.mulf %3, %q : f32
      %5 = arith.addf %sum, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<1024xf32>
    %2 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %1 : tensor<1024x128xbf16>, tensor<1024xf32>) outs(%x : tensor<1024x128xbf16>) {
    ^bb0(%p: bf16, %q: f32, %old: bf16):
      %3 = arith.extf %p : bf16 to f32
      %4 = arith.subf %3, %q : f32
      %5 = arith.truncf %4 : f32 to bf16
      linalg.yield %5 : bf16
    } -> tensor<1024x128xbf16>
    return %2 : tensor<1024x128xbf16>
  }
}

// WHY: kernels: train: is computed by the kernel of rows, in 128 parts, and a second stage
// CHECK-LABEL: plan.program @train
// CHECK: %[[ROWS:.*]] = plan.alloc : memref<1024x128xbf16, #arena>
// CHECK: %[[PARTS:.*]] = plan.alloc : memref<128x128xf32, #arena>
// CHECK: %[[OTHER:.*]] = plan.alloc : memref<128x128xf32, #arena>
// CHECK-NEXT: plan.dispatch @rows_sums ins(%{{.*}} : memref<1024xf32, #arena>) inouts(%[[ROWS]] : memref<1024x128xbf16, #arena>) outs(%[[PARTS]], %[[OTHER]] : {{.*}}) {flops = 300 : i64}
// CHECK-NEXT: plan.dispatch @sums_join ins(%[[PARTS]], %[[OTHER]] : {{.*}}) outs(%{{.*}}, %{{.*}} : {{.*}}) {flops = 32768 : i64}
plan.program @train kind train {
  %x = plan.alloc : memref<1024x128xbf16, #arena>
  %s = plan.alloc : memref<1024xf32, #arena>
  %a = plan.alloc : memref<128xf32, #arena>
  %b = plan.alloc : memref<128xf32, #arena>
  plan.dispatch @sums ins(%x, %s : memref<1024x128xbf16, #arena>, memref<1024xf32, #arena>) outs(%a, %b : memref<128xf32, #arena>, memref<128xf32, #arena>) {flops = 100 : i64}
  plan.dispatch @rows ins(%s : memref<1024xf32, #arena>) inouts(%x : memref<1024x128xbf16, #arena>) {flops = 200 : i64}
  plan.return
}

// Between the two, the sums are read.
// CHECK-LABEL: plan.program @between
// CHECK: plan.dispatch @sums
// CHECK: plan.dispatch @rows ins
plan.program @between kind train {
  %x = plan.alloc : memref<1024x128xbf16, #arena>
  %s = plan.alloc : memref<1024xf32, #arena>
  %a = plan.alloc : memref<128xf32, #arena>
  %b = plan.alloc : memref<128xf32, #arena>
  %c = plan.alloc : memref<128xf32, #arena>
  plan.dispatch @sums ins(%x, %s : memref<1024x128xbf16, #arena>, memref<1024xf32, #arena>) outs(%a, %b : memref<128xf32, #arena>, memref<128xf32, #arena>) {flops = 100 : i64}
  plan.copy %a to %c : memref<128xf32, #arena> to memref<128xf32, #arena>
  plan.dispatch @rows ins(%s : memref<1024xf32, #arena>) inouts(%x : memref<1024x128xbf16, #arena>) {flops = 200 : i64}
  plan.return
}

// Another number of the rows than that which the second kernel reads.
// CHECK-LABEL: plan.program @other_operand
// CHECK: plan.dispatch @sums
// CHECK: plan.dispatch @rows ins
plan.program @other_operand kind train {
  %x = plan.alloc : memref<1024x128xbf16, #arena>
  %s = plan.alloc : memref<1024xf32, #arena>
  %t = plan.alloc : memref<1024xf32, #arena>
  %a = plan.alloc : memref<128xf32, #arena>
  %b = plan.alloc : memref<128xf32, #arena>
  plan.dispatch @sums ins(%x, %t : memref<1024x128xbf16, #arena>, memref<1024xf32, #arena>) outs(%a, %b : memref<128xf32, #arena>, memref<128xf32, #arena>) {flops = 100 : i64}
  plan.dispatch @rows ins(%s : memref<1024xf32, #arena>) inouts(%x : memref<1024x128xbf16, #arena>) {flops = 200 : i64}
  plan.return
}
