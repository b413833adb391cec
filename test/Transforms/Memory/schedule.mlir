// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false},job-schedule))' | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline='fuse=false schedule=false' | FileCheck %s --check-prefix=WRITTEN
// RUN: job-opt %s --job-plan-pipeline='fuse=false' | FileCheck %s --check-prefix=ORDERED
// RUN: job-opt %s --job-plan-pipeline='fuse=false' --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: memory: branches: another order of the ops has a peak of 65,664 live bytes instead of 196,672
// WHY-NOT: memory: chain: another order

// Branches of 64 kB each that end in little: one after the other, not all at
// once. The sum of one branch comes before the next branch begins.
// WRITTEN: plan.program @branches kind predict sizes<arena = 196672 
// ORDERED: plan.program @branches kind predict sizes<arena = 65664 
// CHECK-LABEL: job.func @branches
// CHECK: job.{{exp|abs|neg}}
// CHECK: job.reduce_sum
// CHECK: job.{{exp|abs|neg}}
// CHECK: job.reduce_sum
// CHECK: job.{{exp|abs|neg}}
// CHECK: job.reduce_sum
job.func @branches(%x: !job.blob<128x128xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.exp %x : !job.blob<128x128xf32>
  %1 = job.abs %x : !job.blob<128x128xf32>
  %2 = job.neg %x : !job.blob<128x128xf32>
  %3 = job.reduce_sum %0 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %4 = job.reduce_sum %1 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %5 = job.reduce_sum %2 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %6 = job.add %3, %4 : !job.blob<1xf32>
  %7 = job.add %6, %5 : !job.blob<1xf32>
  job.return %7 : !job.blob<1xf32>
}

// What is good stays as it is.
// CHECK-LABEL: job.func @chain
// CHECK: job.exp
// CHECK: job.abs
// CHECK: job.neg
job.func @chain(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.abs %0 : !job.blob<64xf32>
  %2 = job.neg %1 : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

// Reads, those who look at what was read, and assignments keep their order; the
// sum of what was read first comes early.
job.variable @v : !job.blob<128x128xf32> init #job.constant_init<1.0>
// CHECK-LABEL: job.func @variables
// CHECK: job.read @v
// CHECK: job.exp
// CHECK: job.reduce_sum
// CHECK: job.assign @v
// CHECK: job.read @v
// CHECK: job.abs
// CHECK: job.assign @v
job.func @variables(%x: !job.blob<128x128xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.read @v : !job.blob<128x128xf32>
  %1 = job.exp %0 : !job.blob<128x128xf32>
  %2 = job.sub %x, %0 : !job.blob<128x128xf32>
  job.assign @v, %2 : !job.blob<128x128xf32>
  %3 = job.read @v : !job.blob<128x128xf32>
  %4 = job.abs %3 : !job.blob<128x128xf32>
  %5 = job.reduce_sum %1 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %6 = job.reduce_sum %4 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %7 = job.add %5, %6 : !job.blob<1xf32>
  job.assign @v, %x : !job.blob<128x128xf32>
  job.return %7 : !job.blob<1xf32>
}
