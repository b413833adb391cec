// Indices have 32 bits, and 64 in a kernel that makes indices of 64-bit numbers:
// a number outside of a table stays outside.

// RUN: job-opt %s --job-lower-cuda-kernels | FileCheck %s

// CHECK-LABEL: llvm.func @narrow
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr, i32) -> !llvm.ptr, f32
plan.executable @narrow {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xf32>, %value: f32, %block: index) {
    %thread = gpu.thread_id x
    memref.store %value, %x[%thread] : memref<64xf32>
    return
  }
}

// CHECK-LABEL: llvm.func @wide
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
// CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NOT: prefetch
plan.executable @wide {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xf32>, %at: i64, %value: f32, %block: index) {
    %c64 = arith.constant 64 : index
    %i = arith.index_cast %at : i64 to index
    memref.prefetch %x[%c64], read, locality<3>, data : memref<64xf32>
    %isInside = arith.cmpi ult, %i, %c64 : index
    scf.if %isInside {
      memref.store %value, %x[%i] : memref<64xf32>
    }
    return
  }
}

// A number of a constant needs 64 bits, also one of a vector.

// CHECK-LABEL: llvm.func @wide_scalar
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
plan.executable @wide_scalar {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xf32>, %value: f32, %block: index) {
    %thread = gpu.thread_id x
    %end = arith.constant 3000000000 : index
    %isInside = arith.cmpi ult, %thread, %end : index
    scf.if %isInside {
      memref.store %value, %x[%thread] : memref<64xf32>
    }
    return
  }
}

// CHECK-LABEL: llvm.func @wide_vector
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : vector<2xi64>
plan.executable @wide_vector {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xi8>, %block: index) {
    %thread = gpu.thread_id x
    %ends = arith.constant dense<[16, 3000000000]> : vector<2xindex>
    %threads = vector.broadcast %thread : index to vector<2xindex>
    %areInside = arith.cmpi ult, %threads, %ends : vector<2xindex>
    %isInside = vector.extract %areInside[0] : i1 from vector<2xi1>
    %number = arith.extui %isInside : i1 to i8
    memref.store %number, %x[%thread] : memref<64xi8>
    return
  }
}
