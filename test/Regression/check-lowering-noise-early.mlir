// The first job asks for noise before the other one can be compared.
//
// RUN: not job-opt %s --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job.func(canonicalize),job-train-pipeline,test-wrong-job,job-plan-pipeline,job-lower-pipeline" -o /dev/null 2>&1 | FileCheck %s

// CHECK: error: pass 'test-wrong-job' changes what the module computes

job.variable @w : !job.blob<6x8xf32> init #job.constant_init<1.0>
job.func @predict(%x: !job.blob<6x9xf32>) -> (!job.blob<6x9xf32> {job.name="y"}) kind predict {
  %c1 = job.constant dense<0.1> : tensor<6x9xf32>
  %c2 = job.constant dense<0.7> : tensor<6x9xf32>
  %c = job.mul %c1, %c2 : !job.blob<6x9xf32>
  %a = job.mul %x, %c : !job.blob<6x9xf32>
  %b = job.mul %x, %c1 : !job.blob<6x9xf32>
  %b2 = job.mul %b, %c2 : !job.blob<6x9xf32>
  %d = job.sub %a, %b2 : !job.blob<6x9xf32>
  job.return %d : !job.blob<6x9xf32>
}
job.func @t(%x: !job.blob<6x8xf32>) -> !job.blob<6x8xf32> kind train {
  %w = job.read @w : <6x8xf32>
  %a = job.mul %x, %w : <6x8xf32>
  %e = job.exp %x : <6x8xf32>
  %z = job.add %a, %e : <6x8xf32>
  job.loss %z : <6x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1.000000e-01>
  job.return %z : !job.blob<6x8xf32>
}
