// RUN: job-opt %s --job-lower-kernels --split-input-file --verify-diagnostics

// expected-error@+1 {{'plan.executable' op expects code for the CPU but got none}}
plan.executable @without_variant {
  plan.variant @gpu
}

// -----

// expected-error@+1 {{'plan.executable' op expects code for the CPU but got none}}
plan.executable @without_code {
  plan.variant @cpu schedule(#plan.cpu_schedule<>)
}
