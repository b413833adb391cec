// An error beside a jump is found: noise that crosses one, of a floor or of a
// comparison, says nothing about the numbers around it.
//
// RUN: not job-opt %s --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,test-wrong-job,job-plan-pipeline,job-lower-pipeline" -o /dev/null 2>&1 | FileCheck %s --check-prefix=JOB
// RUN: not job-opt %s --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,job-plan-pipeline,test-wrong-kernels,job-lower-pipeline" -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNEL

// JOB: error: pass 'test-wrong-job' changes what the module computes
// KERNEL: error: job.div has a different result when compiled

job.variable @s : !job.blob<2x3xf32> init #job.constant_init<1.0>
job.func @floor(%x: !job.blob<2x3xf32> {job.name = "x"})
    -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %s = job.read @s : !job.blob<2x3xf32>
  %f = job.floor %s : !job.blob<2x3xf32>
  %0 = job.exp %x : !job.blob<2x3xf32>
  %1 = job.add %0, %x : !job.blob<2x3xf32>
  %k = job.constant dense<4.0> : tensor<2x3xf32>
  %f2 = job.mul %f, %k : !job.blob<2x3xf32>
  %2 = job.mul %1, %f2 : !job.blob<2x3xf32>
  job.return %2 : !job.blob<2x3xf32>
}

job.func @compare(%x: !job.blob<2x3xf32> {job.name = "x"})
    -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %s = job.read @s : !job.blob<2x3xf32>
  %0 = job.exp %x : !job.blob<2x3xf32>
  %1 = job.exp %0 : !job.blob<2x3xf32>
  %2 = job.div %1, %0 : !job.blob<2x3xf32>
  %one = job.constant dense<1.0> : tensor<2x3xf32>
  %m = job.compare ge %s, %one : !job.blob<2x3xf32>
  %z = job.constant dense<0.0> : tensor<2x3xf32>
  %4 = job.select %m, %s, %z : !job.blob<2x3xi1>, !job.blob<2x3xf32>
  %6 = job.mul %2, %4 : !job.blob<2x3xf32>
  job.return %6 : !job.blob<2x3xf32>
}
