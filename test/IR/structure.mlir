// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// Variables; one that is trained says nothing about it.
// CHECK-LABEL: job.variable @weight : !job.blob<2x4xf32> init #job.constant_init<0.000000e+00>
// CHECK-NOT:   trainable
job.variable @weight : !job.blob<2x4xf32> init #job.constant_init<0.0>
// CHECK-LABEL: job.variable @"hidden-bias" : !job.blob<4xf32>
// CHECK-SAME:  {trainable = false}
job.variable @"hidden-bias" : !job.blob<4xf32> init #job.constant_init<0.0> {trainable = false}

// A job with nothing.
// CHECK-LABEL: job.func @nothing() kind predict {
// CHECK-NEXT:    job.return
// CHECK-NEXT:  }
job.func @nothing() kind predict {
  job.return
}

// Names, attributes, several results.
// CHECK-LABEL: job.func @names(
// CHECK-SAME:    %[[X:.*]]: !job.blob<4xf32> {job.name = "x"},
// CHECK-SAME:    %[[Y:.*]]: !job.blob<4xi32>)
// CHECK-SAME:    -> (!job.blob<4xi32> {job.name = "y"}, !job.blob<4xf32>)
// CHECK-SAME:    kind predict attributes {job.note = "kept", result_structure = "{\22tuple\22: [0, 1]}"}
// CHECK-NEXT:    job.return %[[Y]], %[[X]] : !job.blob<4xi32>, !job.blob<4xf32>
job.func @names(%x: !job.blob<4xf32> {job.name = "x"}, %y: !job.blob<4xi32>)
    -> (!job.blob<4xi32> {job.name = "y"}, !job.blob<4xf32>)
    kind predict attributes {job.note = "kept", result_structure = "{\"tuple\": [0, 1]}"} {
  job.return %y, %x : !job.blob<4xi32>, !job.blob<4xf32>
}

// The type that ops may compute in.
// CHECK-LABEL: job.func @precision() kind predict attributes {precision = bf16}
job.func @precision() kind predict attributes {precision = bf16} {
  job.return
}

// What passes may do with a job.
// CHECK-LABEL: job.func @limits() kind predict
// CHECK-SAME:    attributes {excluded_libraries = ["cudnn"], fuse_updates = false, in_place = false, packing = ["size", "time"], tf32 = true, workspace_limit = 1024 : i64}
job.func @limits() kind predict attributes {excluded_libraries = ["cudnn"], fuse_updates = false, in_place = false, packing = ["size", "time"], tf32 = true, workspace_limit = 1024 : i64} {
  job.return
}

// CHECK-LABEL: job.func @counts() kind train
// CHECK-SAME:    attributes {step_counter = @steps}
job.func @counts() kind train attributes {step_counter = @steps} {
  job.return
}

// The other kinds.
// CHECK-LABEL: job.func @train() kind train {
job.func @train() kind train {
  job.return
}
// CHECK-LABEL: job.func @init(%{{.*}}: !job.blob<1xi64>) kind init {
job.func @init(%seed: !job.blob<1xi64>) kind init {
  job.return
}

// CHECK-LABEL: job.func @variables
// CHECK:         %[[W:.*]] = job.read @weight : <2x4xf32>
// CHECK-NEXT:    job.assign @weight, %[[W]] : <2x4xf32>
// CHECK-NEXT:    %{{.*}} = job.read @"hidden-bias" : <4xf32>
job.func @variables() kind predict {
  %w = job.read @weight : !job.blob<2x4xf32>
  job.assign @weight, %w : !job.blob<2x4xf32>
  %b = job.read @"hidden-bias" : !job.blob<4xf32>
  job.return
}

