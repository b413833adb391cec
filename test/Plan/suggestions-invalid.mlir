// RUN: job-opt %s --plan-verify --split-input-file --verify-diagnostics

// Names that do not exist, with a note on a similar one of the same kind.

#variables = #plan.space<variables>

plan.variable @kernel : memref<4xf32, #variables>
plan.program @p kind predict {
  // expected-error@+2 {{'plan.get_variable' op expects a plan.variable but got @kernal, which is none}}
  // expected-note@+1 {{did you mean @kernel instead of @kernal?}}
  %w = plan.get_variable @kernal : memref<4xf32, #variables>
  plan.return
}

// -----

#constants = #plan.space<constants>

plan.constant @table dense<[1, 2]> : tensor<2xi32>
plan.program @p kind predict {
  // expected-error@+2 {{'plan.get_constant' op expects a plan.constant but got @tables, which is none}}
  // expected-note@+1 {{did you mean @table instead of @tables?}}
  %c = plan.get_constant @tables : memref<2xi32, #constants>
  plan.return
}

// -----

plan.executable @relu { plan.variant @cpu chunks(2) }
plan.program @p kind predict {
  // expected-error@+2 {{'plan.dispatch' op expects a plan.executable but got @rel, which is none}}
  // expected-note@+1 {{did you mean @relu instead of @rel?}}
  plan.dispatch @rel
  plan.return
}

// -----

plan.communicator @ranks ranks(2)
plan.program @p kind predict {
  %x = plan.alloc : memref<8xf32, #plan.space<arena>>
  // expected-error@+2 {{'plan.collective' op expects a plan.communicator but got @rank, which is none}}
  // expected-note@+1 {{did you mean @ranks instead of @rank?}}
  plan.collective all_reduce on @rank sum inouts(%x : memref<8xf32, #plan.space<arena>>)
  plan.return
}

// -----

plan.device @cpu kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @p kind predict {
  // expected-error@+2 {{'plan.alloc' op expects a space of a plan.device but got #plan.space<@gpu1, arena>, which names none}}
  // expected-note@+1 {{did you mean @gpu0 instead of @gpu1?}}
  %b = plan.alloc : memref<4xf32, #plan.space<@gpu1, arena>>
  plan.return
}

// -----

// expected-error@+2 {{expects arena, variables, constants, inputs, outputs or workspace but got variable}}
// expected-note@+1 {{did you mean variables instead of variable?}}
plan.variable @v : memref<4xf32, #plan.space<variable>>

// -----

plan.executable @k {
  // expected-error@+2 {{expects distribute, tile, vectorize, interleave or accumulate but got vectorise}}
  // expected-note@+1 {{did you mean vectorize instead of vectorise?}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorise = [0, 4]>)
}

// -----

plan.executable @k {
  // expected-error@+2 {{expects blocks, threads, lanes, vectorize, accumulate or transpose but got thread}}
  // expected-note@+1 {{did you mean threads instead of thread?}}
  plan.variant @cuda schedule(#plan.cuda_schedule<thread = 32>)
}

// -----

plan.program @p kind predict {
  // expected-error@+2 {{expects a parameter of onednn.matmul but got nn}}
  // expected-note@+1 {{did you mean n instead of nn?}}
  plan.call #plan.onednn.matmul<nn = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@+2 {{expects 'type' to be one of f32, f16, bf16 but got f34}}
  // expected-note@+1 {{did you mean f32 instead of f34?}}
  plan.call #plan.onednn.matmul<type = f34>
  plan.return
}

// -----

// expected-error@+2 {{'builtin.module' op expects an attribute of the plan dialect but got "plan.size"}}
// expected-note@+1 {{did you mean plan.sizes instead of plan.size?}}
module attributes {plan.size = #plan.sizes<variables = 0>} {
}
