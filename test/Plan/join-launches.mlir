// RUN: job-opt %s --plan-select-schedules --plan-join-launches | FileCheck %s
// RUN: job-opt %s --plan-select-schedules --plan-assign-offsets --plan-join-launches --plan-join-launches | FileCheck %s
// RUN: job-opt %s --plan-select-schedules --plan-join-launches --plan-assign-offsets --plan-pack-memory | FileCheck %s --check-prefix=PACKED

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#map = affine_map<(d0) -> (d0)>

plan.device @gpu0 kind(cuda) queues(1)
plan.variable @a : memref<40xf32, #variables>
plan.variable @b : memref<40xf32, #variables>
plan.variable @large : memref<40000000xf32, #variables>

plan.executable @negate {
  func.func @body(%x: tensor<40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<40xf32>) outs(%y : tensor<40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<40xf32>
    return %0 : tensor<40xf32>
  }
}
plan.executable @update {
  func.func @body(%x: tensor<40xf32>, %v: tensor<40xf32>) -> tensor<40xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
        ins(%x : tensor<40xf32>) outs(%v : tensor<40xf32>) {
    ^bb0(%in: f32, %old: f32):
      %1 = arith.addf %in, %in : f32
      linalg.yield %1 : f32
    } -> tensor<40xf32>
    return %0 : tensor<40xf32>
  }
}
plan.executable @clear {
  func.func @body(%v: tensor<40000000xf32>) -> tensor<40000000xf32> {
    %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
        outs(%v : tensor<40000000xf32>) {
    ^bb0(%old: f32):
      %c = arith.constant 1.0 : f32
      linalg.yield %c : f32
    } -> tensor<40000000xf32>
    return %0 : tensor<40000000xf32>
  }
}

// The first update joins the negation after it, which is independent of it; the
// second update needs that one's result.
// CHECK-LABEL: plan.program @updates
// CHECK:         plan.dispatch @negate ins(%[[A:.*]] : {{.*}}) outs(%[[X:.*]] : memref<40xf32, #arena>)
// CHECK:         plan.dispatch @update ins(%[[X]] : {{.*}}) outs(%[[A]] :
// CHECK-NEXT:    plan.dispatch @negate joined ins(%[[X]] : {{.*}}) outs(%[[Y:.*]] : memref<40xf32, #arena>)
// CHECK-NEXT:    plan.dispatch @update ins(%[[Y]] : {{.*}}) outs(
// Both are live in the launch, so their memory is not shared.
// PACKED-LABEL: plan.program @updates
// PACKED-DAG:     plan.alloc {offset = 0 : i64}
// PACKED-DAG:     plan.alloc {offset = 192 : i64}
plan.program @updates kind train {
  %a = plan.get_variable @a : memref<40xf32, #variables>
  %b = plan.get_variable @b : memref<40xf32, #variables>
  %x = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%a : memref<40xf32, #variables>) outs(%x : memref<40xf32, #arena>)
  plan.dispatch @update ins(%x : memref<40xf32, #arena>) outs(%a : memref<40xf32, #variables>)
  %y = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%x : memref<40xf32, #arena>) outs(%y : memref<40xf32, #arena>)
  plan.dispatch @update ins(%y : memref<40xf32, #arena>) outs(%b : memref<40xf32, #variables>)
  plan.return
}

// A kernel that runs for much longer than it starts stays where it is, but others
// join it. Here it has more threads than they have.
// CHECK-LABEL: plan.program @large_one
// CHECK:         plan.dispatch @update ins
// CHECK-NEXT:    plan.dispatch @clear joined outs
// CHECK-NEXT:    plan.return
plan.program @large_one kind train {
  %a = plan.get_variable @a : memref<40xf32, #variables>
  %b = plan.get_variable @b : memref<40xf32, #variables>
  %large = plan.get_variable @large : memref<40000000xf32, #variables>
  plan.dispatch @update ins(%a : memref<40xf32, #variables>) outs(%b : memref<40xf32, #variables>)
  plan.dispatch @clear outs(%large : memref<40000000xf32, #variables>)
  plan.return
}

// The nearest launch may be before it. What defines its buffers moves as well.
// CHECK-LABEL: plan.program @large_first
// CHECK:         plan.alloc : memref<40xf32, #arena>
// CHECK:         plan.dispatch @clear outs
// CHECK-NEXT:    plan.dispatch @negate joined ins
// CHECK-NEXT:    plan.return
plan.program @large_first kind train {
  %a = plan.get_variable @a : memref<40xf32, #variables>
  %large = plan.get_variable @large : memref<40000000xf32, #variables>
  plan.dispatch @clear outs(%large : memref<40000000xf32, #variables>)
  %x = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%a : memref<40xf32, #variables>) outs(%x : memref<40xf32, #arena>)
  plan.return
}

// What is recomputed stays where it is needed: before, it would be kept.
// CHECK-LABEL: plan.program @recomputed
// CHECK-NOT:     joined
plan.program @recomputed kind train {
  %a = plan.get_variable @a : memref<40xf32, #variables>
  %large = plan.get_variable @large : memref<40000000xf32, #variables>
  plan.dispatch @clear outs(%large : memref<40000000xf32, #variables>)
  %x = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%a : memref<40xf32, #variables>) outs(%x : memref<40xf32, #arena>) loc(fused<"recomputation of">["x"])
  plan.return
}

// A command of the host is waited for.
// CHECK-LABEL: plan.program @host_call
// CHECK-NOT:     joined
plan.program @host_call kind train {
  %a = plan.get_variable @a : memref<40xf32, #variables>
  %b = plan.get_variable @b : memref<40xf32, #variables>
  %x = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%a : memref<40xf32, #variables>) outs(%x : memref<40xf32, #arena>)
  plan.host_call "watch" ins(%a : memref<40xf32, #variables>)
  plan.dispatch @update ins(%a : memref<40xf32, #variables>) outs(%b : memref<40xf32, #variables>)
  plan.return
}

// Both negations meet, and join the launch before them together.
// CHECK-LABEL: plan.program @together
// CHECK:         plan.dispatch @clear outs(
// CHECK-NEXT:    plan.dispatch @negate joined
// CHECK-NEXT:    plan.dispatch @negate joined
// CHECK:         plan.dispatch @update ins(
// CHECK-NEXT:    plan.dispatch @update joined
plan.program @together kind train {
  %a = plan.get_variable @a : memref<40xf32, #variables>
  %b = plan.get_variable @b : memref<40xf32, #variables>
  %large = plan.get_variable @large : memref<40000000xf32, #variables>
  plan.dispatch @clear outs(%large : memref<40000000xf32, #variables>)
  %x = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%a : memref<40xf32, #variables>) outs(%x : memref<40xf32, #arena>)
  %y = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%b : memref<40xf32, #variables>) outs(%y : memref<40xf32, #arena>)
  plan.dispatch @update ins(%x : memref<40xf32, #arena>) outs(%a : memref<40xf32, #variables>)
  plan.dispatch @update ins(%y : memref<40xf32, #arena>) outs(%b : memref<40xf32, #variables>)
  plan.return
}