// The blob's type follows from the value.
// CHECK-LABEL: job.func @constants
// CHECK:         job.constant dense<[1.000000e+00, -0.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
// CHECK-NEXT:    job.constant dense<true> : tensor<2xi1>
// CHECK-NEXT:    job.constant {job.note = 1 : i64} dense<7> : tensor<1xi64>
// CHECK-NEXT:    job.step
job.func @constants() -> !job.blob<1xi64> kind predict {
  %0 = job.constant dense<[1.0, -0.0, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %1 = job.constant dense<true> : tensor<2xi1>
  %2 = job.constant {job.note = 1} dense<7> : tensor<1xi64>
  %3 = job.step
  job.return %3 : !job.blob<1xi64>
}

// A kernel's body is a name space of its own.
// CHECK-LABEL: job.func @kernels(
// CHECK-SAME:    %[[X:.*]]: !job.blob<4xf32>, %[[Y:.*]]: !job.blob<4xf32>)
// CHECK-NEXT:    %{{.*}}:2 = job.kernel(%[[A:.*]] = %[[X]] : !job.blob<4xf32>, %[[B:.*]] = %[[Y]] : !job.blob<4xf32>)
// CHECK-SAME:      -> (!job.blob<4xf32>, !job.blob<4xi1>) attributes {job.note = "kept"} {
// CHECK-NEXT:      %[[S:.*]] = job.add %[[A]], %[[B]] : <4xf32>
// CHECK-NEXT:      %[[C:.*]] = job.compare lt %[[A]], %[[B]] : <4xf32>
// CHECK-NEXT:      job.yield %[[S]], %[[C]] : !job.blob<4xf32>, !job.blob<4xi1>
// CHECK-NEXT:    }
// CHECK-NEXT:    job.kernel() {
// CHECK-NEXT:      job.yield
// CHECK-NEXT:    }
job.func @kernels(%x: !job.blob<4xf32>, %y: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0:2 = job.kernel(%x = %x : !job.blob<4xf32>, %b = %y : !job.blob<4xf32>)
      -> (!job.blob<4xf32>, !job.blob<4xi1>) attributes {job.note = "kept"} {
    %s = job.add %x, %b : !job.blob<4xf32>
    %c = job.compare lt %x, %b : !job.blob<4xf32>
    job.yield %s, %c : !job.blob<4xf32>, !job.blob<4xi1>
  }
  job.kernel() {
    job.yield
  }
  job.return %0#0 : !job.blob<4xf32>
}

// Calls of functions of the session.
// CHECK-LABEL: job.func @host_calls(
// CHECK:         job.host_call "print"(%{{.*}}) : (!job.blob<4xf32>) -> ()
// CHECK:         %{{.*}}:2 = job.host_call "split"(%{{.*}}, %{{.*}}) gradient "join" {job.note = "kept"} : (!job.blob<4xf32>, !job.blob<2xi32>) -> (!job.blob<2xf32>, !job.blob<2xbf16>)
// CHECK:         job.host_call "tick"() : () -> ()
job.func @host_calls(%x: !job.blob<4xf32>, %y: !job.blob<2xi32>) kind predict {
  job.host_call "print"(%x) : (!job.blob<4xf32>) -> ()
  %0:2 = job.host_call "split"(%x, %y) gradient "join" {job.note = "kept"} : (!job.blob<4xf32>, !job.blob<2xi32>) -> (!job.blob<2xf32>, !job.blob<2xbf16>)
  job.host_call "tick"() : () -> ()
  job.return
}

// CHECK-LABEL: job.func @custom_gradient(
// CHECK:         job.custom_gradient values(%{{.*}}, %{{.*}} : !job.blob<4xf32>, !job.blob<4xi1>) inputs(%{{.*}}, %{{.*}} : !job.blob<4xf32>, !job.blob<4xi32>) {
// CHECK-NEXT:    ^bb0(%{{.*}}: !job.blob<4xf32>, %{{.*}}: !job.blob<4xi32>, %{{.*}}: !job.blob<4xf32>, %{{.*}}: !job.blob<4xi1>, %[[GRAD:.*]]: !job.blob<4xf32>):
// CHECK-NEXT:      job.yield %[[GRAD]] : !job.blob<4xf32>
job.func @custom_gradient(%x: !job.blob<4xf32>, %i: !job.blob<4xi32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  %1 = job.compare gt %x, %0 : !job.blob<4xf32>
  %2:2 = job.custom_gradient values(%0, %1 : !job.blob<4xf32>, !job.blob<4xi1>) inputs(%x, %i : !job.blob<4xf32>, !job.blob<4xi32>) {
  ^bb0(%in: !job.blob<4xf32>, %number: !job.blob<4xi32>, %out: !job.blob<4xf32>, %is: !job.blob<4xi1>, %grad: !job.blob<4xf32>):
    job.yield %grad : !job.blob<4xf32>
  }
  job.return %2#0 : !job.blob<4xf32>
}
