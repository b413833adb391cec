// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%q: !job.blob<2x5x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects blobs of (batch, position, head, channel) but got '!job.blob<2x5x4xf32>'}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3xf32>) kind predict {
  // expected-error @below {{expects blobs of (batch, position, head, channel) but got '!job.blob<2x7x3xf32>'}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf64>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x5x3x4xf32>' and '!job.blob<2x7x3x4xf64>'}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf64>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<1x7x3x6xf32>) kind predict {
  // expected-error @below {{expects equal batches and heads but got '!job.blob<2x5x3x4xf32>' and '!job.blob<1x7x3x6xf32>'}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<1x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x1x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{expects equal batches and heads but got '!job.blob<2x5x3x4xf32>' and '!job.blob<2x7x1x4xf32>'}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x1x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x5xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{expects queries and keys with equal numbers of channels but got 4 and 5}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x5xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x8x3x6xf32>) kind predict {
  // expected-error @below {{expects as many values as keys but got 8 and 7}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x8x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x4x3x4xf32>, %v: !job.blob<2x4x3x6xf32>) kind predict {
  // expected-error @below {{expects at least as many keys as queries when causal but got 4 and 5}}
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x4x3x4xf32>, !job.blob<2x4x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{expects a scale that is finite in 'f32' but got 1.000000e+39}}
  %y, %l = job.attention %q, %k, %v {scale = 1.0e+39 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf64>, %k: !job.blob<2x7x3x4xf64>, %v: !job.blob<2x7x3x6xf64>) kind predict {
  // expected-error @below {{expects a scale that is finite in 'f64' but got INF}}
  %y, %l = job.attention %q, %k, %v {scale = 0x7FF0000000000000 : f64} : !job.blob<2x5x3x4xf64>, !job.blob<2x7x3x4xf64>, !job.blob<2x7x3x6xf64>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xi32>, %k: !job.blob<2x7x3x4xi32>, %v: !job.blob<2x7x3x6xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<2x5x3x4xi32>'}}
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x5x3x4xi32>, !job.blob<2x7x3x4xi32>, !job.blob<2x7x3x6xi32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>, %y: !job.blob<2x5x3x4xf32>, %l: !job.blob<2x3x5xf32>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects a result of type '!job.blob<2x5x3x6xf32>' but got '!job.blob<2x5x3x4xf32>'}}
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>, !job.blob<2x3x5xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>, %y: !job.blob<2x5x3x6xf32>, %l: !job.blob<2x5x3xf32>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects logsumexp of type '!job.blob<2x3x5xf32>' but got '!job.blob<2x5x3xf32>'}}
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x5x3x6xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>, !job.blob<2x5x3xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x5xf32>, %v: !job.blob<2x7x3x6xf32>, %y: !job.blob<2x5x3x6xf32>, %l: !job.blob<2x3x5xf32>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects queries and keys with equal numbers of channels but got 4 and 5}}
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x5x3x6xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x5xf32>, !job.blob<2x7x3x6xf32>, !job.blob<2x3x5xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xbf16>, %l: !job.blob<2x3x5xbf16>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects logsumexp of type '!job.blob<2x3x5xf32>' but got '!job.blob<2x3x5xbf16>'}}
  %dq, %dk, %dv = job.attention_grad %q, %q, %q, %q, %q, %l {scale = 0.5 : f64} : !job.blob<2x5x3x4xbf16>, !job.blob<2x5x3x4xbf16>, !job.blob<2x5x3x4xbf16>, !job.blob<2x5x3x4xbf16>, !job.blob<2x3x5xbf16>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects numbers of heads of 3 operands but got 2}}
  %y, %l = job.attention %q, %k, %v {heads_before = array<i64: 0, 0>, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects numbers of heads of 3 operands but got 4}}
  %y, %l = job.attention %q, %k, %v {heads_after = array<i64: 0, 0, 0, 0>, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects numbers of heads that are not negative but got -1}}
  %y, %l = job.attention %q, %k, %v {heads_before = array<i64: 0, -1, 0>, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects heads between the first 1 and the last 2 of '!job.blob<2x7x3x4xf32>' but got none}}
  %y, %l = job.attention %q, %k, %v {heads_before = array<i64: 0, 1, 0>, heads_after = array<i64: 0, 2, 0>, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects heads between the first 9223372036854775807 and the last 0 of '!job.blob<2x7x3x6xf32>' but got none}}
  %y, %l = job.attention %q, %k, %v {heads_before = array<i64: 0, 0, 9223372036854775807>, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>) kind predict {
  // expected-error @below {{'job.attention' op expects equal batches and heads but got '!job.blob<2x5x3x4xf32>' and '!job.blob<2x7x3x4xf32>', of which 3 and 2 heads are read}}
  %y, %l = job.attention %q, %k, %v {heads_before = array<i64: 0, 1, 0>, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %y: !job.blob<2x5x3x4xf32>, %l: !job.blob<2x3x5xf32>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects as many keys as queries for one blob of the gradients of both but got 7 and 5}}
  %dqk, %dv = job.attention_grad %y, %q, %k, %k, %y, %l {join_query_key = true, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x3x5xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>, %v: !job.blob<2x7x3x6xf32>, %y: !job.blob<2x5x3x6xf32>, %l: !job.blob<2x3x5xf32>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects keys and values with equal numbers of channels for one blob of the gradients of both but got 4 and 6}}
  %dq, %dkv = job.attention_grad %y, %q, %k, %v, %y, %l {join_key_value = true, scale = 0.5 : f64} : !job.blob<2x5x3x6xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>, !job.blob<2x3x5xf32>
  job.return
}

// -----

job.func @f(%q: !job.blob<2x5x3x4xf32>, %y: !job.blob<2x5x2x4xf32>, %l: !job.blob<2x3x5xf32>) kind predict {
  // expected-error @below {{'job.attention_grad' op expects logsumexp of type '!job.blob<2x2x5xf32>' but got '!job.blob<2x3x5xf32>'}}
  %dq, %dk, %dv = job.attention_grad %y, %q, %q, %q, %y, %l {heads_before = array<i64: 1, 0, 1>, heads_after = array<i64: 0, 1, 0>, scale = 0.5 : f64} : !job.blob<2x5x2x4xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x3x5xf32>
  job.return
}
