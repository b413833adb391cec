// RUN: job-opt %s --plan-assign-offsets --split-input-file --verify-diagnostics

// 2^48 bytes in all are allowed: the two variables and nothing more.
plan.variable @half : memref<140737488355328xi8>
plan.variable @other_half : memref<140737488355328xi8>
// expected-error@+1 {{'plan.variable' op expects to end within 281474976710656 bytes of the bank but ends at 281474976710657}}
plan.variable @one_more : memref<1xi8>

// -----

plan.program @inputs kind predict {
  %a = plan.input 0 "a" : memref<281474976710656xi8>
  // expected-error@+1 {{'plan.input' op expects to end within 281474976710656 bytes of the input but ends at 281474976710664}}
  %b = plan.input 1 "b" : memref<2xf32>
  plan.return
}

// -----

plan.program @outputs kind predict {
  %a = plan.output 0 "a" : memref<281474976710656xi8>
  // expected-error@+1 {{'plan.output' op expects to end within 281474976710656 bytes of the output but ends at 281474976710664}}
  %b = plan.output 1 "b" : memref<2xf32>
  plan.return
}

// -----

plan.constant @a dense<0> : tensor<281474976710656xi8>
// expected-error@+1 {{'plan.constant' op expects to end within 281474976710656 bytes of the constant but ends at 281474976710657}}
plan.constant @b dense<0> : tensor<1xi8>
