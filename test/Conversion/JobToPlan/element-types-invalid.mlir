// RUN: job-opt %s --convert-job-to-plan --split-input-file --verify-diagnostics

job.func @add(%x: !job.blob<4xbf16>) -> !job.blob<4xbf16> kind predict {
  // expected-error@+1 {{'job.add' op expects types that ops can compute with: run job-widen-types first}}
  %0 = job.add %x, %x : !job.blob<4xbf16>
  job.return %0 : !job.blob<4xbf16>
}
