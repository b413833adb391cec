// A training step on two devices, and a prediction on one of them.

// RUN: job-opt %s --job-train-pipeline | FileCheck %s --check-prefix=TRAIN
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline | FileCheck %s --check-prefix=PLAN
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline | job-opt --job-lower-pipeline=gpu-targets=simulated -o /dev/null
// RUN: job-opt %s --job-train-pipeline --job-check-lowering="pipeline=job-place,job.func(job-insert-transfers)" -o /dev/null

#cpu = #job.placement<cpu, "0:0">
#gpu = #job.placement<gpu, "0:0">

job.variable @first : !job.blob<16x8xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.1>
job.variable @second : !job.blob<8x4xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.1>

// Gradients are where the op is that they are of, updates where the variable is.
// TRAIN-DAG: #[[CPU:placement[0-9]*]] = #job.placement<cpu, "0:0">
// TRAIN-LABEL: job.func @train
// TRAIN: job.read @first {job.placement = #[[CPU]]}
// TRAIN: %[[HIDDEN:.*]] = job.relu %{{.*}} {job.placement = #[[CPU]]}
// TRAIN: %[[LOGITS:.*]] = job.matmul %[[HIDDEN]], %{{.*}} : <32x8xf32>, <8x4xf32>
// TRAIN: %[[LOSS:.*]] = job.sparse_softmax_cross_entropy
// The gradient of the second layer on the GPU, that of the first on the CPU.
// TRAIN: job.matmul %{{.*}}, %{{.*}} {transpose_rhs = true} : <32x4xf32>, <8x4xf32>
// TRAIN: job.matmul %{{.*}}, %{{.*}} {transpose_lhs = true} : <32x8xf32>, <32x4xf32>
// TRAIN: job.matmul %{{.*}}, %{{.*}} {job.placement = #[[CPU]], transpose_lhs = true} : <32x16xf32>, <32x8xf32>
// TRAIN: job.assign @"first-momentum", %{{.*}} {job.placement = #[[CPU]]}
// TRAIN: job.assign @first, %{{.*}} {job.placement = #[[CPU]]}
// TRAIN: job.assign @"second-momentum", %{{.*}} : <8x4xf32>
// TRAIN: job.assign @second, %{{.*}} : <8x4xf32>

// PLAN-DAG: plan.device @gpu0 kind(cuda) queues(1)
// PLAN-DAG: plan.device @cpu0 kind(host) queues(1)
// PLAN-DAG: plan.variable @first : memref<16x8xf32, #cpu0_variables>
// PLAN-DAG: plan.variable @"first-momentum" : memref<16x8xf32, #cpu0_variables>
// PLAN-DAG: plan.variable @second : memref<8x4xf32, #variables>

// The activations go to the GPU, and their gradient comes back.
// PLAN-LABEL: plan.program @train
// PLAN: plan.copy %{{.*}} to %{{.*}} : memref<32x8xf32, #cpu0_arena> to memref<32x8xf32, #arena>
// PLAN: plan.copy %{{.*}} to %{{.*}} : memref<32x8xf32, #arena> to memref<32x8xf32, #cpu0_arena>
job.func @train(%x: !job.blob<32x16xf32> {job.name = "x"}, %labels: !job.blob<32xi64> {job.name = "labels"}) -> (!job.blob<32xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w = job.read @first {job.placement = #cpu} : !job.blob<16x8xf32>
  %0 = job.matmul %x, %w {job.placement = #cpu} : !job.blob<32x16xf32>, !job.blob<16x8xf32>
  %1 = job.relu %0 {job.placement = #cpu} : !job.blob<32x8xf32>
  %v = job.read @second : !job.blob<8x4xf32>
  %2 = job.matmul %1, %v : !job.blob<32x8xf32>, !job.blob<8x4xf32>
  %loss = job.sparse_softmax_cross_entropy %2, %labels : !job.blob<32x4xf32>, !job.blob<32xi64>
  job.loss %loss : !job.blob<32xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  job.return %loss : !job.blob<32xf32>
}

// Reads a copy of the variable of the GPU.
// PLAN-LABEL: plan.program @predict
// PLAN: %[[V:.*]] = plan.get_variable @second : memref<8x4xf32, #variables>
// PLAN: plan.copy %[[V]] to %{{.*}} : memref<8x4xf32, #variables> to memref<8x4xf32, #cpu0_arena>
// PLAN-NOT: #arena>
// PLAN: plan.return
job.func @predict(%x: !job.blob<32x16xf32> {job.name = "x"}) -> (!job.blob<32x4xf32> {job.name = "y"}) kind predict attributes {placement = #cpu} {
  %w = job.read @first : !job.blob<16x8xf32>
  %0 = job.matmul %x, %w : !job.blob<32x16xf32>, !job.blob<16x8xf32>
  %1 = job.relu %0 : !job.blob<32x8xf32>
  %v = job.read @second : !job.blob<8x4xf32>
  %2 = job.matmul %1, %v : !job.blob<32x8xf32>, !job.blob<8x4xf32>
  job.return %2 : !job.blob<32x4xf32>
}
