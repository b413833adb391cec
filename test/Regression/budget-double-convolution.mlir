// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=10500})' --explain=memory -o /dev/null 2>&1 | FileCheck %s

// The library does not have convolutions in double precision, so loops compute
// this one and there is no workspace: 4608 + 1728 bytes of inputs and 4032 of
// the output are 10,368.
// CHECK: the budget of 10,500 bytes leaves 132 for the arena, but 4,608 are live at the peak
job.func @double(%x: !job.blob<2x4x9x8xf64>, %f: !job.blob<6x4x3x3xf64>) -> !job.blob<2x6x7x6xf64> kind predict {
  %0 = job.neg %x : !job.blob<2x4x9x8xf64>
  %1 = job.conv2d %0, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf64>, !job.blob<6x4x3x3xf64>
  job.return %1 : !job.blob<2x6x7x6xf64>
}
