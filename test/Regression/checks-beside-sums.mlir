// A kernel checks its sums when they are complete, before anything else is
// computed from them, whatever else it has: a broadcast, indices, random bits.
//
// RUN: job-run %s --entry rows,indices,masked --check-numerics | FileCheck %s
// RUN: not job-run %s --entry overflow --check-numerics 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not job-run %s --entry overflow_alone --check-numerics 2>&1 | FileCheck %s --check-prefix=ALONE

// CHECK: rows: {{.*}} s a step
// CHECK: indices: {{.*}} s a step
// CHECK: masked: {{.*}} s a step

job.func @rows(%x: !job.blob<16xf32>) -> (!job.blob<4x16xf32>, !job.blob<4xf32>) kind predict {
  %b = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<4x16xf32>
  %e = job.exp %b : !job.blob<4x16xf32>
  %s = job.reduce_sum %e {axes = array<i64: 1>} : !job.blob<4x16xf32>
  job.return %e, %s : !job.blob<4x16xf32>, !job.blob<4xf32>
}

job.func @indices() -> !job.blob<4xf32> kind predict {
  %i = job.iota {axis = 1 : i64} : !job.blob<4x16xf32>
  %e = job.exp %i : !job.blob<4x16xf32>
  %s = job.reduce_sum %e {axes = array<i64: 1>} : !job.blob<4x16xf32>
  job.return %s : !job.blob<4xf32>
}

job.func @masked(%x: !job.blob<16xf32>, %step: !job.blob<1xi64>) -> !job.blob<4xf32> kind predict {
  %b = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<4x16xf32>
  %e = job.dropout %b, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<4x16xf32>
  %s = job.reduce_sum %e {axes = array<i64: 1>} : !job.blob<4x16xf32>
  job.return %s : !job.blob<4xf32>
}

// The sum comes before the logarithm, which is not finite either, and before
// the variable that the step writes.
// OVERFLOW: error: {{.*}}job 'overflow', 'sum': expects finite values but got infinity in step 1 of this job; variables are as they were before this step

job.variable @v : !job.blob<32xf32> init #job.constant_init<1.0>

job.func @overflow(%x: !job.blob<16xf32>) -> !job.blob<1xf32> kind predict {
  %big = job.constant dense<3.0e38> : tensor<16xf32>
  %m = job.maximum %x, %big : !job.blob<16xf32>
  %s = job.reduce_sum %m {axes = array<i64: 0>} : !job.blob<16xf32> loc("sum")
  %v = job.read @v : !job.blob<32xf32>
  %n = job.neg %v : !job.blob<32xf32>
  %l = job.log %n : !job.blob<32xf32> loc("log")
  job.assign @v, %l : !job.blob<32xf32>
  %e = job.mul %s, %s : !job.blob<1xf32> loc("square")
  job.return %e : !job.blob<1xf32>
}

// ALONE: error: {{.*}}job 'overflow_alone', 'sum': expects finite values but got infinity in step 1 of this job; variables are as they were before this step
job.func @overflow_alone(%x: !job.blob<16xf32>) -> !job.blob<1xf32> kind predict {
  %big = job.constant dense<3.0e38> : tensor<16xf32>
  %m = job.maximum %x, %big : !job.blob<16xf32>
  %s = job.reduce_sum %m {axes = array<i64: 0>} : !job.blob<16xf32> loc("sum")
  %v = job.read @v : !job.blob<32xf32>
  %n = job.neg %v : !job.blob<32xf32>
  job.assign @v, %n : !job.blob<32xf32>
  %e = job.mul %s, %s : !job.blob<1xf32> loc("square")
  job.return %e : !job.blob<1xf32>
}
