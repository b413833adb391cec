// What interpreters refuse before they start: blobs beyond the machine's memory.

// RUN: job-opt %s --split-input-file --job-interpret --verify-diagnostics -o /dev/null
// RUN: job-opt %s --split-input-file --job-check-gradients --verify-diagnostics -o /dev/null
// RUN: job-opt %s --split-input-file --job-check-lowering --verify-diagnostics -o /dev/null
// RUN: echo 'job.func @f(%%x: !job.blob<1048576x1048576xf32>) kind predict {' > %t.mlir
// RUN: echo '  job.return' >> %t.mlir
// RUN: echo '}' >> %t.mlir
// RUN: not job-run %t.mlir --entry f --reference 2>&1 | FileCheck %s
// CHECK: {{^}}{{.*}}.mlir:1:13: error: expects blobs of at most

// expected-error@+1 {{expects blobs of at most}}
job.func @input(%x: !job.blob<1048576x1048576xf32>) kind train {
  job.return
}

// -----

// expected-error@+1 {{which fit the memory of this machine with 64 bits each, but got '!job.blob<1048576x1048576xf32>'}}
job.variable @w : !job.blob<1048576x1048576xf32> init #job.constant_init<1.0>

job.func @variable() kind train {
  job.return
}

// -----

job.func @result() kind train {
  %x = job.constant dense<1.0> : tensor<1048576x1xf32>
  %y = job.constant dense<1.0> : tensor<1x1048576xf32>
  // expected-error@+1 {{got '!job.blob<1048576x1048576xf32>'}}
  %z = job.matmul %x, %y : !job.blob<1048576x1xf32>, !job.blob<1x1048576xf32>
  job.return
}
