// The gradient of a dropout has the seed and the id of the dropout. Text with
// both was refused where a pipeline started again: "random ops differ in id".
//
// RUN: rm -rf %t && mkdir %t
// RUN: job-run %s --entry=train --steps=3 --output=%t/0
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-autodiff))' -o %t/1.mlir
// RUN: job-run %t/1.mlir --entry=train --steps=3 --output=%t/1
// RUN: cmp %t/0/y.npy %t/1/y.npy
// RUN: job-opt %t/1.mlir --job-optimizer -o %t/2.mlir
// RUN: job-run %t/2.mlir --entry=train --steps=3 --output=%t/2
// RUN: cmp %t/0/y.npy %t/2/y.npy
// RUN: job-opt %t/2.mlir --job-verify --job-autodiff --job-optimizer | cmp %t/2.mlir -

job.variable @w : !job.blob<4x32xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @train(%x: !job.blob<4x32xf32>)
    -> (!job.blob<4x32xf32> {job.name = "y"}) kind train {
  %w = job.read @w : !job.blob<4x32xf32>
  %step = job.step
  %0 = job.mul %w, %x : !job.blob<4x32xf32>
  %1 = job.dropout %0, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<4x32xf32>
  job.loss %1 : !job.blob<4x32xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %1 : !job.blob<4x32xf32>
}
