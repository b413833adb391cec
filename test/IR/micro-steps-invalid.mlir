// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<10x3xf32>) kind predict {
  // expected-error @below {{expects dimension 0 to be a multiple of 4 but got 10}}
  %0 = job.unpack %x {count = 4 : i64} : !job.blob<10x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<10x3xf32>) kind predict {
  // expected-error @below {{attribute 'count' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 2 whose maximum value is 65536}}
  %0 = job.broadcast_micro_steps %x {count = 1 : i64} : !job.blob<10x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<10x3xf32>) kind predict {
  // expected-error @below {{attribute 'count' failed to satisfy constraint}}
  %0 = job.pack %x {count = 65537 : i64} : !job.blob<10x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<70368744177664xi32>) kind predict {
  // expected-error @below {{'job.pack' op}}
  %0 = job.pack %x {count = 65536 : i64} : !job.blob<70368744177664xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<10xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<10xi1>'}}
  %0 = job.acc %x {count = 2 : i64} : !job.blob<10xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<5xf32>) kind predict {
  // expected-error @below {{expects rows and packed results whose dimension 0 is a multiple of 2 but got '!job.blob<5xf32>'}}
  job.micro_steps count(2) rows(%x : !job.blob<5xf32>) {
  ^bb0(%part: !job.blob<2xf32>):
    job.yield
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects the region's arguments to be the parts of the rows, the shared blobs and the sums, '!job.blob<2xf32>', but got '!job.blob<4xf32>'}}
  job.micro_steps count(2) rows(%x : !job.blob<4xf32>) {
  ^bb0(%part: !job.blob<4xf32>):
    job.yield
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects job.yield to have the sums and the parts of the packed results, '!job.blob<2xf32>', but got '!job.blob<4xf32>'}}
  %0 = job.micro_steps count(2) shared(%x : !job.blob<4xf32>) packed(!job.blob<4xf32>) {
  ^bb0(%all: !job.blob<4xf32>):
    job.yield %all : !job.blob<4xf32>
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects the region to end in job.yield but got job.neg}}
  job.micro_steps count(2) shared(%x : !job.blob<4xf32>) {
  ^bb0(%all: !job.blob<4xf32>):
    %0 = job.neg %all : !job.blob<4xf32>
  }
  job.return
}
