// Small kernels are one, unless one has to wait longer than the other.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s

job.variable @p : !job.blob<1xf32> init #job.constant_init<1.0>
job.variable @q : !job.blob<1xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @powers(
// CHECK-NEXT: job.read @p
// CHECK-NEXT: job.read @q
// CHECK-NEXT: %[[V:.*]]:3 = job.kernel(
// CHECK-COUNT-3: job.mul
// CHECK-NEXT: job.yield
// CHECK-NEXT: }
// CHECK-NEXT: job.assign @p, %[[V]]#0
// CHECK-NEXT: job.assign @q, %[[V]]#1
// CHECK-NEXT: job.return %[[V]]#2
job.func @powers(%half: !job.blob<1xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.read @p : !job.blob<1xf32>
  %1 = job.mul %0, %half : !job.blob<1xf32>
  job.assign @p, %1 : !job.blob<1xf32>
  %2 = job.read @q : !job.blob<1xf32>
  %3 = job.mul %2, %half : !job.blob<1xf32>
  job.assign @q, %3 : !job.blob<1xf32>
  %4 = job.mul %half, %half : !job.blob<1xf32>
  job.return %4 : !job.blob<1xf32>
}

// CHECK-LABEL: job.func @after_calls(
// CHECK-COUNT-2: job.kernel
job.func @after_calls(%x: !job.blob<2x2xf32>) -> (!job.blob<2x2xf32>, !job.blob<2x2xf32>) kind predict {
  %0 = job.exp %x : !job.blob<2x2xf32>
  %1 = job.matmul %x, %x : !job.blob<2x2xf32>, !job.blob<2x2xf32>
  %2 = job.matmul %1, %x : !job.blob<2x2xf32>, !job.blob<2x2xf32>
  %3 = job.exp %2 : !job.blob<2x2xf32>
  job.return %0, %3 : !job.blob<2x2xf32>, !job.blob<2x2xf32>
}
