// REQUIRES: x86_64
// RUN: job-run %s --entry spread --mcpu=x86-64-v3 | FileCheck %s
// RUN: job-run %s --entry spread | FileCheck %s

// A row of 40 elements ends in a masked load of 16 of which 8 are off. With AVX
// and without AVX-512, LLVM 22 loaded these as well, from the next row, where the
// mask was that of a condition and of constants.
job.variable @dy : !job.blob<1x1x11x40xf32> init #job.constant_init<1.0>
job.func @spread() -> !job.blob<1xf32> kind predict {
  %dy = job.read @dy : !job.blob<1x1x11x40xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 9>, strides = array<i64: 1, 2>, padding = array<i64: 1, 4, 0, 4>} : !job.blob<1x1x11x40xf32> -> !job.blob<1x1x11x80xf32>
  %sum = job.reduce_sum %dx {axes = array<i64: 0, 1, 2, 3>} : !job.blob<1x1x11x80xf32>
  // CHECK: step 0: 440
  job.return %sum : !job.blob<1xf32>
}
