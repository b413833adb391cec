// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline=device=gpu | FileCheck %s
//
// A kernel that multiplies with another constant is no gelu.
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline="device=gpu epilogues=false" | sed 's/1.44269502/1.44269514/' > %t.mlir
// RUN: job-opt %t.mlir --plan-fuse-call-epilogues | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: gelu
//
// With offsets, a second result may be in the place of a factor.
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline="device=gpu epilogues=false" | job-opt --plan-fuse-call-epilogues | FileCheck %s --check-prefix=OFFSETS
// OFFSETS-LABEL: plan.program @predict_f32
// OFFSETS: epilogue = bias_gelu,
// OFFSETS-LABEL: plan.program @sum_in_arena
// OFFSETS-NOT: gelu_input
// OFFSETS: plan.return

// A product, a bias and a gelu by tanh are one call.
// CHECK-LABEL: plan.program @predict_f32
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 6, k = 8, epilogue = bias_gelu, workspace = {{[0-9]+}}> ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32, #inputs>, memref<8x6xf32, #inputs>, memref<6xf32, #inputs>) outs(%{{.*}} : memref<4x6xf32, #arena>)
// CHECK-NOT: plan.dispatch
// CHECK: plan.return
job.func @predict_f32(%x: !job.blob<4x8xf32>, %w: !job.blob<8x6xf32>, %b: !job.blob<6xf32>, %v: !job.blob<6x6000xf32>) -> !job.blob<4x6000xf32> kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xf32>, !job.blob<8x6xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.add %0, %1 : !job.blob<4x6xf32>
  %3 = job.gelu %2 approximate tanh : !job.blob<4x6xf32>
  %4 = job.matmul %3, %v : !job.blob<4x6xf32>, !job.blob<6x6000xf32>
  job.return %4 : !job.blob<4x6000xf32>
}

// The bias has a kernel, which rounds it.
// CHECK-LABEL: plan.program @predict_bf16
// CHECK: plan.dispatch
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 6, k = 8, type = bf16, epilogue = bias_gelu
// CHECK-NOT: plan.dispatch
// CHECK: plan.return
job.func @predict_bf16(%x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %b: !job.blob<6xf32>, %v: !job.blob<6x6000xbf16>) -> !job.blob<4x6000xbf16> kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.cast %1 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  %3 = job.add %0, %2 : !job.blob<4x6xbf16>
  %4 = job.gelu %3 approximate tanh : !job.blob<4x6xbf16>
  %5 = job.matmul %4, %v : !job.blob<4x6xbf16>, !job.blob<6x6000xbf16>
  job.return %5 : !job.blob<4x6000xbf16>
}

// The exact gelu is another function.
// CHECK-LABEL: plan.program @exact
// CHECK: plan.call #plan.cublaslt.matmul<{{.*}}epilogue = bias, {{.*}}
// CHECK: plan.dispatch
// CHECK: plan.call
// CHECK-NOT: plan.dispatch
// CHECK: plan.return
job.func @exact(%x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %b: !job.blob<6xbf16>, %v: !job.blob<6x6000xbf16>) -> !job.blob<4x6000xbf16> kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xbf16> to !job.blob<4x6xbf16>
  %2 = job.add %0, %1 : !job.blob<4x6xbf16>
  %3 = job.gelu %2 : !job.blob<4x6xbf16>
  %4 = job.matmul %3, %v : !job.blob<4x6xbf16>, !job.blob<6x6000xbf16>
  job.return %4 : !job.blob<4x6000xbf16>
}

