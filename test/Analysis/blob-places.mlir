// Where the plan keeps each blob, and the bytes of the arena at the peak.
//
// RUN: job-opt %s --job-print-blob-places --split-input-file --verify-diagnostics
// RUN: job-opt %s --job-print-blob-places=in-place=false --split-input-file 2>&1 | FileCheck %s --check-prefix=APART
// RUN: job-opt %s --job-print-blob-places=check-numerics=true --split-input-file 2>&1 | FileCheck %s --check-prefix=CHECKS

job.variable @w : !job.blob<16xf32> init #job.constant_init<1.0>

// Beside the arena: the variable, the input and two outputs.
// APART: job 'step' needs 128 bytes of the arena at the peak and 256 bytes beside the arena
// expected-remark@+1 {{job 'step' needs 64 bytes of the arena at the peak and 256 bytes beside the arena}}
job.func @step(%x: !job.blob<16xf32>) -> (!job.blob<16xf32>, !job.blob<4x4xf32>) kind train {
  %w = job.read @w : !job.blob<16xf32>
  // expected-remark@+1 {{result 0 is in a buffer of its own}}
  %a = job.kernel(%0 = %x : !job.blob<16xf32>) -> !job.blob<16xf32> {
    %1 = job.exp %0 : !job.blob<16xf32>
    job.yield %1 : !job.blob<16xf32>
  }
  // APART: result 0 is in a buffer of its own
  // expected-remark@+1 {{result 0 is in the buffer of input 1}}
  %b = job.kernel(%0 = %w : !job.blob<16xf32>, %1 = %a : !job.blob<16xf32>) -> !job.blob<16xf32> {
    %2 = job.add %0, %1 : !job.blob<16xf32>
    job.yield %2 : !job.blob<16xf32>
  }
  // expected-remark@+2 {{result 0 is in variable 'w'}}
  // expected-remark@+1 {{result 1 is in output 0}}
  %c, %d = job.kernel(%0 = %b : !job.blob<16xf32>, %1 = %w : !job.blob<16xf32>) -> (!job.blob<16xf32>, !job.blob<16xf32>) {
    %2 = job.add %0, %1 : !job.blob<16xf32>
    %3 = job.mul %0, %0 : !job.blob<16xf32>
    job.yield %2, %3 : !job.blob<16xf32>, !job.blob<16xf32>
  }
  job.assign @w, %c : !job.blob<16xf32>
  %e = job.reshape %b : !job.blob<16xf32> to !job.blob<4x4xf32>
  job.return %d, %e : !job.blob<16xf32>, !job.blob<4x4xf32>
}

// -----

job.variable @w : !job.blob<16xf32> init #job.constant_init<1.0>

// The old value is needed when the variable has changed.
// expected-remark@+1 {{job 'late' needs 64 bytes of the arena at the peak and 192 bytes beside the arena}}
job.func @late(%x: !job.blob<16xf32>) -> !job.blob<16xf32> kind train {
  // expected-remark@+1 {{the value is copied}}
  %w = job.read @w : !job.blob<16xf32>
  job.assign @w, %x : !job.blob<16xf32>
  // expected-remark@+1 {{result 0 is in output 0}}
  %a = job.kernel(%0 = %w : !job.blob<16xf32>) -> !job.blob<16xf32> {
    %1 = job.exp %0 : !job.blob<16xf32>
    job.yield %1 : !job.blob<16xf32>
  }
  job.return %a : !job.blob<16xf32>
}

// -----

// Parts of 20 bytes are copied to aligned buffers, those of 64 are not.
// expected-remark@+1 {{job 'parts' needs 64 bytes of the arena at the peak}}
job.func @parts(%x: !job.blob<20xf32>, %y: !job.blob<64xf32>) -> (!job.blob<16xf32>, !job.blob<20xf32>, !job.blob<64xf32>) kind predict {
  // expected-remark@+3 {{result 0 is in output 0}}
  // expected-remark@+2 {{result 1 is in output 1}}
  // expected-remark@+1 {{result 2 is in output 2}}
  %sum, %p, %q = job.micro_steps count(4) rows(%x, %y : !job.blob<20xf32>, !job.blob<64xf32>) sums(!job.blob<16xf32>) packed(!job.blob<20xf32>, !job.blob<64xf32>) {
  // expected-remark@+1 {{the rows of each micro-step are copied}}
  ^bb0(%part: !job.blob<5xf32>, %row: !job.blob<16xf32>, %sofar: !job.blob<16xf32>):
    // expected-remark@+1 {{result 0 is in the buffer of input 0}}
    %a = job.kernel(%0 = %part : !job.blob<5xf32>) -> !job.blob<5xf32> {
      %1 = job.exp %0 : !job.blob<5xf32>
      job.yield %1 : !job.blob<5xf32>
    }
    // expected-remark@+2 {{result 0 is in sum 0}}
    // expected-remark@+1 {{result 1 is in the rows of packed result 1}}
    %b, %c = job.kernel(%0 = %sofar : !job.blob<16xf32>, %1 = %row : !job.blob<16xf32>) -> (!job.blob<16xf32>, !job.blob<16xf32>) {
      %2 = job.add %0, %1 : !job.blob<16xf32>
      %3 = job.exp %1 : !job.blob<16xf32>
      job.yield %2, %3 : !job.blob<16xf32>, !job.blob<16xf32>
    }
    job.yield %b, %a, %c : !job.blob<16xf32>, !job.blob<5xf32>, !job.blob<16xf32>
  }
  job.return %sum, %p, %q : !job.blob<16xf32>, !job.blob<20xf32>, !job.blob<64xf32>
}

// -----

job.variable @v : !job.blob<4x4xf32> init #job.constant_init<1.0>
job.variable @w : !job.blob<4x4xf32> init #job.constant_init<1.0>

// Only a kernel can keep the old elements of a variable where a check fails; it
// has a status of 256 bytes.
// CHECKS: job 'checked' needs 320 bytes of the arena at the peak and 192 bytes beside the arena
// expected-remark@+1 {{job 'checked' needs 0 bytes of the arena at the peak and 192 bytes beside the arena}}
job.func @checked(%x: !job.blob<4x4xf32>) kind predict {
  %old = job.read @w : !job.blob<4x4xf32>
  // CHECKS: result 0 is in a buffer of its own
  // expected-remark@+1 {{result 0 is in variable 'v'}}
  %p = job.matmul %x, %x : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  // CHECKS: result 0 is in variable 'w'
  // expected-remark@+1 {{result 0 is in variable 'w'}}
  %q = job.kernel(%0 = %old : !job.blob<4x4xf32>) -> !job.blob<4x4xf32> {
    %1 = job.exp %0 : !job.blob<4x4xf32>
    job.yield %1 : !job.blob<4x4xf32>
  }
  job.assign @v, %p : !job.blob<4x4xf32>
  job.assign @w, %q : !job.blob<4x4xf32>
  job.return
}
