// RUN: job-opt %s --split-input-file --verify-diagnostics

// expected-error@below {{expects job.placement of argument 1 to be a #job.placement but got "0:0"}}
job.func @f(%x: !job.blob<4xf32>, %y: !job.blob<4xf32> {job.placement = "0:0"}) kind predict { job.return }

// -----

// expected-error@below {{expects job.sharding of result 0 to be a #job.sharding but got 0}}
job.func @f(%x: !job.blob<4xf32>) -> (!job.blob<4xf32> {job.sharding = 0 : i64}) kind predict {
  job.return %x : !job.blob<4xf32>
}

// -----

// S2
// expected-error@below {{argument 0 expects a sharding to split a dimension below the rank of '!job.blob<4x4xf32>' but got S(2)}}
job.func @f(%x: !job.blob<4x4xf32> {job.sharding = #job.sharding<[B, S(2)]>}) kind predict { job.return }

// -----

// S2
// expected-error@below {{expects a sharding to split a dimension below the rank of '!job.blob<4xf32>' but got S(1)}}
job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0> {sharding = #job.sharding<[S(1)]>}

// -----

// S3
// expected-error@below {{result 0 expects a partial sum (P) to be of numbers but got '!job.blob<4xi1>'}}
job.func @f(%x: !job.blob<4xi1>) -> (!job.blob<4xi1> {job.sharding = #job.sharding<[P]>}) kind predict {
  job.return %x : !job.blob<4xi1>
}

// -----

// S3
// expected-error@below {{expects a variable to be split or broadcast but got a partial sum (P)}}
job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0> {sharding = #job.sharding<[B, P]>}

// -----

// S4
// expected-error@below {{argument 0 expects machines with equally many devices for two mesh axes but got 4 and 2}}
job.func @f(%x: !job.blob<8xf32> {job.sharding = #job.sharding<[B, S(0)]>})
    kind predict attributes {placement = #job.placement<gpu, "0:0-1,1:0-1,0:2-3">} { job.return }

// -----

// S5: the placement of the argument, not that of the job.
// expected-error@below {{argument 0 expects dimension 1 of '!job.blob<8x3xf32>' to have an element for each part but got 1 x 4 parts}}
job.func @f(%x: !job.blob<8x3xf32> {job.placement = #job.placement<gpu, "0:0-3">, job.sharding = #job.sharding<[S(1)]>})
    kind predict attributes {placement = #job.placement<gpu, "0:0">} { job.return }

// -----

// S5: both axes split one dimension.
// expected-error@below {{expects dimension 0 of '!job.blob<7xf32>' to have an element for each part but got 2 x 4 parts}}
job.variable @w : !job.blob<7xf32> init #job.constant_init<0.0> {placement = #job.placement<gpu, "0:0-3,1:0-3">, sharding = #job.sharding<[S(0), S(0)]>}

// -----

// S5: all devices that there can be.
// expected-error@below {{to have an element for each part but got 1 x 8589934592 parts}}
job.variable @w : !job.blob<7xf32> init #job.constant_init<0.0> {placement = #job.placement<gpu, "0:0-4294967295,1:0-4294967295">, sharding = #job.sharding<[S(0)]>}
