// RUN: job-opt %s --job-report-memory --split-input-file --verify-diagnostics

// expected-error @below {{expects a plan.program: run job-plan-pipeline first}}
module {
}

// -----

// expected-error @below {{expects the sizes of variables and constants: run plan-assign-offsets first}}
module {
  plan.variable @w : memref<4xf32, #plan.space<variables>>
}

// -----

// expected-error @below {{expects the sizes of variables and constants: run plan-assign-offsets first}}
module {
  plan.constant @c dense<1.0> : tensor<4xf32>
}

// -----

// expected-error @below {{expects the arena's size: run plan-pack-memory first}}
plan.program @p kind predict {
  plan.return
}

// -----

// expected-error @below {{expects the slots' sizes: run plan-assign-offsets first}}
plan.program @p kind predict sizes<arena = 0 above 0> {
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @p kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0> {
  // expected-error @below {{expects an offset: run plan-pack-memory first}}
  %a = plan.alloc : memref<4xf32, #arena>
  plan.fill %a with 0 : memref<4xf32, #arena>
  plan.return
}
