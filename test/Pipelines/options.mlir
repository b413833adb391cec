// Options of the pipelines reach the passes.
//
// RUN: job-opt %s --job-train-pipeline=simplify=false | FileCheck %s --check-prefix=RAW
// RUN: job-opt %s --job-train-pipeline | FileCheck %s --check-prefix=SIMPLE
// RUN: job-opt %s --job-plan-pipeline=simplify=false | FileCheck %s --check-prefixes=PLAN,RAWPLAN
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s --check-prefixes=PLAN,FUSED
// RUN: job-opt %s --job-plan-pipeline=fuse=false | FileCheck %s --check-prefixes=PLAN,ALONE
// RUN: job-opt %s --job-plan-pipeline='fuse=false in-place=false' | FileCheck %s --check-prefixes=PLAN,APART
// RUN: job-opt %s --job-plan-pipeline='fuse=false in-place=false packing=none' | FileCheck %s --check-prefixes=PLAN,LOOSE
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s --check-prefix=EPILOGUE
// RUN: job-opt %s --job-plan-pipeline=epilogues=false | FileCheck %s --check-prefix=AFTER

// RAW-LABEL: job.func @f
// RAW: job.neg
// RAW: job.neg
// SIMPLE-LABEL: job.func @f
// SIMPLE-NOT: job.neg

// Four buffers of 64 bytes in a chain: each in the memory of the one before, two
// at a time, or all of them.
// PLAN-LABEL: plan.program @f
// RAWPLAN-SAME: arena = 0
// FUSED-SAME: arena = 0
// ALONE-SAME: arena = 64 above 64
// APART-SAME: arena = 128 above 128
// LOOSE-SAME: arena = 256 above 128

// FUSED-COUNT-1: plan.dispatch
// FUSED-NOT: plan.dispatch
// FUSED: plan.return
// ALONE-COUNT-5: plan.dispatch
// ALONE-NOT: plan.dispatch
// ALONE: plan.return
job.func @f(%x: !job.blob<16xf32>) -> !job.blob<16xf32> kind predict {
  %n = job.neg %x : !job.blob<16xf32>
  %m = job.neg %n : !job.blob<16xf32>
  %0 = job.exp %m : !job.blob<16xf32>
  %1 = job.abs %0 : !job.blob<16xf32>
  %2 = job.exp %1 : !job.blob<16xf32>
  %3 = job.sqrt %2 : !job.blob<16xf32>
  %4 = job.exp %3 : !job.blob<16xf32>
  job.return %4 : !job.blob<16xf32>
}

// EPILOGUE: plan.dispatch @{{.*}} epilogue
// AFTER-NOT: epilogue
job.func @g(%x: !job.blob<4096x512xf32>, %w: !job.blob<512x64xf32>) -> !job.blob<4096x64xf32> kind predict {
  %0 = job.matmul %x, %w : !job.blob<4096x512xf32>, !job.blob<512x64xf32>
  %1 = job.relu %0 : !job.blob<4096x64xf32>
  job.return %1 : !job.blob<4096x64xf32>
}
