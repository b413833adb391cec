// An op without a name is called after what it is.
//
// RUN: not job-run %s --check-numerics --entry nameless 2>&1 | FileCheck %s --check-prefix=NAMELESS
// RUN: not job-run %s --check-numerics --entry named 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: job-run %s --entry nameless,named

// NAMELESS: check-numerics.mlir:[[#@LINE+6]]:8: job 'nameless', 'exp': expects finite values but got infinity in step 1 of this job
// NAMED: m.py:3:5: job 'named', 'large': expects finite values but got infinity in step 1 of this job

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
