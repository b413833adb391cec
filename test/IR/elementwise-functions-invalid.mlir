// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.tan %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.acos %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.asin %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.atan %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.cosh %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.sinh %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.acosh %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.asinh %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.atanh %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.erfc %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.lgamma %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.digamma %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.atan2 %x, %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.floor_div %x, %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.mod %x, %x : !job.blob<4xi1>
  job.return
}
