// A variable that was assigned its own value became a copy onto itself, which
// plan-verify-memory refuses.
//
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline=simplify=false | FileCheck %s

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<4xf32> init #job.constant_init<2.0>

// CHECK-LABEL: plan.program @keep
// CHECK-NOT:   plan.copy
// CHECK:       plan.return
job.func @keep() kind predict {
  %w = job.read @w : !job.blob<4xf32>
  job.assign @w, %w : !job.blob<4xf32>
  job.return
}

// Nor is it copied when it comes back from another shape.
// CHECK-LABEL: plan.program @reshaped
// CHECK-NOT:   plan.copy
// CHECK:       plan.return
job.func @reshaped() kind predict {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.reshape %w : !job.blob<4xf32> to !job.blob<2x2xf32>
  %1 = job.reshape %0 : !job.blob<2x2xf32> to !job.blob<4xf32>
  job.assign @w, %1 : !job.blob<4xf32>
  job.return
}

// The old value after an assignment is another one than the variable's.
// CHECK-LABEL: plan.program @back
// CHECK:         %[[W:.*]] = plan.get_variable @w
// CHECK:         plan.copy %[[W]] to %[[KEPT:.*]] :
// CHECK:         plan.copy %{{.*}} to %{{.*}} :
// CHECK:         plan.copy %[[KEPT]] to %{{.*}} :
job.func @back() kind predict {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  job.assign @w, %v : !job.blob<4xf32>
  job.assign @w, %w : !job.blob<4xf32>
  job.return
}
