// Checks change neither the chunks of a kernel nor the parts of its sums, so
// results have the same bits with and without them.
//
// RUN: job-opt %s --job-plan-pipeline --explain=kernels 2>&1 >/dev/null | grep -v epilogue > %t.off
// RUN: job-opt %s --job-plan-pipeline=check-numerics=true --explain=kernels 2>&1 >/dev/null | grep -v epilogue > %t.on
// RUN: diff %t.off %t.on
// RUN: FileCheck %s --input-file=%t.on

// 65472 operations are 3 chunks; the check of the 64 sums would make it 4, and
// the kernel two.
// CHECK: kernel_{{[0-9]+}}: {{.*}} for about 65472 operations
job.func @sums(%x: !job.blob<1023x64xf32>) -> !job.blob<64xf32> kind predict {
  %s = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<1023x64xf32>
  job.return %s : !job.blob<64xf32>
}

// What the check of a narrow number adds.
job.func @narrow(%x: !job.blob<128x512xf32>) -> !job.blob<128x512xf16> kind predict {
  %y = job.neg %x : !job.blob<128x512xf32>
  %n = job.cast %y : !job.blob<128x512xf32> to !job.blob<128x512xf16>
  job.return %n : !job.blob<128x512xf16>
}
