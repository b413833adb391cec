// A body that is a loop over items: its schedule, and its code for the CPU.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan.executable(plan-generate-code))' | FileCheck %s

// 100 items of 1000 operations are worth 6 chunks: 17 items each, the last one 15.
// CHECK-LABEL: plan.executable @scatter
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 17], interleave = 1, accumulate = 128>) chunks(6) function(@cpu_code)
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<100x10xf32>, %[[Y:.*]]: memref<1000xf32>, %[[CHUNK:.*]]: index)
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[Y]]
// CHECK: %[[SIZE:.*]] = arith.constant 17
// CHECK: %[[BEGIN:.*]] = arith.muli %[[CHUNK]], %[[SIZE]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[BEGIN]], %[[SIZE]]
// CHECK: %[[END:.*]] = arith.minui %[[NEXT]]
// CHECK: scf.for %[[ITEM:.*]] = %[[BEGIN]] to %[[END]]
// CHECK-NEXT: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %[[X]][%[[ITEM]], %[[I]]]
// CHECK-NEXT: memref.store %[[VALUE]], %[[VIEW]][%[[ITEM]], %[[I]]]
plan.executable @scatter {
  func.func @body(%x: memref<100x10xf32>, %y: memref<1000xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %c100 = arith.constant 100 : index
    %view = memref.reinterpret_cast %y to offset: [0], sizes: [100, 10], strides: [10, 1] : memref<1000xf32> to memref<100x10xf32>
    scf.parallel (%item) = (%c0) to (%c100) step (%c1) {
      scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
        %0 = memref.load %x[%item, %i] : memref<100x10xf32>
        memref.store %0, %view[%item, %i] : memref<100x10xf32>
      }
    } {plan.operations = 1000 : i64}
    return
  }
}

// Without a number of operations an item is one; a schedule in the text is kept.
// CHECK-LABEL: plan.executable @one
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<interleave = 1, accumulate = 128>) chunks(1)
// CHECK: func.func @cpu_code
// CHECK: %true
// CHECK-NEXT: %[[BEGIN:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[END:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[STEP:.*]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %[[STEP]]
// CHECK-LABEL: plan.executable @kept
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 2], interleave = 1, accumulate = 128>) chunks(2) function(@cpu_code)
plan.executable @one {
  func.func @body(%x: memref<4xi1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    scf.parallel (%item) = (%c0) to (%c4) step (%c1) {
      memref.store %true, %x[%item] : memref<4xi1>
    }
    return
  }
}
plan.executable @kept {
  func.func @body(%x: memref<4xi1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %true = arith.constant true
    scf.parallel (%item) = (%c0) to (%c4) step (%c1) {
      memref.store %true, %x[%item] : memref<4xi1>
    }
    return
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 2]>)
}

// Checks keep the largest status word of the chunk, one of each shape.
// CHECK-LABEL: plan.executable @checked
// CHECK: func.func @cpu_code({{.*}}, %[[STATUS:.*]]: memref<64xi32>, %[[CHUNK:.*]]: index)
// CHECK-DAG: %[[WORD:.*]] = memref.alloca() : memref<i32>
// CHECK-DAG: %[[WORDS:.*]] = memref.alloca() : memref<vector<8xi32>>
// CHECK: scf.for
// CHECK: %[[BEFORE:.*]] = memref.load %[[WORD]][] : memref<i32>
// CHECK: %[[LARGEST:.*]] = arith.maxsi %[[BEFORE]],
// CHECK: memref.store %[[LARGEST]], %[[WORD]][] : memref<i32>
// CHECK: memref.store %{{.*}}, %[[WORDS]][] : memref<vector<8xi32>>
// CHECK: vector.reduction <maxsi>, %{{.*}} : vector<8xi32> into i32
// CHECK: memref.store %{{.*}}, %[[WORD]][] : memref<i32>
// CHECK-NEXT: %[[FOUND:.*]] = memref.load %[[WORD]][] : memref<i32>
// CHECK-NEXT: memref.store %[[FOUND]], %[[STATUS]][%[[CHUNK]]] : memref<64xi32>
plan.executable @checked {
  func.func @body(%x: memref<4xf32>, %y: memref<8xf32>, %status: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      plan.check %0 number 0 of 1 : f32
      memref.store %0, %x[%i] : memref<4xf32>
      %1 = vector.load %y[%c0] : memref<8xf32>, vector<8xf32>
      plan.check %1 number 0 of 1 : vector<8xf32>
    }
    return
  }
}
