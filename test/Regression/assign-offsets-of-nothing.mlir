// RUN: job-opt %s --plan-assign-offsets | FileCheck %s
// CHECK: module attributes {plan.sizes = #plan.sizes<variables = 0, constants = 0>}
module {}
