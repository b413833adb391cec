// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x6xf32>' and '!job.blob<12xf64>'}}
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<12xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects a result of 12 elements but got 11}}
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<11xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{requires attribute 'dims'}}
  %0 = job.broadcast_in_dim %x : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x6xf32>' and '!job.blob<2x6xf64>'}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<2x6xf32> to !job.blob<2x6xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects 2 dims, one for each dimension of the operand, but got 1}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects dims in [0, 3) but got 3}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 3>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects dims in [0, 3) but got -1}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: -1, 2>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<6x2xf32>) kind predict {
  // expected-error @below {{expects dims to increase but got 2 before 0}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 2, 0>} : !job.blob<6x2xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects extent 1 or 5 in dimension 1 of the operand but got 6}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}
