// Two queues need more memory, or a workspace for each: a program that may not
// have it, and the queues of its device, stay as they are.
// RUN: job-opt %s --plan-assign-queues=growth=8388607 --explain=kernels -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXPLAINED
// RUN: job-opt %s -o %t.same
// RUN: diff %t %t.same
// RUN: job-opt %s --plan-assign-queues=growth=8388608 --explain=kernels 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GROWN
// RUN: not job-opt %s --plan-assign-queues=growth=-1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE

// EXPLAINED: kernels: arena: does not run 1 of 5 commands on a second queue: an estimate of 18.2 microseconds in place of 22.2, for 8,388,608 bytes more
// EXPLAINED: kernels: workspaces: does not run 1 of 3 commands on a second queue: an estimate of 10.1 microseconds in place of 12.1, for 12,582,912 bytes more
// GROWN: kernels: arena: runs 1 of 5
// GROWN: kernels: workspaces: does not run
// GROWN: plan.device @gpu0 kind(cuda) queues(2)
// NEGATIVE: error: expects a growth of 0 bytes or more but got -1

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#workspace = #plan.space<workspace>
#cpu0_arena = #plan.space<@cpu0, arena>

plan.device @gpu0 kind(cuda) queues(1)
plan.device @cpu0 kind(host) queues(1)
plan.variable @w : memref<1048576xf32, #variables>

plan.executable @add {
  func.func @body(%x: tensor<1048576xf32>, %y: tensor<1048576xf32>, %z: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<1048576xf32>, tensor<1048576xf32>) outs(%z : tensor<1048576xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<1048576xf32>
    return %0 : tensor<1048576xf32>
  }
}

plan.program @arena kind train {
  %w = plan.get_variable @w : memref<1048576xf32, #variables>
  %x = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  %z = plan.alloc : memref<1048576xf32, #arena>
  plan.dispatch @add ins(%x, %w : memref<1048576xf32, #arena>, memref<1048576xf32, #variables>) outs(%z : memref<1048576xf32, #arena>)
  %a = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %x to %a : memref<1048576xf32, #arena> to memref<1048576xf32, #arena>
  %b = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %a to %b : memref<1048576xf32, #arena> to memref<1048576xf32, #arena>
  %v = plan.get_variable @w : memref<1048576xf32, #variables>
  plan.copy %b to %v : memref<1048576xf32, #arena> to memref<1048576xf32, #variables>
  plan.return
}

plan.program @workspaces kind predict {
  %x = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  %a = plan.alloc : memref<1048576xf32, #arena>
  %b = plan.alloc : memref<1048576xf32, #arena>
  %v = plan.workspace : memref<8388608xi8, #workspace>
  %w = plan.workspace : memref<8388608xi8, #workspace>
  plan.call #plan.cublaslt.matmul<m = 1024, n = 1024, k = 1024, workspace = 8388608> ins(%x, %x : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%a : memref<1048576xf32, #arena>) workspace(%v : memref<8388608xi8, #workspace>)
  plan.call #plan.cublaslt.matmul<m = 1024, n = 1024, k = 1024, workspace = 8388608> ins(%x, %x : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%b : memref<1048576xf32, #arena>) workspace(%w : memref<8388608xi8, #workspace>)
  plan.return
}

plan.program @host kind train {
  %x = plan.alloc : memref<1048576xf32, #cpu0_arena>
  plan.fill %x with 1 queue(1) : memref<1048576xf32, #cpu0_arena>
  plan.return
}
