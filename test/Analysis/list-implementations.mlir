// How ops are computed: lines for each op of the dialect, and the functions and
// parts of the ops of the module.
//
// RUN: job-opt %s -o /dev/null --job-list-implementations | FileCheck %s
// RUN: job-opt %s -o /dev/null --job-list-implementations=output=%t.txt | count 0
// RUN: FileCheck %s < %t.txt
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline=device=gpu | FileCheck %s \
// RUN:   --check-prefix=REPLACED --implicit-check-not="job."

// CHECK:      job.add cpu elements
// CHECK-NEXT: job.add cuda elements
// CHECK-NEXT: job.add op
// CHECK:      job.argmax op
// CHECK-NEXT: job.argsort op
// CHECK-NEXT: job.argwhere op
// CHECK:      job.conv2d cpu loops
// CHECK-NEXT: job.conv2d cuda loops
// CHECK:      job.loss cpu pass job-autodiff
// CHECK-NEXT: job.loss cuda pass job-autodiff
// CHECK:      job.matmul cpu library onednn.matmul f32
// CHECK-NEXT: job.matmul cpu loops
// CHECK-NEXT: job.matmul cuda library cublaslt.matmul bf16
// CHECK-NEXT: job.matmul cuda library cublaslt.matmul f16
// CHECK-NEXT: job.matmul cuda library cublaslt.matmul f32
// CHECK-NEXT: job.matmul cuda loops
// CHECK:      job.reduce_sum cuda reduction
// CHECK:      job.slice cuda access
// CHECK:      job.softmax cuda parts job.broadcast_in_dim
// CHECK:      job.softmax cuda parts job.exp
// CHECK:      job.unpack cuda pass job-form-micro-steps

// REPLACED: plan.repeat
#rate = #job.constant_schedule<0.1>
job.variable @w : !job.blob<4x4xf32> init #job.constant_init<0.5>
job.func @train(%x: !job.blob<8x4xf32>) -> !job.blob<8x4xf32> kind train {
  %w = job.read @w : !job.blob<4x4xf32>
  %u = job.unpack %x {count = 2 : i64} : !job.blob<8x4xf32>
  %b = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<4x4xf32>
  %y = job.matmul %u, %b : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  %s = job.softmax %y : !job.blob<4x4xf32>
  %a = job.acc %s {count = 2 : i64} : !job.blob<4x4xf32>
  job.loss %a : !job.blob<4x4xf32>
  job.minimize #job.sgd schedule #rate
  %p = job.pack %s {count = 2 : i64} : !job.blob<4x4xf32>
  job.return %p : !job.blob<8x4xf32>
}
