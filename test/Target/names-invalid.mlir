// Names that the manifest, which is JSON, cannot hold.

// RUN: split-file %s %t
// RUN: not job-compile %t/variable.mlir -o %t/x.so 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: not job-compile %t/job.mlir -o %t/x.so 2>&1 | FileCheck %s --check-prefix=JOB
// RUN: not ls %t/x.so

// VARIABLE: {{^}}{{.*}}variable.mlir:1:1: error: expects a name of UTF-8 but got "\FF"{{$}}
// JOB: {{^}}{{.*}}job.mlir:1:1: error: expects a name of UTF-8 but got "j\FE"{{$}}

//--- variable.mlir
job.variable @"\FF" : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @f() -> !job.blob<4xf32> kind predict {
  %0 = job.read @"\FF" : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

//--- job.mlir
job.func @"j\FE"(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  job.return %x : !job.blob<4xf32>
}
