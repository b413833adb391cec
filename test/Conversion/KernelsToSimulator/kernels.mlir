// Kernels of CUDA as functions that the simulated CUDA runs: each access, barrier
// and shuffle is a call with the number of its site; parameters, special registers
// and shared memory come from the launch.

// RUN: job-opt %s --pass-pipeline='builtin.module(gpu.module(job-simulate-cuda-kernels))' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=NONE < %t.mlir

// NONE-NOT: {{ = nvvm|nvvm\.barrier}}
// NONE-NOT: !llvm.ptr<3>

gpu.module @cuda_kernels {
  llvm.mlir.global internal @first() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<3 x f32>
  llvm.mlir.global internal @second() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>

  // CHECK-LABEL: llvm.func @reduce(
  // CHECK-SAME: %[[THREAD:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr) {
  // CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[THREAD]][0, 0]
  // CHECK: %[[FUNCTIONS:.*]] = llvm.load %[[FIELD]]
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[PARAMS]][0]
  // CHECK: %[[PARAM:.*]] = llvm.load %[[PLACE]]
  // CHECK: %[[X:.*]] = llvm.load %[[PARAM]] : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[PARAMS]][1]
  // CHECK: %[[PARAM:.*]] = llvm.load %[[PLACE]]
  // CHECK: %[[SCALE:.*]] = llvm.load %[[PARAM]] : !llvm.ptr -> f32
  llvm.func @reduce(%x: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}, %scale: f32)
      attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    // thread_id is the field after the functions and the shared memory.
    // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[THREAD]][0, 2, 0]
    // CHECK: %[[ID:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> i32
    %id = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: llvm.getelementptr %[[THREAD]][0, 4, 0]
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    // CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %[[X]][%[[ID]]]
    %address = llvm.getelementptr %x[%id] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xf32>
    // 16 bytes, aligned to 8, a read; site 0.
    // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK: %[[ALIGN:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK: %[[FLAGS:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[SITE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[FUNCTIONS]][0, 0]
    // CHECK: %[[ACCESS:.*]] = llvm.load %[[PLACE]]
    // CHECK: llvm.call %[[ACCESS]](%[[THREAD]], %[[ADDRESS]], %[[BYTES]], %[[ALIGN]], %[[FLAGS]], %[[SITE]])
    // CHECK: llvm.load %[[ADDRESS]] {alignment = 8 : i64} : !llvm.ptr -> vector<4xf32>
    %v = llvm.load %address {alignment = 8 : i64} : !llvm.ptr -> vector<4xf32>
    %e = llvm.extractelement %v[%c0 : i32] : vector<4xf32>
    // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : f32 to i32
    // CHECK: llvm.getelementptr %[[FUNCTIONS]][0, 2]
    // CHECK: %[[OTHER:.*]] = llvm.call %{{.*}}(%[[THREAD]], %{{.*}}, %{{.*}}, %[[BITS]], %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr
    // CHECK: %[[OTHER_FLOAT:.*]] = llvm.bitcast %[[OTHER]] : i32 to f32
    %pair = nvvm.shfl.sync bfly %all, %e, %c1, %clamp {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    %o = llvm.extractvalue %pair[0] : !llvm.struct<(f32, i1)>
    // CHECK: llvm.fadd %{{.*}}, %[[OTHER_FLOAT]]
    %sum = llvm.fadd %e, %o : f32
    // The second global is aligned behind the first one.
    // CHECK: llvm.getelementptr %{{.*}}[0] : (!llvm.ptr) -> !llvm.ptr, i8
    %first = llvm.mlir.addressof @first : !llvm.ptr<3>
    // CHECK: %[[SECOND:.*]] = llvm.getelementptr %{{.*}}[16] : (!llvm.ptr) -> !llvm.ptr, i8
    %second = llvm.mlir.addressof @second : !llvm.ptr<3>
    // A write of shared memory.
    // CHECK: llvm.mlir.constant(5 : i32)
    // CHECK: llvm.call
    // CHECK: llvm.store %{{.*}}, %[[SECOND]] : f32, !llvm.ptr
    llvm.store %sum, %second : f32, !llvm.ptr<3>
    // CHECK: llvm.store
    llvm.store %sum, %first : f32, !llvm.ptr<3>
    // CHECK: %[[SITE:.*]] = llvm.mlir.constant(4 : i32)
    // CHECK: llvm.getelementptr %[[FUNCTIONS]][0, 1]
    // CHECK: llvm.call %{{.*}}(%[[THREAD]], %[[SITE]])
    nvvm.barrier0
    // CHECK-NOT: addrspacecast
    %generic = llvm.addrspacecast %second : !llvm.ptr<3> to !llvm.ptr
    // CHECK: llvm.atomicrmw
    %old = llvm.atomicrmw add %x, %c1 monotonic : !llvm.ptr, i32
    // What is the thread's own is not checked.
    // CHECK: %[[OWN:.*]] = llvm.alloca
    // CHECK-NEXT: llvm.store %{{.*}}, %[[OWN]]
    %own = llvm.alloca %c1 x f32 : (i32) -> !llvm.ptr
    llvm.store %scale, %own : f32, !llvm.ptr
    llvm.return
  }

  // One check for each lane, of no bytes where the mask is off.
  // CHECK-LABEL: llvm.func @tail(
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK: %[[ON:.*]] = llvm.extractelement %[[MASK:.*]][%{{.*}} : i32] : vector<2xi1>
  // CHECK: llvm.select %[[ON]], %[[BYTES]], %[[ZERO]]
  // CHECK: llvm.call
  // CHECK: %[[ON:.*]] = llvm.extractelement %[[MASK]]
  // CHECK: llvm.select %[[ON]], %[[BYTES]], %[[ZERO]]
  // CHECK: llvm.call
  // CHECK: llvm.intr.masked.store
  llvm.func @tail(%x: !llvm.ptr, %value: vector<2xf32>, %mask: vector<2xi1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 2, 1>} {
    llvm.intr.masked.store %value, %x, %mask {alignment = 8 : i32} : vector<2xf32>, vector<2xi1> into !llvm.ptr
    llvm.return
  }
}

// CHECK: llvm.mlir.global private constant @jobsim_module_name_0("reduce\00")
// CHECK: llvm.mlir.global private constant @jobsim_module_params_0()
// CHECK: llvm.mlir.constant(8 : i32)
// CHECK: llvm.mlir.constant(4 : i32)
// CHECK: llvm.mlir.global private constant @jobsim_module_kernels()
// Two parameters, 64 threads, 144 bytes of shared memory.
// CHECK: llvm.mlir.addressof @reduce
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.constant(64 : i32)
// CHECK: llvm.mlir.constant(144 : i32)
// CHECK: llvm.mlir.addressof @tail
// CHECK: llvm.mlir.constant(3 : i32)
// CHECK: llvm.mlir.constant(64 : i32)
// CHECK: llvm.mlir.global external constant @jobsim_module()
