// RUN: job-opt %s --plan-fuse-call-epilogues --explain=kernels 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// A product that is added to a buffer, a residual connection, for example, is
// added by its call.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#variables = #plan.space<variables>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// A product in bf16, a bias, and a stream in f32. The function rounds nothing
// in between.
// CHECK-NOT: plan.executable @residual {
plan.executable @residual {
  func.func @body(%p: tensor<4x8xbf16>, %x: tensor<4x8xf32>, %bias: tensor<8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #columns, #all], iterator_types = ["parallel", "parallel"]} ins(%p, %x, %bias : tensor<4x8xbf16>, tensor<4x8xf32>, tensor<8xf32>) outs(%out : tensor<4x8xf32>) {
    ^bb0(%product: bf16, %stream: f32, %b: f32, %old: f32):
      %1 = arith.extf %product : bf16 to f32
      %2 = arith.addf %1, %b : f32
      %3 = arith.truncf %2 : f32 to bf16
      %4 = arith.extf %3 : bf16 to f32
      %5 = arith.addf %stream, %4 : f32
      linalg.yield %5 : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// The same without a bias, and in place.
// CHECK-NOT: plan.executable @in_place {
plan.executable @in_place {
  func.func @body(%x: tensor<4x8xf32>, %p: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %p : tensor<4x8xf32>, tensor<4x8xf32>) outs(%p : tensor<4x8xf32>) {
    ^bb0(%stream: f32, %product: f32, %old: f32):
      %1 = arith.addf %product, %stream : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// A stream in bf16 is rounded once.
// CHECK-NOT: plan.executable @narrow {
plan.executable @narrow {
  func.func @body(%x: tensor<4x8xbf16>, %p: tensor<4x8xbf16>, %out: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %p : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%out : tensor<4x8xbf16>) {
    ^bb0(%stream: bf16, %product: bf16, %old: bf16):
      %1 = arith.extf %stream : bf16 to f32
      %2 = arith.extf %product : bf16 to f32
      %3 = arith.addf %1, %2 : f32
      %4 = arith.truncf %3 : f32 to bf16
      linalg.yield %4 : bf16
    } -> tensor<4x8xbf16>
    return %0 : tensor<4x8xbf16>
  }
}
// CHECK: plan.executable @per_row {
plan.executable @per_row {
  func.func @body(%p: tensor<4x8xbf16>, %x: tensor<4x8xf32>, %bias: tensor<4xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%p, %x, %bias : tensor<4x8xbf16>, tensor<4x8xf32>, tensor<4xf32>) outs(%out : tensor<4x8xf32>) {
    ^bb0(%product: bf16, %stream: f32, %b: f32, %old: f32):
      %1 = arith.extf %product : bf16 to f32
      %2 = arith.addf %1, %b : f32
      %3 = arith.addf %stream, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// CHECK: plan.executable @plain {
plan.executable @plain {
  func.func @body(%p: tensor<4x8xbf16>, %x: tensor<4x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%p, %x : tensor<4x8xbf16>, tensor<4x8xf32>) outs(%out : tensor<4x8xf32>) {
    ^bb0(%product: bf16, %stream: f32, %old: f32):
      %1 = arith.extf %product : bf16 to f32
      %2 = arith.addf %stream, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// CHECK: plan.executable @onto_stream {
plan.executable @onto_stream {
  func.func @body(%p: tensor<4x8xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%p, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) {
    ^bb0(%product: f32, %stream: f32, %old: f32):
      %1 = arith.addf %product, %stream : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

plan.variable @a : memref<4x6xbf16, #variables>
plan.variable @b : memref<6x8xbf16, #variables>
plan.variable @wide_a : memref<4x6xf32, #variables>
plan.variable @wide_b : memref<6x8xf32, #variables>
plan.variable @bias : memref<8xf32, #variables>
plan.variable @row_bias : memref<4xf32, #variables>
plan.variable @x : memref<4x8xf32, #variables>

// CHECK-LABEL: plan.program @sums
// CHECK:         plan.fill
// CHECK:         %[[X:.*]] = plan.get_variable @x
// CHECK:         %[[SUM:.*]] = plan.alloc : memref<4x8xf32, #arena>
// CHECK-NOT:     plan.dispatch
// CHECK:         plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16, beta = 1, out_f32 = 1, epilogue = bias> ins(%{{.*}}, %{{.*}}, %[[X]], %{{.*}} : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>, memref<4x8xf32, #variables>, memref<8xf32, #variables>) outs(%[[SUM]] : memref<4x8xf32, #arena>) {flops = 448 : i64}
// CHECK:         plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, beta = 1> ins(%{{.*}}, %{{.*}}, %[[SUM]] : {{.*}}) outs(%[[PRODUCT:.*]] : memref<4x8xf32, #arena>)
// CHECK-NOT:     plan.dispatch
// CHECK:         plan.copy %[[PRODUCT]]
// CHECK-NOT:     plan.dispatch
// CHECK:         plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16, beta = 1> ins(%{{.*}}, %{{.*}}, %[[NARROW:.*]] : {{.*}}) outs(%[[NARROW_SUM:.*]] : memref<4x8xbf16, #arena>)
// WHY: kernels: sums: is computed by the call of cublaslt.matmul before it
plan.program @sums kind predict {
  %a = plan.get_variable @a : memref<4x6xbf16, #variables>
  %b = plan.get_variable @b : memref<6x8xbf16, #variables>
  %p = plan.alloc : memref<4x8xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16> ins(%a, %b : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>) outs(%p : memref<4x8xbf16, #arena>) {flops = 384 : i64}
  %other = plan.alloc : memref<4x8xf32, #arena>
  plan.fill %other with 0 : memref<4x8xf32, #arena>
  %x = plan.get_variable @x : memref<4x8xf32, #variables>
  %bias = plan.get_variable @bias : memref<8xf32, #variables>
  %sum = plan.alloc : memref<4x8xf32, #arena>
  plan.dispatch @residual ins(%p, %x, %bias : memref<4x8xbf16, #arena>, memref<4x8xf32, #variables>, memref<8xf32, #variables>) outs(%sum : memref<4x8xf32, #arena>) {flops = 64 : i64}

  %wide_a = plan.get_variable @wide_a : memref<4x6xf32, #variables>
  %wide_b = plan.get_variable @wide_b : memref<6x8xf32, #variables>
  %q = plan.alloc : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6> ins(%wide_a, %wide_b : memref<4x6xf32, #variables>, memref<6x8xf32, #variables>) outs(%q : memref<4x8xf32, #arena>)
  plan.dispatch @in_place ins(%sum : memref<4x8xf32, #arena>) inouts(%q : memref<4x8xf32, #arena>)
  plan.copy %q to %x : memref<4x8xf32, #arena> to memref<4x8xf32, #variables>

  %stream = plan.alloc : memref<4x8xbf16, #arena>
  plan.fill %stream with 0 : memref<4x8xbf16, #arena>
  %r = plan.alloc : memref<4x8xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16> ins(%a, %b : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>) outs(%r : memref<4x8xbf16, #arena>)
  %narrow_sum = plan.alloc : memref<4x8xbf16, #arena>
  plan.dispatch @narrow ins(%stream, %r : memref<4x8xbf16, #arena>, memref<4x8xbf16, #arena>) outs(%narrow_sum : memref<4x8xbf16, #arena>)
  plan.return
}

// A bias for each row, another reader of the product, a factor that changes
// between, the sum over the stream itself, and a call that adds a buffer.
// CHECK-LABEL: plan.program @apart
// CHECK: plan.dispatch @per_row
// CHECK: plan.dispatch @plain
// CHECK: plan.dispatch @plain
// CHECK: plan.dispatch @onto_stream
// CHECK: plan.dispatch @plain
plan.program @apart kind predict {
  %a = plan.get_variable @a : memref<4x6xbf16, #variables>
  %b = plan.get_variable @b : memref<6x8xbf16, #variables>
  %x = plan.get_variable @x : memref<4x8xf32, #variables>
  %sum = plan.alloc : memref<4x8xf32, #arena>
  %row_bias = plan.get_variable @row_bias : memref<4xf32, #variables>
  %p = plan.alloc : memref<4x8xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16> ins(%a, %b : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>) outs(%p : memref<4x8xbf16, #arena>)
  plan.dispatch @per_row ins(%p, %x, %row_bias : memref<4x8xbf16, #arena>, memref<4x8xf32, #variables>, memref<4xf32, #variables>) outs(%sum : memref<4x8xf32, #arena>)

  %read = plan.alloc : memref<4x8xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16> ins(%a, %b : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>) outs(%read : memref<4x8xbf16, #arena>)
  plan.dispatch @plain ins(%read, %x : memref<4x8xbf16, #arena>, memref<4x8xf32, #variables>) outs(%sum : memref<4x8xf32, #arena>)
  plan.copy %read to %p : memref<4x8xbf16, #arena> to memref<4x8xbf16, #arena>

  %changed = plan.alloc : memref<4x8xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16> ins(%a, %b : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>) outs(%changed : memref<4x8xbf16, #arena>)
  plan.fill %a with 0 : memref<4x6xbf16, #variables>
  plan.dispatch @plain ins(%changed, %x : memref<4x8xbf16, #arena>, memref<4x8xf32, #variables>) outs(%sum : memref<4x8xf32, #arena>)

  %wide_a = plan.get_variable @wide_a : memref<4x6xf32, #variables>
  %wide_b = plan.get_variable @wide_b : memref<6x8xf32, #variables>
  %q = plan.alloc : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6> ins(%wide_a, %wide_b : memref<4x6xf32, #variables>, memref<6x8xf32, #variables>) outs(%q : memref<4x8xf32, #arena>)
  plan.dispatch @onto_stream ins(%q : memref<4x8xf32, #arena>) inouts(%x : memref<4x8xf32, #variables>)

  %added = plan.alloc : memref<4x8xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16, beta = 1> ins(%a, %b, %p : memref<4x6xbf16, #variables>, memref<6x8xbf16, #variables>, memref<4x8xbf16, #arena>) outs(%added : memref<4x8xbf16, #arena>)
  plan.dispatch @plain ins(%added, %x : memref<4x8xbf16, #arena>, memref<4x8xf32, #variables>) outs(%sum : memref<4x8xf32, #arena>)
  plan.return
}

// An epilogue follows the addition that the function computes: what is added to its
// result, as a residual connection around a layer with a relu, stays behind.
plan.executable @behind {
  func.func @body(%x: tensor<4x8xf32>, %p: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %p : tensor<4x8xf32>, tensor<4x8xf32>) outs(%p : tensor<4x8xf32>) {
    ^bb0(%stream: f32, %product: f32, %old: f32):
      %1 = arith.addf %product, %stream : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// CHECK-LABEL: plan.program @behind_epilogues
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, epilogue = relu> ins
// CHECK-NEXT: plan.dispatch @behind
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, epilogue = bias_relu> ins
// CHECK-NEXT: plan.dispatch @behind
plan.program @behind_epilogues kind predict {
  %a = plan.get_variable @wide_a : memref<4x6xf32, #variables>
  %b = plan.get_variable @wide_b : memref<6x8xf32, #variables>
  %x = plan.get_variable @x : memref<4x8xf32, #variables>
  %bias = plan.get_variable @bias : memref<8xf32, #variables>
  %p = plan.alloc : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, epilogue = relu> ins(%a, %b : memref<4x6xf32, #variables>, memref<6x8xf32, #variables>) outs(%p : memref<4x8xf32, #arena>)
  plan.dispatch @behind ins(%x : memref<4x8xf32, #variables>) inouts(%p : memref<4x8xf32, #arena>)
  %q = plan.alloc : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, epilogue = bias_relu> ins(%a, %b, %bias : memref<4x6xf32, #variables>, memref<6x8xf32, #variables>, memref<8xf32, #variables>) outs(%q : memref<4x8xf32, #arena>)
  plan.dispatch @behind ins(%x : memref<4x8xf32, #variables>) inouts(%q : memref<4x8xf32, #arena>)
  plan.return
}
