// RUN: job-opt %s --plan-assign-queues | FileCheck %s
// RUN: job-opt %s --plan-assign-queues --plan-assign-queues | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-queues,plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' \
// RUN:   | FileCheck %s --check-prefix=PACKED
// RUN: job-opt %s --plan-assign-queues --explain=kernels -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXPLAINED

// RUN: job-opt %s --plan-assign-queues=queues=two | FileCheck %s --check-prefix=TWO
// RUN: job-opt %s --plan-assign-queues=queues=one -o %t.one
// RUN: job-opt %s -o %t.same
// RUN: diff %t.one %t.same
// RUN: not job-opt %s --plan-assign-queues=queues=three 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: error: expects queues auto, one or two but got 'three'

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#workspace = #plan.space<workspace>
#cpu0_arena = #plan.space<@cpu0, arena>

// The GPU gets a second queue: that of the device behind it is the third.
// CHECK: plan.device @gpu0 kind(cuda) queues(2)
// CHECK: plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.device @cpu0 kind(host) queues(1)
plan.variable @w : memref<1048576xf32, #variables>
plan.variable @large : memref<4194304xf32, #variables>

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
plan.executable @clear {
  func.func @body(%v: tensor<4194304xf32>) -> tensor<4194304xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v : tensor<4194304xf32>) {
    ^bb0(%old: f32):
      %c = arith.constant 1.0 : f32
      linalg.yield %c : f32
    } -> tensor<4194304xf32>
    return %0 : tensor<4194304xf32>
  }
}

