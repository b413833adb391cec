// A program may fill its budget; 0 is none.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-check-budget{budget=1216})' -o /dev/null
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-check-budget)' -o /dev/null
// RUN: echo "" | job-opt --pass-pipeline='builtin.module(plan-check-budget{budget=1})' -o /dev/null

plan.program @p kind predict {
  %a = plan.alloc : memref<1xf32>
  %b = plan.alloc : memref<256xf32>
  %c = plan.alloc : memref<32xf32>
  plan.call "library.function" chunks(1) outs(%a, %b, %c : memref<1xf32>, memref<256xf32>, memref<32xf32>) config {}
  plan.return
}
