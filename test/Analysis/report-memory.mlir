// RUN: job-opt %s --job-report-memory="html=%t.html largest=2" -o /dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: job-opt %s --job-report-memory=output=%t.txt -o /dev/null | count 0
// RUN: FileCheck %s --check-prefix=ALL < %t.txt

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#outputs = #plan.space<outputs>

module attributes {plan.sizes = #plan.sizes<variables = 512, constants = 64>} {
plan.variable @w : memref<100xf32, #variables> {offset = 0 : i64}
plan.variable @v : memref<16xf32, #variables> {offset = 448 : i64}
plan.constant @c dense<1.0> : tensor<4xf32> {offset = 0 : i64}
plan.executable @one {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<1024xf32>, index)
}
plan.executable @two {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<1024xf32>, memref<1024xf32>, index)
}

// Sizes are rounded up to multiples of 64 bytes.
// CHECK-LABEL: memory of 'train' (train), 4 commands, bytes:
// CHECK-NEXT:   arena                          8,256
// CHECK-NEXT:     lower bound                  8,192
// CHECK-NEXT:     gap                             64  0.78 %
// CHECK-NEXT:   bank                             512
// CHECK-NEXT:   staging, inputs                    0
// CHECK-NEXT:   staging, outputs               4,096
// CHECK-NEXT:   workspace                        128
// CHECK-NEXT:   constants                         64
// CHECK-NEXT:   total                         13,056  12.8 KiB
// CHECK-NEXT:   peak at command 1, two, relu (model.py:4:7): 8,192 bytes in 2 buffers
// CHECK-NEXT:     4,096  1024xf32            commands 0 to 1  dense (model.py:3:5)
// CHECK-NEXT:     4,096  1024xf32            commands 1 to 2  gradient of dense (model.py:3:5)

// ALL: memory of 'train'
// ALL: memory of 'empty'

// HTML: <h2>train (train), 4 commands</h2>
// HTML: <b>8.06 KiB</b><span>8,256 · 0.78 % above the lower bound</span>
// HTML: <g><title>dense
// HTML-NEXT: 1024xf32, 4,096 bytes at offset 0
// HTML-NEXT: live from command 0 to 1
// HTML-NEXT: model.py:3:5</title><rect class="b forward" x="84.00" y="235.71" width="540.00" height="218.29"/>
// HTML: <rect class="b gradient"
// HTML: <title>command 1, two
// HTML-NEXT: relu
// HTML-NEXT: model.py:4:7
// HTML-NEXT: 8,192 live bytes</title>
// HTML: peak: command 1</text>
// HTML: <tr class="live">{{.*}}4,096</td><td>1024xf32</td><td>dense</td><td>model.py:3:5</td>
// HTML: <h2>empty (predict), 0 commands</h2>
// HTML: No buffer of the arena is needed.
plan.program @train kind train sizes<arena = 8256 above 8192, inputs = 0, outputs = 4096, workspace = 128> {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<1024xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<1024xf32, #arena> loc("dense"("model.py":3:5))
  %b = plan.alloc {offset = 4160 : i64} : memref<1024xf32, #arena> loc(fused<"gradient of">["dense"("model.py":3:5)])
  %unused = plan.alloc : memref<9xf32, #arena>
  plan.dispatch @one outs(%a : memref<1024xf32, #arena>)
  plan.dispatch @two ins(%a : memref<1024xf32, #arena>) outs(%b : memref<1024xf32, #arena>) loc("relu"("model.py":4:7))
  plan.copy %b to %y : memref<1024xf32, #arena> to memref<1024xf32, #outputs>
  %w = plan.get_variable @w : memref<100xf32, #variables>
  plan.fill %w with 0 : memref<100xf32, #variables>
  plan.return
}

// CHECK-LABEL: memory of 'empty' (predict), 0 commands, bytes:
// CHECK-NEXT:   arena                              0
// CHECK-NOT:    peak
plan.program @empty kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0> {
  plan.return
}
}
