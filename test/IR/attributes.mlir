// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// Placements and shardings are printed as aliases.
// CHECK-DAG: #[[CPU:.*]] = #job.placement<cpu, "0:0">
// CHECK-DAG: #[[GPU:.*]] = #job.placement<gpu, "0:0-3,1:0">
// CHECK-DAG: #[[LAST:.*]] = #job.placement<cpu, "0:4294967295,1:0">

// CHECK-LABEL: job.variable @constant
// CHECK-SAME: init #job.constant_init<2.500000e-01>
job.variable @constant : !job.blob<4xf32> init #job.constant_init<0.25>
// CHECK-LABEL: job.variable @uniform
// CHECK-SAME: init #job.random_uniform_init<min = -1.000000e-01, max = 1.000000e-01>
job.variable @uniform : !job.blob<4xf32> init #job.random_uniform_init<min = -0.1, max = 0.1>
// CHECK-LABEL: job.variable @normal
// CHECK-SAME: init #job.random_normal_init<mean = 0.000000e+00, stddev = 1.000000e+00>
job.variable @normal : !job.blob<4xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
// CHECK-LABEL: job.variable @truncated
// CHECK-SAME: init #job.truncated_normal_init<mean = 0.000000e+00, stddev = 0.000000e+00>
job.variable @truncated : !job.blob<4xf32> init #job.truncated_normal_init<mean = 0.0, stddev = 0.0>
// CHECK-LABEL: job.variable @scaled_in
// CHECK-SAME: init #job.variance_scaling_init<scale = 2.000000e+00, mode = fan_in, distribution = truncated_normal>
job.variable @scaled_in : !job.blob<4x4xf32> init #job.variance_scaling_init<scale = 2.0, mode = fan_in, distribution = truncated_normal>
// CHECK-LABEL: job.variable @scaled_out
// CHECK-SAME: mode = fan_out, distribution = random_normal>
job.variable @scaled_out : !job.blob<4x4xf32> init #job.variance_scaling_init<scale = 2.0, mode = fan_out, distribution = random_normal>
// CHECK-LABEL: job.variable @scaled_avg
// CHECK-SAME: mode = fan_avg, distribution = random_uniform>
job.variable @scaled_avg : !job.blob<4x4xf32> init #job.variance_scaling_init<scale = 1.0, mode = fan_avg, distribution = random_uniform>

// CHECK-LABEL: job.variable @dense
// CHECK-SAME: init #job.dense_init<dense<[1.000000e+00, -2.500000e-01]> : tensor<2xf32>>
job.variable @dense : !job.blob<2xf32> init #job.dense_init<dense<[1.0, -0.25]> : tensor<2xf32>>
// CHECK-LABEL: job.variable @bytes
// CHECK-SAME: init #job.dense_init<dense<[0, 255]> : tensor<2xui8>> {trainable = false}
job.variable @bytes : !job.blob<2xui8> init #job.dense_init<dense<[0, 255]> : tensor<2xui8>> {trainable = false}
// CHECK-LABEL: job.variable @seeded
// CHECK-SAME: {seed = -3 : i64}
job.variable @seeded : !job.blob<4xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0> {seed = -3}

// Parameters keep all their bits: digits, signed zeros, infinities, NaNs.
// CHECK-LABEL: job.variable @digits
// CHECK-SAME: init #job.constant_init<0.33333333333333331>
job.variable @digits : !job.blob<4xf64> init #job.constant_init<0.33333333333333331>
// CHECK-LABEL: job.variable @minus_zero
// CHECK-SAME: init #job.constant_init<-0.000000e+00>
job.variable @minus_zero : !job.blob<4xf32> init #job.constant_init<-0.0>
// CHECK-LABEL: job.variable @infinity
// CHECK-SAME: init #job.constant_init<0x7FF0000000000000>
job.variable @infinity : !job.blob<4xf32> init #job.constant_init<0x7FF0000000000000>
// CHECK-LABEL: job.variable @nan
// CHECK-SAME: init #job.constant_init<0x7FF8000000000001>
job.variable @nan : !job.blob<4xf32> init #job.constant_init<0x7FF8000000000001>

// CHECK-LABEL: job.func @on_cpu
// CHECK-SAME: kind predict attributes {placement = #[[CPU]]}
job.func @on_cpu() kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  job.return
}
// CHECK-LABEL: job.func @on_gpus
// CHECK-SAME: kind predict attributes {placement = #[[GPU]]}
job.func @on_gpus() kind predict attributes {placement = #job.placement<gpu, "0:0-3,1:0">} {
  job.return
}

// The same devices are the same placement, however they are written. The last
// device has no successor that it could be joined with.
// CHECK-LABEL: job.func @same
// CHECK-SAME: kind predict attributes {placement = #[[GPU]]}
job.func @same() kind predict attributes {placement = #job.placement<gpu, "1:0-0, 0:2-3, 0:1,0:0">} {
  job.return
}
// CHECK-LABEL: job.func @last
// CHECK-SAME: placement = #[[LAST]]
job.func @last() kind predict attributes {placement = #job.placement<cpu, "0:4294967295,1:0">} {
  job.return
}
