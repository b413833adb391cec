// RUN: not job-opt %s --pass-pipeline='builtin.module(plan.program(plan-pack-memory{strategy=worst}))' 2>&1 | FileCheck %s
// RUN: not job-opt %s --pass-pipeline='builtin.module(plan.program(plan-pack-memory{effort=-1}))' 2>&1 | FileCheck %s --check-prefix=EFFORT

#arena = #plan.space<arena>

// EFFORT: 'plan.program' op expects an effort from 0 to 1000000000 but got -1
// CHECK: 'plan.program' op expects strategy best, size, conflicts, time or none but got 'worst'
plan.program @p kind predict {
  %a = plan.alloc : memref<1xf32, #arena>
  plan.fill %a with 0 : memref<1xf32, #arena>
  plan.return
}
