// What is checked for NaN and infinity, where, and in whose name.
//
// RUN: job-opt %s --job-plan-pipeline="check-numerics=true" -mlir-print-local-scope | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s --check-prefix=OFF

// OFF-NOT: {{checks|plan.check}}
// OFF-NOT: memref<64xi32>

job.variable @v : !job.blob<64xf32> init #job.constant_init<0.0>
job.variable @w : !job.blob<8x8xf32> init #job.constant_init<0.0>

// The runtime checks the input; a fused kernel checks each op that can make such
// a value, and the last buffer takes what was found.
// CHECK-LABEL: plan.program @fused
// CHECK: plan.input 0 "x" {checked
// CHECK: plan.dispatch @[[FUSED:kernel_[0-9]+]] ins({{.*}} : memref<64xf32, #plan.space<inputs>>) outs({{.*}} : memref<64xf32, #plan.space<outputs>>, memref<64xi32, #plan.space<arena>>)
// CHECK-SAME: checks = [loc("log"), loc("tanh")]
// CHECK-NEXT: plan.return
job.func @fused(%x: !job.blob<64xf32> {job.name = "x"}) -> !job.blob<64xf32> kind predict {
  %0 = job.relu %x : !job.blob<64xf32> loc("relu")
  %1 = job.log %0 : !job.blob<64xf32> loc("log")
  %2 = job.maximum %1, %x : !job.blob<64xf32> loc("max")
  %3 = job.tanh %2 : !job.blob<64xf32> loc("tanh")
  job.return %3 : !job.blob<64xf32>
}

// Nothing here makes one.
// CHECK-LABEL: plan.program @moved
// CHECK-NEXT: %[[X:.*]] = plan.input 0 "x" {checked
// CHECK-NEXT: plan.input 1 "unused" {offset
// CHECK-NOT: checks
// CHECK: plan.copy %[[X]]
// CHECK-NEXT: plan.return
job.func @moved(%x: !job.blob<64xf32> {job.name = "x"}, %y: !job.blob<64xf32> {job.name = "unused"}) -> !job.blob<64xf32> kind predict {
  job.return %x : !job.blob<64xf32>
}

// A library call checks its own results.
// CHECK-LABEL: plan.program @library
// CHECK: plan.call #plan.onednn.matmul<{{.*}}> checked
// CHECK-NEXT: plan.alloc
// CHECK-NEXT: plan.call #plan.onednn.matmul<{{.*}}> checked
// CHECK-NEXT: plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}}checks = [loc("exp")]
// CHECK-NEXT: plan.return
job.func @library(%x: !job.blob<8x8xf32> {job.name = "x"}) -> !job.blob<8x8xf32> kind predict {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32> loc("product")
  %1 = job.matmul %0, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32> loc("second")
  %2 = job.exp %1 : !job.blob<8x8xf32> loc("exp")
  job.return %2 : !job.blob<8x8xf32>
}

// A kernel that updates a variable keeps the old value of an element that fails.
// CHECK-LABEL: plan.program @update
// CHECK: plan.call #plan.onednn.matmul<{{.*}}> checked
// CHECK: plan.dispatch @[[UPDATE:kernel_[0-9]+]] {{.*}}inouts({{.*}}) outs({{.*}} : memref<64xi32, #plan.space<arena>>) {checks = [loc("add")]
// CHECK-NEXT: plan.return
job.func @update(%x: !job.blob<8x8xf32> {job.name = "x"}) kind predict {
  %v = job.read @v : !job.blob<64xf32>
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32> loc("product")
  %1 = job.reshape %0 : !job.blob<8x8xf32> to !job.blob<64xf32>
  %2 = job.add %v, %1 : !job.blob<64xf32> loc("add")
  job.assign @v, %2 : !job.blob<64xf32>
  job.return
}

// So does one that does not read the variable.
// CHECK-LABEL: plan.program @overwrite
// CHECK: plan.dispatch @[[OVERWRITE:kernel_[0-9]+]] ins({{.*}}) inouts({{.*}}) outs({{.*}} : memref<64xi32, #plan.space<arena>>) {checks = [loc("exp")]
// CHECK-NEXT: plan.return
job.func @overwrite(%x: !job.blob<64xf32> {job.name = "x"}) kind predict {
  %0 = job.exp %x : !job.blob<64xf32> loc("exp")
  job.assign @v, %0 : !job.blob<64xf32>
  job.return
}