// Another op reads the sum: it is the second result of the call.
// CHECK-LABEL: plan.program @sum_in_arena
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 8, epilogue = bias_gelu_input, {{.*}} outs(%[[GELU:.*]], %[[SUM:.*]] : memref<4x8xf32, #arena>, memref<4x8xf32, #arena>)
// CHECK-DAG: plan.call {{.*}} ins(%[[SUM]],
// CHECK-DAG: plan.call {{.*}} ins(%[[GELU]],
// CHECK-NOT: plan.dispatch
// CHECK: plan.return
job.func @sum_in_arena(%x: !job.blob<4x8xf32>, %w: !job.blob<8x8xf32>, %b: !job.blob<8xf32>) -> (!job.blob<4x8xf32>, !job.blob<4x8xf32>) kind predict {
  %p = job.matmul %x, %w : !job.blob<4x8xf32>, !job.blob<8x8xf32>
  %0 = job.matmul %p, %w : !job.blob<4x8xf32>, !job.blob<8x8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<4x8xf32>
  %2 = job.add %0, %1 : !job.blob<4x8xf32>
  %3 = job.gelu %2 approximate tanh : !job.blob<4x8xf32>
  %4 = job.matmul %2, %w : !job.blob<4x8xf32>, !job.blob<8x8xf32>
  %5 = job.matmul %3, %w : !job.blob<4x8xf32>, !job.blob<8x8xf32>
  job.return %4, %5 : !job.blob<4x8xf32>, !job.blob<4x8xf32>
}

// The library stores it only in rows of a multiple of 8 elements.
// CHECK-LABEL: plan.program @short_sum
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 6, k = 8, epilogue = bias, {{.*}}
// CHECK: plan.dispatch
// CHECK-NOT: plan.dispatch
// CHECK: plan.return
job.func @short_sum(%x: !job.blob<4x8xf32>, %w: !job.blob<8x6xf32>, %b: !job.blob<6xf32>, %v: !job.blob<6x6000xf32>) -> (!job.blob<4x6000xf32>, !job.blob<4x6000xf32>) kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xf32>, !job.blob<8x6xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.add %0, %1 : !job.blob<4x6xf32>
  %3 = job.gelu %2 approximate tanh : !job.blob<4x6xf32>
  %4 = job.matmul %2, %v : !job.blob<4x6xf32>, !job.blob<6x6000xf32>
  %5 = job.matmul %3, %v : !job.blob<4x6xf32>, !job.blob<6x6000xf32>
  job.return %4, %5 : !job.blob<4x6000xf32>, !job.blob<4x6000xf32>
}

// A step: the gelu keeps its input, of which the gradient multiplies with the
// derivative; the sums of its columns are those of a factor.
// CHECK-LABEL: plan.program @step
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 8, epilogue = bias_gelu_input, {{.*}} outs(%{{.*}}, %[[X:.*]] : memref<4x8xf32, #arena>, memref<4x8xf32, #arena>)
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, {{.*}}epilogue = gelu_grad, workspace = {{[0-9]+}}> ins(%{{.*}}, %{{.*}}, %[[X]] : {{.*}}) outs(%[[D:.*]] : memref<4x8xf32, #arena>)
// CHECK: plan.call #plan.cublaslt.matmul<m = 8, n = 8, k = 4, transpose_a = 1, epilogue = bias_grad_b, workspace = {{[0-9]+}}> ins(%{{.*}}, %[[D]] :
job.variable @w : !job.blob<8x8xf32> init #job.constant_init<0.5>
job.variable @b : !job.blob<8xf32> init #job.constant_init<0.5>
job.variable @v : !job.blob<8x6xf32> init #job.constant_init<0.5>
job.func @step(%x: !job.blob<4x8xf32>, %target: !job.blob<4x6xf32>) kind train {
  %w = job.read @w : !job.blob<8x8xf32>
  %b = job.read @b : !job.blob<8xf32>
  %v = job.read @v : !job.blob<8x6xf32>
  %0 = job.matmul %x, %w : !job.blob<4x8xf32>, !job.blob<8x8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<4x8xf32>
  %2 = job.add %0, %1 : !job.blob<4x8xf32>
  %3 = job.gelu %2 approximate tanh : !job.blob<4x8xf32>
  %4 = job.matmul %3, %v : !job.blob<4x8xf32>, !job.blob<8x6xf32>
  %5 = job.sub %4, %target : !job.blob<4x6xf32>
  %6 = job.mul %5, %5 : !job.blob<4x6xf32>
  job.loss %6 : !job.blob<4x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// In bf16, and two that are not: of the exact gelu, and with the product as the
// input of the gelu.
// CHECK-LABEL: plan.program @gradients_bf16
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16, epilogue = gelu_grad,
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16, workspace
// CHECK: plan.dispatch
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 6, type = bf16, workspace
// CHECK: plan.dispatch
// CHECK: plan.return
job.func @gradients_bf16(%g: !job.blob<4x6xbf16>, %w: !job.blob<6x8xbf16>, %x: !job.blob<4x8xbf16>) -> !job.blob<4x8xbf16> kind predict {
  %0 = job.matmul %g, %w : !job.blob<4x6xbf16>, !job.blob<6x8xbf16>
  %1 = job.gelu_grad %0, %x approximate tanh : !job.blob<4x8xbf16>
  %2 = job.slice %1 {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 6>, strides = array<i64: 1, 1>} : !job.blob<4x8xbf16>
  %3 = job.matmul %2, %w : !job.blob<4x6xbf16>, !job.blob<6x8xbf16>
  %4 = job.gelu_grad %3, %x : !job.blob<4x8xbf16>
  %5 = job.slice %4 {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 6>, strides = array<i64: 1, 1>} : !job.blob<4x8xbf16>
  %6 = job.matmul %5, %w : !job.blob<4x6xbf16>, !job.blob<6x8xbf16>
  %7 = job.gelu_grad %x, %6 approximate tanh : !job.blob<4x8xbf16>
  job.return %7 : !job.blob<4x8xbf16>
}
