// RUN: job-opt %s --plan-verify --split-input-file --verify-diagnostics

// The program of kind init writes all variables.

#variables = #plan.space<variables>

plan.variable @w : memref<16xf32, #variables>
// expected-error@below {{'plan.variable' op expects program @jobmlir_init of kind init to write the variable but got no command that does}}
plan.variable @v : memref<16xf32, #variables>
plan.program @jobmlir_init kind init {
  %w = plan.get_variable @w : memref<16xf32, #variables>
  plan.fill %w with 0 : memref<16xf32, #variables>
  plan.return
}

// -----

#variables = #plan.space<variables>

plan.variable @w : memref<16xf32, #variables>
plan.variable @v : memref<16xf32, #variables>
plan.program @jobmlir_init kind init {
  %w = plan.get_variable @w : memref<16xf32, #variables>
  // expected-note@below {{the variable is read here}}
  %v = plan.get_variable @v : memref<16xf32, #variables>
  // expected-error@below {{'plan.copy' op expects a program of kind init to read variables that it has written but got @v}}
  plan.copy %v to %w : memref<16xf32, #variables> to memref<16xf32, #variables>
  plan.fill %v with 0 : memref<16xf32, #variables>
  plan.return
}

// -----

// It may read what it has written, also through a view.

#variables = #plan.space<variables>

plan.variable @w : memref<16xf32, #variables>
plan.variable @v : memref<4x4xf32, #variables>
plan.program @jobmlir_init kind init {
  %w = plan.get_variable @w : memref<16xf32, #variables>
  %v = plan.get_variable @v : memref<4x4xf32, #variables>
  %flat = plan.view %v : memref<4x4xf32, #variables> to memref<16xf32, #variables>
  plan.fill %flat with 0 : memref<16xf32, #variables>
  plan.copy %flat to %w : memref<16xf32, #variables> to memref<16xf32, #variables>
  plan.return
}
