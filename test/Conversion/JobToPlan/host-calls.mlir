// RUN: job-opt %s --job-plan-pipeline | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline=device=gpu | FileCheck %s --check-prefix=GPU

// Calls are commands of the host, in their order, with others in between.

job.variable @w : !job.blob<64xf32> init #job.constant_init<1.0>

// CHECK-LABEL: plan.program @calls
// CHECK:         %[[X:.*]] = plan.input 0
// CHECK:         %[[OUT:.*]] = plan.output 0
// CHECK:         plan.host_call "tick"
// CHECK:         plan.host_call "print" ins(%[[X]], %{{.*}} : memref<64xf32, #inputs>, memref<64xf32, #variables>)
// CHECK:         plan.host_call "swish" ins(%{{.*}} : memref<64xf32, #arena>) outs(%[[Y:.*]] : memref<64xf32, #arena>)
// CHECK:         plan.dispatch
// CHECK:         plan.host_call "unused" ins(%[[Y]] : memref<64xf32, #arena>) outs(%{{.*}} : memref<4xi32, #arena>)
// CHECK:         plan.host_call "last" ins(%{{.*}}) outs(%[[OUT]] : memref<64xbf16, #outputs>)
// CHECK:         plan.return

// On a GPU job, the host calls them in the same order, and blobs are copied.
// GPU-LABEL: plan.program @calls
// GPU-DAG:     plan.copy %{{.*}} to %[[E:.*]] : memref<64xf32, #arena> to memref<64xf32, #cpu0_arena>
// GPU-DAG:     plan.host_call "tick" queue(1)
// GPU:         plan.host_call "print" queue(1) ins(
// GPU:         plan.host_call "swish" queue(1) ins(%{{.*}} : memref<64xf32, #cpu0_arena>) outs(%[[Y:.*]] : memref<64xf32, #cpu0_arena>)
// GPU:         plan.host_call "unused" queue(1) ins(%[[Y]] :
// GPU:         plan.copy %[[Y]] to %{{.*}} : memref<64xf32, #cpu0_arena> to memref<64xf32, #arena>
// GPU:         plan.dispatch
// GPU:         plan.host_call "last" queue(1) ins(
// GPU:         plan.return
job.func @calls(%x: !job.blob<64xf32>) -> (!job.blob<64xbf16>, !job.blob<64xf32>) kind predict {
  %w = job.read @w : !job.blob<64xf32>
  job.host_call "tick"() : () -> ()
  job.host_call "print"(%x, %w) : (!job.blob<64xf32>, !job.blob<64xf32>) -> ()
  %0 = job.exp %w : !job.blob<64xf32>
  %1 = job.host_call "swish"(%0) : (!job.blob<64xf32>) -> !job.blob<64xf32>
  %2 = job.mul %1, %x : !job.blob<64xf32>
  %3 = job.host_call "unused"(%1) : (!job.blob<64xf32>) -> !job.blob<4xi32>
  %4 = job.host_call "last"(%2) : (!job.blob<64xf32>) -> !job.blob<64xbf16>
  job.return %4, %2 : !job.blob<64xbf16>, !job.blob<64xf32>
}
