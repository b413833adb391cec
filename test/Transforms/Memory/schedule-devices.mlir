// Ops of one device stand together where memory does not suffer: each run of
// commands of one device, or of copies between two, is a part of the step.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false},job-schedule))' --mlir-print-local-scope | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false},job-schedule))' --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

#cpu = #job.placement<cpu, "0:0">
#gpu = #job.placement<gpu, "0:0">

// WHY: memory: alternating: another order of the ops has 4 runs of commands on one device or between two instead of 7
// WHY-NOT: memory: chain
// CHECK-LABEL: job.func @alternating
// CHECK: job.exp
// CHECK: job.sin
// CHECK: job.transfer
// CHECK-NOT: job.kernel
// CHECK: job.transfer
// CHECK: job.abs
// CHECK: job.neg
// CHECK: job.return
job.func @alternating(%x: !job.blob<8xf32>, %y: !job.blob<1024xf32>) -> (!job.blob<8xf32>, !job.blob<8xf32>, !job.blob<1024xf32>) kind predict attributes {placement = #gpu} {
  %0 = job.exp %x {job.placement = #cpu} : !job.blob<8xf32>
  %1 = job.transfer %0 to #gpu : !job.blob<8xf32>
  %2 = job.abs %1 : !job.blob<8xf32>
  %3 = job.sin %x {job.placement = #cpu} : !job.blob<8xf32>
  %4 = job.transfer %3 to #gpu : !job.blob<8xf32>
  %5 = job.neg %4 : !job.blob<8xf32>
  %6 = job.cos %y {job.placement = #cpu} : !job.blob<1024xf32>
  %7 = job.tanh %6 {job.placement = #cpu} : !job.blob<1024xf32>
  job.return %2, %5, %7 : !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<1024xf32>
}

// Nothing can be joined.
// CHECK-LABEL: job.func @chain
job.func @chain(%x: !job.blob<8xf32>) -> !job.blob<8xf32> kind predict attributes {placement = #gpu} {
  %0 = job.exp %x {job.placement = #cpu} : !job.blob<8xf32>
  %1 = job.transfer %0 to #gpu : !job.blob<8xf32>
  %2 = job.abs %1 : !job.blob<8xf32>
  job.return %2 : !job.blob<8xf32>
}
