// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @random(
// CHECK-SAME:    %[[SEED:[^ ]*]]: !job.blob<1xi64>, %[[STEP:[^ ]*]]: !job.blob<1xi64>, %[[X:[^ ]*]]: !job.blob<2x6xf32>)
job.func @random(%seed: !job.blob<1xi64>, %step: !job.blob<1xi64>, %x: !job.blob<2x6xf32>) kind predict {
  // CHECK-NEXT: job.random_uniform %[[SEED]], %[[STEP]] {id = 4294967295 : i64} : <2x6xf64>
  %0 = job.random_uniform %seed, %step {id = 4294967295 : i64} : !job.blob<2x6xf64>
  // CHECK-NEXT: job.dropout %[[X]], %[[STEP]] {id = 1 : i64, rate = 2.500000e-01 : f64, seed = -7 : i64} : <2x6xf32>
  %1 = job.dropout %x, %step {rate = 0.25, seed = -7 : i64, id = 1 : i64} : !job.blob<2x6xf32>
  // CHECK-NEXT: job.dropout %[[X]], %[[STEP]] {id = 0 : i64, rate = 0.000000e+00 : f64, seed = 0 : i64} : <2x6xf32>
  %2 = job.dropout %x, %step {rate = 0.0, seed = 0 : i64, id = 0 : i64} : !job.blob<2x6xf32>
  // CHECK-NEXT: job.random_uniform %[[SEED]], %[[STEP]] {id = 0 : i64, shard = #job.shard<[4, 0] of [10, 6]>} : <6x6xf32>
  %3 = job.random_uniform %seed, %step {id = 0 : i64, shard = #job.shard<[4, 0] of [10, 6]>} : !job.blob<6x6xf32>
  // CHECK-NEXT: job.dropout %[[X]], %[[STEP]] {id = 2 : i64, rate = 5.000000e-01 : f64, seed = 0 : i64, shard = #job.shard<[0, 65530] of [65536, 65536]>} : <2x6xf32>
  %4 = job.dropout %x, %step {rate = 0.5, seed = 0 : i64, id = 2 : i64, shard = #job.shard<[0, 65530] of [65536, 65536]>} : !job.blob<2x6xf32>
  job.return
}
