// No kernel has ops of two devices, and each has the placement of its ops.

// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s

// CHECK-DAG: #[[GPU:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-LABEL: job.func @f
// CHECK: %[[A:.*]] = job.kernel(%{{.*}} = %{{.*}}) -> !job.blob<4xf32> {
// CHECK-NEXT: job.exp
// CHECK-NEXT: job.neg
// CHECK-NEXT: job.yield
// CHECK: %[[T:.*]] = job.transfer %[[A]] to
// CHECK: %[[B:.*]] = job.kernel(%{{.*}} = %[[T]] : {{.*}}) -> !job.blob<4xf32> attributes {job.placement = #[[GPU]]} {
// CHECK-NOT: job.placement
// CHECK: job.constant dense<2.0
// CHECK: job.mul
// CHECK-NOT: job.placement
// CHECK: job.add
// CHECK: job.yield
// CHECK: %[[BACK:.*]] = job.transfer %[[B]] to
// CHECK: job.kernel(%{{.*}} = %[[BACK]] : {{.*}}) -> !job.blob<4xf32> {
// CHECK: job.constant dense<2.0
// CHECK: job.mul
job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %two = job.constant dense<2.0> : tensor<4xf32>
  %two_there = job.constant {job.placement = #job.placement<gpu, "0:0">} dense<2.0> : tensor<4xf32>
  %0 = job.exp %x : !job.blob<4xf32>
  %1 = job.neg %0 : !job.blob<4xf32>
  %2 = job.transfer %1 to <gpu, "0:0"> : !job.blob<4xf32>
  %3 = job.mul %2, %two_there {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
  %4 = job.add %3, %3 {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
  %5 = job.transfer %4 to <cpu, "0:0"> : !job.blob<4xf32>
  %6 = job.mul %5, %two : !job.blob<4xf32>
  job.return %6 : !job.blob<4xf32>
}
