// The items of loops: a core of a CPU computes a long one in vectors of up to 64
// lanes, a thread of a GPU one vector of 16 bytes, beside that of its neighbour.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place{device=cpu},job.func(job-decompose,job-form-kernels),convert-job-to-plan,canonicalize,cse)' --mlir-print-local-scope | FileCheck %s --check-prefix=CPU
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place{device=gpu},job.func(job-decompose,job-form-kernels),convert-job-to-plan,canonicalize,cse)' --mlir-print-local-scope | FileCheck %s --check-prefix=GPU "--implicit-check-not=vector<64x"

// 128 rows of 32 elements, or 8 vectors of each of 1000 rows.
// CPU-LABEL: plan.executable @kernel_0 {
// CPU: scf.parallel ({{.*}}) to (%c8) step
// GPU-LABEL: plan.executable @kernel_0 {
// GPU: scf.parallel ({{.*}}) to (%c8000) step
job.func @gather(%x: !job.blob<4096x32xf32>, %i: !job.blob<1000xi32>) -> !job.blob<1000x32xf32> kind predict {
  %y = job.gather %x, %i {axis = 0 : i64} : !job.blob<4096x32xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<1000x32xf32>
}

// A row that is longer than an item is several.
// CPU-LABEL: plan.executable @kernel_1 {
// CPU: scf.parallel ({{.*}}) to (%c6) step
// GPU-LABEL: plan.executable @kernel_1 {
// GPU: scf.parallel ({{.*}}) to (%c5002) step
job.func @gather_long(%x: !job.blob<9x10001xf32>, %i: !job.blob<2xi32>) -> !job.blob<2x10001xf32> kind predict {
  %y = job.gather %x, %i {axis = 0 : i64} : !job.blob<9x10001xf32>, !job.blob<2xi32>
  job.return %y : !job.blob<2x10001xf32>
}

// Indices are grouped by all threads; each sums one vector of a row.
// CPU-LABEL: plan.executable @kernel_2 {
// CPU: scf.parallel ({{.*}}) to (%c200) step
// CPU-LABEL: plan.executable @kernel_3 {
// CPU: scf.parallel ({{.*}}) to (%c10) step
// CPU: vector<32xf32>
// GPU-LABEL: plan.executable @kernel_2 {
// GPU: scf.parallel ({{.*}}) to (%c67) step
// GPU-LABEL: plan.executable @kernel_3 {
// GPU: scf.parallel ({{.*}}) to (%c1600) step
// GPU: vector<4xf32>
job.func @scatter(%u: !job.blob<1000x32xf32>, %i: !job.blob<1000xi32>) -> !job.blob<200x32xf32> kind predict {
  %y = job.scatter_add %u, %i {axis = 0 : i64, extent = 200 : i64} : !job.blob<1000x32xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<200x32xf32>
}

// Planes, or elements of planes.
// CPU-LABEL: plan.executable @kernel_4 {
// CPU: scf.parallel ({{.*}}) to (%c128) step
// GPU-LABEL: plan.executable @kernel_4 {
// GPU: scf.parallel ({{.*}}) to (%c25088) step
// GPU: vector<1xf32>
job.func @pool(%x: !job.blob<8x16x28x28xf32>) -> !job.blob<8x16x14x14xf32> kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<8x16x28x28xf32>
  job.return %y : !job.blob<8x16x14x14xf32>
}

// With the channels last: rows of images, or vectors of channels.
// CPU-LABEL: plan.executable @kernel_5 {
// CPU: scf.parallel ({{.*}}) to (%c112) step
// GPU-LABEL: plan.executable @kernel_5 {
// GPU: scf.parallel ({{.*}}) to (%c6272) step
// GPU: vector<4xf32>
job.func @pool_channels(%x: !job.blob<8x28x28x16xf32>) -> !job.blob<8x14x14x16xf32> kind predict {
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<8x28x28x16xf32>
  job.return %y : !job.blob<8x14x14x16xf32>
}

// Windows that share no cell and cover all are one each; others are searched
// again for each element.
// CPU-LABEL: plan.executable @kernel_6 {
// CPU: scf.parallel ({{.*}}) to (%c2) step
// CPU-LABEL: plan.executable @kernel_7 {
// CPU: scf.parallel ({{.*}}) to (%c2) step
// GPU-LABEL: plan.executable @kernel_6 {
// GPU: scf.parallel ({{.*}}) to (%c18) step
// GPU-LABEL: plan.executable @kernel_7 {
// GPU: scf.parallel ({{.*}}) to (%c98) step
job.func @pool_grads(%x: !job.blob<1x2x6x6xf32>, %dy: !job.blob<1x2x3x3xf32>, %u: !job.blob<1x2x7x7xf32>) -> (!job.blob<1x2x6x6xf32>, !job.blob<1x2x7x7xf32>) kind predict {
  %0 = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x3x3xf32>, !job.blob<1x2x6x6xf32>
  %1 = job.max_pool2d_grad %dy, %u {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x3x3xf32>, !job.blob<1x2x7x7xf32>
  job.return %0, %1 : !job.blob<1x2x6x6xf32>, !job.blob<1x2x7x7xf32>
}

// Rows, or vectors of rows.
// CPU-LABEL: plan.executable @kernel_8 {
// CPU: scf.parallel ({{.*}}) to (%c6) step
// CPU-LABEL: plan.executable @kernel_9 {
// CPU: scf.parallel ({{.*}}) to (%c4) step
// GPU-LABEL: plan.executable @kernel_8 {
// GPU: scf.parallel ({{.*}}) to (%c60) step
// GPU-LABEL: plan.executable @kernel_9 {
// GPU: scf.parallel ({{.*}}) to (%c76) step
job.func @shape(%x: !job.blob<4x37xf32>) -> (!job.blob<6x40xf32>, !job.blob<4x74xf32>) kind predict {
  %0 = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 1, 3>, interior = array<i64: 0, 0>, value = 2.0 : f64} : !job.blob<4x37xf32>
  %1 = job.concat %x, %x {axis = 1 : i64} : !job.blob<4x37xf32>, !job.blob<4x37xf32>
  job.return %0, %1 : !job.blob<6x40xf32>, !job.blob<4x74xf32>
}
