// Beside the code for each GPU, a shared library for the simulated CUDA.

// RUN: job-opt %s --gpu-module-to-binary=format=isa | FileCheck %s

// CHECK: gpu.binary @cuda_kernels [
// CHECK-SAME: #gpu.object<#nvvm.target<chip = "sm_90">
// CHECK-SAME: .visible .entry scale(
// CHECK-SAME: #gpu.object<#plan.simulated_cuda<cpu = "x86-64">, bin = "\7FELF

gpu.module @cuda_kernels [#nvvm.target<chip = "sm_90">, #plan.simulated_cuda<cpu = "x86-64">] {
  llvm.func @scale(%x: !llvm.ptr, %s: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %id = nvvm.read.ptx.sreg.tid.x : i32
    %place = llvm.getelementptr %x[%id] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %place : !llvm.ptr -> f32
    %b = llvm.fmul %a, %s : f32
    llvm.store %b, %place : f32, !llvm.ptr
    llvm.return
  }

  // Its conversion is a call on processors without an instruction for it.
  llvm.func @narrow(%x: !llvm.ptr, %s: f32) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %a = llvm.fptrunc %s : f32 to bf16
    llvm.store %a, %x : bf16, !llvm.ptr
    llvm.return
  }
}