// What cannot do that, such as a reduction or a library call, is copied.
// CHECK-LABEL: plan.program @copied
// CHECK: plan.dispatch {{.*}} outs(%[[SUM:[0-9]+]], %{{[0-9]+}} : memref<64xf32, #plan.space<arena>>, memref<64xi32, #plan.space<arena>>) {checks = [loc("sum")]
// CHECK: plan.copy %[[SUM]]
// CHECK: plan.call #plan.onednn.matmul<{{.*}}> checked {{.*}}outs(%[[PRODUCT:[0-9]+]] : memref<8x8xf32, #plan.space<arena>>)
// CHECK: plan.copy %[[PRODUCT]]
// CHECK: plan.return
job.func @copied(%x: !job.blob<64x8xf32> {job.name = "x"}, %y: !job.blob<8x8xf32> {job.name = "y"}) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<64x8xf32> loc("sum")
  job.assign @v, %0 : !job.blob<64xf32>
  %1 = job.matmul %y, %y : !job.blob<8x8xf32>, !job.blob<8x8xf32> loc("product")
  job.assign @w, %1 : !job.blob<8x8xf32>
  job.return
}

// A kernel with a sum checks its elements and, when it is complete, the sum.
// CHECK-LABEL: plan.program @sum
// CHECK: plan.dispatch @[[SUM:kernel_[0-9]+]] ins(%{{[0-9]+}} : memref<4x16xf32, #plan.space<inputs>>) outs(%[[RESULT:[0-9]+]], %{{[0-9]+}} : memref<4xf32, #plan.space<outputs>>, memref<64xi32, #plan.space<arena>>) {checks = [loc("exp"), loc("sum")]
// CHECK-NEXT: plan.return
job.func @sum(%x: !job.blob<4x16xf32> {job.name = "x"}) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4x16xf32> loc("exp")
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<4x16xf32> loc("sum")
  job.return %1 : !job.blob<4xf32>
}

// The result of a composed op is checked, and nothing on the way to it.
// CHECK-LABEL: plan.program @composed
// CHECK: plan.dispatch {{.*}}checks = [loc("softmax")]
// CHECK-NEXT: plan.return
job.func @composed(%x: !job.blob<4x16xf32> {job.name = "x"}) -> !job.blob<4x16xf32> kind predict {
  %0 = job.softmax %x : !job.blob<4x16xf32> loc("softmax")
  job.return %0 : !job.blob<4x16xf32>
}

// An op with loops of its own checks what it stores.
// CHECK-LABEL: plan.program @loops
// CHECK: plan.dispatch @[[LOOPS:kernel_[0-9]+]] {{.*}}checks = [loc("sums")]
// CHECK-NEXT: plan.return
job.func @loops(%x: !job.blob<4x8xf32> {job.name = "x"}, %i: !job.blob<4xi32>) -> !job.blob<5x8xf32> kind predict {
  %0 = job.scatter_add %x, %i {axis = 0 : i64, extent = 5 : i64} : !job.blob<4x8xf32>, !job.blob<4xi32> loc("sums")
  job.return %0 : !job.blob<5x8xf32>
}

// The largest of finite numbers is finite, and the same in any order.
// CHECK-LABEL: plan.program @largest
// CHECK-NOT: checks
// CHECK: plan.return
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
// CHECK: plan.check %[[LOG:.*]] number 0 of 2 : f32
// CHECK-NEXT: arith.maximumf %[[LOG]], %[[IN]]
// CHECK: %[[TANH:.*]] = math.copysign
// CHECK-NEXT: plan.check %[[TANH]] number 1 of 2 : f32
// CHECK-NEXT: linalg.yield %[[TANH]]

// CHECK: plan.executable @[[UPDATE]] {
// CHECK: ^bb0(%[[OLD:[a-z0-9_]+]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: %[[NEW:.*]] = arith.addf
// CHECK-NEXT: plan.check %[[NEW]] number 0 of 1 : f32
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[NEW]]
// CHECK-NEXT: %[[FINITE:.*]] = arith.cmpf olt, %[[MAGNITUDE]]
// CHECK-NEXT: %[[KEPT:.*]] = arith.select %[[FINITE]], %[[NEW]], %[[OLD]]
// CHECK-NEXT: linalg.yield %[[KEPT]]

// CHECK: plan.executable @[[OVERWRITE]] {
// CHECK: ^bb0(%{{.*}}: f32, %[[OLD:in_[0-9]+]]: f32, %{{.*}}: f32):
// CHECK: %[[KEPT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OLD]]
// CHECK-NEXT: linalg.yield %[[KEPT]]

// CHECK: plan.executable @[[SUM]] {
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: plan.check %[[EXP:.*]] number 0 of 2 : f32
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %{{.*}}, %[[EXP]] : f32
// CHECK-NEXT: linalg.yield %[[NEXT]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]
// CHECK: plan.check %{{.*}} number 1 of 2 : f32
// CHECK-NEXT: linalg.yield

// CHECK: plan.executable @[[LOOPS]] {
// CHECK-NEXT: func.func @body({{.*}}memref<64xi32>)
// CHECK: plan.check %[[VALUE:.*]] number 0 of 1 : vector<8xf32>
// CHECK-NEXT: vector.store %[[VALUE]]
