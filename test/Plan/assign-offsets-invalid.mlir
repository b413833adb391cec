// RUN: job-opt %s --plan-assign-offsets --split-input-file --verify-diagnostics

#variables = #plan.space<variables>

// 2^48 bytes in all are allowed: the two variables and nothing more. The largest
// is to blame, the first of several.
// expected-error@+1 {{expects at most 281474976710656 bytes of variables but got at least 281474976710657, of which 140737488355328 are here}}
plan.variable @half : memref<140737488355328xi8, #variables>
plan.variable @other_half : memref<140737488355328xi8, #variables>
plan.variable @one_more : memref<1xi8, #variables>

// -----

#inputs = #plan.space<inputs>

plan.program @inputs kind predict {
  // expected-error@+1 {{expects at most 281474976710656 bytes of inputs but got at least 281474976710664, of which 281474976710656 are here}}
  %a = plan.input 0 "a" : memref<281474976710656xi8, #inputs>
  %b = plan.input 1 "b" : memref<2xf32, #inputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @outputs kind predict {
  // expected-error@+1 {{expects at most 281474976710656 bytes of outputs but got at least 281474976710664, of which 281474976710656 are here}}
  %a = plan.output 0 "a" : memref<281474976710656xi8, #outputs>
  %b = plan.output 1 "b" : memref<2xf32, #outputs>
  plan.return
}

// -----

// expected-error@+1 {{expects at most 281474976710656 bytes of constants but got at least 281474976710657, of which 281474976710656 are here}}
plan.constant @a dense<0> : tensor<281474976710656xi8>
plan.constant @b dense<0> : tensor<1xi8>

// -----

#workspace = #plan.space<workspace>

// Each queue has a workspace of its own.
plan.device @cpu0 kind(host) queues(2)
// expected-error@+1 {{expects workspaces of at most 281474976710656 bytes but got 281474976710720}}
plan.program @workspaces kind predict {
  %0 = plan.workspace : memref<281474976710656xi8, #workspace>
  %1 = plan.workspace : memref<1xi8, #workspace>
  plan.fill %0 with 0 : memref<281474976710656xi8, #workspace>
  plan.fill %1 with 0 queue(1) : memref<1xi8, #workspace>
  plan.return
}
