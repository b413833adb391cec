// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_sum' op requires attribute 'axes'}}
  %0 = job.reduce_sum %x : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_sum' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_sum %x {axes = array<i64: 0, 3>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{expects axes in [0, 3) but got -1}}
  %0 = job.reduce_sum %x {axes = array<i64: -1>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{expects axes to increase but got 2 before 0}}
  %0 = job.reduce_sum %x {axes = array<i64: 2, 0>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{expects axes to increase but got 1 before 1}}
  %0 = job.reduce_sum %x {axes = array<i64: 1, 1>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers, but got '!job.blob<4xi1>'}}
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{inferred type(s) '!job.blob<3xf32>' are incompatible with return type(s) of operation '!job.blob<1x3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "job.reduce_sum"(%x) <{axes = array<i64: 0>}> : (!job.blob<2x3xf32>) -> !job.blob<1x3xf32>
  job.return
}
