// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @shape(%a: !job.blob<32x4xf32>, %b: !job.blob<4x32xf32>) -> !job.blob<32x32xf32> kind predict {
  // expected-error@below {{'job.matmul' op expects a split of #plan.onednn.matmul<m = 32, n = 32, k = 4> as "plan.implementation" but got #plan.onednn.matmul<m = 32, n = 32, k = 8, row_parts = 2>}}
  %0 = job.matmul %a, %b {plan.implementation = #plan.onednn.matmul<m = 32, n = 32, k = 8, row_parts = 2>} : !job.blob<32x4xf32>, !job.blob<4x32xf32>
  job.return %0 : !job.blob<32x32xf32>
}

// -----

job.func @function(%a: !job.blob<32x4xf32>, %b: !job.blob<4x32xf32>) -> !job.blob<32x32xf32> kind predict {
  // expected-error@below {{'job.matmul' op expects a split of #plan.onednn.matmul<m = 32, n = 32, k = 4> as "plan.implementation" but got #plan.host.attention<queries = 1, keys = 1, channels = 1, value_channels = 1>}}
  %0 = job.matmul %a, %b {plan.implementation = #plan.host.attention<queries = 1, keys = 1, channels = 1, value_channels = 1>} : !job.blob<32x4xf32>, !job.blob<4x32xf32>
  job.return %0 : !job.blob<32x32xf32>
}

// -----

job.func @type(%a: !job.blob<32x4xf64>, %b: !job.blob<4x32xf64>) -> !job.blob<32x32xf64> kind predict {
  // expected-error@below {{'job.matmul' op expects #plan.generated_kernel as "plan.implementation", since no library function computes it, but got #plan.onednn.matmul<m = 32, n = 32, k = 4>}}
  %0 = job.matmul %a, %b {plan.implementation = #plan.onednn.matmul<m = 32, n = 32, k = 4>} : !job.blob<32x4xf64>, !job.blob<4x32xf64>
  job.return %0 : !job.blob<32x32xf64>
}

// -----

job.func @op(%a: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  // expected-error@below {{'job.relu' op expects no "plan.implementation": no library function computes it}}
  %0 = job.relu %a {plan.implementation = #plan.generated_kernel} : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
