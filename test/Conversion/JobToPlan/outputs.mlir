// Where returned blobs are computed, and constants.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),convert-job-to-plan)' | FileCheck %s

// CHECK-DAG: plan.constant @constant_0 dense<[1.000000e+00, 2.000000e+00]>
// CHECK-DAG: plan.constant @constant_1 dense<{{\[\[}}1.000000e+00
// CHECK-NOT: plan.constant

// A blob is computed where the caller reads it.
// CHECK-LABEL: plan.program @computed
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @computed(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// Returned twice: computed in the first output, copied to the second.
// CHECK-LABEL: plan.program @twice
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "a"
// CHECK-NEXT: %[[V2:.*]] = plan.output 1 "b"
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.copy %[[V1]] to %[[V2]]
// CHECK-NEXT: plan.return
job.func @twice(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.name = "a"}, !job.blob<4xf32> {job.name = "b"}) kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  job.return %0, %0 : !job.blob<4xf32>, !job.blob<4xf32>
}

// Returned and read by another op: the output is read.
// CHECK-LABEL: plan.program @read
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "a"
// CHECK-NEXT: %[[V2:.*]] = plan.output 1 "b"
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V1]]{{.*}}) outs(%[[V2]]{{.*}})
// CHECK-NEXT: plan.return
job.func @read(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.name = "a"}, !job.blob<4xf32> {job.name = "b"}) kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  %1 = job.neg %0 : !job.blob<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// Arguments, constants and views are copied.
// CHECK-LABEL: plan.program @copied
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "a"
// CHECK-NEXT: %[[V2:.*]] = plan.output 1 "b"
// CHECK-NEXT: %[[V3:.*]] = plan.output 2 "c"
// CHECK-NEXT: %[[V4:.*]] = plan.alloc : memref<4xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V4]]{{.*}})
// CHECK-NEXT: %[[V5:.*]] = plan.view %[[V4]] : memref<4xf32, #arena> to memref<2x2xf32, #arena>
// CHECK-NEXT: plan.copy %[[V0]] to %[[V1]]
// CHECK-NEXT: %[[V6:.*]] = plan.get_constant @constant_0 : memref<2xf32, #constants>
// CHECK-NEXT: plan.copy %[[V6]] to %[[V2]]
// CHECK-NEXT: plan.copy %[[V5]] to %[[V3]]
// CHECK-NEXT: plan.return
job.func @copied(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.name = "a"}, !job.blob<2xf32> {job.name = "b"}, !job.blob<2x2xf32> {job.name = "c"}) kind predict {
  %0 = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = job.exp %x : !job.blob<4xf32>
  %2 = job.reshape %1 : !job.blob<4xf32> to !job.blob<2x2xf32>
  job.return %x, %0, %2 : !job.blob<4xf32>, !job.blob<2xf32>, !job.blob<2x2xf32>
}

// Equal constants are one, whoever has written them.
// CHECK-LABEL: plan.program @constant_again
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: %[[V2:.*]] = plan.get_constant @constant_1 : memref<2x2xf32, #constants>
// CHECK-NEXT: %[[V3:.*]] = plan.get_constant @constant_1 : memref<2x2xf32, #constants>
// CHECK-NEXT: plan.call #plan.onednn.matmul<m = 2, n = 2, k = 2> ins(%[[V2]], %[[V3]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @constant_again(%x: !job.blob<2x2xf32>) -> !job.blob<2x2xf32> kind predict {
  %0 = job.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = job.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %2 = job.matmul %0, %1 : !job.blob<2x2xf32>, !job.blob<2x2xf32>
  job.return %2 : !job.blob<2x2xf32>
}

// An output with a bounded dimension names the one that has its count.
// CHECK-LABEL: plan.program @bounded
// CHECK-DAG: plan.output 0 "y" {count = 1 : i64} : memref<12x2xi32, #outputs>
// CHECK-DAG: plan.output 1 "n" : memref<1xi64, #outputs>
// CHECK-DAG: plan.output 2 "again" {count = 1 : i64} : memref<12x2xi32, #outputs>
job.func @bounded(%x: !job.blob<12x1xi8>, %n: !job.blob<1xi64>) -> (!job.blob<?<=12>x2xi32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<?<=12>x2xi32> {job.name = "again"}) kind predict {
  %k:2 = job.kernel(%a = %x : !job.blob<12x1xi8>, %c = %n : !job.blob<1xi64>) -> (!job.blob<?<=12>x2xi32>, !job.blob<1xi64>) {
    %0, %1 = job.argwhere_blocks %a, %c as i32 {block_size = 12 : i64} : !job.blob<12x1xi8>, !job.blob<1xi64>
    job.yield %0, %1 : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>
  }
  job.return %k#0, %k#1, %k#0 : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>, !job.blob<?<=12>x2xi32>
}
