// Blobs of 64 kB that are computed again, and those that must not be.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=200000 schedule=false})' --mlir-print-debuginfo --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=200000 schedule=false})' --split-input-file --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize)' --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=200000})' --split-input-file --explain=memory 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=1 schedule=false})' --split-input-file --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=TINY
// RUN: not job-opt %s --pass-pipeline='builtin.module(job-rematerialize{budget=-1})' --split-input-file 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: expects a budget of at least 0 bytes but got -1

// `early` is needed again at the end. Beside it there are two blobs in the
// middle; 65,600 bytes are staging.
// CHECK-LABEL: job.func @chain
// CHECK: job.exp
// CHECK: job.sin
// CHECK: job.matmul
// CHECK: job.cos
// CHECK: %[[AGAIN:.*]] = job.kernel
// CHECK: job.exp
// CHECK: loc(fused<"recomputation of">["early"("model.py":1:1)])
// CHECK: job.mul
// CHECK: job.reduce_sum
// WHY: model.py:1:1: memory: chain: recomputation of early: is computed again, which frees 65,536 bytes for 16.4 kFLOP
// WHY: memory: chain: 1 op runs again, 16.4 kFLOP of {{.*}}, so that at most 131,072 bytes are live at the peak instead of 196,608; the budget leaves 134,400 for the arena
// Less than the memory outside of the arena: the job is made as small as it can.
// TINY: memory: chain: the budget of 1 bytes leaves none for the arena, but 131,072 are live at the peak
// TINY: memory: chain: 1 op runs again, {{.*}} at most 131,072 bytes are live at the peak instead of 196,608; the budget leaves none for the arena
// NONE-LABEL: job.func @chain
// NONE-COUNT-1: job.exp
// NONE-NOT: job.exp
// NONE: job.return
job.func @chain(%x: !job.blob<128x128xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.exp %x : !job.blob<128x128xf32> loc("early"("model.py":1:1))
  %1 = job.sin %0 : !job.blob<128x128xf32>
  %2 = job.matmul %1, %1 : !job.blob<128x128xf32>, !job.blob<128x128xf32>
  %3 = job.cos %2 : !job.blob<128x128xf32>
  %4 = job.mul %3, %0 : !job.blob<128x128xf32>
  %5 = job.reduce_sum %4 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  job.return %5 : !job.blob<1xf32>
}

// -----

// The same, but the variable that `early` reads has changed by then.
// CHECK-LABEL: job.func @assigned
// CHECK-COUNT-1: job.exp
// CHECK-NOT: job.exp
// CHECK: job.return
// WHY: memory: assigned: the budget of 200,000 bytes leaves 134,336 for the arena, but 196,608 are live at the peak
job.variable @v : !job.blob<128x128xf32> init #job.constant_init<1.0>
job.func @assigned(%y: !job.blob<1xf32>) -> !job.blob<1xf32> kind predict {
  %v = job.read @v : !job.blob<128x128xf32>
  %0 = job.exp %v : !job.blob<128x128xf32> loc("early"("model.py":1:1))
  %1 = job.sin %0 : !job.blob<128x128xf32>
  %n = job.constant dense<2.0> : tensor<128x128xf32>
  %s = job.mul %v, %n : !job.blob<128x128xf32>
  job.assign @v, %s : !job.blob<128x128xf32>
  %2 = job.matmul %1, %1 : !job.blob<128x128xf32>, !job.blob<128x128xf32>
  %3 = job.cos %2 : !job.blob<128x128xf32>
  %4 = job.mul %3, %0 : !job.blob<128x128xf32>
  %5 = job.reduce_sum %4 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  job.return %5 : !job.blob<1xf32>
}

// -----

// A reshape of what is computed again is made again as well.
// CHECK-LABEL: job.func @reshaped
// CHECK: %[[FIRST:.*]] = job.kernel
// CHECK: job.exp
// CHECK: job.reshape %[[FIRST]]
// CHECK: job.cos
// CHECK: %[[AGAIN:.*]] = job.kernel
// CHECK: job.exp
// CHECK: %[[RESHAPED:.*]] = job.reshape %[[AGAIN]]
// CHECK: job.kernel({{.*}} = %[[RESHAPED]] : !job.blob<16384xf32>
job.func @reshaped(%x: !job.blob<128x128xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.exp %x : !job.blob<128x128xf32>
  %r = job.reshape %0 : !job.blob<128x128xf32> to !job.blob<16384xf32>
  %1 = job.sin %0 : !job.blob<128x128xf32>
  %2 = job.matmul %1, %1 : !job.blob<128x128xf32>, !job.blob<128x128xf32>
  %3 = job.cos %2 : !job.blob<128x128xf32>
  %t = job.reshape %3 : !job.blob<128x128xf32> to !job.blob<16384xf32>
  %4 = job.mul %t, %r : !job.blob<16384xf32>
  %5 = job.reduce_sum %4 {axes = array<i64: 0>} : !job.blob<16384xf32>
  job.return %5 : !job.blob<1xf32>
}

// -----

// What is returned has its own memory and is kept.
// CHECK-LABEL: job.func @returned
// CHECK-COUNT-1: job.exp
// CHECK-NOT: job.exp
// CHECK: job.return
job.func @returned(%x: !job.blob<128x128xf32>) -> (!job.blob<128x128xf32>, !job.blob<1xf32>) kind predict {
  %0 = job.exp %x : !job.blob<128x128xf32>
  %1 = job.sin %0 : !job.blob<128x128xf32>
  %2 = job.matmul %1, %1 : !job.blob<128x128xf32>, !job.blob<128x128xf32>
  %3 = job.cos %2 : !job.blob<128x128xf32>
  %4 = job.mul %3, %0 : !job.blob<128x128xf32>
  %5 = job.reduce_sum %4 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  job.return %0, %5 : !job.blob<128x128xf32>, !job.blob<1xf32>
}

// -----

// None may run again after the variable has changed, but each sum may come
// before the next branch.
// WHY: memory: branches: the budget of 200,000 bytes leaves 134,400 for the arena, but 196,672 are live at the peak
// CHECK-LABEL: job.func @branches
// CHECK: job.neg
// CHECK: job.assign
// CHECK: job.reduce_sum
// ORDER: memory: branches: another order of the ops has a peak of 65,664 live bytes instead of 196,672
// ORDER-LABEL: job.func @branches
// ORDER-COUNT-2: job.reduce_sum
// ORDER: job.neg
// ORDER: job.assign
// ORDER: job.reduce_sum
job.variable @v : !job.blob<128x128xf32> init #job.constant_init<1.0>
job.func @branches() -> !job.blob<1xf32> kind predict {
  %v = job.read @v : !job.blob<128x128xf32>
  %0 = job.exp %v : !job.blob<128x128xf32>
  %1 = job.abs %v : !job.blob<128x128xf32>
  %2 = job.neg %v : !job.blob<128x128xf32>
  %s = job.mul %v, %v : !job.blob<128x128xf32>
  job.assign @v, %s : !job.blob<128x128xf32>
  %3 = job.reduce_sum %0 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %4 = job.reduce_sum %1 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %5 = job.reduce_sum %2 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %6 = job.add %3, %4 : !job.blob<1xf32>
  %7 = job.add %6, %5 : !job.blob<1xf32>
  job.return %7 : !job.blob<1xf32>
}
