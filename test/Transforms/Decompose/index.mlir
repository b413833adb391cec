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

// The dimensions of the indices become one.
// CHECK-LABEL: job.func @scatter
// CHECK-NEXT: %[[I:.*]] = job.reshape %{{.*}} : <3x4x5xi32> to <3x20xi32>
// CHECK-NEXT: %[[GROUPS:.*]] = job.group_indices %[[I]] {extent = 7 : i64} : <3x20xi32>
// CHECK-NEXT: %[[U:.*]] = job.reshape %{{.*}} : <3x2x4x5x6xf32> to <3x2x20x6xf32>
// CHECK-NEXT: %[[Y:.*]] = job.sum_groups %[[U]], %[[GROUPS]] {axis = 2 : i64} : <3x2x20x6xf32>, <3x27xi32>
// CHECK-NEXT: job.return %[[Y]]
job.func @scatter(%u: !job.blob<3x2x4x5x6xf32>, %i: !job.blob<3x4x5xi32>) -> !job.blob<3x2x7x6xf32> kind predict {
  %0 = job.scatter_add %u, %i {axis = 2 : i64, extent = 7 : i64, batch_dims = 1 : i64} : !job.blob<3x2x4x5x6xf32>, !job.blob<3x4x5xi32>
  job.return %0 : !job.blob<3x2x7x6xf32>
}

// Runs of 1, 8 and 64 elements are merged into longer ones.
// CHECK-LABEL: job.func @argsort(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<3x65xf32>
// CHECK-NEXT: %[[START:.*]] = job.iota {axis = 1 : i64} : <3x65xi32>
// CHECK-NEXT: %[[EIGHT:.*]] = job.merge_runs %[[X]], %[[START]] descending {run = 1 : i64} : <3x65xf32>, <3x65xi32>
// CHECK-NEXT: %[[MORE:.*]] = job.merge_runs %[[X]], %[[EIGHT]] descending {run = 8 : i64} : <3x65xf32>, <3x65xi32>
// CHECK-NEXT: %[[ALL:.*]] = job.merge_runs %[[X]], %[[MORE]] descending {run = 64 : i64} : <3x65xf32>, <3x65xi32>
// CHECK-NEXT: job.return %[[ALL]]
job.func @argsort(%x: !job.blob<3x65xf32>) -> !job.blob<3x65xi32> kind predict {
  %0 = job.argsort %x descending : !job.blob<3x65xf32>
  job.return %0 : !job.blob<3x65xi32>
}

// One element is sorted.
// CHECK-LABEL: job.func @argsort_one(
// CHECK-NEXT: %[[START:.*]] = job.iota {axis = 1 : i64} : <3x1xi32>
// CHECK-NEXT: job.return %[[START]]
job.func @argsort_one(%x: !job.blob<3x1xf32>) -> !job.blob<3x1xi32> kind predict {
  %0 = job.argsort %x : !job.blob<3x1xf32>
  job.return %0 : !job.blob<3x1xi32>
}