// What only needs the first fill runs beside the chain of copies. The last copy
// needs the chain, and overwrites the variable that the other queue has read.
// CHECK-LABEL:  plan.program @beside
// CHECK-NEXT:     %[[X:.*]] = plan.alloc : memref<1048576xf32, #arena>
// CHECK-NEXT:     plan.fill %[[X]] with 1 : memref<1048576xf32, #arena>
// CHECK-NEXT:     %[[FILLED:.*]] = plan.record{{$}}
// CHECK-NEXT:     %[[A:.*]] = plan.alloc
// CHECK-NEXT:     plan.copy %[[X]] to %[[A]] : memref
// CHECK-NEXT:     plan.wait %[[FILLED]] queue(1)
// CHECK-DAG:      %[[W:.*]] = plan.get_variable @w
// CHECK-DAG:      %[[Z:.*]] = plan.alloc
// CHECK:          plan.dispatch @add queue(1) ins(%[[X]], %[[W]] : {{.*}}) outs(%[[Z]] :
// CHECK-NEXT:     %[[READ:.*]] = plan.record queue(1)
// CHECK-NEXT:     %[[B:.*]] = plan.alloc
// CHECK-NEXT:     plan.copy %[[A]] to %[[B]] : memref
// CHECK-NEXT:     plan.wait %[[READ]]{{$}}
// CHECK-NEXT:     %[[W2:.*]] = plan.get_variable @w
// CHECK-NEXT:     plan.copy %[[B]] to %[[W2]] : memref
// CHECK-NEXT:     plan.return
// On one queue, %a and %b could take the places of %z and %x.
// PACKED-LABEL: plan.program @beside
// PACKED-SAME:    arena = 16777216
// EXPLAINED: kernels: beside: runs 1 of 5 commands on a second queue: an estimate of 18.2 microseconds in place of 22.2, for 8,388,608 bytes more
plan.program @beside kind train {
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

// A long kernel leaves its launch to run while the chain is launched; the others
// stay.
// CHECK-LABEL:  plan.program @long
// CHECK:          plan.copy
// CHECK-NEXT:     plan.get_variable @large
// CHECK-NEXT:     plan.dispatch @clear queue(1) outs
// CHECK:          plan.copy
// CHECK-NOT:      queue(1)
// CHECK:          plan.dispatch @add ins
// CHECK-NEXT:     plan.dispatch @add joined ins
// CHECK-NEXT:     plan.return
plan.program @long kind train {
  %w = plan.get_variable @w : memref<1048576xf32, #variables>
  %x = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %w to %x : memref<1048576xf32, #variables> to memref<1048576xf32, #arena>
  %a = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %x to %a : memref<1048576xf32, #arena> to memref<1048576xf32, #arena>
  %b = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %a to %b : memref<1048576xf32, #arena> to memref<1048576xf32, #arena>
  %c = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %b to %c : memref<1048576xf32, #arena> to memref<1048576xf32, #arena>
  %d = plan.alloc : memref<1048576xf32, #arena>
  %e = plan.alloc : memref<1048576xf32, #arena>
  %large = plan.get_variable @large : memref<4194304xf32, #variables>
  plan.dispatch @add ins(%c, %c : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%d : memref<1048576xf32, #arena>)
  plan.dispatch @clear joined outs(%large : memref<4194304xf32, #variables>)
  plan.dispatch @add joined ins(%c, %c : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%e : memref<1048576xf32, #arena>)
  plan.return
}

// Each of two calls at once has a workspace.
// PACKED-LABEL: plan.program @workspaces
// PACKED-SAME:    workspace = 1280
// CHECK-LABEL:  plan.program @workspaces
// CHECK:          plan.call {{.*}}queue(1)
plan.program @workspaces kind predict {
  %x = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  %a = plan.alloc : memref<1048576xf32, #arena>
  %b = plan.alloc : memref<1048576xf32, #arena>
  %v = plan.workspace : memref<1024xi8, #workspace>
  %w = plan.workspace : memref<256xi8, #workspace>
  plan.call #plan.cublaslt.matmul<m = 1024, n = 1024, k = 1024, workspace = 1024> ins(%x, %x : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%a : memref<1048576xf32, #arena>) workspace(%v : memref<1024xi8, #workspace>)
  plan.call #plan.cublaslt.matmul<m = 1024, n = 1024, k = 1024, workspace = 256> ins(%x, %x : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%b : memref<1048576xf32, #arena>) workspace(%w : memref<256xi8, #workspace>)
  plan.return
}

// Nothing is gained where each command needs the one before it, beside commands
// that take far longer than their launch, nor by those that take no time but it.
// CHECK-LABEL:  plan.program @chain
// CHECK-NOT:      queue
// CHECK-LABEL:  plan.program @busy
// CHECK-NOT:      queue
// CHECK-LABEL:  plan.program @small
// CHECK-NOT:      queue
// EXPLAINED-NOT: {{chain|busy|small}}
// TWO-LABEL:    plan.program @chain
// TWO-NOT:        queue
// TWO-LABEL:    plan.program @busy
// TWO-LABEL:    plan.program @small
// TWO:            plan.fill {{.*}}queue(1)
// TWO-LABEL:    plan.program @once
plan.program @chain kind train {
  %x = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  %a = plan.alloc : memref<1048576xf32, #arena>
  plan.copy %x to %a : memref<1048576xf32, #arena> to memref<1048576xf32, #arena>
  plan.return
}
plan.program @busy kind train {
  %x = plan.alloc : memref<1000000000xf32, #arena>
  %y = plan.alloc : memref<1000000000xf32, #arena>
  plan.fill %x with 1 : memref<1000000000xf32, #arena>
  plan.fill %y with 1 : memref<1000000000xf32, #arena>
  plan.return
}

plan.program @small kind train {
  %x = plan.alloc : memref<16xf32, #arena>
  %y = plan.alloc : memref<16xf32, #arena>
  plan.fill %x with 1 : memref<16xf32, #arena>
  plan.fill %y with 1 : memref<16xf32, #arena>
  plan.return
}

// An initializer runs once.
// CHECK-LABEL:  plan.program @once
// CHECK-NOT:      queue
plan.program @once kind init {
  %x = plan.alloc : memref<1048576xf32, #arena>
  %y = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  plan.fill %y with 1 : memref<1048576xf32, #arena>
  plan.return
}

// Of checks and iterations the driver knows which command is next.
// CHECK-LABEL:  plan.program @checked
// CHECK-NOT:      queue
// CHECK-LABEL:  plan.program @repeated
// CHECK-NOT:      queue
plan.program @checked kind train {
  %x = plan.alloc : memref<1048576xf32, #arena>
  %y = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 1024, n = 1024, k = 1024> checked ins(%x, %x : memref<1048576xf32, #arena>, memref<1048576xf32, #arena>) outs(%y : memref<1048576xf32, #arena>)
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  plan.return
}
plan.program @repeated kind train {
  %x = plan.alloc : memref<1048576xf32, #arena>
  %y = plan.alloc : memref<1048576xf32, #arena>
  plan.fill %x with 1 : memref<1048576xf32, #arena>
  plan.repeat count(2) {
    plan.fill %y with 1 : memref<1048576xf32, #arena>
  }
  plan.return
}

// A view that no command uses stays behind the buffer.
// TWO-LABEL:    plan.program @view
// TWO:            plan.view
plan.program @view kind train {
  %x = plan.alloc : memref<16xf32, #arena>
  %y = plan.alloc : memref<16xf32, #arena>
  %v = plan.view %y : memref<16xf32, #arena> to memref<4x4xf32, #arena>
  plan.fill %x with 1 : memref<16xf32, #arena>
  plan.fill %y with 1 : memref<16xf32, #arena>
  plan.return
}

// Calls that share a workspace op would share memory.
// TWO-LABEL:    plan.program @one_workspace
// TWO-NOT:        queue
plan.program @one_workspace kind predict {
  %x = plan.alloc : memref<16xf32, #arena>
  plan.fill %x with 1 : memref<16xf32, #arena>
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  %v = plan.workspace : memref<256xi8, #workspace>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, workspace = 256> ins(%x, %x : memref<16xf32, #arena>, memref<16xf32, #arena>) outs(%a : memref<16xf32, #arena>) workspace(%v : memref<256xi8, #workspace>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, workspace = 256> ins(%x, %x : memref<16xf32, #arena>, memref<16xf32, #arena>) outs(%b : memref<16xf32, #arena>) workspace(%v : memref<256xi8, #workspace>)
  plan.return
}

// The executor divides a step at the copies between devices.
// TWO-LABEL:    plan.program @divided
// TWO:            plan.fill %{{.*}} with 1 : memref<16xf32, #arena>
// TWO-NOT:        queue(1)
plan.program @divided kind train {
  %x = plan.alloc : memref<16xf32, #arena>
  %y = plan.alloc : memref<16xf32, #arena>
  %z = plan.alloc : memref<16xf32, #cpu0_arena>
  plan.fill %x with 1 : memref<16xf32, #arena>
  plan.fill %y with 1 : memref<16xf32, #arena>
  plan.copy %x to %z : memref<16xf32, #arena> to memref<16xf32, #cpu0_arena>
  plan.return
}

// The host has no launches; its queue has moved behind those of the GPU.
// CHECK-LABEL:  plan.program @host
// CHECK:          plan.fill %{{.*}} with 1 queue(2) : memref<16xf32, #cpu0_arena>
// CHECK:          plan.fill %{{.*}} with 2 queue(2) : memref<16xf32, #cpu0_arena>
plan.program @host kind train {
  %x = plan.alloc : memref<16xf32, #cpu0_arena>
  %y = plan.alloc : memref<16xf32, #cpu0_arena>
  plan.fill %x with 1 queue(1) : memref<16xf32, #cpu0_arena>
  plan.fill %y with 2 queue(1) : memref<16xf32, #cpu0_arena>
  plan.return
}
