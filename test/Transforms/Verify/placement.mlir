// RUN: job-opt %s --job-verify-placement --split-input-file --verify-diagnostics
// RUN: not job-opt %s --job-plan-pipeline --split-input-file -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-3: the devices of this build

// No placement, and the same one. A sharding over one device is the whole blob.
job.variable @w : !job.blob<4x4xf32> init #job.constant_init<1.0> {placement = #job.placement<cpu, "0:0">, sharding = #job.sharding<[S(0)]>}
job.func @valid(%x: !job.blob<4xf32> {job.placement = #job.placement<cpu, "0:0-0">, job.sharding = #job.sharding<[P, B]>})
    -> (!job.blob<4xf32> {job.sharding = #job.sharding<[B]>})
    kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  job.return %x : !job.blob<4xf32>
}
job.func @without() kind predict {
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #job.placement<gpu, "0:3">}
job.func @gpu(%x: !job.blob<4xf32> {job.placement = #job.placement<gpu, "0:3">}) kind predict attributes {placement = #job.placement<gpu, "0:3">} {
  job.return
}

// -----

// expected-error@below {{expects #job.placement<cpu, "0:0"> or one gpu of machine 0, the devices of this build, but got #job.placement<cpu, "0:1">}}
job.func @device() kind predict attributes {placement = #job.placement<cpu, "0:1">} {
  job.return
}
// expected-error@below {{the devices of this build, but got #job.placement<gpu, "0:0-1">}}
job.func @devices() kind predict attributes {placement = #job.placement<gpu, "0:0-1">} {
  job.return
}
// expected-error@below {{the devices of this build, but got #job.placement<gpu, "1:0">}}
job.func @machine() kind predict attributes {placement = #job.placement<gpu, "1:0">} {
  job.return
}

// -----

// Each is on a device of its own.
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #job.placement<gpu, "0:0">}
job.func @job(%x: !job.blob<4xf32> {job.placement = #job.placement<cpu, "0:0">})
    -> (!job.blob<4xf32> {job.placement = #job.placement<gpu, "0:3">})
    kind predict attributes {placement = #job.placement<gpu, "0:1">} {
  %0 = job.neg %x {job.placement = #job.placement<gpu, "0:2">} : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// -----

// expected-error@below {{the devices of this build, but got #job.placement<gpu, "1:0">}}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #job.placement<gpu, "1:0">}
job.func @argument(%x: !job.blob<4xf32>,
                   // expected-error@below {{the devices of this build, but got #job.placement<cpu, "0:1">}}
                   %y: !job.blob<4xf32> {job.placement = #job.placement<cpu, "0:1">}) kind predict {
  job.return
}
job.func @result(%x: !job.blob<4xf32>)
    -> (!job.blob<4xf32> {job.placement = #job.placement<gpu, "0:0-1">})
    kind predict {
  // expected-error@below {{the devices of this build, but got #job.placement<gpu, "0:0-1">}}
  %0 = job.neg %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
job.func @op(%x: !job.blob<4xf32>) kind predict {
  // expected-error@below {{the devices of this build, but got #job.placement<gpu, "0:0-1">}}
  %0 = job.neg %x {job.placement = #job.placement<gpu, "0:0-1">} : !job.blob<4xf32>
  job.return
}
