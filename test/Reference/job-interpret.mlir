// RUN: job-opt %s --job-interpret="entry=third" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: job-opt %s --job-interpret="entry=third round=true digits=17" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROUND
// RUN: job-opt %s --job-interpret="entry=third digits=17" -o /dev/null 2>&1 | FileCheck %s --check-prefix=DIGITS
// RUN: job-opt %s --job-interpret="entry=inputs seed=5" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: job-opt %s --job-interpret="entry=inputs seed=5" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not job-opt %s --job-interpret="steps=-1" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not job-opt %s --job-interpret="entry=missing" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING

// EXACT-NOT: remark: x
// EXACT: remark: third = [0.3333333]
// DIGITS: remark: third = [0.33333333333333331]
// The nearest float to a third.
// ROUND: remark: third = [0.3333333432674408]
job.func @third() -> (!job.blob<1xf32> {job.name = "third"}) kind predict {
  %one = job.constant dense<1.0> : tensor<1xf32>
  %three = job.constant dense<3.0> : tensor<1xf32>
  %third = job.div %one, %three : !job.blob<1xf32>
  job.return %third : !job.blob<1xf32>
}

// SEED-NOT: remark: third
// SEED: remark: x = [0.5319644, -0.3055578, 0.927389]
// SEED: remark: n = [0, 1, 1, 1]
// STEPS: error: expects steps of at least 0 but got -1
// MISSING: error: expects a job of the module but got @missing, which is none
job.func @inputs(%x: !job.blob<3xf32>, %n: !job.blob<4xi32>) -> (!job.blob<3xf32> {job.name = "x"}, !job.blob<4xi32> {job.name = "n"}) kind predict {
  job.return %x, %n : !job.blob<3xf32>, !job.blob<4xi32>
}
