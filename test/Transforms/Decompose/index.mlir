// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-decompose))' | FileCheck %s

// Blocks of at least 4096 elements.
// CHECK-LABEL: job.func @small
// CHECK-NEXT: %[[COUNTS:.*]] = job.count_nonzero %[[X:.*]] {block_size = 4096 : i64} : <3x4xf32>
// CHECK-NEXT: %[[AT:.*]], %[[N:.*]] = job.argwhere_blocks %[[X]], %[[COUNTS]] as i32 {block_size = 4096 : i64} : <3x4xf32>, <1xi64>
// CHECK-NEXT: job.return %[[AT]], %[[N]]
job.func @small(%x: !job.blob<3x4xf32>) -> (!job.blob<?<=12>x2xi32>, !job.blob<1xi64>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  job.return %0, %1 : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>
}

// And of 64 of them: 1,000,000 / 64.
// CHECK-LABEL: job.func @large
// CHECK-NEXT: job.count_nonzero %{{.*}} {block_size = 15625 : i64} : <1000x1000xi1>
// CHECK-NEXT: job.argwhere_blocks {{.*}} as i64 {block_size = 15625 : i64} : <1000x1000xi1>, <64xi64>
job.func @large(%x: !job.blob<1000x1000xi1>) -> (!job.blob<?<=1000000>x2xi64>, !job.blob<1xi64>) kind predict {
  %0, %1 = job.argwhere %x as i64 : !job.blob<1000x1000xi1>
  job.return %0, %1 : !job.blob<?<=1000000>x2xi64>, !job.blob<1xi64>
}
