// RUN: job-opt %s --job-build-initializer --split-input-file | FileCheck %s

// CHECK-LABEL: job.func @jobmlir_init(%arg0: !job.blob<1xi64> {job.name = "seed"}) kind init
// CHECK: %[[HALF:.*]] = job.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK: job.assign @constant, %[[HALF]]
// CHECK: %[[SEVEN:.*]] = job.constant dense<-7> : tensor<3xi64>
// CHECK: job.assign @integer, %[[SEVEN]]
// CHECK: %[[TRUE:.*]] = job.constant dense<true> : tensor<2xi1>
// CHECK: job.assign @boolean, %[[TRUE]]
job.variable @constant : !job.blob<4xf32> init #job.constant_init<0.5>
job.variable @integer : !job.blob<3xi64> init #job.constant_init<-7.0> {trainable = false}
job.variable @boolean : !job.blob<2xi1> init #job.constant_init<1.0> {trainable = false}

// -----

// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[U:.*]] = job.random_uniform %arg0, %{{.*}} : <4xf32>
// CHECK: %[[WIDTH:.*]] = job.constant dense<5.000000e-01>
// CHECK: %[[SCALED:.*]] = job.mul %[[U]], %[[WIDTH]]
// CHECK: %[[MIN:.*]] = job.constant dense<-2.500000e-01>
// CHECK: %[[X:.*]] = job.add %[[SCALED]], %[[MIN]]
// CHECK: job.assign @uniform, %[[X]]
job.variable @uniform : !job.blob<4xf32> init #job.random_uniform_init<min = -0.25, max = 0.25>

// -----

// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[U:.*]] = job.random_uniform
// CHECK-NEXT: job.assign @unit, %[[U]]
job.variable @unit : !job.blob<4xf32> init #job.random_uniform_init<min = 0.0, max = 1.0>

// -----

// Integers from -2 to 5, both included.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[COUNT:.*]] = job.constant dense<8.000000e+00> : tensor<4xf64>
// CHECK: %[[U:.*]] = job.random_uniform %arg0, %{{.*}} : <4xf64>
// CHECK: %[[OFFSET:.*]] = job.mul %[[U]], %[[COUNT]]
// CHECK: %[[FLOOR:.*]] = job.cast %[[OFFSET]] : <4xf64> to <4xi64>
// CHECK: %[[MIN:.*]] = job.constant dense<-2> : tensor<4xi64>
// CHECK: %[[SUM:.*]] = job.add %[[FLOOR]], %[[MIN]] : <4xi64>
// CHECK: job.cast %[[SUM]] : <4xi64> to <4xi8>
job.variable @integers : !job.blob<4xi8> init #job.random_uniform_init<min = -2.0, max = 5.0> {trainable = false}

// -----

// 1 + sqrt(2) * 2 * erf_inv(2u - 1).
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[U:.*]] = job.random_uniform
// CHECK: %[[TWICE:.*]] = job.add %[[U]], %[[U]]
// CHECK: %[[ONE:.*]] = job.constant dense<1.000000e+00>
// CHECK: %[[SYMMETRIC:.*]] = job.sub %[[TWICE]], %[[ONE]]
// CHECK: %[[NORMAL:.*]] = job.erf_inv %[[SYMMETRIC]]
// CHECK: %[[SPREAD:.*]] = job.constant dense<2.828427{{.*}}> : tensor<4xf64>
// CHECK: %[[SCALED:.*]] = job.mul %[[NORMAL]], %[[SPREAD]]
// CHECK: %[[MEAN:.*]] = job.constant dense<1.000000e+00>
// CHECK: %[[X:.*]] = job.add %[[SCALED]], %[[MEAN]]
// CHECK: job.assign @normal, %[[X]]
job.variable @normal : !job.blob<4xf64> init #job.random_normal_init<mean = 1.0, stddev = 2.0>

// -----

