// Which variables are updated in place. Each op is a kernel of its own, so that
// the order is the one written here.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),convert-job-to-plan)' | FileCheck %s

job.variable @v : !job.blob<64xf32> init #job.constant_init<0.0>
job.variable @w : !job.blob<8x8xf32> init #job.constant_init<0.0>
job.variable @total : !job.blob<1xf32> init #job.constant_init<0.0>

// Legal: the kernel reads the variable where it writes it.
// CHECK-LABEL: plan.program @in_place
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.get_variable @v
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) inouts(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @in_place(%x: !job.blob<64xf32>) kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  job.return
}

// Legal: no op reads the variable.
// CHECK-LABEL: plan.program @only_written
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @only_written(%x: !job.blob<64xf32>) kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  job.assign @v, %0 : !job.blob<64xf32>
  job.return
}

// Legal: the other reader has read it before.
// CHECK-LABEL: plan.program @read_before
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V2]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V3:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) inouts(%[[V2]]{{.*}})
// CHECK-NEXT: plan.return
job.func @read_before(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.exp %0 : !job.blob<64xf32>
  %2 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %2 : !job.blob<64xf32>
  job.return %1 : !job.blob<64xf32>
}

// Another reader between the update and the assignment: the new value waits in
// a buffer of its own.
// CHECK-LABEL: plan.program @read_between
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @v
// CHECK-NEXT: %[[V3:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V2]], %[[V0]]{{.*}}) outs(%[[V3]]{{.*}})
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V2]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V4:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V3]] to %[[V4]]
// CHECK-NEXT: plan.return
job.func @read_between(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.sub %0, %x : !job.blob<64xf32>
  %2 = job.exp %0 : !job.blob<64xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

// Another reader after the assignment: it reads a copy of the old value.
// CHECK-LABEL: plan.program @read_after
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @v
// CHECK-NEXT: %[[V3:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.copy %[[V2]] to %[[V3]]
// CHECK-NEXT: %[[V4:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V3]], %[[V0]]{{.*}}) outs(%[[V4]]{{.*}})
// CHECK-NEXT: %[[V5:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V4]] to %[[V5]]
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V3]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @read_after(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  %2 = job.exp %0 : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

// The same value read after the assignment is the new one.
// CHECK-LABEL: plan.program @read_again
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @v
// CHECK-NEXT: %[[V3:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V2]], %[[V0]]{{.*}}) outs(%[[V3]]{{.*}})
// CHECK-NEXT: %[[V4:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V3]] to %[[V4]]
// CHECK-NEXT: %[[V5:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V5]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @read_again(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  %2 = job.read @v : !job.blob<64xf32>
  %3 = job.exp %2 : !job.blob<64xf32>
  job.return %3 : !job.blob<64xf32>
}

// A sum is built up from zero where its terms are still read.
// CHECK-LABEL: plan.program @sum_of_itself
// CHECK: %[[V0:.*]] = plan.get_variable @total
// CHECK-NEXT: %[[V1:.*]] = plan.alloc : memref<1xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @total
// CHECK-NEXT: plan.copy %[[V1]] to %[[V2]]
// CHECK-NEXT: plan.return
job.func @sum_of_itself() kind predict {
  %0 = job.read @total : !job.blob<1xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<1xf32>
  job.assign @total, %1 : !job.blob<1xf32>
  job.return
}

// A library reads all of its input for any part of its output.
// CHECK-LABEL: plan.program @library
// CHECK: %[[V0:.*]] = plan.get_variable @w
// CHECK-NEXT: %[[V1:.*]] = plan.alloc : memref<8x8xf32, #arena>
// CHECK-NEXT: plan.call #plan.onednn.matmul<m = 8, n = 8, k = 8> ins(%[[V0]], %[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @w
// CHECK-NEXT: plan.copy %[[V1]] to %[[V2]]
// CHECK-NEXT: plan.return
job.func @library() kind predict {
  %0 = job.read @w : !job.blob<8x8xf32>
  %1 = job.matmul %0, %0 : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.assign @w, %1 : !job.blob<8x8xf32>
  job.return
}

// A library may write a variable that it does not read.
// CHECK-LABEL: plan.program @library_output
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.get_variable @w
// CHECK-NEXT: plan.call #plan.onednn.matmul<m = 8, n = 8, k = 8> ins(%[[V0]], %[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: plan.return
job.func @library_output(%x: !job.blob<8x8xf32>) kind predict {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.assign @w, %0 : !job.blob<8x8xf32>
  job.return
}

// Assigned twice: both values are copied, in order.
// CHECK-LABEL: plan.program @twice
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V2:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V2]]{{.*}})
// CHECK-NEXT: %[[V3:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V1]] to %[[V3]]
// CHECK-NEXT: %[[V4:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V2]] to %[[V4]]
// CHECK-NEXT: plan.return
job.func @twice(%x: !job.blob<64xf32>) kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.neg %x : !job.blob<64xf32>
  job.assign @v, %0 : !job.blob<64xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  job.return
}

// One value in two variables: one of them in place.
// CHECK-LABEL: plan.program @two_variables
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.get_variable @w
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V2:.*]] = plan.view %[[V1]] : memref<8x8xf32, #variables> to memref<64xf32, #variables>
// CHECK-NEXT: %[[V3:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V2]] to %[[V3]]
// CHECK-NEXT: plan.return
job.func @two_variables(%x: !job.blob<8x8xf32>) kind predict {
  %0 = job.exp %x : !job.blob<8x8xf32>
  %1 = job.reshape %0 : !job.blob<8x8xf32> to !job.blob<64xf32>
  job.assign @w, %0 : !job.blob<8x8xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  job.return
}

