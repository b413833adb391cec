// RUN: job-opt %s --job-place=device=gpu --job-insert-transfers | FileCheck %s

// The host calls its functions, whatever they are said to be placed on.
// CHECK-DAG: #[[HOST:.*]] = #job.placement<cpu, "0:0">
// CHECK-DAG: #[[GPU:.*]] = #job.placement<gpu, "0:0">
// CHECK: job.func @calls{{.*}}placement = #[[GPU]]
// CHECK:   %[[E:.*]] = job.exp
// CHECK:   %[[COPY:.*]] = job.transfer %[[E]] to #[[HOST]]
// CHECK:   %[[Y:.*]] = job.host_call "swish"(%[[COPY]]) {job.placement = #[[HOST]]}
// CHECK:   %[[BACK:.*]] = job.transfer %[[Y]] to #[[GPU]]
// CHECK:   job.neg %[[BACK]]
// CHECK:   job.host_call "print"(%[[COPY]]) {job.placement = #[[HOST]]}
job.func @calls(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  %1 = job.host_call "swish"(%0) {job.placement = #job.placement<gpu, "0:0">} : (!job.blob<4xf32>) -> !job.blob<4xf32>
  %2 = job.neg %1 : !job.blob<4xf32>
  job.host_call "print"(%0) : (!job.blob<4xf32>) -> ()
  job.return %2 : !job.blob<4xf32>
}
