// RUN: job-opt %s --job-autodiff | FileCheck %s
// RUN: job-opt %s --job-train-pipeline=precision=bf16 | FileCheck %s --check-prefix=NARROW

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>

// The gradients of a value on the way, of an input, of a variable, and of a value
// that no loss depends on. What uses one moves to the end, in its order.
// CHECK-LABEL: job.func @asked(%arg0: !job.blob<4xf32>, %arg1: !job.blob<4xf32>
// CHECK:         %[[W:.*]] = job.read @w
// CHECK-NOT:     job.host_call
// CHECK:         %[[Y:.*]] = job.mul %[[W]], %arg0
// CHECK:         job.host_call "watch"(%[[Y]])
// CHECK-NOT:     job.host_call
// CHECK:         %[[ZERO:.*]] = job.constant dense<0.0
// CHECK:         %[[DY:.*]] = job.constant dense<8.0
// CHECK:         %[[DW:.*]] = job.mul %arg0, %[[DY]]
// CHECK:         %[[DX:.*]] = job.mul %[[W]], %[[DY]]
// CHECK:         job.update @w, %[[DW]]
// CHECK-NEXT:    %[[EXP:.*]] = job.exp %[[DY]]
// CHECK-NEXT:    job.host_call "of_y"(%[[EXP]]) : (!job.blob<4xf32>) -> ()
// CHECK-NEXT:    job.host_call "of_w"(%[[DW]], %[[W]])
// CHECK-NEXT:    job.return %[[DX]], %[[ZERO]]
job.func @asked(%x: !job.blob<4xf32>, %other: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %dx = job.gradient %x : !job.blob<4xf32>
  %dw = job.gradient %w : !job.blob<4xf32>
  %y = job.mul %w, %x : !job.blob<4xf32>
  %dy = job.gradient %y : !job.blob<4xf32>
  %e = job.exp %dy : !job.blob<4xf32>
  job.host_call "of_y"(%e) : (!job.blob<4xf32>) -> ()
  job.host_call "watch"(%y) : (!job.blob<4xf32>) -> ()
  job.host_call "of_w"(%dw, %w) : (!job.blob<4xf32>, !job.blob<4xf32>) -> ()
  job.loss %y : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 8.0}
  %none = job.gradient %other : !job.blob<4xf32>
  job.return %dx, %none : !job.blob<4xf32>, !job.blob<4xf32>
}

// In mixed precision it is that of the narrow value, which other ops use.
// NARROW-LABEL: job.func @narrow
// NARROW:         job.matmul {{.*}} : <2x4xbf16>
// NARROW:         job.return %{{.*}} : !job.blob<2x4xf32>
job.variable @m : !job.blob<4x4xf32> init #job.constant_init<1.0>
job.func @narrow(%x: !job.blob<2x4xf32>) -> !job.blob<2x4xf32> kind train {
  %m = job.read @m : !job.blob<4x4xf32>
  %y = job.matmul %x, %m : !job.blob<2x4xf32>, !job.blob<4x4xf32>
  %z = job.matmul %y, %m : !job.blob<2x4xf32>, !job.blob<4x4xf32>
  %dy = job.gradient %y : !job.blob<2x4xf32>
  job.loss %z : !job.blob<2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %dy : !job.blob<2x4xf32>
}

// Variables that are not trained have gradients, but no updates.
// CHECK-LABEL: job.func @untrained
// CHECK:         job.update @w,
// CHECK-NOT:     job.update
job.variable @frozen : !job.blob<4xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @unlisted : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @untrained(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %frozen = job.read @frozen : !job.blob<4xf32>
  %unlisted = job.read @unlisted : !job.blob<4xf32>
  %y = job.mul %w, %frozen : !job.blob<4xf32>
  %z = job.mul %y, %unlisted : !job.blob<4xf32>
  job.loss %z : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@w]}
  %of_frozen = job.gradient %frozen : !job.blob<4xf32>
  %of_unlisted = job.gradient %unlisted : !job.blob<4xf32>
  job.return %of_frozen, %of_unlisted : !job.blob<4xf32>, !job.blob<4xf32>
}

// CHECK-LABEL: job.func @host_call
// CHECK:         %[[Y:.*]]:2 = job.host_call "split"(%[[W:.*]], %arg0) gradient "join"
// CHECK:         %[[ZERO:.*]] = job.constant dense<0.0
// CHECK:         %[[DW:.*]] = job.host_call "join"(%[[W]], %arg0, %[[Y]]#0, %[[Y]]#1, %{{.*}}, %[[ZERO]]) : (!job.blob<4xf32>, !job.blob<2xi32>, !job.blob<2xf32>, !job.blob<2xf32>, !job.blob<2xf32>, !job.blob<2xf32>) -> !job.blob<4xf32>
// CHECK:         job.update @w, %[[DW]]
job.func @host_call(%x: !job.blob<2xi32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0:2 = job.host_call "split"(%w, %x) gradient "join" : (!job.blob<4xf32>, !job.blob<2xi32>) -> (!job.blob<2xf32>, !job.blob<2xf32>)
  job.loss %0#0 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
