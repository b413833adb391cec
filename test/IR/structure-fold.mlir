// RUN: job-opt %s --canonicalize --cse | FileCheck %s
//
// What dead-code elimination and CSE may do with the ops that touch variables.

job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0>

// Equal constants are one, unused ones none.
// CHECK-LABEL: job.func @constants
// CHECK-NEXT:    %[[C:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    job.return %[[C]], %[[C]] :
job.func @constants() -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.constant dense<1.0> : tensor<4xf32>
  %1 = job.constant dense<1.0> : tensor<4xf32>
  %2 = job.constant dense<2.0> : tensor<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// 0 and -0 are not equal.
// CHECK-LABEL: job.func @zeros
// CHECK-DAG:     %[[P:.*]] = job.constant dense<0.000000e+00>
// CHECK-DAG:     %[[M:.*]] = job.constant dense<-0.000000e+00>
// CHECK:         job.return %[[P]], %[[M]] :
job.func @zeros() -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.constant dense<0.0> : tensor<4xf32>
  %1 = job.constant dense<-0.0> : tensor<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// Two reads without an assignment between are one; a read that nobody uses is
// none.
// CHECK-LABEL: job.func @reads
// CHECK-NEXT:    %[[W:.*]] = job.read @w
// CHECK-NEXT:    job.return %[[W]], %[[W]] :
job.func @reads() -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.read @w : !job.blob<4xf32>
  %1 = job.read @w : !job.blob<4xf32>
  %2 = job.read @w : !job.blob<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// A read after an assignment sees it.
// CHECK-LABEL: job.func @read_after_assign(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
// CHECK-NEXT:    %[[A:.*]] = job.read @w
// CHECK-NEXT:    job.assign @w, %[[X]]
// CHECK-NEXT:    %[[B:.*]] = job.read @w
// CHECK-NEXT:    job.return %[[A]], %[[B]] :
job.func @read_after_assign(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.read @w : !job.blob<4xf32>
  job.assign @w, %x : !job.blob<4xf32>
  %1 = job.read @w : !job.blob<4xf32>
  job.return %0, %1 : !job.blob<4xf32>, !job.blob<4xf32>
}

// Losses, updates and what they need stay.
// CHECK-LABEL: job.func @training
// CHECK-NEXT:    %[[N:.*]] = job.neg
// CHECK-NEXT:    job.loss %[[N]]
// CHECK-NEXT:    job.update @w, %[[N]]
// CHECK-NEXT:    job.minimize
job.func @training(%x: !job.blob<4xf32>) kind train {
  %0 = job.neg %x : !job.blob<4xf32>
  %1 = job.neg %x : !job.blob<4xf32>
  job.loss %0 : !job.blob<4xf32>
  job.update @w, %1 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Random numbers are functions of their arguments: equal ones are one, another
// id is another blob.
// CHECK-LABEL: job.func @random
// CHECK-NEXT:    %[[STEP:.*]] = job.step
// CHECK-NEXT:    %[[A:.*]] = job.dropout %{{.*}}, %[[STEP]] {id = 1
// CHECK-NEXT:    %[[B:.*]] = job.dropout %{{.*}}, %[[STEP]] {id = 2
// CHECK-NEXT:    job.return %[[A]], %[[A]], %[[B]] :
job.func @random(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %s = job.step
  %0 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<4xf32>
  %1 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<4xf32>
  %2 = job.dropout %x, %s {rate = 0.5, seed = 0 : i64, id = 2 : i64} : !job.blob<4xf32>
  job.return %0, %1, %2 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// A kernel only computes: it is removed if no op uses its results.
// CHECK-LABEL: job.func @kernels(
// CHECK-NEXT:    job.return
job.func @kernels(%x: !job.blob<4xf32>) kind predict {
  %0 = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
    %1 = job.exp %a : !job.blob<4xf32>
    job.yield %1 : !job.blob<4xf32>
  }
  job.return
}
