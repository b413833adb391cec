// RUN: not job-opt %s --job-assign-layouts=layout=hwcn 2>&1 | FileCheck %s

// CHECK: error: expects layout to be nchw or nhwc but got 'hwcn'
job.func @f() kind predict {
  job.return
}
