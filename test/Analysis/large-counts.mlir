// Operations that no integer holds end at the largest one in reports and
// pictures.
//
// RUN: job-opt %s --job-report-memory=html=%t.html -o /dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: job-opt %s --job-print-graph="output=%t.plan.dot dot entry=large" -o /dev/null
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan.dot
// RUN: job-opt %s --job-print-graph="output=%t.job.dot dot entry=step" -o /dev/null
// RUN: FileCheck %s --check-prefix=JOB < %t.job.dot

#arena = #plan.space<arena>

// CHECK-LABEL: memory of 'large'
// CHECK: computed again instead of kept: 1 command, 9.22 EFLOP, 100.00 % of the step's
// CHECK-NEXT: {{^}}                  64  9.22 EFLOP  command 1, onednn.matmul, recomputation of a.py:2:1
// HTML: <h3>Computed again instead of kept</h3><p>9.22 EFLOP, 100.00 % of the step's</p>
// PLAN: 3 commands · 9.22 EFLOP
// JOB: ops · 9.22 EFLOP

#update = loc(fused<"update of">["w"("a.py":1:1)])
plan.program @large kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.repeat count(4) {
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a : memref<16xf32, #arena>) {flops = 3000000000000000000 : i64} loc(fused<"recomputation of">["a.py":2:1])
  }
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a : memref<16xf32, #arena>) {flops = 4000000000000000000 : i64} loc(#update)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a : memref<16xf32, #arena>) {flops = 4000000000000000000 : i64} loc(#update)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a : memref<16xf32, #arena>) {flops = 4000000000000000000 : i64} loc(#update)
  plan.return
}

job.variable @w : !job.blob<4194304x4194304xf32> init #job.constant_init<1.0>
job.func @step() kind train {
  %w = job.read @w : !job.blob<4194304x4194304xf32>
  %0 = job.matmul %w, %w : !job.blob<4194304x4194304xf32>, !job.blob<4194304x4194304xf32> loc(#update)
  %1 = job.matmul %0, %w : !job.blob<4194304x4194304xf32>, !job.blob<4194304x4194304xf32> loc(#update)
  job.assign @w, %1 : !job.blob<4194304x4194304xf32> loc(#update)
  job.loss %1 : !job.blob<4194304x4194304xf32>
  job.return
}
