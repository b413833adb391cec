// RUN: job-opt %s --convert-job-to-plan --verify-diagnostics

// What canonicalization leaves of a sum with zero.
job.func @predict(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  // expected-error@below {{expects to compute what it yields but got an input as result #0}}
  %y = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
    job.yield %a : !job.blob<4xf32>
  }
  job.return %y : !job.blob<4xf32>
}
