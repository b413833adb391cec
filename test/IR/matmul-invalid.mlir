// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%a: !job.blob<2x3x1xf32>, %b: !job.blob<3x5xf32>) kind predict {
  // expected-error @below {{'job.matmul' op expects equal dimensions before the last two but got '!job.blob<2x3x1xf32>' and '!job.blob<3x5xf32>'}}
  %0 = job.matmul %a, %b : !job.blob<2x3x1xf32>, !job.blob<3x5xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<3xf32>) kind predict {
  // expected-error @below {{expects operands of at least 2 dimensions but got '!job.blob<2x3xf32>' and '!job.blob<3xf32>'}}
  %0 = job.matmul %a, %b : !job.blob<2x3xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<3x5xf64>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x3xf32>' and '!job.blob<3x5xf64>'}}
  %0 = job.matmul %a, %b : !job.blob<2x3xf32>, !job.blob<3x5xf64>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<4x5xf32>) kind predict {
  // expected-error @below {{expects equal inner extents but got 3 of '!job.blob<2x3xf32>' and 4 of '!job.blob<4x5xf32>'}}
  %0 = job.matmul %a, %b : !job.blob<2x3xf32>, !job.blob<4x5xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<3x5xf32>) kind predict {
  // expected-error @below {{expects equal inner extents but got 2 of '!job.blob<2x3xf32>' and 3 of '!job.blob<3x5xf32>'}}
  %0 = job.matmul %a, %b {transpose_lhs = true} : !job.blob<2x3xf32>, !job.blob<3x5xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<3x5xf32>) kind predict {
  // expected-error @below {{expects equal inner extents but got 3 of '!job.blob<2x3xf32>' and 5 of '!job.blob<3x5xf32>'}}
  %0 = job.matmul %a, %b {transpose_rhs = true} : !job.blob<2x3xf32>, !job.blob<3x5xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xi32>, %b: !job.blob<3x5xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<2x3xi32>'}}
  %0 = job.matmul %a, %b : !job.blob<2x3xi32>, !job.blob<3x5xi32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<3x5xf32>) kind predict {
  // expected-error @below {{attribute 'transpose_lhs' failed to satisfy constraint: bool attribute}}
  %0 = job.matmul %a, %b {transpose_lhs = 1} : !job.blob<2x3xf32>, !job.blob<3x5xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<1073741824x1xf32>, %b: !job.blob<1x1073741824xf32>) kind predict {
  // expected-error @below {{'job.matmul' op expects at most 2^59 elements but got more}}
  %0 = job.matmul %a, %b : !job.blob<1073741824x1xf32>, !job.blob<1x1073741824xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x3xf32>, %b: !job.blob<3x5xf32>) kind predict {
  // expected-error @below {{'job.matmul' op inferred type(s) '!job.blob<2x5xf32>' are incompatible with return type(s) of operation '!job.blob<5x2xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "job.matmul"(%a, %b) : (!job.blob<2x3xf32>, !job.blob<3x5xf32>) -> !job.blob<5x2xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<4x2x3xf32>, %b: !job.blob<5x3x6xf32>) kind predict {
  // expected-error @below {{expects equal dimensions before the last two but got '!job.blob<4x2x3xf32>' and '!job.blob<5x3x6xf32>'}}
  %0 = job.matmul %a, %b : !job.blob<4x2x3xf32>, !job.blob<5x3x6xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<4x2x3xf32>, %b: !job.blob<4x2x6xf32>) kind predict {
  // expected-error @below {{expects equal inner extents but got 3 of '!job.blob<4x2x3xf32>' and 2 of '!job.blob<4x2x6xf32>'}}
  %0 = job.matmul %a, %b : !job.blob<4x2x3xf32>, !job.blob<4x2x6xf32>
  job.return
}
