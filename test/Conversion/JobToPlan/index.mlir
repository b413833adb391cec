// Rows that are read in any order are prefetched.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-decompose,job-form-kernels),convert-job-to-plan,canonicalize,cse)' --mlir-print-local-scope | FileCheck %s

// A row is two cache lines, and 64 of them are 8192 bytes. The last index is
// taken again and again; one that is no row becomes 0.
// CHECK-LABEL: plan.executable @kernel_0 {
// CHECK: func.func @body(%[[TABLE:.*]]: memref<4096x32xf32>, %[[INDICES:.*]]: memref<1000xi32>
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 999 : index
// CHECK-DAG: %[[EXTENT:.*]] = arith.constant 4096 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[ROWS:.*]] = memref.reinterpret_cast %[[TABLE]]
// CHECK-DAG: %[[LIST:.*]] = memref.reinterpret_cast %[[INDICES]]
// CHECK: scf.parallel (%[[PLACE:.*]]) =
// CHECK: %[[AHEAD:.*]] = arith.addi %[[PLACE]], %[[C64]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.minsi %[[AHEAD]], %[[LAST]]
// CHECK-NEXT: %[[LOADED:.*]] = memref.load %[[LIST]][%[[BATCH:.*]], %[[NEXT]]]
// CHECK-NEXT: %[[INDEX:.*]] = arith.index_cast %[[LOADED]]
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDEX]], %[[EXTENT]]
// CHECK-NEXT: %[[ROW:.*]] = arith.select %[[INSIDE]], %[[INDEX]], %[[C0]]
// CHECK-NEXT: memref.prefetch %[[ROWS]][%[[BATCH]], %[[C0]], %[[ROW]], %[[C0]]], read, locality<3>, data
// CHECK-NEXT: memref.prefetch %[[ROWS]][%[[BATCH]], %[[C0]], %[[ROW]], %[[C16]]], read, locality<3>, data
// CHECK-NOT: memref.prefetch
job.func @gather(%x: !job.blob<4096x32xf32>, %i: !job.blob<1000xi32>) -> !job.blob<1000x32xf32> kind predict {
  %y = job.gather %x, %i {axis = 0 : i64} : !job.blob<4096x32xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<1000x32xf32>
}

// A table that a core's cache holds; rows that are longer than 4096 bytes, or
// shorter than a cache line; and rows of one element, which are read as vectors.
// CHECK-LABEL: plan.executable @kernel_1 {
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: plan.executable @kernel_2 {
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: plan.executable @kernel_3 {
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: plan.executable @kernel_4 {
// CHECK-NOT: memref.prefetch
job.func @others(%a: !job.blob<2047x32xf32>, %b: !job.blob<256x1025xf32>, %c: !job.blob<100000xf32>, %d: !job.blob<10000x15xf32>, %i: !job.blob<1000xi32>)
    -> (!job.blob<1000x32xf32>, !job.blob<1000x1025xf32>, !job.blob<1000xf32>, !job.blob<1000x15xf32>) kind predict {
  %0 = job.gather %a, %i {axis = 0 : i64} : !job.blob<2047x32xf32>, !job.blob<1000xi32>
  %1 = job.gather %b, %i {axis = 0 : i64} : !job.blob<256x1025xf32>, !job.blob<1000xi32>
  %2 = job.gather %c, %i {axis = 0 : i64} : !job.blob<100000xf32>, !job.blob<1000xi32>
  %3 = job.gather %d, %i {axis = 0 : i64} : !job.blob<10000x15xf32>, !job.blob<1000xi32>
  job.return %0, %1, %2, %3 : !job.blob<1000x32xf32>, !job.blob<1000x1025xf32>, !job.blob<1000xf32>, !job.blob<1000x15xf32>
}

// Of what is added to rows of a result, the part of the row that a vector
// reads; the last vector has 36 elements of 64 only. The list of places follows
// the ends of the groups.
// CHECK-LABEL: plan.executable @kernel_6 {
// CHECK-DAG: %[[AFTER:.*]] = arith.constant 132 : index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 1099 : index
// CHECK-DAG: %[[COUNT:.*]] = arith.constant 1000 : index
// CHECK-DAG: %[[INNER:.*]] = arith.constant 99 : index
// CHECK: %[[AHEAD:.*]] = arith.addi %{{.*}}, %[[AFTER]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.minsi %[[AHEAD]], %[[LAST]]
// CHECK: arith.cmpi ult, %{{.*}}, %[[COUNT]]
// CHECK: %[[COLUMN:.*]] = arith.minsi %{{.*}}, %[[INNER]]
// CHECK-NEXT: memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %[[COLUMN]]], read, locality<3>, data
// CHECK-COUNT-3: memref.prefetch
job.func @scatter_add(%x: !job.blob<1000x100xf32>, %i: !job.blob<1000xi32>) -> !job.blob<100x100xf32> kind predict {
  %y = job.scatter_add %x, %i {axis = 0 : i64, extent = 100 : i64} : !job.blob<1000x100xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<100x100xf32>
}
