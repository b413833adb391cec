// An op that cuts a blob by a count is compared as a job of its own, which did
// not return the count: the check refused the job.
//
// RUN: job-opt %s --job-check-lowering -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: error
// CHECK: remark: seed 1: {{[0-9]+}} passes, {{[1-9][0-9]*}} kernels and library calls, and the artifact agree with the reference
// CHECK-NOT: error

// The count is an input of the kernel, and then its result as well.
job.func @of_another(%x: !job.blob<4x6xf32>, %flags: !job.blob<6xi1>) -> (!job.blob<4x?<=6>xf32>, !job.blob<1xi64>, !job.blob<4x6xf32>) kind predict {
  %at, %n = job.argwhere %flags as i32 : !job.blob<6xi1>
  %0 = job.exp %x : !job.blob<4x6xf32>
  %1 = job.slice_to_dynamic %0, %n {dim = 1 : i64} : !job.blob<4x6xf32>
  %2 = job.pad_to_static %1, %n {value = 0.5 : f64} : !job.blob<4x?<=6>xf32>
  job.return %1, %n, %2 : !job.blob<4x?<=6>xf32>, !job.blob<1xi64>, !job.blob<4x6xf32>
}

// The kernel has a copy of the constant.
job.func @constant(%x: !job.blob<4x6xf32>) -> (!job.blob<?<=4>x6xf32>, !job.blob<1xi64>) kind predict {
  %n = job.constant dense<3> : tensor<1xi64>
  %0 = job.exp %x : !job.blob<4x6xf32>
  %1 = job.slice_to_dynamic %0, %n {dim = 0 : i64} : !job.blob<4x6xf32>
  job.return %1, %n : !job.blob<?<=4>x6xf32>, !job.blob<1xi64>
}

// Here the kernel has a copy of the slice.
job.func @slice(%x: !job.blob<1xf32>) -> (!job.blob<?<=1>xf32>, !job.blob<1xi64>) kind predict {
  %counts = job.iota {axis = 0 : i64} : !job.blob<3xi64>
  %n = job.slice %counts {offsets = array<i64: 1>, sizes = array<i64: 1>, strides = array<i64: 1>} : !job.blob<3xi64>
  %0 = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<1xf32>
  job.return %0, %n : !job.blob<?<=1>xf32>, !job.blob<1xi64>
}
