// RUN: job-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects devices as "machine:first-last" but got ""}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "0"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "0:"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0:">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "0:0-"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0:0-">} { job.return }

// -----

// expected-error @+1 {{expects the first device of a range to be at most the last but got 3 and 1}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0:3-1">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "x:1"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0:0,x:1">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "0:0;"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0:0;">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "-1:0"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "-1:0">} { job.return }

// -----

// expected-error @+1 {{expects devices as "machine:first-last" but got "0:4294967296"}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "0:4294967296">} { job.return }

// -----

// expected-error @+1 {{expects each device once but got 1:2 twice}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, "1:2-5,0:0,1:0-2">} { job.return }

// -----

// expected-error @+1 {{expected string}}
job.func @f() kind predict attributes {placement = #job.placement<cpu, 0>} { job.return }

// -----

// expected-error @below {{expects S(dim), B or P but got Q}}
// expected-error @below {{failed to parse Job_ShardingAttr parameter 'axes'}}
job.func @f(%x: !job.blob<4xf32> {job.sharding = #job.sharding<[Q]>}) kind predict { job.return }

// -----

// expected-error @below {{expected valid keyword}}
// expected-error @below {{failed to parse Job_ShardingAttr parameter 'axes'}}
job.func @f(%x: !job.blob<4xf32> {job.sharding = #job.sharding<[]>}) kind predict { job.return }

// -----

// expected-error @+1 {{expects the dimension of a split to be at least 0 but got -1}}
job.func @f(%x: !job.blob<4xf32> {job.sharding = #job.sharding<[S(-1)]>}) kind predict { job.return }

// -----

// expected-error @+1 {{expects one mesh axis (all devices) or two (machines and their devices) but got 3}}
job.func @f(%x: !job.blob<4xf32> {job.sharding = #job.sharding<[B, B, B]>}) kind predict { job.return }

// -----

// expected-error @+1 {{expects initial values of type 'tensor<4xf32>' but got 'tensor<2x2xf32>'}}
job.variable @v : !job.blob<4xf32> init #job.dense_init<dense<1.0> : tensor<2x2xf32>>

// -----

// expected-error @+1 {{expects initial values of type 'tensor<4xf32>' but got 'tensor<4xf64>'}}
job.variable @v : !job.blob<4xf32> init #job.dense_init<dense<1.0> : tensor<4xf64>>

// -----

// expected-error @+1 {{expects initial values of type 'tensor<4xf32>' but got 'vector<4xf32>'}}
job.variable @v : !job.blob<4xf32> init #job.dense_init<dense<1.0> : vector<4xf32>>

// -----

// expected-error @+1 {{expects finite bounds with min <= max but got 1.000000e+00 and 0.000000e+00}}
job.variable @v : !job.blob<4x4xf32> init #job.random_uniform_init<min = 1.0, max = 0.0>

// -----

// expected-error @+1 {{expects finite bounds with min <= max but got 0.000000e+00 and INF}}
job.variable @v : !job.blob<4x4xf32> init #job.random_uniform_init<min = 0.0, max = 0x7FF0000000000000>

// -----

// expected-error @+1 {{expects mean to be finite but got nan}}
job.variable @v : !job.blob<4x4xf32> init #job.random_normal_init<mean = 0x7FF8000000000000, stddev = 1.0>

// -----

// expected-error @+1 {{expects stddev to be at least 0 but got -1.000000e+00}}
job.variable @v : !job.blob<4x4xf32> init #job.random_normal_init<mean = 0.0, stddev = -1.0>

// -----

// expected-error @+1 {{expects mean to be finite but got -INF}}
job.variable @v : !job.blob<4x4xf32> init #job.truncated_normal_init<mean = 0xFFF0000000000000, stddev = 1.0>

// -----

// expected-error @+1 {{expects stddev to be at least 0 but got INF}}
job.variable @v : !job.blob<4x4xf32> init #job.truncated_normal_init<mean = 0.0, stddev = 0x7FF0000000000000>

// -----

// expected-error @+1 {{expects scale to be positive but got 0.000000e+00}}
job.variable @v : !job.blob<4x4xf32> init #job.variance_scaling_init<scale = 0.0, mode = fan_in, distribution = random_uniform>

// -----

// expected-error @below {{expected one of [cpu, gpu] for a kind of device, got: tpu}}
// expected-error @below {{failed to parse Job_PlacementAttr parameter 'device'}}
job.func @f() kind predict attributes {placement = #job.placement<tpu, "0:0">} { job.return }

// -----

// expected-error @below {{expected one of [fan_in, fan_out, fan_avg] for which fan scales a variance, got: fan}}
// expected-error @below {{failed to parse Job_VarianceScalingInitAttr parameter 'mode'}}
job.variable @v : !job.blob<4xf32> init #job.variance_scaling_init<scale = 1.0, mode = fan, distribution = random_uniform>

// -----

// expected-error @below {{expected one of [truncated_normal, random_normal, random_uniform] for a random distribution, got: uniform}}
// expected-error @below {{failed to parse Job_VarianceScalingInitAttr parameter 'distribution'}}
job.variable @v : !job.blob<4xf32> init #job.variance_scaling_init<scale = 1.0, mode = fan_in, distribution = uniform>

// -----

// expected-error @below {{expected floating point literal}}
// expected-error @below {{failed to parse Job_ConstantInitAttr parameter 'value'}}
job.variable @v : !job.blob<4xf32> init #job.constant_init<one>

// -----

// expected-error @below {{expected ','}}
job.variable @v : !job.blob<4xf32> init #job.random_uniform_init<min = 1.0>

// -----

// expected-error @below {{unknown attribute `zero_init` in dialect `job`}}
job.variable @v : !job.blob<4xf32> init #job.zero_init
