// Two ops became one kernel although an assignment needs the first of them and
// the second needs a read that comes after it: no order was left, and the job
// lost its end.
//
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0> {trainable = false}

// CHECK-LABEL: plan.program @assign_between
// CHECK:         plan.dispatch
// CHECK:         plan.dispatch
// CHECK:         plan.return
job.func @assign_between(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  job.assign @w, %0 : !job.blob<4xf32>
  %w = job.read @w : !job.blob<4xf32>
  %1 = job.minimum %0, %w : !job.blob<4xf32>
  job.return %1 : !job.blob<4xf32>
}

// The other way around: the assignment waits for an earlier read.
// CHECK-LABEL: plan.program @read_before
// CHECK:         plan.return
job.func @read_before(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %old = job.read @w : !job.blob<4xf32>
  %0 = job.add %x, %old : !job.blob<4xf32>
  job.assign @w, %0 : !job.blob<4xf32>
  %new = job.read @w : !job.blob<4xf32>
  %1 = job.mul %new, %old : !job.blob<4xf32>
  %2 = job.add %1, %0 : !job.blob<4xf32>
  job.return %2 : !job.blob<4xf32>
}
