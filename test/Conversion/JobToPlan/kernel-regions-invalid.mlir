// RUN: job-opt %s --convert-job-to-plan --split-input-file --verify-diagnostics

job.func @domains(%x: !job.blob<4x8xf32>, %y: !job.blob<30xf32>) -> (!job.blob<4x8xf32>, !job.blob<30xf32>) kind predict {
  %r:2 = job.kernel(%a = %x : !job.blob<4x8xf32>, %b = %y : !job.blob<30xf32>) -> (!job.blob<4x8xf32>, !job.blob<30xf32>) {
    // expected-error@below {{expects a result of shape 30, the domain of its job.kernel, but got 4x8}}
    %0 = job.neg %a : !job.blob<4x8xf32>
    %1 = job.neg %b : !job.blob<30xf32>
    job.yield %0, %1 : !job.blob<4x8xf32>, !job.blob<30xf32>
  }
  job.return %r#0, %r#1 : !job.blob<4x8xf32>, !job.blob<30xf32>
}

// -----

job.func @beside_reduction(%x: !job.blob<4x8xf32>, %y: !job.blob<8xf32>) -> (!job.blob<4xf32>, !job.blob<8xf32>) kind predict {
  %r:2 = job.kernel(%a = %x : !job.blob<4x8xf32>, %b = %y : !job.blob<8xf32>) -> (!job.blob<4xf32>, !job.blob<8xf32>) {
    %0 = job.reduce_sum %a {axes = array<i64: 1>, keepdims = false} : !job.blob<4x8xf32>
    // expected-error@below {{expects a result of shape 4x8, the domain of its job.kernel, or 4, its rows, but got 8}}
    %1 = job.neg %b : !job.blob<8xf32>
    job.yield %0, %1 : !job.blob<4xf32>, !job.blob<8xf32>
  }
  job.return %r#0, %r#1 : !job.blob<4xf32>, !job.blob<8xf32>
}

// -----

job.func @reductions(%x: !job.blob<4x8xf32>) -> (!job.blob<4xf32>, !job.blob<8xf32>) kind predict {
  %r:2 = job.kernel(%a = %x : !job.blob<4x8xf32>) -> (!job.blob<4xf32>, !job.blob<8xf32>) {
    // expected-note@below {{the first one is here}}
    %0 = job.reduce_sum %a {axes = array<i64: 1>, keepdims = false} : !job.blob<4x8xf32>
    // expected-error@below {{expects to reduce axes [1], as all reductions of its job.kernel, but got [0]}}
    %1 = job.reduce_sum %a {axes = array<i64: 0>, keepdims = false} : !job.blob<4x8xf32>
    job.yield %0, %1 : !job.blob<4xf32>, !job.blob<8xf32>
  }
  job.return %r#0, %r#1 : !job.blob<4xf32>, !job.blob<8xf32>
}

// -----

job.func @of_rows(%x: !job.blob<4x8xf32>) -> !job.blob<1xf32> kind predict {
  %r = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<1xf32> {
    %0 = job.reduce_sum %a {axes = array<i64: 1>, keepdims = false} : !job.blob<4x8xf32>
    // expected-error@below {{expects an operand of shape 4x8, the domain of its job.kernel, but got 4}}
    %1 = job.reduce_sum %0 {axes = array<i64: 0>, keepdims = false} : !job.blob<4xf32>
    job.yield %1 : !job.blob<1xf32>
  }
  job.return %r : !job.blob<1xf32>
}

// -----

