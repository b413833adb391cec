// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @gather(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3x5x4xf32>, %[[I:[^ ]*]]: !job.blob<2x6xi32>, %[[B:[^ ]*]]: !job.blob<2x3xi8>)
job.func @gather(%x: !job.blob<2x3x5x4xf32>, %i: !job.blob<2x6xi32>, %b: !job.blob<2x3xi8>)
    -> (!job.blob<2x6x3x5x4xf32>, !job.blob<2x3x6x4xf32>, !job.blob<2x3x4xf32>) kind predict {
  // CHECK-NEXT: job.gather %[[X]], %[[I]] {axis = 0 : i64} : <2x3x5x4xf32>, <2x6xi32>
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x6xi32>
  // CHECK-NEXT: job.gather %[[X]], %[[I]] {axis = 2 : i64, batch_dims = 1 : i64} : <2x3x5x4xf32>, <2x6xi32>
  %1 = job.gather %x, %i {axis = 2 : i64, batch_dims = 1 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x6xi32>
  // All dimensions of the indices are shared: the dimension goes.
  // CHECK-NEXT: job.gather %[[X]], %[[B]] {axis = 2 : i64, batch_dims = 2 : i64} : <2x3x5x4xf32>, <2x3xi8>
  %2 = job.gather %x, %b {axis = 2 : i64, batch_dims = 2 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x3xi8>
  job.return %0, %1, %2 : !job.blob<2x6x3x5x4xf32>, !job.blob<2x3x6x4xf32>, !job.blob<2x3x4xf32>
}

// Elements of any type, and one of them.
job.func @gather_types(%x: !job.blob<10xi1>, %i: !job.blob<1xi64>) -> !job.blob<1xi1> kind predict {
  // CHECK: job.gather %{{.*}}, %{{.*}} {axis = 0 : i64} : <10xi1>, <1xi64>
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<10xi1>, !job.blob<1xi64>
  job.return %0 : !job.blob<1xi1>
}

// CHECK-LABEL: job.func @scatter_add(
// CHECK-SAME:    %[[U:[^ ]*]]: !job.blob<2x6x4xf64>, %[[I:[^ ]*]]: !job.blob<2x6xi32>, %[[V:[^ ]*]]: !job.blob<2x6xi64>)
job.func @scatter_add(%u: !job.blob<2x6x4xf64>, %i: !job.blob<2x6xi32>, %v: !job.blob<2x6xi64>)
    -> (!job.blob<9x4xf64>, !job.blob<2x9x4xf64>, !job.blob<2x6x9x4xf64>, !job.blob<3xi64>) kind predict {
  // CHECK-NEXT: job.scatter_add %[[U]], %[[I]] {axis = 0 : i64, extent = 9 : i64} : <2x6x4xf64>, <2x6xi32>
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<2x6x4xf64>, !job.blob<2x6xi32>
  // CHECK-NEXT: job.scatter_add %[[U]], %[[I]] {axis = 1 : i64, batch_dims = 1 : i64, extent = 9 : i64} : <2x6x4xf64>, <2x6xi32>
  %1 = job.scatter_add %u, %i {axis = 1 : i64, batch_dims = 1 : i64, extent = 9 : i64} : !job.blob<2x6x4xf64>, !job.blob<2x6xi32>
  // CHECK-NEXT: job.scatter_add %[[U]], %[[I]] {axis = 2 : i64, batch_dims = 2 : i64, extent = 9 : i64} : <2x6x4xf64>, <2x6xi32>
  %2 = job.scatter_add %u, %i {axis = 2 : i64, batch_dims = 2 : i64, extent = 9 : i64} : !job.blob<2x6x4xf64>, !job.blob<2x6xi32>
  // CHECK-NEXT: job.scatter_add %[[V]], %[[I]] {axis = 0 : i64, extent = 3 : i64} : <2x6xi64>, <2x6xi32>
  %3 = job.scatter_add %v, %i {axis = 0 : i64, extent = 3 : i64} : !job.blob<2x6xi64>, !job.blob<2x6xi32>
  job.return %0, %1, %2, %3 : !job.blob<9x4xf64>, !job.blob<2x9x4xf64>, !job.blob<2x6x9x4xf64>, !job.blob<3xi64>
}

// CHECK-LABEL: job.func @groups(
// CHECK-SAME:    %[[I:[^ ]*]]: !job.blob<5x3xi64>, %[[U:[^ ]*]]: !job.blob<5x2x3x4xf32>)
job.func @groups(%i: !job.blob<5x3xi64>, %u: !job.blob<5x2x3x4xf32>) -> !job.blob<5x2x10x4xf32> kind predict {
  // CHECK-NEXT: %[[GROUPS:.*]] = job.group_indices %[[I]] {extent = 10 : i64} : <5x3xi64>
  %0 = job.group_indices %i {extent = 10 : i64} : !job.blob<5x3xi64>
  // CHECK-NEXT: job.sum_groups %[[U]], %[[GROUPS]] {axis = 2 : i64} : <5x2x3x4xf32>, <5x13xi32>
  %1 = job.sum_groups %u, %0 {axis = 2 : i64} : !job.blob<5x2x3x4xf32>, !job.blob<5x13xi32>
  job.return %1 : !job.blob<5x2x10x4xf32>
}

// CHECK-LABEL: job.func @argwhere(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<3x4xf32>, %[[I:[^ ]*]]: !job.blob<5xi1>)
job.func @argwhere(%x: !job.blob<3x4xf32>, %i: !job.blob<5xi1>)
    -> (!job.blob<12x2xi32>, !job.blob<?<=5>x1xi64>, !job.blob<1xi64>) kind predict {
  // CHECK-NEXT: %[[AT:[^ ,]*]], %[[COUNT:[^ ]*]] = job.argwhere %[[X]] as i32 : <3x4xf32>
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // CHECK-NEXT: job.pad_to_static %[[AT]], %[[COUNT]] {value = -1 : i64} : <?<=12>x2xi32>
  %2 = job.pad_to_static %0, %1 {value = -1 : i64} : !job.blob<?<=12>x2xi32>
  // CHECK-NEXT: job.argwhere %[[I]] as i64 : <5xi1>
  %3, %4 = job.argwhere %i as i64 : !job.blob<5xi1>
  // CHECK-NEXT: job.return %{{.*}}, %{{.*}}, %{{.*}} : !job.blob<12x2xi32>, !job.blob<?<=5>x1xi64>, !job.blob<1xi64>
  job.return %2, %3, %4 : !job.blob<12x2xi32>, !job.blob<?<=5>x1xi64>, !job.blob<1xi64>
}

// CHECK-LABEL: job.func @argwhere_blocks(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<100x100xi1>)
job.func @argwhere_blocks(%x: !job.blob<100x100xi1>) kind predict {
  // CHECK-NEXT: %[[COUNTS:.*]] = job.count_nonzero %[[X]] {block_size = 4096 : i64} : <100x100xi1>
  %0 = job.count_nonzero %x {block_size = 4096 : i64} : !job.blob<100x100xi1>
  // CHECK-NEXT: job.argwhere_blocks %[[X]], %[[COUNTS]] as i32 {block_size = 4096 : i64} : <100x100xi1>, <3xi64>
  %1, %2 = job.argwhere_blocks %x, %0 as i32 {block_size = 4096 : i64} : !job.blob<100x100xi1>, !job.blob<3xi64>
  job.return
}

// CHECK-LABEL: job.func @argsort(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>, %[[I:[^ ]*]]: !job.blob<5xui8>)
job.func @argsort(%x: !job.blob<2x6xf32>, %i: !job.blob<5xui8>)
    -> (!job.blob<2x6xi32>, !job.blob<5xi32>, !job.blob<2x6xi32>) kind predict {
  // CHECK-NEXT: %[[ORDER:.*]] = job.argsort %[[X]] : <2x6xf32>
  %0 = job.argsort %x : !job.blob<2x6xf32>
  // CHECK-NEXT: job.argsort %[[I]] descending : <5xui8>
  %1 = job.argsort %i descending : !job.blob<5xui8>
  // CHECK-NEXT: job.merge_runs %[[X]], %[[ORDER]] {run = 8 : i64} : <2x6xf32>, <2x6xi32>
  %2 = job.merge_runs %x, %0 {run = 8 : i64} : !job.blob<2x6xf32>, !job.blob<2x6xi32>
  // CHECK-NEXT: job.merge_runs %[[X]], %[[ORDER]] descending {run = 1 : i64} : <2x6xf32>, <2x6xi32>
  %3 = job.merge_runs %x, %0 descending {run = 1 : i64} : !job.blob<2x6xf32>, !job.blob<2x6xi32>
  job.return %0, %1, %3 : !job.blob<2x6xi32>, !job.blob<5xi32>, !job.blob<2x6xi32>
}

// CHECK-LABEL: job.func @dynamic(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x5xf32>, %[[N:[^ ]*]]: !job.blob<1xi64>)
job.func @dynamic(%x: !job.blob<2x5xf32>, %n: !job.blob<1xi64>)
    -> (!job.blob<2x?<=5>xf32>, !job.blob<2x5xf32>, !job.blob<1xi64>) kind predict {
  // CHECK-NEXT: %[[ROWS:[^ ]*]] = job.slice_to_dynamic %[[X]], %[[N]] {dim = 1 : i64} : <2x5xf32>
  %0 = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<2x5xf32>
  // CHECK-NEXT: job.pad_to_static %[[ROWS]], %[[N]] {value = 5.000000e-01 : f64} : <2x?<=5>xf32>
  %1 = job.pad_to_static %0, %n {value = 0.5 : f64} : !job.blob<2x?<=5>xf32>
  job.return %0, %1, %n : !job.blob<2x?<=5>xf32>, !job.blob<2x5xf32>, !job.blob<1xi64>
}

// CHECK-LABEL: job.func @ordinals(
// CHECK-SAME:    %[[TABLE:[^ ]*]]: !job.blob<10x2xi32>, %[[SIZE:[^ ]*]]: !job.blob<1xi32>, %[[IDS:[^ ]*]]: !job.blob<2x3xi32>)
job.func @ordinals(%table: !job.blob<10x2xi32>, %size: !job.blob<1xi32>, %ids: !job.blob<2x3xi32>)
    -> (!job.blob<2x3xi32>, !job.blob<10x2xi32>) kind predict {
  // CHECK-NEXT: %[[NEW:[^ ]*]] = job.find_new_ids %[[TABLE]], %[[IDS]] : <10x2xi32>, <2x3xi32>
  %0 = job.find_new_ids %table, %ids : !job.blob<10x2xi32>, !job.blob<2x3xi32>
  // CHECK-NEXT: job.lookup_ordinals %[[TABLE]], %[[SIZE]], %[[IDS]], %[[NEW]] : <10x2xi32>, <1xi32>, <2x3xi32>, <16x3xi64>
  %1 = job.lookup_ordinals %table, %size, %ids, %0 : !job.blob<10x2xi32>, !job.blob<1xi32>, !job.blob<2x3xi32>, !job.blob<16x3xi64>
  // CHECK-NEXT: job.insert_ordinals %[[TABLE]], %[[SIZE]], %[[IDS]], %[[NEW]] : <10x2xi32>, <1xi32>, <2x3xi32>, <16x3xi64>
  %2 = job.insert_ordinals %table, %size, %ids, %0 : !job.blob<10x2xi32>, !job.blob<1xi32>, !job.blob<2x3xi32>, !job.blob<16x3xi64>
  job.return %1, %2 : !job.blob<2x3xi32>, !job.blob<10x2xi32>
}
