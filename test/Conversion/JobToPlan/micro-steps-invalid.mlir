// RUN: job-opt %s --convert-job-to-plan --split-input-file --verify-diagnostics

job.func @twice(%x: !job.blob<16xf32>) -> !job.blob<16xf32> kind predict {
  // expected-error @below {{expects a kernel that alone sees sum #0 and adds to it, element by element}}
  %sum = job.micro_steps count(2) shared(%x : !job.blob<16xf32>) sums(!job.blob<16xf32>) {
  ^bb0(%v: !job.blob<16xf32>, %sofar: !job.blob<16xf32>):
    %0 = job.kernel(%a = %v : !job.blob<16xf32>, %s = %sofar : !job.blob<16xf32>) -> !job.blob<16xf32> {
      %1 = job.add %s, %a : !job.blob<16xf32>
      job.yield %1 : !job.blob<16xf32>
    }
    %2 = job.kernel(%a = %0 : !job.blob<16xf32>, %s = %sofar : !job.blob<16xf32>) -> !job.blob<16xf32> {
      %3 = job.mul %s, %a : !job.blob<16xf32>
      job.yield %3 : !job.blob<16xf32>
    }
    job.yield %2 : !job.blob<16xf32>
  }
  job.return %sum : !job.blob<16xf32>
}

// -----

job.func @unchanged(%x: !job.blob<16xf32>) -> !job.blob<16xf32> kind predict {
  // expected-error @below {{expects a kernel that alone sees sum #0 and adds to it, element by element}}
  %sum = job.micro_steps count(2) sums(!job.blob<16xf32>) {
  ^bb0(%sofar: !job.blob<16xf32>):
    job.yield %sofar : !job.blob<16xf32>
  }
  job.return %sum : !job.blob<16xf32>
}
