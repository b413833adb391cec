// RUN: job-opt %s --job-check-lowering="seed=3" -o %t.mlir 2>&1 | FileCheck %s
// RUN: job-opt %s -o %t.before.mlir && diff %t.mlir %t.before.mlir

// The passes without the rest, and another pipeline.
// RUN: job-opt %s --job-check-lowering="steps=1 pipeline=job-train-pipeline" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRAIN
// RUN: job-opt %s --job-train-pipeline --job-check-lowering="pipeline=job-plan-pipeline{fuse=false},job-lower-pipeline" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN

// CHECK: agrees.mlir:[[@LINE+17]]:1: remark: @train is compared from after 'job-optimizer' on
// CHECK: remark: seed 3: {{[0-9]+}} passes, {{[0-9]+}} kernels and library calls, and the artifact agree with the reference
// CHECK-NOT: error

// TRAIN: remark: @train is compared from after 'job-optimizer' on
// TRAIN: remark: seed 1: {{[0-9]+}} passes agree with the reference

// PLAN-NOT: compared from
// PLAN: remark: seed 1: {{[0-9]+}} passes, {{[0-9]+}} kernels and library calls, and the artifact agree with the reference
// PLAN-NOT: compared from

job.variable @weight : !job.blob<8x6xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.variable @bias : !job.blob<8xf32> init #job.constant_init<0.5>
job.variable @images_seen : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}

// Adam's step counter and moments are variables that a pass adds; dropout is
// random.
job.func @train(%x: !job.blob<4x6xf32> {job.name = "x"}, %labels: !job.blob<4xi32>)
    -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %w = job.read @weight : !job.blob<8x6xf32>
  %b = job.read @bias : !job.blob<8xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<4x6xf32>, !job.blob<8x6xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<4x8xf32>
  %2 = job.add %0, %1 : !job.blob<4x8xf32>
  %3 = job.tanh %2 : !job.blob<4x8xf32>
  %step = job.step
  %4 = job.dropout %3, %step {rate = 0.25, seed = 1 : i64, id = 1 : i64} : !job.blob<4x8xf32>
  %loss = job.sparse_softmax_cross_entropy %4, %labels : !job.blob<4x8xf32>, !job.blob<4xi32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-3, bias_correction = true> schedule #job.constant_schedule<0.01>
  %seen = job.read @images_seen : !job.blob<1xi64>
  %four = job.constant dense<4> : tensor<1xi64>
  %new = job.add %seen, %four : !job.blob<1xi64>
  job.assign @images_seen, %new : !job.blob<1xi64>
  job.return %loss : !job.blob<4xf32>
}

job.func @predict(%x: !job.blob<4x6xf32>) -> (!job.blob<4x8xf32>, !job.blob<4xi1>) kind predict {
  %w = job.read @weight : !job.blob<8x6xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<4x6xf32>, !job.blob<8x6xf32>
  %1 = job.softmax %0 : !job.blob<4x8xf32>
  %2 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<4x8xf32>
  %zero = job.constant dense<0.0> : tensor<4xf32>
  %3 = job.compare gt %2, %zero : !job.blob<4xf32>
  job.return %1, %3 : !job.blob<4x8xf32>, !job.blob<4xi1>
}
