// Kernels for CUDA in the NVVM dialect: bare pointers, scalars, the number of the
// block, shuffles, barriers and shared memory; no call of a library.

// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan.executable(plan-generate-code),job-lower-cuda-kernels)' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=NONE < %t.mlir
// The text can be read again.
// RUN: job-opt %t.mlir | FileCheck %s

// NONE-NOT: __nv_
// NONE-NOT: func.func @cuda_code
// NONE-NOT: func.func @body

plan.device @gpu0 kind(cuda) queues(1)

#id1 = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: plan.executable @scale {
// CHECK: plan.variant @cuda {{.*}} chunks(2) function(@cuda_kernels::@scale)
plan.executable @scale {
  func.func @body(%x: tensor<2048xf32>, %y: tensor<2048xf32>, %s: f32) -> tensor<2048xf32> {
    %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
        ins(%x : tensor<2048xf32>) outs(%y : tensor<2048xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      %2 = arith.mulf %1, %s : f32
      linalg.yield %2 : f32
    } -> tensor<2048xf32>
    return %0 : tensor<2048xf32>
  }
}

// Softmax: what each thread writes in one pass, it reads in the next one.
plan.executable @softmax {
  func.func @body(%x: tensor<64x50000xf32>, %y: tensor<64x50000xf32>) -> tensor<64x50000xf32> {
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %m0 = linalg.fill ins(%ninf : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %m = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x50000xf32>) outs(%m0 : tensor<64xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %r = arith.maximumf %acc, %a : f32
      linalg.yield %r : f32
    } -> tensor<64xf32>
    %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %s = linalg.generic {indexing_maps = [#id2, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %m : tensor<64x50000xf32>, tensor<64xf32>) outs(%s0 : tensor<64xf32>) {
    ^bb0(%a: f32, %mm: f32, %acc: f32):
      %d = arith.subf %a, %mm : f32
      %r = arith.addf %acc, %d : f32
      linalg.yield %r : f32
    } -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #row, #row, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x, %m, %s : tensor<64x50000xf32>, tensor<64xf32>, tensor<64xf32>) outs(%y : tensor<64x50000xf32>) {
    ^bb0(%a: f32, %mm: f32, %ss: f32, %o: f32):
      %d = arith.subf %a, %mm : f32
      %r = arith.divf %d, %ss : f32
      linalg.yield %r : f32
    } -> tensor<64x50000xf32>
    return %0 : tensor<64x50000xf32>
  }
}

// Items on memrefs: each thread has some.
plan.executable @items {
  func.func @body(%x: memref<300xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c300 = arith.constant 300 : index
    scf.parallel (%i) = (%c0) to (%c300) step (%c1) {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %x[%i] : memref<300xi32>
    }
    return
  }
}

// CHECK: gpu.module @cuda_kernels {

// CHECK-LABEL: llvm.func @scale(
// CHECK-SAME: %arg0: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias},
// CHECK-SAME: %arg1: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}, %arg2: f32)
// CHECK-SAME: nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.x
// CHECK-DAG: nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.intr.sqrt
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr

// CHECK: llvm.mlir.global internal @{{.*}}() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
// CHECK-LABEL: llvm.func @softmax(
// CHECK: nvvm.maxntid = array<i32: 1024, 1, 1>
// CHECK: llvm.intr.maximum
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-32: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// The maxima are read before the sums take their place.
// CHECK: nvvm.barrier0
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.fdiv
// CHECK: llvm.return

// CHECK-LABEL: llvm.func @items(
// CHECK: llvm.store {{.*}} : i32, !llvm.ptr
