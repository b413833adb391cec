// LLVM 22 made a load of all lanes of a masked one, without the values for those
// that are off, where the mask is a constant and the address is aligned: the
// gradient of a product of 7 numbers multiplied what lies behind them.
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline=device=gpu -o %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: job-opt %t.mlir --pass-pipeline="builtin.module(plan.executable(plan-generate-code))" | FileCheck %s --check-prefix=CODE
// RUN: job-opt %t.mlir --pass-pipeline="builtin.module(plan.executable(plan-generate-code),job-lower-cuda-kernels{targets=sm_90})" | FileCheck %s
// RUN: env JOBMLIR_CUDA_LIBRARY=%build/lib/libjobsim_cuda.so %python %S/../Execute/Inputs/run_ops.py %s %t --seeds 1,2 --device cuda

// PLAN: plan.program @train
// CODE: vector.maskedload
// CHECK: llvm.func @kernel_1
// CHECK-NOT: llvm.intr.masked

job.variable @factor : !job.blob<7xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>

// K = 7
job.func @train() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @factor : !job.blob<7xf32>
  %loss = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<7xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}
