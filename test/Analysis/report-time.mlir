// The time of programs on a GPU, estimated. Round numbers: 1 microsecond a
// command, 1000 GB/s of memory, all of it, 10 GB/s to the host, 1 TFLOP/s.
//
// RUN: job-opt %s -o /dev/null --job-report-time="launch=1 bandwidth=1000 \
// RUN:   bandwidth-efficiency=1 link=10 f32-rate=1" | FileCheck %s
// RUN: job-opt %s -o /dev/null --job-report-time="largest=1 output=%t" | count 0
// RUN: FileCheck %s --check-prefix=LARGEST < %t
// RUN: job-opt %s -o /dev/null --job-report-time="launch=0 narrow-rate=2 \
// RUN:   tf32-rate=4 f32-rate=1 matrix-efficiency=0.5 bandwidth=1e9" \
// RUN:   | FileCheck %s --check-prefix=F32
// RUN: not job-opt %s -o /dev/null --job-report-time=link=0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LINK
// RUN: not job-opt %s -o /dev/null --job-report-time=launch=-1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LAUNCH
// RUN: echo "" | not job-opt --job-report-time -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY

// RUN: job-opt %examples/mlp.mlir --job-train-pipeline --job-plan-pipeline -o %t.host
// RUN: not job-opt %t.host --job-report-time -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST
// HOST: error: 'plan.call' op expects a program on a device of kind cuda but got a command on the host

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#gpu1_arena = #plan.space<@gpu1, arena>

plan.device @gpu0 kind(cuda) queues(1)
plan.device @gpu1 kind(cuda) queues(1) index(1)
plan.executable @negate {
  func.func @body(%x: tensor<262144xf32>, %y: tensor<262144xf32>) -> tensor<262144xf32> {
    %0 = linalg.negf ins(%x : tensor<262144xf32>) outs(%y : tensor<262144xf32>) -> tensor<262144xf32>
    return %0 : tensor<262144xf32>
  }
}

// 1 MiB over the link takes 104.86 microseconds in each direction, beside the
// commands of other steps. A negation reads and writes 1 MiB: 2.10 microseconds
// beside 1 to start, with 5 operations for each element 1.31; the four of the
// loop start four times. So does a copy on the device.
//
// CHECK:      time of 'steps' (predict), 6 commands, estimated, microseconds:
// CHECK-NEXT:   launches                    6.00
// CHECK-NEXT:   memory                     12.58
// CHECK-NEXT:   arithmetic                  0.00
// CHECK-NEXT:   commands                   18.58
// CHECK-NEXT:   inputs                    104.86
// CHECK-NEXT:   outputs                   104.86
// CHECK-NEXT:   total                     104.86
// CHECK-NEXT:           12.39  memory      negate, again (model.py:3:5)
// CHECK-NEXT:            3.10  memory      negate ({{.*}}:[[#@LINE+11]]:3)
// CHECK-NEXT:            3.10  memory      copy ({{.*}}:[[#@LINE+14]]:3)

