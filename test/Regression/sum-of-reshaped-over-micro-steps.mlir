// The addition to a sum over micro-steps got the shape of what it adds, so that
// the sum was reshaped before it and could not grow in its own memory.
//
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline=device=gpu -o /dev/null
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place{device=gpu},job.func(job-form-micro-steps,job-move-reshapes))' | FileCheck %s

// CHECK: ^bb0(%{{.*}}: !job.blob<9x9xf32>, %[[SUM:.*]]: !job.blob<9x1x9xf32>)
// CHECK-NEXT: %[[SINH:.*]] = job.sinh
// CHECK-NEXT: %[[TERM:.*]] = job.reshape %[[SINH]]
// CHECK-NEXT: %[[NEXT:.*]] = job.add %[[SUM]], %[[TERM]] : <9x1x9xf32>
// CHECK-NEXT: job.yield %[[NEXT]]
job.func @job(%x: !job.blob<18x9xf32>) -> !job.blob<9x1x9xf32> kind predict {
  %rows = job.unpack %x {count = 2 : i64} : !job.blob<18x9xf32>
  %sinh = job.sinh %rows : !job.blob<9x9xf32>
  %term = job.reshape %sinh : !job.blob<9x9xf32> to !job.blob<9x1x9xf32>
  %sum = job.acc %term {count = 2 : i64} : !job.blob<9x1x9xf32>
  job.return %sum : !job.blob<9x1x9xf32>
}
