// A value that fails a check is not written to a variable: ops that could write
// it straight there, and cannot keep the old elements, write it to the arena. So
// do kernels that go over their elements again when a sum is complete: 'divided'
// would hide an infinity in a zero, and rows are no elements of the domain.
//
// RUN: job-opt %s --job-plan-pipeline=check-numerics=true | FileCheck %s --check-prefix=PLAN
// RUN: job-opt %s --job-plan-pipeline=check-numerics=true --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: not job-run %s --check-numerics --entry product 2>&1 | FileCheck %s -DOP=product
// RUN: not job-run %s --check-numerics --entry sum 2>&1 | FileCheck %s -DOP=sum
// RUN: not job-run %s --check-numerics --entry scattered 2>&1 | FileCheck %s -DOP=scattered
// RUN: not job-run %s --check-numerics --entry pooled 2>&1 | FileCheck %s -DOP=pooled
// RUN: not job-run %s --check-numerics --entry normalized 2>&1 | FileCheck %s -DOP=normalized
// RUN: not job-run %s --check-numerics --entry divided 2>&1 | FileCheck %s -DOP=divided
// RUN: not job-run %s --check-numerics --entry rows 2>&1 | FileCheck %s -DOP=rows
// RUN: not job-run %s --check-numerics --entry row 2>&1 | FileCheck %s -DOP=row

// CHECK: error: {{.*}}job '[[OP]]', '[[OP]]': expects finite values but got {{NaN|infinity}} in step 1 of this job; variables are as they were before this step

job.variable @v : !job.blob<4x4xf32> init #job.constant_init<1.0>
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @u : !job.blob<1x1x2x2xf32> init #job.constant_init<1.0>
job.variable @r : !job.blob<4x16xf32> init #job.constant_init<1.0>
job.variable @s : !job.blob<1xf32> init #job.constant_init<1.0>

// EXPLAIN: memory: product: variable 'v' is not updated in place: the new value is checked for NaN and infinity first; 64 bytes are copied

// PLAN-LABEL: plan.program @product
// PLAN: plan.call {{.*}} checked
// PLAN-NEXT: plan.get_variable
// PLAN-NEXT: plan.copy
// PLAN-NEXT: plan.return
job.func @product(%x: !job.blob<4x4xf32>) kind predict {
  %big = job.constant dense<3.0e38> : tensor<4x4xf32>
  %m = job.maximum %x, %big : !job.blob<4x4xf32>
  %p = job.matmul %m, %m : !job.blob<4x4xf32>, !job.blob<4x4xf32> loc("product")
  job.assign @v, %p : !job.blob<4x4xf32>
  job.return
}

job.func @sum(%x: !job.blob<4x4xf32>) kind predict {
  %big = job.constant dense<3.0e38> : tensor<4x4xf32>
  %m = job.maximum %x, %big : !job.blob<4x4xf32>
  %s = job.reduce_sum %m {axes = array<i64: 1>} : !job.blob<4x4xf32> loc("sum")
  job.assign @w, %s : !job.blob<4xf32>
  job.return
}

job.func @scattered(%x: !job.blob<8x4xf32>) kind predict {
  %i = job.constant dense<1> : tensor<8xi32>
  %big = job.constant dense<3.0e38> : tensor<8x4xf32>
  %m = job.maximum %x, %big : !job.blob<8x4xf32>
  %s = job.scatter_add %m, %i {axis = 0 : i64, extent = 4 : i64} : !job.blob<8x4xf32>, !job.blob<8xi32> loc("scattered")
  job.assign @v, %s : !job.blob<4x4xf32>
  job.return
}

job.func @pooled(%x: !job.blob<1x1x3x3xf32>) kind predict {
  %big = job.constant dense<3.0e38> : tensor<1x1x3x3xf32>
  %m = job.maximum %x, %big : !job.blob<1x1x3x3xf32>
  %s = job.avg_pool2d %m {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x3xf32> loc("pooled")
  job.assign @u, %s : !job.blob<1x1x2x2xf32>
  job.return
}

job.func @normalized(%x: !job.blob<4x4xf32>) kind predict {
  %gamma = job.constant dense<1.0> : tensor<4xf32>
  %big = job.constant dense<3.0e38> : tensor<4x4xf32>
  %m = job.mul %x, %big : !job.blob<4x4xf32>
  %y, %mean, %rstd = job.layer_norm %m, %gamma, %gamma {epsilon = 1.0e-5 : f64} : !job.blob<4x4xf32>, !job.blob<4xf32> loc("normalized")
  job.assign @v, %y : !job.blob<4x4xf32>
  job.return
}

job.func @divided(%x: !job.blob<4x16xf32>) kind predict {
  %big = job.constant dense<3.0e30> : tensor<4x16xf32>
  %m = job.maximum %x, %big : !job.blob<4x16xf32>
  %q = job.mul %m, %m : !job.blob<4x16xf32> loc("divided")
  %s = job.reduce_sum %q {axes = array<i64: 1>} : !job.blob<4x16xf32>
  %r = job.sqrt %s : !job.blob<4xf32>
  %b = job.broadcast_in_dim %r {dims = array<i64: 0>} : !job.blob<4xf32> to !job.blob<4x16xf32>
  %y = job.div %m, %b : !job.blob<4x16xf32>
  job.assign @r, %y : !job.blob<4x16xf32>
  job.return
}

job.func @rows(%x: !job.blob<4x16xf32>) kind predict {
  %n = job.neg %x : !job.blob<4x16xf32>
  %s = job.reduce_sum %n {axes = array<i64: 1>} : !job.blob<4x16xf32>
  %r = job.log %s : !job.blob<4xf32> loc("rows")
  job.assign @w, %r : !job.blob<4xf32>
  job.return
}

job.func @row(%x: !job.blob<16xf32>) kind predict {
  %n = job.neg %x : !job.blob<16xf32>
  %s = job.reduce_sum %n {axes = array<i64: 0>} : !job.blob<16xf32>
  %r = job.log %s : !job.blob<1xf32> loc("row")
  job.assign @s, %r : !job.blob<1xf32>
  job.return
}
