// The kernel that differs also cuts a blob by a count, or pads what it cut. Its
// ops run alone, but for those with bounded operands: no job has such an input.
//
// RUN: split-file %s %t
// RUN: not job-opt %t/given.mlir --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,job-plan-pipeline,test-wrong-kernels,job-lower-pipeline" 2>&1 | FileCheck %s
// RUN: not job-opt %t/constant.mlir --load-pass-plugin=%build/lib/JobMLIRTestPasses.so --job-check-lowering="pipeline=job-train-pipeline,job-plan-pipeline,test-wrong-kernels,job-lower-pipeline" 2>&1 | FileCheck %s

// CHECK: :3:8: error: job.div has a different result when compiled: expects result[0, 0] = {{[-0-9.]+}} but got {{[-0-9.]+}}
// CHECK: note: in this kernel: expects result

//--- given.mlir
job.func @cut(%x: !job.blob<2x3xf32>, %flags: !job.blob<2xi1>) -> (!job.blob<?<=2>x3xf32>, !job.blob<1xi64>, !job.blob<2x3xf32>) kind predict {
  %at, %n = job.argwhere %flags as i32 : !job.blob<2xi1>
  %0 = job.div %x, %x : !job.blob<2x3xf32>
  %1 = job.slice_to_dynamic %0, %n {dim = 0 : i64} : !job.blob<2x3xf32>
  %2 = job.pad_to_static %1, %n {value = 0.5 : f64} : !job.blob<?<=2>x3xf32>
  job.return %1, %n, %2 : !job.blob<?<=2>x3xf32>, !job.blob<1xi64>, !job.blob<2x3xf32>
}

//--- constant.mlir
job.func @cut(%x: !job.blob<2x3xf32>, %y: !job.blob<2x3xf32>) -> (!job.blob<?<=2>x3xf32>, !job.blob<1xi64>, !job.blob<2x3xf32>) kind predict {
  %n = job.constant dense<2> : tensor<1xi64>
  %0 = job.div %x, %y : !job.blob<2x3xf32>
  %1 = job.slice_to_dynamic %0, %n {dim = 0 : i64} : !job.blob<2x3xf32>
  %2 = job.pad_to_static %1, %n {value = 0.5 : f64} : !job.blob<?<=2>x3xf32>
  job.return %1, %n, %2 : !job.blob<?<=2>x3xf32>, !job.blob<1xi64>, !job.blob<2x3xf32>
}
