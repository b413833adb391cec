// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-DAG: #[[MESH:.*]] = #job.placement<gpu, "0:0-3,1:0-3">
// CHECK-DAG: #[[ROWS:.*]] = #job.sharding<[S(0)]>
// CHECK-DAG: #[[COLUMNS:.*]] = #job.sharding<[B, S(1)]>
// CHECK-DAG: #[[SUM:.*]] = #job.sharding<[P]>

#mesh = #job.placement<gpu, "0:0-3,1:0-3">

// CHECK-LABEL: job.variable @weight
// CHECK-SAME: {placement = #[[MESH]], sharding = #[[COLUMNS]]}
job.variable @weight : !job.blob<10x4xf32> init #job.constant_init<0.0> {placement = #mesh, sharding = #job.sharding<[B, S(1)]>}

// Where no placement is known, the number of devices is not either.
// CHECK-LABEL: job.variable @anywhere
// CHECK-SAME: {sharding = #[[ROWS]]}
job.variable @anywhere : !job.blob<1xf32> init #job.constant_init<0.0> {sharding = #job.sharding<[S(0)]>}

// 8 devices in one row, or 2 machines of 4; parts of one element.
// CHECK-LABEL: job.func @step
// CHECK-SAME: %{{.*}}: !job.blob<8x2xf32> {job.sharding = #[[ROWS]]}
// CHECK-SAME: %{{.*}}: !job.blob<8xi32> {job.placement = #[[MESH]], job.sharding = #job.sharding<[S(0), S(0)]>}
// CHECK-SAME: -> (!job.blob<8x2xf32> {job.sharding = #[[SUM]]})
// CHECK-SAME: attributes {placement = #[[MESH]]}
job.func @step(%x: !job.blob<8x2xf32> {job.sharding = #job.sharding<[S(0)]>},
               %y: !job.blob<8xi32> {job.placement = #mesh, job.sharding = #job.sharding<[S(0), S(0)]>})
    -> (!job.blob<8x2xf32> {job.sharding = #job.sharding<[P]>})
    kind predict attributes {placement = #mesh} {
  job.return %x : !job.blob<8x2xf32>
}
