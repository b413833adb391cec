// Products with other buffers than their configs say, which plan-verify refuses,
// or with the same elements in other shapes, stay calls.

// RUN: job-opt %s --plan-fuse-rows | FileCheck %s

#variables = #plan.space<variables>

plan.device @gpu0 kind(cuda) queues(1)
plan.variable @a : memref<4x4xf32, #variables>
plan.variable @b : memref<4x4xf32, #variables>
plan.variable @flat : memref<16xf32, #variables>

// CHECK-LABEL: plan.program @no_bias
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, epilogue = bias>
plan.program @no_bias kind predict {
  %a = plan.get_variable @a : memref<4x4xf32, #variables>
  %b = plan.get_variable @b : memref<4x4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, epilogue = bias> ins(%a, %a : memref<4x4xf32, #variables>, memref<4x4xf32, #variables>) outs(%b : memref<4x4xf32, #variables>)
  plan.return
}

// CHECK-LABEL: plan.program @other_shape
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4>
plan.program @other_shape kind predict {
  %a = plan.get_variable @flat : memref<16xf32, #variables>
  %b = plan.get_variable @b : memref<4x4xf32, #variables>
  %c = plan.get_variable @a : memref<4x4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4> ins(%a, %b : memref<16xf32, #variables>, memref<4x4xf32, #variables>) outs(%c : memref<4x4xf32, #variables>)
  plan.return
}
