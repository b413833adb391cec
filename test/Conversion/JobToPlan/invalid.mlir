// RUN: job-opt %s --convert-job-to-plan --split-input-file --verify-diagnostics

// What canonicalization leaves of a sum with zero.
job.func @predict(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  // expected-error@below {{expects to compute what it yields but got an input as result #0}}
  %y = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
    job.yield %a : !job.blob<4xf32>
  }
  job.return %y : !job.blob<4xf32>
}

// -----

job.func @outside(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  // expected-error@below {{'job.add' op expects to be in a job.kernel or to be gone before the plan}}
  %0 = job.add %x, %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
