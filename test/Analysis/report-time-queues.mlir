// The time of a program on two queues: the launches of the two fills pass at
// once, and the device works on one after the other. The copy waits for both.
//
// RUN: job-opt %s -o /dev/null --job-report-time="launch=1 bandwidth=1000 \
// RUN:   bandwidth-efficiency=1" | FileCheck %s

#arena = #plan.space<arena>

plan.device @gpu0 kind(cuda) queues(2)

// CHECK:      time of 'fills' (predict), 5 commands, estimated, microseconds:
// CHECK-NEXT:   launches                    3.00
// CHECK-NEXT:   memory                      4.19
// CHECK-NEXT:   arithmetic                  0.00
// CHECK-NEXT:   commands                    6.19
// CHECK-NEXT:   inputs                      0.00
// CHECK-NEXT:   outputs                     0.00
// CHECK-NEXT:   total                       6.19
plan.program @fills kind predict {
  %a = plan.alloc : memref<262144xf32, #arena>
  %b = plan.alloc : memref<262144xf32, #arena>
  plan.fill %a with 1 : memref<262144xf32, #arena>
  plan.fill %b with 1 queue(1) : memref<262144xf32, #arena>
  %filled = plan.record queue(1)
  plan.wait %filled
  plan.copy %b to %a : memref<262144xf32, #arena> to memref<262144xf32, #arena>
  plan.return
}

// Iterations begin and end on all queues at once: the launch of the second fill
// does not pass while the loop runs.
// CHECK:      time of 'loop' (predict), 3 commands, estimated, microseconds:
// CHECK-NEXT:   launches                    3.00
// CHECK-NEXT:   memory                      3.15
// CHECK-NEXT:   arithmetic                  0.00
// CHECK-NEXT:   commands                    6.15
plan.program @loop kind predict {
  %a = plan.alloc : memref<262144xf32, #arena>
  %b = plan.alloc : memref<262144xf32, #arena>
  plan.repeat count(2) {
    plan.fill %a with 1 : memref<262144xf32, #arena>
  }
  plan.fill %b with 1 queue(1) : memref<262144xf32, #arena>
  plan.return
}

plan.executable @clear {
  func.func @body(%v: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v : tensor<262144xf32>) {
    ^bb0(%old: f32):
      %c = arith.constant 1.0 : f32
      linalg.yield %c : f32
    } -> tensor<262144xf32>
    return %0 : tensor<262144xf32>
  }
}

// The fill does not run between the two kernels of one launch. So the copy is
// launched while the device works on the fill.
// CHECK:      time of 'joined' (predict), 4 commands, estimated, microseconds:
// CHECK-NEXT:   launches                    3.00
// CHECK-NEXT:   memory                      5.24
// CHECK-NEXT:   arithmetic                  0.00
// CHECK-NEXT:   commands                    6.24
plan.program @joined kind predict {
  %a = plan.alloc : memref<262144xf32, #arena>
  %b = plan.alloc : memref<262144xf32, #arena>
  %c = plan.alloc : memref<262144xf32, #arena>
  plan.dispatch @clear outs(%a : memref<262144xf32, #arena>)
  plan.dispatch @clear joined outs(%b : memref<262144xf32, #arena>)
  plan.fill %c with 1 queue(1) : memref<262144xf32, #arena>
  plan.copy %b to %a : memref<262144xf32, #arena> to memref<262144xf32, #arena>
  plan.return
}
