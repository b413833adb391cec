// RUN: job-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects a blob with at least one dimension but got none (a scalar has the shape 1)}}
job.func @f(%0: !job.blob<f32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects positive extents but got 0 in dimension 1}}
job.func @f(%0: !job.blob<2x0xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a bound, as in '?<=100>', but got none}}
job.func @f(%0: !job.blob<?x4xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expected integer value}}
job.func @f(%0: !job.blob<?<=f32>x4xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a bound, as in '?<=100>', but got none}}
job.func @f(%0: !job.blob<?<100>xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a bound, as in '?<=100>', but got none}}
job.func @f(%0: !job.blob<4x?xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects one bounded dimension but got another after dimension 0}}
job.func @f(%0: !job.blob<?<=4>x?<=3>xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects one bounded dimension but got another after dimension 1}}
job.func @f(%0: !job.blob<4x?<=3>x2x?<=3>xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a positive bound but got 0}}
job.func @f(%0: !job.blob<4x?<=0>xf32>) kind predict { job.return }

// -----

// Not a hexadecimal number.
// expected-error @+1 {{expects positive extents but got 0 in dimension 0}}
job.func @f(%0: !job.blob<0x3xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a bound, as in '?<=100>', but got none}}
job.func @f(%0: !job.blob<?<=4>x?xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a positive bound but got 0}}
job.func @f(%0: !job.blob<?<=0>x4xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects a positive bound but got -4}}
job.func @f(%0: !job.blob<?<=-4>xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expected 'x' in dimension list}}
job.func @f(%0: !job.blob<?<=4>>) kind predict { job.return }

// -----

// expected-error @+1 {{integer value too large}}
job.func @f(%0: !job.blob<?<=9223372036854775808>xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects positive extents but got 0 in dimension 1}}
job.func @f(%0: !job.blob<?<=4>x0xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects at most 2^59 elements but got more}}
job.func @f(%0: !job.blob<?<=562949953421313>x1024xi8>) kind predict { job.return }

// -----

// expected-error @+1 {{expected integer value}}
job.func @f(%0: !job.blob<?<=?>x4xf32>) kind predict { job.return }

// -----

// expected-error @+1 {{expects at most 2^59 elements but got more}}
job.func @f(%0: !job.blob<1024x562949953421313xi8>) kind predict { job.return }

// -----

// The product of the extents does not fit in 64 bits.
// expected-error @+1 {{expects at most 2^59 elements but got more}}
job.func @f(%0: !job.blob<4294967296x4294967296x2xi8>) kind predict { job.return }

// -----

// expected-error @+1 {{expects an element type of i1, i8, i32, i64, f32, f64, ui8, f16 or bf16 but got 'f8E4M3FN'}}
job.func @f(%0: !job.blob<4xf8E4M3FN>) kind predict { job.return }

// -----

// expected-error @+1 {{expects an element type of i1, i8, i32, i64, f32, f64, ui8, f16 or bf16 but got 'i16'}}
job.func @f(%0: !job.blob<4xi16>) kind predict { job.return }

// -----

// expected-error @+1 {{expects an element type of i1, i8, i32, i64, f32, f64, ui8, f16 or bf16 but got 'ui16'}}
job.func @f(%0: !job.blob<4xui16>) kind predict { job.return }

// -----

// expected-error @+1 {{expects an element type of i1, i8, i32, i64, f32, f64, ui8, f16 or bf16 but got '!job.blob<4xf32>'}}
job.func @f(%0: !job.blob<4x!job.blob<4xf32>>) kind predict { job.return }

// -----

// expected-error @+1 {{unknown  type `bob` in dialect `job`}}
job.func @f(%0: !job.bob<4xf32>) kind predict { job.return }
