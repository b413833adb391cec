// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects an id of 32 bits without sign but got -1}}
  %0 = job.random_uniform %s, %s {id = -1 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects an id of 32 bits without sign but got 4294967296}}
  %0 = job.random_uniform %s, %s {id = 4294967296 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects at most 2^32 elements but got 4294967297}}
  %0 = job.random_uniform %s, %s {id = 0 : i64} : !job.blob<4294967297xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{requires attribute 'id'}}
  %0 = job.random_uniform %s, %s : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{result #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.random_uniform %s, %s {id = 0 : i64} : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a rate in [0, 1) but got 1.000000e+00}}
  %0 = job.dropout %x, %s {rate = 1.0, seed = 0 : i64, id = 0 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a rate in [0, 1) but got -5.000000e-01}}
  %0 = job.dropout %x, %s {rate = -0.5, seed = 0 : i64, id = 0 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a rate in [0, 1) but got nan}}
  %0 = job.dropout %x, %s {rate = 0x7FF8000000000000 : f64, seed = 0 : i64, id = 0 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects an id of 32 bits without sign but got -1}}
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = -1 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4294967297xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects at most 2^32 elements but got 4294967297}}
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 0 : i64} : !job.blob<4294967297xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 0 : i64} : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{requires attribute 'seed'}}
  %0 = job.dropout %x, %s {rate = 0.5, id = 0 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<2xi64>) kind predict {
  // expected-error @below {{operand #1 must be !job.blob<1xi64>, but got '!job.blob<2xi64>'}}
  %0 = "job.dropout"(%x, %s) <{rate = 0.5, seed = 0 : i64, id = 0 : i64}> : (!job.blob<4xf32>, !job.blob<2xi64>) -> !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{failed to verify that all of {operand, result} have same type}}
  %0 = "job.dropout"(%x, %s) <{rate = 0.5, seed = 0 : i64, id = 0 : i64}> : (!job.blob<4xf32>, !job.blob<1xi64>) -> !job.blob<5xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %s: !job.blob<2xi64>) kind predict { // expected-note {{prior use here}}
  // expected-error @below {{expects different type than prior uses: '!job.blob<1xi64>' vs '!job.blob<2xi64>'}}
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 0 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a shard of rank 2 to have 2 offsets but got 1}}
  %0 = job.random_uniform %s, %s {id = 0 : i64, shard = #job.shard<[0] of [4, 4]>} : !job.blob<4x4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects the offset of a shard along dimension 1 to be in [0, 4) but got 4}}
  %0 = job.random_uniform %s, %s {id = 0 : i64, shard = #job.shard<[0, 4] of [4, 4]>} : !job.blob<4x4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects the offset of a shard along dimension 0 to be in [0, 4) but got -1}}
  %0 = job.random_uniform %s, %s {id = 0 : i64, shard = #job.shard<[-1] of [4]>} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a shard of a blob of rank 1 but got rank 2}}
  %0 = job.random_uniform %s, %s {id = 0 : i64, shard = #job.shard<[0, 0] of [4, 4]>} : !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a shard of at most 2 elements along dimension 0 but got 3}}
  %0 = job.random_uniform %s, %s {id = 0 : i64, shard = #job.shard<[2] of [4]>} : !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x2xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects at most 2^32 elements but got 4295032832}}
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 0 : i64, shard = #job.shard<[0, 0] of [65536, 65537]>} : !job.blob<2x2xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x2xf32>, %s: !job.blob<1xi64>) kind predict {
  // expected-error @below {{expects a shard of a blob of at most 2^32 elements}}
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 0 : i64, shard = #job.shard<[0, 0] of [4611686018427387904, 4]>} : !job.blob<2x2xf32>
  job.return
}
