// RUN: job-opt %s --job-form-micro-steps --job-form-kernels --convert-job-to-plan --split-input-file | FileCheck %s

// The sum is zero before the loop and grows in its own memory, here the output's;
// aligned rows are read and written in place.

// CHECK-LABEL: plan.program @aligned
// CHECK: %[[X:.*]] = plan.input 0
// CHECK: %[[W:.*]] = plan.input 1
// CHECK: %[[SUM:.*]] = plan.output 0
// CHECK: %[[ALL:.*]] = plan.output 1
// CHECK-NEXT: plan.fill %[[SUM]] with 0
// CHECK-NEXT: plan.repeat count(4) {
// CHECK-NEXT:   %[[PART:.*]] = plan.micro_view %[[X]] : memref<64xf32, #inputs> to memref<16xf32, #inputs>
// CHECK-NEXT:   %[[ROWS:.*]] = plan.micro_view %[[ALL]] : memref<64xf32, #outputs> to memref<16xf32, #outputs>
// CHECK-NEXT:   plan.dispatch @kernel_0 ins(%[[PART]], %[[W]] : memref<16xf32, #inputs>, memref<16xf32, #inputs>) inouts(%[[SUM]] : memref<16xf32, #outputs>) outs(%[[ROWS]] : memref<16xf32, #outputs>) {flops = 32 : i64}
// CHECK-NEXT: }
// CHECK-NEXT: plan.return
job.func @aligned(%x: !job.blob<64xf32>, %w: !job.blob<16xf32>) -> (!job.blob<16xf32>, !job.blob<64xf32>) kind predict {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<64xf32>
  %r = job.broadcast_micro_steps %w {count = 4 : i64} : !job.blob<16xf32>
  %y = job.mul %u, %r : !job.blob<16xf32>
  %a = job.acc %y {count = 4 : i64} : !job.blob<16xf32>
  %p = job.pack %y {count = 4 : i64} : !job.blob<16xf32>
  job.return %a, %p : !job.blob<16xf32>, !job.blob<64xf32>
}

// -----

// Other rows are copied into buffers of the iteration.

// CHECK-LABEL: plan.program @unaligned
// CHECK: %[[X:.*]] = plan.input 0
// CHECK: %[[ALL:.*]] = plan.output 0
// CHECK-NEXT: plan.repeat count(4) {
// CHECK-NEXT:   %[[PART:.*]] = plan.micro_view %[[X]]
// CHECK-NEXT:   %[[A:.*]] = plan.alloc : memref<5xf32, #arena>
// CHECK-NEXT:   plan.copy %[[PART]] to %[[A]]
// CHECK-NEXT:   plan.dispatch @kernel_0 inouts(%[[A]] : memref<5xf32, #arena>) {flops = 5 : i64}
// CHECK-NEXT:   %[[ROWS:.*]] = plan.micro_view %[[ALL]]
// CHECK-NEXT:   plan.copy %[[A]] to %[[ROWS]]
// CHECK-NEXT: }
job.func @unaligned(%x: !job.blob<20xf32>) -> !job.blob<20xf32> kind predict {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<20xf32>
  %y = job.exp %u : !job.blob<5xf32>
  %p = job.pack %y {count = 4 : i64} : !job.blob<5xf32>
  job.return %p : !job.blob<20xf32>
}

// -----

// What comes from outside is needed in the next micro-step: no kernel takes its
// memory, though no op reads it later.

// CHECK-LABEL: plan.program @kept
// CHECK: %[[W:.*]] = plan.alloc : memref<16xf32, #arena>
// CHECK-NEXT: plan.dispatch @kernel_0 {{.*}}outs(%[[W]] : memref<16xf32, #arena>)
// CHECK: plan.repeat count(4) {
// CHECK:   plan.dispatch @kernel_1 ins(%{{.*}}, %[[W]] : memref<16xf32, #inputs>, memref<16xf32, #arena>)
job.func @kept(%x: !job.blob<64xf32>, %w: !job.blob<16xf32>) -> (!job.blob<64xf32>) kind predict {
  %n = job.exp %w : !job.blob<16xf32>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<64xf32>
  %r = job.broadcast_micro_steps %n {count = 4 : i64} : !job.blob<16xf32>
  %y = job.mul %u, %r : !job.blob<16xf32>
  %p = job.pack %y {count = 4 : i64} : !job.blob<16xf32>
  job.return %p : !job.blob<64xf32>
}
