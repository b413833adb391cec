// Colours of ops whose family only their mnemonics tell.
//
// RUN: job-opt %s --job-print-graph="dot output=%t.dot" -o /dev/null
// RUN: FileCheck %s < %t.dot

// CHECK-DAG: fillcolor="#ffedd5" tooltip="job.argmax
// CHECK-DAG: fillcolor="#ffedd5" tooltip="job.count_nonzero
// CHECK-DAG: fillcolor="#f5f5f4" tooltip="job.gather
// CHECK-DAG: fillcolor="#f5f5f4" tooltip="job.group_indices
// CHECK-DAG: fillcolor="#f5f5f4" tooltip="job.sum_groups
// CHECK-DAG: fillcolor="#f1f5f9" tooltip="job.compare
job.func @find(%x: !job.blob<8x4xf32>, %i: !job.blob<8xi32>) -> (!job.blob<8xi64>, !job.blob<1xi64>, !job.blob<3x4xf32>, !job.blob<8x4xf32>) kind predict {
  %place = job.argmax %x {axis = 1 : i64} : !job.blob<8x4xf32>
  %positive = job.compare ge %x, %x : !job.blob<8x4xf32>
  %count = job.count_nonzero %positive {block_size = 4096 : i64} : !job.blob<8x4xi1>
  %groups = job.group_indices %i {extent = 3 : i64} : !job.blob<8xi32>
  %table = job.sum_groups %x, %groups {axis = 0 : i64} : !job.blob<8x4xf32>, !job.blob<11xi32>
  %rows = job.gather %x, %i {axis = 0 : i64} : !job.blob<8x4xf32>, !job.blob<8xi32>
  job.return %place, %count, %table, %rows : !job.blob<8xi64>, !job.blob<1xi64>, !job.blob<3x4xf32>, !job.blob<8x4xf32>
}
