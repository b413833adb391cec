// What is computed again, in bytes and operations, those of micro-steps
// counted in each.
//
// RUN: job-opt %s --job-report-memory=html=%t.html -o /dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: not job-opt %s --job-report-memory=html=%t.missing/m.html -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not job-opt %s --job-report-memory=output=%t.missing/m.txt -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE

#arena = #plan.space<arena>

// FILE: error: cannot write '{{.*}}missing/m.{{.*}}': no such file or directory{{$}}
// FILE-NOT: see current operation

plan.executable @one {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<1024xf32>, index)
}

// CHECK-LABEL: memory of 'train'
// CHECK: computed again instead of kept: 2 commands, 500 FLOP, 50.00 % of the step's
// CHECK-NEXT: {{^}}               4,096      100 FLOP  command 1, one, recomputation of dense (model.py:3:5)
// CHECK-NEXT: {{^}}               4,096      400 FLOP  command 3, one, recomputation of gradient of dense (model.py:3:5)
// CHECK-NOT: command
// HTML: computed again</p>
// HTML: class="b again"
// HTML: <h3>Computed again instead of kept</h3><p>500 FLOP, 50.00 % of the step's</p>
// HTML: <td class="n">4,096</td><td class="n">100 FLOP</td><td class="n">1</td><td>recomputation of dense</td><td>model.py:3:5</td>
#dense = loc("dense"("model.py":3:5))
#gradient = loc(fused<"gradient of">[#dense])
plan.program @train kind train sizes<arena = 4096 above 4096, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<1024xf32, #arena> loc(fused<"recomputation of">[#dense])
  plan.dispatch @one outs(%a : memref<1024xf32, #arena>) {flops = 100 : i64} loc(#dense)
  plan.dispatch @one outs(%a : memref<1024xf32, #arena>) {flops = 100 : i64} loc(fused<"recomputation of">[#dense])
  plan.repeat count(4) {
    plan.dispatch @one outs(%a : memref<1024xf32, #arena>) {flops = 100 : i64} loc(#gradient)
    plan.dispatch @one outs(%a : memref<1024xf32, #arena>) {flops = 100 : i64} loc(fused<"recomputation of">[#gradient])
  }
  plan.return
}
