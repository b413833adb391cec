// An op without a name is called after what it is.
//
// RUN: not job-run %s --check-numerics --entry nameless 2>&1 | FileCheck %s --check-prefix=NAMELESS
// RUN: not job-run %s --check-numerics --entry named 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: job-run %s --entry nameless,named
//
// A number that is too large for its type; an infinity that is only moved.
// RUN: not job-run %s --check-numerics --entry overflow 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: job-run %s --check-numerics --entry mask

// NAMELESS: check-numerics.mlir:[[#@LINE+7]]:8: job 'nameless', 'exp': expects finite values but got infinity in step 1 of this job
// NAMED: m.py:3:5: job 'named', 'large': expects finite values but got infinity in step 1 of this job
// OVERFLOW: check-numerics.mlir:[[#@LINE+20]]:8: job 'overflow', 'add': expects finite values but got infinity in step 1 of this job

job.func @nameless(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %c = job.constant dense<1000.0> : tensor<64xf32>
  %0 = job.mul %x, %c : !job.blob<64xf32>
  %1 = job.exp %0 : !job.blob<64xf32>
  %2 = job.add %1, %x : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

job.func @named(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %c = job.constant dense<1000.0> : tensor<64xf32>
  %0 = job.mul %x, %c : !job.blob<64xf32>
  %1 = job.exp %0 : !job.blob<64xf32> loc("large"("m.py":3:5))
  job.return %1 : !job.blob<64xf32>
}

job.func @overflow(%x: !job.blob<64xf16>) -> !job.blob<64xf16> kind predict {
  %c = job.constant dense<65504.0> : tensor<64xf16>
  %0 = job.maximum %x, %c : !job.blob<64xf16>
  %1 = job.add %0, %c : !job.blob<64xf16>
  job.return %1 : !job.blob<64xf16>
}

job.func @mask(%x: !job.blob<64xbf16>) -> (!job.blob<64xbf16>, !job.blob<64xf64>) kind predict {
  %c = job.constant dense<0xFF80> : tensor<64xbf16>
  %0 = job.minimum %x, %c : !job.blob<64xbf16>
  %1 = job.maximum %0, %x : !job.blob<64xbf16>
  %2 = job.cast %0 : !job.blob<64xbf16> to !job.blob<64xf64>
  job.return %1, %2 : !job.blob<64xbf16>, !job.blob<64xf64>
}
