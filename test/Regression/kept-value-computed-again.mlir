// What is computed from a value that is kept in the memory of a result may be
// computed again in a later stage, which needs the value: 'expm1' is kept, and
// the gradient subtracts the mean from it once more after 'y' is written.
//
// RUN: job-opt %s --job-check-lowering="pipeline=job-train-pipeline,job-plan-pipeline,job-lower-pipeline" -o /dev/null 2>&1 | FileCheck %s

// CHECK: and the artifact agree with the reference

job.variable @gamma : !job.blob<2xf32> init #job.random_uniform_init<min = -2.0, max = 0.0>
job.variable @x : !job.blob<2x2xf32> init #job.random_uniform_init<min = -2.0, max = 0.0>

job.func @step() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %gamma = job.read @gamma : !job.blob<2xf32>
  %x = job.read @x : !job.blob<2x2xf32>
  %a = job.expm1 %x : !job.blob<2x2xf32>
  %y, %mean, %variance = job.batch_norm %a, %gamma, %gamma {axis = 0 : i64, epsilon = 0.1 : f64} : !job.blob<2x2xf32>, !job.blob<2xf32>
  %loss = job.reduce_sum %y {axes = array<i64: 0, 1>} : !job.blob<2x2xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}
