// RUN: job-opt %s --convert-job-to-plan --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %0 = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
    %1 = job.neg %a : !job.blob<4xf32>
    job.yield %1 : !job.blob<4xf32>
  }
  // expected-error@+1 {{'job.kernel' op expects operand #0 on #job.placement<gpu, "0:0"> but got one on #job.placement<cpu, "0:0">: run job-insert-transfers first}}
  %2 = job.kernel(%a = %0 : !job.blob<4xf32>) -> !job.blob<4xf32> attributes {job.placement = #job.placement<gpu, "0:0">} {
    %3 = job.exp %a : !job.blob<4xf32>
    job.yield %3 : !job.blob<4xf32>
  }
  job.return %2 : !job.blob<4xf32>
}

// -----

// A constant belongs to one device as well.
job.func @constant() -> !job.blob<2xf32> kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %0 = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // expected-error@+1 {{'job.kernel' op expects operand #0 on #job.placement<gpu, "0:0"> but got one on #job.placement<cpu, "0:0">}}
  %1 = job.kernel(%a = %0 : !job.blob<2xf32>) -> !job.blob<2xf32> attributes {job.placement = #job.placement<gpu, "0:0">} {
    %2 = job.exp %a : !job.blob<2xf32>
    job.yield %2 : !job.blob<2xf32>
  }
  job.return %1 : !job.blob<2xf32>
}
