// In place, with rows of one element more than a vector has lanes: for AVX-512,
// LLVM made of the masked store of the last 16 bits of a row one of 32 bits,
// which wrote zeros over the first element of the next row.
//
// RUN: rm -rf %t
// RUN: job-run %s --entry f --save %t/compiled
// RUN: job-run %s --entry f --reference --save %t/exact
// RUN: cmp %t/compiled/variables.safetensors %t/exact/variables.safetensors

job.variable @w : !job.blob<20x17xbf16> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}
job.func @f(%x: !job.blob<17xbf16>) kind predict {
  %w = job.read @w : !job.blob<20x17xbf16>
  %rows = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<17xbf16> to !job.blob<20x17xbf16>
  %0 = job.mul %w, %rows : !job.blob<20x17xbf16>
  job.assign @w, %0 : !job.blob<20x17xbf16>
  job.return
}