// erf_inv of what lies within erf(sqrt(2)) = 0.9545.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[SYMMETRIC:.*]] = job.sub
// CHECK: %[[LIMIT:.*]] = job.constant dense<0.954499{{.*}}>
// CHECK: %[[NARROWED:.*]] = job.mul %[[SYMMETRIC]], %[[LIMIT]]
// CHECK: %[[NORMAL:.*]] = job.erf_inv %[[NARROWED]]
// CHECK: %[[SPREAD:.*]] = job.constant dense<0.141421{{.*}}>
// CHECK: %[[X:.*]] = job.mul %[[NORMAL]], %[[SPREAD]]
// CHECK: job.assign @truncated, %[[X]]
job.variable @truncated : !job.blob<4xf32> init #job.truncated_normal_init<mean = 0.0, stddev = 0.1>

// -----

// fan_in is 4 * 2 * 2, the limit sqrt(3 * 3 / 16) = 0.75.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: job.constant dense<1.500000e+00>
// CHECK: job.constant dense<-7.500000e-01>
job.variable @fan_in : !job.blob<8x4x2x2xf32> init #job.variance_scaling_init<scale = 3.0, mode = fan_in, distribution = random_uniform>

// -----

// fan_out is 8 * 2 * 2, the standard deviation sqrt(2 / 32) = 0.25.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: job.erf_inv
// CHECK: job.constant dense<0.353553{{.*}}>
job.variable @fan_out : !job.blob<8x4x2x2xf32> init #job.variance_scaling_init<scale = 2.0, mode = fan_out, distribution = random_normal>

// -----

// fan_avg is (6 + 2) / 2; sqrt(2) * sqrt(1 / 4) / 0.87962566 = 0.80387.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: job.constant dense<0.954499{{.*}}>
// CHECK: job.erf_inv
// CHECK: job.constant dense<0.8038{{.*}}>
job.variable @fan_avg : !job.blob<2x6xf32> init #job.variance_scaling_init<scale = 1.0, mode = fan_avg, distribution = truncated_normal>

// -----

// A vector has its extent as both fans: the limit is sqrt(3 * 3 / 9) = 1.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: job.constant dense<2.000000e+00>
// CHECK: job.constant dense<-1.000000e+00>
job.variable @vector : !job.blob<9xf32> init #job.variance_scaling_init<scale = 3.0, mode = fan_in, distribution = random_uniform>

// -----

// Of 16 bits: computed in f32 and rounded once.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[U:.*]] = job.random_uniform %arg0, %{{.*}} : <4xf32>
// CHECK: %[[SCALED:.*]] = job.mul %[[U]], %{{.*}} : <4xf32>
// CHECK: %[[X:.*]] = job.add %[[SCALED]], %{{.*}} : <4xf32>
// CHECK: %[[ROUNDED:.*]] = job.cast %[[X]] : <4xf32> to <4xbf16>
// CHECK: job.assign @narrow, %[[ROUNDED]]
job.variable @narrow : !job.blob<4xbf16> init #job.random_uniform_init<min = -1.0, max = 3.0>

// -----

// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[VALUES:.*]] = job.constant dense<[1.000000e+00, -2.500000e-01]> : tensor<2xf32>
// CHECK: job.assign @dense, %[[VALUES]]
job.variable @dense : !job.blob<2xf32> init #job.dense_init<dense<[1.0, -0.25]> : tensor<2xf32>>

// -----

// The numbers of a variable with a seed depend on no name.
// CHECK-LABEL: job.func @jobmlir_init
// CHECK: %[[SEED:.*]] = job.constant dense<7> : tensor<1xi64>
// CHECK: %[[STREAM:.*]] = job.constant dense<-9223372036854775808> : tensor<1xi64>
// CHECK: %[[U:.*]] = job.random_uniform %[[SEED]], %[[STREAM]] {id = 0 : i64} : <4xf32>
// CHECK: job.assign @seeded, %[[U]]
job.variable @seeded : !job.blob<4xf32> init #job.random_uniform_init<min = 0.0, max = 1.0> {seed = 7}
