// RUN: job-opt %s --job-report-memory --split-input-file --verify-diagnostics

// expected-error @below {{expects a plan.program: run job-plan-pipeline first}}
module {
}

// -----

// expected-error @below {{expects an offset: run plan-assign-offsets first}}
plan.variable @w : memref<4xf32>

// -----

// expected-error @below {{expects an offset: run plan-assign-offsets first}}
plan.constant @c dense<1.0> : tensor<4xf32>

// -----

// expected-error @below {{expects the arena's sizes: run plan-pack-memory first}}
plan.program @p kind predict {
  plan.return
}

// -----

// expected-error @below {{expects the slots' sizes: run plan-assign-offsets first}}
plan.program @p kind predict attributes {arena_bytes = 0 : i64, arena_lower_bound = 0 : i64} {
  plan.return
}

// -----

plan.program @p kind predict attributes {arena_bytes = 0 : i64, arena_lower_bound = 0 : i64, input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-error @below {{expects an offset: run plan-pack-memory first}}
  %a = plan.alloc : memref<4xf32>
  plan.fill %a with 0 : memref<4xf32>
  plan.return
}
