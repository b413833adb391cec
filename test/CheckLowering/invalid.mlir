// RUN: not job-opt %s --job-check-lowering="pipeline=no-such-pass" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: echo "module {}" | not job-opt --job-check-lowering 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not job-opt %s --job-check-lowering=steps=0 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: env TMPDIR=%t.none not job-opt %s --job-check-lowering 2>&1 | FileCheck %s --check-prefix=FOLDER

// PIPELINE: error: expects a pipeline of known passes but got 'no-such-pass': {{.*}}'no-such-pass' does not refer to a registered pass
// EMPTY: error: expects jobs to compare but got none
// STEPS: {{^}}{{.*}}invalid.mlir: error: expects steps of at least 1 but got 0{{$}}
// FOLDER: {{^}}{{.*}}invalid.mlir: error: cannot make a temporary file in '{{.*}}.none': no such file or directory

job.func @copy(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  job.return %x : !job.blob<4xf32>
}
