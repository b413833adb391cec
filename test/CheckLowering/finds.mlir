// Mistakes are put into the pipeline, at each level; what they are and where is
// what comes out.
//
// RUN: not job-opt %s --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,test-wrong-job,job-plan-pipeline,job-lower-pipeline" 2>&1 | FileCheck %s --check-prefix=JOB
// RUN: not job-opt %s --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,job-plan-pipeline,test-wrong-kernels,job-lower-pipeline" 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not job-opt %s --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,job-plan-pipeline,test-wrong-plan,job-lower-pipeline" 2>&1 | FileCheck %s --check-prefix=PLAN

job.variable @total : !job.blob<2x3xf32> init #job.constant_init<1.0>

job.func @predict(%x: !job.blob<2x3xf32> {job.name = "x"})
    -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %0 = job.exp %x : !job.blob<2x3xf32>
  // JOB: finds.mlir:[[@LINE+2]]:8: error: pass 'test-wrong-job' changes what the module computes (seed 1): expects result 'y' of @predict in step 1[0, 0] = [[E:[-0-9.]+]] but got [[G:[-0-9.]+]]
  // JOB: finds.mlir:[[@LINE+1]]:8: note: the first op whose value differs is job.sub here: expects result[0, 0] = {{[-0-9.]+}} but got {{[-0-9.]+}}
  %1 = job.add %0, %x : !job.blob<2x3xf32>
  // KERNEL: finds.mlir:[[@LINE+2]]:8: error: job.div has a different result when compiled: expects result[0, 0] = {{[-0-9.]+}} but got {{[-0-9.]+}}
  // KERNEL: note: in this kernel: expects result
  %2 = job.div %1, %0 : !job.blob<2x3xf32>
  %3 = job.mul %2, %0 : !job.blob<2x3xf32>

  // What is assigned twice is not updated in place.
  %old = job.read @total : !job.blob<2x3xf32>
  %reshaped = job.reshape %old : !job.blob<2x3xf32> to !job.blob<3x2xf32>
  %new = job.transpose %reshaped {permutation = array<i64: 1, 0>} : !job.blob<3x2xf32>
  %sum = job.mul %new, %3 : !job.blob<2x3xf32>
  // PLAN: finds.mlir:[[@LINE+2]]:3: error: the artifact differs from the reference (seed 1): expects variable @total after @predict[0, 0] = {{[-0-9.]+}} but got 1
  // PLAN: note: every kernel and library call agrees when it runs alone, so the order of commands, the memory plan or an update in place is wrong
  job.assign @total, %sum : !job.blob<2x3xf32>
  job.return %3 : !job.blob<2x3xf32>
}