// The returned variable is the old one, the returned update the new one.
// CHECK-LABEL: plan.program @returned
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "old"
// CHECK-NEXT: %[[V2:.*]] = plan.output 1 "new"
// CHECK-NEXT: %[[V3:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V3]] to %[[V1]]
// CHECK-NEXT: %[[V4:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) inouts(%[[V3]]{{.*}})
// CHECK-NEXT: plan.copy %[[V4]] to %[[V2]]
// CHECK-NEXT: plan.return
job.func @returned(%x: !job.blob<64xf32>) -> (!job.blob<64xf32> {job.name = "old"}, !job.blob<64xf32> {job.name = "new"}) kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %1 : !job.blob<64xf32>
  job.return %0, %1 : !job.blob<64xf32>, !job.blob<64xf32>
}

// A reshape is a view: the returned view of the old value is of a copy.
// CHECK-LABEL: plan.program @view
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.output 0 "result0"
// CHECK-NEXT: %[[V2:.*]] = plan.get_variable @v
// CHECK-NEXT: %[[V3:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.copy %[[V2]] to %[[V3]]
// CHECK-NEXT: %[[V4:.*]] = plan.view %[[V3]] : memref<64xf32, #arena> to memref<8x8xf32, #arena>
// CHECK-NEXT: %[[V5:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V3]], %[[V0]]{{.*}}) outs(%[[V5]]{{.*}})
// CHECK-NEXT: %[[V6:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.copy %[[V5]] to %[[V6]]
// CHECK-NEXT: plan.copy %[[V4]] to %[[V1]]
// CHECK-NEXT: plan.return
job.func @view(%x: !job.blob<64xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.reshape %0 : !job.blob<64xf32> to !job.blob<8x8xf32>
  %2 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %2 : !job.blob<64xf32>
  job.return %1 : !job.blob<8x8xf32>
}

// Legal: what used the old value with another shape has read it before.
// CHECK-LABEL: plan.program @view_before
// CHECK: %[[X:.*]] = plan.input 0 "arg0"
// CHECK: %[[V:.*]] = plan.get_variable @v
// CHECK: %[[VIEW:.*]] = plan.view %[[V]] : memref<64xf32, #variables> to memref<8x8xf32, #variables>
// CHECK: plan.dispatch @{{kernel_[0-9]+}} ins(%[[VIEW]]{{.*}})
// CHECK-NOT: plan.copy
// CHECK: plan.dispatch @{{kernel_[0-9]+}} ins(%[[X]]{{.*}}) inouts(%[[V]]{{.*}})
// CHECK-NEXT: plan.return
job.func @view_before(%x: !job.blob<64xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.read @v : !job.blob<64xf32>
  %1 = job.reshape %0 : !job.blob<64xf32> to !job.blob<8x8xf32>
  %2 = job.exp %1 : !job.blob<8x8xf32>
  %3 = job.sub %0, %x : !job.blob<64xf32>
  job.assign @v, %3 : !job.blob<64xf32>
  job.return %2 : !job.blob<8x8xf32>
}

// Zeros are filled in, other constants copied.
// CHECK-LABEL: plan.program @constants
// CHECK: %[[V0:.*]] = plan.get_variable @v
// CHECK-NEXT: plan.fill %[[V0]] with 0
// CHECK-NEXT: %[[V1:.*]] = plan.get_variable @w
// CHECK-NEXT: %[[V2:.*]] = plan.get_constant @constant_0 : memref<8x8xf32, #constants>
// CHECK-NEXT: plan.copy %[[V2]] to %[[V1]]
// CHECK-NEXT: plan.return
job.func @constants() kind predict {
  %0 = job.constant dense<0.0> : tensor<64xf32>
  %1 = job.constant dense<1.0> : tensor<8x8xf32>
  job.assign @v, %0 : !job.blob<64xf32>
  job.assign @w, %1 : !job.blob<8x8xf32>
  job.return
}

// A job that forbids it: a kernel writes its result over no input, and over a
// variable only. The planner's strategies are those of the job.
// CHECK-LABEL: plan.program @forbidden
// CHECK-SAME: attributes {packing = ["size"]}
// CHECK: %[[V0:.*]] = plan.input 0 "arg0"
// CHECK-NEXT: %[[V1:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V0]]{{.*}}) outs(%[[V1]]{{.*}})
// CHECK-NEXT: %[[V2:.*]] = plan.alloc : memref<64xf32, #arena>
// CHECK-NEXT: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V1]]{{.*}}) outs(%[[V2]]{{.*}})
// CHECK: %[[V3:.*]] = plan.get_variable @v
// CHECK: plan.dispatch @{{kernel_[0-9]+}} ins(%[[V2]]{{.*}}) inouts(%[[V3]]{{.*}})
// CHECK-NEXT: plan.return
// CHECK-LABEL: plan.program @allowed
// CHECK: plan.dispatch @{{kernel_[0-9]+}} ins(%{{.*}}) outs(%[[V1:.*]] : memref
// CHECK: plan.dispatch @{{kernel_[0-9]+}} inouts(%[[V1]] : memref
// CHECK: plan.dispatch
// CHECK-NEXT: plan.return
job.func @forbidden(%x: !job.blob<64xf32>) kind predict attributes {in_place = false, packing = ["size"]} {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.neg %0 : !job.blob<64xf32>
  %2 = job.read @v : !job.blob<64xf32>
  %3 = job.sub %2, %1 : !job.blob<64xf32>
  job.assign @v, %3 : !job.blob<64xf32>
  job.return
}
job.func @allowed(%x: !job.blob<64xf32>) kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.neg %0 : !job.blob<64xf32>
  %2 = job.read @v : !job.blob<64xf32>
  %3 = job.sub %2, %1 : !job.blob<64xf32>
  job.assign @v, %3 : !job.blob<64xf32>
  job.return
}