job.func @other_elements(%x: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict {
  %r = job.kernel(%a = %x : !job.blob<4x4xf32>) -> !job.blob<4x4xf32> {
    // expected-note@below {{which is here}}
    %0 = job.exp %a : !job.blob<4x4xf32>
    // expected-error@below {{expects to read an input of its job.kernel, or of the same row, but got other elements of what the kernel computes}}
    %1 = job.transpose %0 {permutation = array<i64: 1, 0>} : !job.blob<4x4xf32>
    job.yield %1 : !job.blob<4x4xf32>
  }
  job.return %r : !job.blob<4x4xf32>
}

// -----

// The sum of row i is added to column i.
job.func @other_row(%x: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict {
  %r = job.kernel(%a = %x : !job.blob<4x4xf32>) -> !job.blob<4x4xf32> {
    // expected-note@below {{which is here}}
    %0 = job.reduce_sum %a {axes = array<i64: 1>, keepdims = false} : !job.blob<4x4xf32>
    // expected-error@below {{expects to read an input of its job.kernel, or of the same row, but got other elements of what the kernel computes}}
    %1 = job.broadcast_in_dim %0 {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<4x4xf32>
    %2 = job.add %a, %1 : !job.blob<4x4xf32>
    job.yield %2 : !job.blob<4x4xf32>
  }
  job.return %r : !job.blob<4x4xf32>
}

// -----

job.func @constant(%x: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  %r = job.kernel(%a = %x : !job.blob<2xf32>) -> !job.blob<2xf32> {
    // expected-error@below {{expects equal elements in a job.kernel, which has no memory for constants}}
    %0 = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = job.add %a, %0 : !job.blob<2xf32>
    job.yield %1 : !job.blob<2xf32>
  }
  job.return %r : !job.blob<2xf32>
}

// -----

job.func @yielded_constant(%x: !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<3xf32>) kind predict {
  %r:2 = job.kernel(%a = %x : !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<3xf32>) {
    // expected-error@below {{expects shape 2, the domain of its job.kernel, as result #1 but got 3}}
    %0 = job.constant dense<1.0> : tensor<3xf32>
    %1 = job.exp %a : !job.blob<2xf32>
    job.yield %1, %0 : !job.blob<2xf32>, !job.blob<3xf32>
  }
  job.return %r#0, %r#1 : !job.blob<2xf32>, !job.blob<3xf32>
}

// -----

// The shared element is one that the kernel computes.
job.func @shared(%x: !job.blob<1xf32>) -> !job.blob<1xf32> kind predict {
  %r = job.kernel(%a = %x : !job.blob<1xf32>) -> !job.blob<1xf32> {
    // expected-error@below {{expects to be alone in a job.kernel or outside of one: it does not compute element by element}}
    %0 = job.reshape %a : !job.blob<1xf32> to !job.blob<1x1xf32>
    %1 = job.reshape %0 : !job.blob<1x1xf32> to !job.blob<1xf32>
    job.yield %1 : !job.blob<1xf32>
  }
  job.return %r : !job.blob<1xf32>
}

// -----

job.func @loops(%x: !job.blob<4x8xf32>) -> !job.blob<4x4xf32> kind predict {
  %r = job.kernel(%a = %x : !job.blob<4x8xf32>) -> !job.blob<4x4xf32> {
    // expected-note@below {{which is here}}
    %0 = job.matmul %a, %a {transpose_rhs = true} : !job.blob<4x8xf32>, !job.blob<4x8xf32>
    // expected-error@below {{expects to stand outside of the job.kernel of 'job.matmul', which has loops of its own}}
    %1 = job.neg %0 : !job.blob<4x4xf32>
    job.yield %1 : !job.blob<4x4xf32>
  }
  job.return %r : !job.blob<4x4xf32>
}

// -----

job.func @twice(%x: !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<2xf32>) kind predict {
  // expected-error@below {{expects to yield each value once but got result #1 a second time}}
  %r:2 = job.kernel(%a = %x : !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<2xf32>) {
    %0 = job.exp %a : !job.blob<2xf32>
    job.yield %0, %0 : !job.blob<2xf32>, !job.blob<2xf32>
  }
  job.return %r#0, %r#1 : !job.blob<2xf32>, !job.blob<2xf32>
}

// -----

job.func @nothing(%x: !job.blob<2xf32>) kind predict {
  // expected-error@below {{expects at least one result but got none}}
  job.kernel(%a = %x : !job.blob<2xf32>) {
    job.yield
  }
  job.return
}

// -----

// What job-decompose makes of an op that is no kernel.
job.func @indices(%x: !job.blob<5xf32>) -> (!job.blob<?<=5>x1xi32>, !job.blob<1xi64>) kind predict {
  %r:2 = job.kernel(%a = %x : !job.blob<5xf32>) -> (!job.blob<?<=5>x1xi32>, !job.blob<1xi64>) {
    // expected-error@below {{'job.argwhere' op expects to be outside of a job.kernel, where job-decompose replaces it: it is not computed element by element}}
    %i, %c = job.argwhere %a as i32 : !job.blob<5xf32>
    job.yield %i, %c : !job.blob<?<=5>x1xi32>, !job.blob<1xi64>
  }
  job.return %r#0, %r#1 : !job.blob<?<=5>x1xi32>, !job.blob<1xi64>
}