// LARGEST: total
// LARGEST-NEXT: again
// LARGEST-NEXT: and 2 shorter
plan.program @steps kind predict {
  %x = plan.input 0 "x" : memref<262144xf32, #inputs>
  %y = plan.output 0 "y" : memref<262144xf32, #outputs>
  %a = plan.alloc : memref<262144xf32, #arena>
  %b = plan.alloc : memref<262144xf32, #arena>
  plan.dispatch @negate ins(%x : memref<262144xf32, #inputs>) outs(%b : memref<262144xf32, #arena>) {flops = 1310720 : i64}
  plan.repeat count(4) {
    plan.dispatch @negate ins(%b : memref<262144xf32, #arena>) outs(%a : memref<262144xf32, #arena>) {flops = 1310720 : i64} loc("again"("model.py":3:5))
  }
  plan.copy %a to %y : memref<262144xf32, #arena> to memref<262144xf32, #outputs>
  plan.return
}

// A program on several devices copies its inputs and outputs with commands, one
// after the other.
// CHECK:      time of 'divided' (predict), 4 commands, estimated, microseconds:
// CHECK-NEXT:   launches                    4.00
// CHECK-NEXT:   memory                      4.19
// CHECK-NEXT:   arithmetic                  0.00
// CHECK-NEXT:   transfers                 209.72
// CHECK-NEXT:   commands                  217.91
// CHECK-NEXT:   inputs                      0.00
// CHECK-NEXT:   outputs                     0.00
// CHECK-NEXT:   total                     217.91
// CHECK-NEXT:          105.86  transfer    copy
// CHECK-NEXT:          105.86  transfer    copy
plan.program @divided kind predict {
  %x = plan.input 0 "x" : memref<262144xf32, #inputs>
  %y = plan.output 0 "y" : memref<262144xf32, #outputs>
  %a = plan.alloc : memref<262144xf32, #arena>
  %b = plan.alloc : memref<262144xf32, #arena>
  %c = plan.alloc : memref<262144xf32, #gpu1_arena>
  plan.copy %x to %a : memref<262144xf32, #inputs> to memref<262144xf32, #arena>
  plan.dispatch @negate ins(%a : memref<262144xf32, #arena>) outs(%b : memref<262144xf32, #arena>) {flops = 1310720 : i64}
  plan.copy %b to %c : memref<262144xf32, #arena> to memref<262144xf32, #gpu1_arena>
  plan.copy %b to %y : memref<262144xf32, #arena> to memref<262144xf32, #outputs>
  plan.return
}

// Products of libraries, of 2,000,000 operations at half the rate of their type:
// of f32, as TF32, and of bf16.
// F32-LABEL:  time of 'products'
// F32:          4.00  arithmetic  cublaslt.matmul ({{.*}}:[[#@LINE+7]]:3)
// F32-NEXT:     2.00  arithmetic  cublaslt.matmul ({{.*}}:[[#@LINE+10]]:3)
// F32-NEXT:     1.00  arithmetic  cublaslt.matmul ({{.*}}:[[#@LINE+6]]:3)
plan.program @products kind predict {
  %a = plan.alloc : memref<100x100xf32, #arena>
  %b = plan.alloc : memref<100x100xf32, #arena>
  %e = plan.alloc : memref<100x100xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 100, n = 100, k = 100> ins(%a, %a : memref<100x100xf32, #arena>, memref<100x100xf32, #arena>) outs(%b : memref<100x100xf32, #arena>) {flops = 2000000 : i64}
  plan.call #plan.cublaslt.matmul<m = 100, n = 100, k = 100, tf32 = 1> ins(%a, %a : memref<100x100xf32, #arena>, memref<100x100xf32, #arena>) outs(%e : memref<100x100xf32, #arena>) {flops = 2000000 : i64}
  %c = plan.alloc : memref<100x100xbf16, #arena>
  %d = plan.alloc : memref<100x100xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 100, n = 100, k = 100, type = bf16> ins(%c, %c : memref<100x100xbf16, #arena>, memref<100x100xbf16, #arena>) outs(%d : memref<100x100xbf16, #arena>) {flops = 2000000 : i64}
  plan.return
}

// 1 MiB of gradients of scores, written and read: 1.05 microseconds, and 0.03 for
// the arrays.
// CHECK-LABEL: time of 'attention'
// CHECK:                2.08  memory      cudnn.attention_grad
plan.program @attention kind predict {
  %x = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %l = plan.alloc : memref<1x1x512xf32, #arena>
  %dq = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %dk = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %dv = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %w = plan.workspace : memref<2048xi8, #plan.space<workspace>>
  plan.call #plan.cudnn.attention_grad<queries = 512, keys = 512, channels = 8, value_channels = 8, type = bf16> ins(%x, %x, %x, %x, %x, %l : memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x1x512xf32, #arena>) outs(%dq, %dk, %dv : memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>) workspace(%w : memref<2048xi8, #plan.space<workspace>>) {flops = 1000 : i64}
  plan.return
}

// With a mask, of the blocks of 128 queries and 128 keys those on and below the
// diagonal: 10 of 16.
// CHECK-LABEL: time of 'causal'
// CHECK:                1.69  memory      cudnn.attention_grad
plan.program @causal kind predict {
  %x = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %l = plan.alloc : memref<1x1x512xf32, #arena>
  %dq = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %dk = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %dv = plan.alloc : memref<1x512x1x8xbf16, #arena>
  %w = plan.workspace : memref<2048xi8, #plan.space<workspace>>
  plan.call #plan.cudnn.attention_grad<queries = 512, keys = 512, channels = 8, value_channels = 8, causal = 1, type = bf16> ins(%x, %x, %x, %x, %x, %l : memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x1x512xf32, #arena>) outs(%dq, %dk, %dv : memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>, memref<1x512x1x8xbf16, #arena>) workspace(%w : memref<2048xi8, #plan.space<workspace>>) {flops = 1000 : i64}
  plan.return
}

// LINK: error: expects a positive number for link but got 0.00
// LAUNCH: error: expects 0 or more microseconds for launch but got -1.00
// EMPTY: error: expects a plan.program: run job-plan-pipeline first
