// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.gather' op expects an axis in [0, 2) but got 2}}
  %0 = job.gather %x, %i {axis = 2 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects an axis in [0, 2) but got -1}}
  %0 = job.gather %x, %i {axis = -1 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.gather' op requires attribute 'axis'}}
  %0 = job.gather %x, %i {batch_dims = 0 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

// Shared dimensions stand before the axis.
job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 0] but got 1}}
  %0 = job.gather %x, %i {axis = 0 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5x6x7xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got 2}}
  %0 = job.gather %x, %i {axis = 3 : i64, batch_dims = 2 : i64} : !job.blob<4x5x6x7xf32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got -1}}
  %0 = job.gather %x, %i {axis = 1 : i64, batch_dims = -1 : i64} : !job.blob<4x5xf32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3x2xi32>) kind predict {
  // expected-error @below {{expects 1 equal dimensions at the front but got '!job.blob<4x5xf32>' and '!job.blob<3x2xi32>'}}
  %0 = job.gather %x, %i {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf32>, !job.blob<3x2xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x1073741824xf32>, %i: !job.blob<1073741824xi32>) kind predict {
  // expected-error @below {{expects at most 2^59 elements but got more}}
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x1073741824xf32>, !job.blob<1073741824xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xf32>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers, but got '!job.blob<3xf32>'}}
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi1>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers, but got '!job.blob<3xi1>'}}
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x5xf32>, !job.blob<3xi1>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.scatter_add' op expects an axis in [0, 2) but got 2}}
  %0 = job.scatter_add %u, %i {axis = 2 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects an axis in [0, 2) but got -1}}
  %0 = job.scatter_add %u, %i {axis = -1 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.scatter_add' op requires attribute 'extent'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got 2}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64, batch_dims = 2 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got -1}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64, batch_dims = -1 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

// Shared dimensions stand before the axis.
job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 0] but got 1}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64, batch_dims = 1 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<4x5xf32>, %i: !job.blob<3x5xi32>) kind predict {
  // expected-error @below {{expects 1 equal dimensions at the front but got '!job.blob<4x5xf32>' and '!job.blob<3x5xi32>'}}
  %0 = job.scatter_add %u, %i {axis = 1 : i64, extent = 9 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf32>, !job.blob<3x5xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{expects the indices' dimensions from dimension 0 of the updates on but got '!job.blob<3x5xf32>' and '!job.blob<4xi32>'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects the indices' dimensions from dimension 1 of the updates on but got '!job.blob<3x5xf32>' and '!job.blob<3xi32>'}}
  %0 = job.scatter_add %u, %i {axis = 1 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects a positive extent but got 0}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 0 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects a positive extent but got -2}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = -2 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x1073741824xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects at most 2^59 elements but got more}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 1073741824 : i64} : !job.blob<3x1073741824xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xi1>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers, but got '!job.blob<3x5xi1>'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<3x5xi1>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xf32>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers, but got '!job.blob<3xf32>'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xf32>
  job.return
}
