// What is checked for NaN and infinity, where, and in whose name.
//
// RUN: job-opt %s --job-plan-pipeline="check-numerics=true" -mlir-print-local-scope | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s --check-prefix=OFF

// OFF-NOT: {{checks|plan.check}}
// OFF-NOT: memref<64xi32>

job.variable @v : !job.blob<64xf32> init #job.constant_init<0.0>

// A fused kernel checks what it reads first, then each op that can make such a
// value; the last buffer takes what was found.
// CHECK-LABEL: plan.program @fused
// CHECK: plan.dispatch @[[FUSED:kernel_[0-9]+]] ins({{.*}} : memref<64xf32, #plan.space<inputs>>) outs({{.*}} : memref<64xf32, #plan.space<outputs>>, memref<64xi32, #plan.space<arena>>)
// CHECK-SAME: checks = [loc("input x"({{.*}})), loc("log"), loc("tanh")]
// CHECK-NEXT: plan.return
job.func @fused(%x: !job.blob<64xf32> {job.name = "x"}) -> !job.blob<64xf32> kind predict {
  %0 = job.relu %x : !job.blob<64xf32> loc("relu")
  %1 = job.log %0 : !job.blob<64xf32> loc("log")
  %2 = job.maximum %1, %x : !job.blob<64xf32> loc("max")
  %3 = job.tanh %2 : !job.blob<64xf32> loc("tanh")
  job.return %3 : !job.blob<64xf32>
}

// Nothing here makes one. A kernel of its own looks at the input, which no
// fused kernel reads.
// CHECK-LABEL: plan.program @moved
// CHECK: plan.dispatch @kernel_{{[0-9]+}} ins(%[[X:.*]] : memref<64xf32, #plan.space<inputs>>) outs({{.*}} : memref<64xi32, #plan.space<arena>>) {checks = [loc("input x"({{.*}}))]
// CHECK-NEXT: plan.copy %[[X]]
// CHECK-NEXT: plan.return
job.func @moved(%x: !job.blob<64xf32> {job.name = "x"}) -> !job.blob<64xf32> kind predict {
  job.return %x : !job.blob<64xf32>
}

// A library's result is checked by the kernel that reads it, before the
// kernel's own ops.
// CHECK-LABEL: plan.program @library
// CHECK: plan.dispatch @[[SQUARE:kernel_[0-9]+]] {{.*}}checks = [loc("input x"
// CHECK: plan.call #plan.onednn.matmul<
// CHECK-NEXT: plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}}checks = [loc("product"), loc("exp")]
// CHECK-NEXT: plan.return
job.func @library(%x: !job.blob<8x8xf32> {job.name = "x"}) -> !job.blob<8x8xf32> kind predict {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32> loc("product")
  %1 = job.exp %0 : !job.blob<8x8xf32> loc("exp")
  job.return %1 : !job.blob<8x8xf32>
}

// By a kernel of its own where it goes into a variable, or to the caller.
// CHECK-LABEL: plan.program @to_variable
// CHECK: plan.call #plan.onednn.matmul<
// CHECK: plan.dispatch @[[SQUARE]] ins({{.*}}) outs({{.*}} : memref<64xi32, #plan.space<arena>>) {checks = [loc("product")]
// CHECK: plan.dispatch {{.*}}inouts({{.*}}) outs({{.*}} : memref<64xi32, #plan.space<arena>>) {checks = [loc("add")]
// CHECK-NEXT: plan.return
job.func @to_variable(%x: !job.blob<8x8xf32> {job.name = "x"}) kind predict {
  %v = job.read @v : !job.blob<64xf32>
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32> loc("product")
  %1 = job.reshape %0 : !job.blob<8x8xf32> to !job.blob<64xf32>
  %2 = job.add %v, %1 : !job.blob<64xf32> loc("add")
  job.assign @v, %2 : !job.blob<64xf32>
  job.return
}

// A kernel with a sum checks its elements on the way; one after it looks at the
// sum.
// CHECK-LABEL: plan.program @sum
// CHECK: plan.dispatch @[[SUM:kernel_[0-9]+]] ins(%{{[0-9]+}} : memref<4x16xf32, #plan.space<inputs>>) outs(%[[RESULT:[0-9]+]], %{{[0-9]+}} : memref<4xf32, #plan.space<outputs>>, memref<64xi32, #plan.space<arena>>) {checks = [loc("input x"({{.*}})), loc("exp")]
// CHECK-NEXT: plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}} ins(%[[RESULT]] : memref<4xf32, #plan.space<outputs>>) outs({{.*}}) {checks = [loc("sum")]
// CHECK-NEXT: plan.return
job.func @sum(%x: !job.blob<4x16xf32> {job.name = "x"}) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4x16xf32> loc("exp")
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<4x16xf32> loc("sum")
  job.return %1 : !job.blob<4xf32>
}

// The largest of finite numbers is finite, and the same in any order.
// CHECK-LABEL: plan.program @largest
// CHECK: plan.dispatch {{.*}} outs({{.*}} : memref<4xf32, #plan.space<outputs>>, memref<64xi32, #plan.space<arena>>) {checks = [loc("input x"({{.*}}))], flops
// CHECK-NEXT: plan.return
job.func @largest(%x: !job.blob<4x16xf32> {job.name = "x"}) -> !job.blob<4xf32> kind predict {
  %0 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x16xf32>
  job.return %0 : !job.blob<4xf32>
}

// Integers are left alone.
// CHECK-LABEL: plan.program @integers
// CHECK-NOT: checks
// CHECK: plan.return
job.func @integers(%x: !job.blob<48xi32>) -> !job.blob<48xi32> kind predict {
  %0 = job.add %x, %x : !job.blob<48xi32>
  job.return %0 : !job.blob<48xi32>
}

// In the body each check has its number; the status is the last argument and is
// not returned.
// CHECK: plan.executable @[[FUSED]] {
// CHECK-NEXT: func.func @body(%{{.*}}: tensor<64xf32>, %{{.*}}: tensor<64xf32>, %{{.*}}: tensor<64xi32>) -> tensor<64xf32>
// CHECK: ^bb0(%[[IN:.*]]: f32,
// CHECK-NEXT: plan.check %[[IN]] number 0 of 3 : f32
// CHECK: plan.check %[[LOG:.*]] number 1 of 3 : f32
// CHECK-NEXT: arith.maximumf %[[LOG]], %[[IN]]
// CHECK: %[[TANH:.*]] = math.copysign
// CHECK-NEXT: plan.check %[[TANH]] number 2 of 3 : f32
// CHECK-NEXT: linalg.yield %[[TANH]]

// CHECK: plan.executable @[[SUM]] {
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: plan.check %{{.*}} number 0 of 2 : f32
// CHECK: plan.check %[[EXP:.*]] number 1 of 2 : f32
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %{{.*}}, %[[EXP]] : f32
// CHECK-NEXT: linalg.yield %[[NEXT]]
