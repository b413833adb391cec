// LLVM made vectors of the loads and stores of a pad, and for a vector of bf16
// without instructions for them it called a function of a compiler's library,
// which artifacts do not link. What is moved is integers.
//
// RUN: job-compile %s -o %t.so --mcpu=skylake-avx512
// RUN: job-compile %s -o %t.so --mcpu=x86-64-v3
// RUN: job-opt %s --job-plan-pipeline --job-lower-pipeline | FileCheck %s
//
// CHECK: llvm.func
// CHECK-NOT: bf16
// CHECK: llvm.store {{.*}} : i16
// CHECK-NOT: bf16
job.func @pad(%x: !job.blob<2x3x1x1x1xbf16>) -> !job.blob<4x5x3x1x1xbf16> kind predict {
  %0 = job.pad %x {low = array<i64: 2, 2, 2, 0, 0>, high = array<i64: 0, 0, 0, 0, 0>, interior = array<i64: 0, 0, 0, 0, 0>, value = 1.0 : f64} : !job.blob<2x3x1x1x1xbf16>
  job.return %0 : !job.blob<4x5x3x1x1xbf16>
}
