// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.exp %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.log %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.sqrt %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.rsqrt %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.cos %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.sin %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.tanh %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.sigmoid %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.relu %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.erf_inv %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.erf %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.gelu %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @+2 {{expected one of [none, tanh] for how a gelu is approximated, got: sigmoid}}
  // expected-error @+1 {{failed to parse Job_GeluApproximationAttr parameter 'value'}}
  %0 = job.gelu %x approximate sigmoid : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.gelu_grad %x, %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%grad: !job.blob<4xf32>, %x: !job.blob<5xf32>) kind predict {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "job.gelu_grad"(%grad, %x) : (!job.blob<4xf32>, !job.blob<5xf32>) -> !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.expm1 %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.log1p %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.floor %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.stop_gradient %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.ceil %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.round %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.sign %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of i1 with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.logical_not %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of i1 with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.logical_and %x, %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of i1 with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.logical_or %x, %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.neg %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.abs %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.div %x, %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.pow %x, %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.add %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.sub %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.mul %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.maximum %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.minimum %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %y: !job.blob<5xf32>) kind predict {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "job.add"(%x, %y) : (!job.blob<4xf32>, !job.blob<5xf32>) -> !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "job.neg"(%x) : (!job.blob<4xf32>) -> !job.blob<4xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict { // expected-note {{prior use here}}
  // expected-error @below {{expects different type than prior uses: '!job.blob<5xf32>' vs '!job.blob<4xf32>'}}
  %0 = job.neg %x : !job.blob<5xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expected '<'}}
  %0 = job.neg %x : tensor<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.compare lt %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expected one of [eq, ne, lt, le, gt, ge] for a comparison, got: less}}
  // expected-error @below {{failed to parse Job_ComparePredicateAttr parameter 'value'}}
  %0 = job.compare less %x, %x : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{requires attribute 'predicate'}}
  %0 = "job.compare"(%x, %x) : (!job.blob<4xf32>, !job.blob<4xf32>) -> !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %y: !job.blob<4xf64>) kind predict {
  // expected-error @below {{requires all operands to have the same type}}
  %0 = "job.compare"(%x, %y) <{predicate = #job<predicate lt>}> : (!job.blob<4xf32>, !job.blob<4xf64>) -> !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{requires the same shape for all operands and results}}
  %0 = "job.compare"(%x, %x) <{predicate = #job<predicate lt>}> : (!job.blob<4xf32>, !job.blob<4xf32>) -> !job.blob<5xi1>
  job.return
}

// -----

job.func @f(%c: !job.blob<4xf32>, %x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{operand #0 must be blob of i1 with a static shape, but got '!job.blob<4xf32>'}}
  %0 = job.select %c, %x, %x : !job.blob<4xf32>, !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%c: !job.blob<5xi1>, %x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{requires the same shape for all operands and results}}
  %0 = job.select %c, %x, %x : !job.blob<5xi1>, !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%c: !job.blob<4xi1>, %x: !job.blob<4xf32>, %y: !job.blob<4xf64>) kind predict {
  // expected-error @below {{failed to verify that all of {on_true, on_false, result} have same type}}
  %0 = "job.select"(%c, %x, %y) : (!job.blob<4xi1>, !job.blob<4xf32>, !job.blob<4xf64>) -> !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{requires the same shape for all operands and results}}
  %0 = job.cast %x : !job.blob<4xf32> to !job.blob<5xf32>
  job.return
}
