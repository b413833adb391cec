// Launches of the same kernels have different parameters when one updates what
// the other one writes; and a buffer may be between the dispatches of a launch.
//
// RUN: job-opt %s --job-plan-pipeline --job-lower-pipeline=gpu-targets=simulated | FileCheck %s
//
// CHECK-LABEL: plan.program @updates
// CHECK: plan.dispatch @[[FIRST:launch_[0-9]+]]
// CHECK-LABEL: plan.program @writes
// CHECK-NOT: @[[FIRST]]
// CHECK: plan.dispatch @launch_
// CHECK-NOT: joined
#arena = #plan.space<arena>
#map = affine_map<(d0) -> (d0)>
plan.device @gpu0 kind(cuda) queues(1)
plan.executable @negate {
  func.func @body(%x: tensor<40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<40xf32>) outs(%y : tensor<40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<40xf32>
    return %0 : tensor<40xf32>
  }
}
plan.executable @scale {
  func.func @body(%x: tensor<40xf32>, %y: tensor<40xf32>) -> tensor<40xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<40xf32>) outs(%y : tensor<40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %c = arith.constant 7.0 : f32
      %1 = arith.mulf %in, %c : f32
      linalg.yield %1 : f32
    } -> tensor<40xf32>
    return %0 : tensor<40xf32>
  }
}
plan.variable @x : memref<40xf32, #plan.space<variables>>
plan.program @updates kind predict {
  %x = plan.get_variable @x : memref<40xf32, #plan.space<variables>>
  %b = plan.alloc : memref<40xf32, #arena>
  %c = plan.alloc : memref<40xf32, #arena>
  plan.fill %c with 0 : memref<40xf32, #arena>
  plan.dispatch @negate ins(%x : memref<40xf32, #plan.space<variables>>) outs(%b : memref<40xf32, #arena>)
  plan.dispatch @scale joined ins(%x : memref<40xf32, #plan.space<variables>>) inouts(%c : memref<40xf32, #arena>)
  plan.copy %b to %c : memref<40xf32, #arena> to memref<40xf32, #arena>
  plan.return
}
plan.program @writes kind predict {
  %x = plan.get_variable @x : memref<40xf32, #plan.space<variables>>
  %b = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @negate ins(%x : memref<40xf32, #plan.space<variables>>) outs(%b : memref<40xf32, #arena>)
  %c = plan.alloc : memref<40xf32, #arena>
  plan.dispatch @scale joined ins(%x : memref<40xf32, #plan.space<variables>>) outs(%c : memref<40xf32, #arena>)
  plan.copy %b to %c : memref<40xf32, #arena> to memref<40xf32, #arena>
  plan.return
}
