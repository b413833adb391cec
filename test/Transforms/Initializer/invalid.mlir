// RUN: job-opt %s --job-build-initializer --split-input-file --verify-diagnostics

job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0>
// expected-error@below {{expects another name than @jobmlir_init, which is that of the job that fills the variables}}
job.func @jobmlir_init() kind predict {
  job.return
}

// -----

// expected-error@below {{expects an initial value that 'i8' can hold but got 1.280000e+02}}
job.variable @w : !job.blob<4xi8> init #job.constant_init<128.0> {trainable = false}

// -----

// expected-error@below {{expects an initial value that 'f32' can hold but got 1.000000e+39}}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0e39>

// -----

// expected-error@below {{expects an initial value that 'i32' can hold but got 5.000000e-01}}
job.variable @w : !job.blob<4xi32> init #job.constant_init<0.5> {trainable = false}

// -----

// expected-error@below {{expects an initial value that 'i1' can hold but got 2.000000e+00}}
job.variable @w : !job.blob<4xi1> init #job.constant_init<2.0> {trainable = false}

// -----

// expected-error@below {{expects an initial value that 'i8' can hold but got -1.290000e+02}}
job.variable @w : !job.blob<4xi8> init #job.random_uniform_init<min = -129.0, max = 0.0> {trainable = false}

// -----

// expected-error@below {{expects a variable of floats for a uniform distribution but got '!job.blob<4xi1>'}}
job.variable @w : !job.blob<4xi1> init #job.random_uniform_init<min = 0.0, max = 1.0> {trainable = false}

// -----

// expected-error@below {{expects a variable of floats for a normal distribution but got '!job.blob<4xi32>'}}
job.variable @w : !job.blob<4xi32> init #job.random_normal_init<mean = 0.0, stddev = 1.0> {trainable = false}

// -----

// expected-error@below {{expects a variable of floats for a normal distribution but got '!job.blob<4xi32>'}}
job.variable @w : !job.blob<4xi32> init #job.truncated_normal_init<mean = 0.0, stddev = 1.0> {trainable = false}
