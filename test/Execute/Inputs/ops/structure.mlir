// Table of ops: constants, variables, steps.

job.variable @"x-7xf32" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"total-7xf32" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}

job.variable @"dense-7xf32" : !job.blob<7xf32> init #job.dense_init<dense<[0.1, -2.5, 1.0e4, 0.0, -0.0, 3.0, 1.5]> : tensor<7xf32>>
job.variable @"seeded-7xf32" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {seed = -5}
job.variable @"dense-2x2xi64" : !job.blob<2x2xi64> init #job.dense_init<dense<[[-9223372036854775808, 9223372036854775807], [0, 1]]> : tensor<2x2xi64>> {trainable = false}

// K = 0
job.func @initial_values() -> (!job.blob<7xf32> {job.name = "dense"}, !job.blob<7xf32> {job.name = "seeded"}, !job.blob<2x2xi64> {job.name = "integers"}) kind predict {
  %dense = job.read @"dense-7xf32" : !job.blob<7xf32>
  %seeded = job.read @"seeded-7xf32" : !job.blob<7xf32>
  %integers = job.read @"dense-2x2xi64" : !job.blob<2x2xi64>
  job.return %dense, %seeded, %integers : !job.blob<7xf32>, !job.blob<7xf32>, !job.blob<2x2xi64>
}

// K = 0
job.func @constants() -> (!job.blob<2x2xf32> {job.name = "f32"}, !job.blob<2x2xf64> {job.name = "f64"}, !job.blob<2x2xi1> {job.name = "i1"}, !job.blob<2x2xi8> {job.name = "i8"}, !job.blob<2x2xi32> {job.name = "i32"}, !job.blob<2x2xi64> {job.name = "i64"}) kind predict {
  %f32 = job.constant dense<[[0.1, -2.5], [3.0e38, 1.0e-40]]> : tensor<2x2xf32>
  %f64 = job.constant dense<[[0.1, -2.5], [1.0e300, 1.0e-300]]> : tensor<2x2xf64>
  %i1 = job.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %i8 = job.constant dense<[[-128, 127], [0, 1]]> : tensor<2x2xi8>
  %i32 = job.constant dense<[[-2147483648, 2147483647], [0, 1]]> : tensor<2x2xi32>
  %i64 = job.constant dense<[[-9223372036854775808, 9223372036854775807], [0, 1]]> : tensor<2x2xi64>
  job.return %f32, %f64, %i1, %i8, %i32, %i64 : !job.blob<2x2xf32>, !job.blob<2x2xf64>, !job.blob<2x2xi1>, !job.blob<2x2xi8>, !job.blob<2x2xi32>, !job.blob<2x2xi64>
}

// K = 0
job.func @splats() -> (!job.blob<3x5xf32> {job.name = "f32"}, !job.blob<3x5xf64> {job.name = "f64"}, !job.blob<3x5xi1> {job.name = "i1"}, !job.blob<3x5xi8> {job.name = "i8"}, !job.blob<3x5xi32> {job.name = "i32"}, !job.blob<3x5xi64> {job.name = "i64"}) kind predict {
  %f32 = job.constant dense<0.1> : tensor<3x5xf32>
  %f64 = job.constant dense<-7.5> : tensor<3x5xf64>
  %i1 = job.constant dense<true> : tensor<3x5xi1>
  %i8 = job.constant dense<-3> : tensor<3x5xi8>
  %i32 = job.constant dense<70000> : tensor<3x5xi32>
  %i64 = job.constant dense<5000000000> : tensor<3x5xi64>
  job.return %f32, %f64, %i1, %i8, %i32, %i64 : !job.blob<3x5xf32>, !job.blob<3x5xf64>, !job.blob<3x5xi1>, !job.blob<3x5xi8>, !job.blob<3x5xi32>, !job.blob<3x5xi64>
}

// K = 0
// Every input is handed back.
job.func @inputs(%f32: !job.blob<2x3xf32> {job.name = "f32"}, %f64: !job.blob<2x3xf64> {job.name = "f64"}, %i1: !job.blob<2x3xi1> {job.name = "i1"}, %i8: !job.blob<2x3xi8> {job.name = "i8"}, %i32: !job.blob<2x3xi32> {job.name = "i32"}, %i64: !job.blob<2x3xi64> {job.name = "i64"}) -> (!job.blob<2x3xf32> {job.name = "same_f32"}, !job.blob<2x3xf64> {job.name = "same_f64"}, !job.blob<2x3xi1> {job.name = "same_i1"}, !job.blob<2x3xi8> {job.name = "same_i8"}, !job.blob<2x3xi32> {job.name = "same_i32"}, !job.blob<2x3xi64> {job.name = "same_i64"}) kind predict {
  job.return %f32, %f64, %i1, %i8, %i32, %i64 : !job.blob<2x3xf32>, !job.blob<2x3xf64>, !job.blob<2x3xi1>, !job.blob<2x3xi8>, !job.blob<2x3xi32>, !job.blob<2x3xi64>
}

// K = 0
job.func @read() -> (!job.blob<7xf32> {job.name = "x"}) kind predict {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  job.return %x : !job.blob<7xf32>
}

// The value before the assignment and the one after it.
job.func @assign() -> (!job.blob<7xf32> {job.name = "before"}, !job.blob<7xf32> {job.name = "after"}) kind predict {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %before = job.read @"total-7xf32" : !job.blob<7xf32>
  %sum = job.add %before, %x : !job.blob<7xf32>
  job.assign @"total-7xf32", %sum : !job.blob<7xf32>
  %after = job.read @"total-7xf32" : !job.blob<7xf32>
  job.return %before, %after : !job.blob<7xf32>, !job.blob<7xf32>
}

// K = 0
job.func @step() -> (!job.blob<1xi64> {job.name = "step"}) kind predict {
  %step = job.step
  job.return %step : !job.blob<1xi64>
}

// One value as several results.
job.func @results_twice() -> (!job.blob<7xf32> {job.name = "first"}, !job.blob<7xf32> {job.name = "second"}, !job.blob<7xf32> {job.name = "third"}) kind predict {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %y = job.exp %x : !job.blob<7xf32>
  job.return %y, %y, %x : !job.blob<7xf32>, !job.blob<7xf32>, !job.blob<7xf32>
}

// Updates, each with a reader that must see one value and not the other. The
// old value is returned, so that every step shows what the one before has left.
job.variable @"state-7xf32" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}
job.variable @"state-3x3xf32" : !job.blob<3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}
job.variable @"state-9xf32" : !job.blob<9xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}

job.func @update_read_between(%x: !job.blob<7xf32> {job.name = "x"}) -> (!job.blob<7xf32> {job.name = "old"}, !job.blob<7xf32> {job.name = "y"}) kind predict {
  %0 = job.read @"state-7xf32" : !job.blob<7xf32>
  %1 = job.sub %0, %x : !job.blob<7xf32>
  %2 = job.exp %0 : !job.blob<7xf32>
  job.assign @"state-7xf32", %1 : !job.blob<7xf32>
  job.return %0, %2 : !job.blob<7xf32>, !job.blob<7xf32>
}

job.func @update_read_after(%x: !job.blob<7xf32> {job.name = "x"}) -> (!job.blob<7xf32> {job.name = "old"}, !job.blob<7xf32> {job.name = "y"}) kind predict {
  %0 = job.read @"state-7xf32" : !job.blob<7xf32>
  %1 = job.sub %0, %x : !job.blob<7xf32>
  job.assign @"state-7xf32", %1 : !job.blob<7xf32>
  %2 = job.exp %0 : !job.blob<7xf32>
  job.return %0, %2 : !job.blob<7xf32>, !job.blob<7xf32>
}

job.func @update_twice(%x: !job.blob<7xf32> {job.name = "x"}) -> (!job.blob<7xf32> {job.name = "old"}, !job.blob<7xf32> {job.name = "middle"}, !job.blob<7xf32> {job.name = "new"}) kind predict {
  %0 = job.read @"state-7xf32" : !job.blob<7xf32>
  %1 = job.sub %0, %x : !job.blob<7xf32>
  job.assign @"state-7xf32", %1 : !job.blob<7xf32>
  %2 = job.read @"state-7xf32" : !job.blob<7xf32>
  %3 = job.mul %2, %0 : !job.blob<7xf32>
  job.assign @"state-7xf32", %3 : !job.blob<7xf32>
  %4 = job.read @"state-7xf32" : !job.blob<7xf32>
  job.return %0, %2, %4 : !job.blob<7xf32>, !job.blob<7xf32>, !job.blob<7xf32>
}

job.func @update_view(%x: !job.blob<9xf32> {job.name = "x"}) -> (!job.blob<3x3xf32> {job.name = "old"}, !job.blob<3x3xf32> {job.name = "new"}) kind predict {
  %0 = job.read @"state-9xf32" : !job.blob<9xf32>
  %1 = job.reshape %0 : !job.blob<9xf32> to !job.blob<3x3xf32>
  %2 = job.sub %0, %x : !job.blob<9xf32>
  job.assign @"state-9xf32", %2 : !job.blob<9xf32>
  %3 = job.reshape %2 : !job.blob<9xf32> to !job.blob<3x3xf32>
  job.return %1, %3 : !job.blob<3x3xf32>, !job.blob<3x3xf32>
}

job.func @update_by_product(%x: !job.blob<3x3xf32> {job.name = "x"}) -> (!job.blob<3x3xf32> {job.name = "old"}) kind predict {
  %0 = job.read @"state-3x3xf32" : !job.blob<3x3xf32>
  %1 = job.matmul %0, %0 : !job.blob<3x3xf32>, !job.blob<3x3xf32>
  job.assign @"state-3x3xf32", %1 : !job.blob<3x3xf32>
  job.return %0 : !job.blob<3x3xf32>
}

// x - sum(x) over its rows: every element needs the old row.
job.func @update_by_row() -> (!job.blob<3x3xf32> {job.name = "old"}) kind predict {
  %0 = job.read @"state-3x3xf32" : !job.blob<3x3xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<3x3xf32>
  %2 = job.broadcast_in_dim %1 {dims = array<i64: 0>} : !job.blob<3xf32> to !job.blob<3x3xf32>
  %3 = job.sub %0, %2 : !job.blob<3x3xf32>
  job.assign @"state-3x3xf32", %3 : !job.blob<3x3xf32>
  job.return %0 : !job.blob<3x3xf32>
}

// Two variables change places.
job.func @update_swap() -> (!job.blob<7xf32> {job.name = "first"}, !job.blob<7xf32> {job.name = "second"}) kind predict {
  %0 = job.read @"state-7xf32" : !job.blob<7xf32>
  %1 = job.read @"total-7xf32" : !job.blob<7xf32>
  job.assign @"state-7xf32", %1 : !job.blob<7xf32>
  job.assign @"total-7xf32", %0 : !job.blob<7xf32>
  job.return %0, %1 : !job.blob<7xf32>, !job.blob<7xf32>
}

// One value for two variables of different shapes.
job.func @update_two(%x: !job.blob<9xf32> {job.name = "x"}) -> (!job.blob<9xf32> {job.name = "a"}, !job.blob<3x3xf32> {job.name = "b"}) kind predict {
  %0 = job.read @"state-9xf32" : !job.blob<9xf32>
  %1 = job.read @"state-3x3xf32" : !job.blob<3x3xf32>
  %2 = job.add %0, %x : !job.blob<9xf32>
  %3 = job.reshape %2 : !job.blob<9xf32> to !job.blob<3x3xf32>
  job.assign @"state-9xf32", %2 : !job.blob<9xf32>
  job.assign @"state-3x3xf32", %3 : !job.blob<3x3xf32>
  job.return %0, %1 : !job.blob<9xf32>, !job.blob<3x3xf32>
}

job.func @custom_gradient(%i: !job.blob<7xi32> {job.name = "i"}) -> (!job.blob<7xf32> {job.name = "y"}) kind train {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %0 = job.tanh %x : !job.blob<7xf32>
  %1 = job.custom_gradient values(%0 : !job.blob<7xf32>) inputs(%x, %i : !job.blob<7xf32>, !job.blob<7xi32>) {
  ^bb0(%in: !job.blob<7xf32>, %number: !job.blob<7xi32>, %out: !job.blob<7xf32>, %grad: !job.blob<7xf32>):
    %2 = job.mul %out, %out : !job.blob<7xf32>
    %3 = job.mul %2, %grad : !job.blob<7xf32>
    %4 = job.sub %grad, %3 : !job.blob<7xf32>
    job.yield %4 : !job.blob<7xf32>
  }
  job.loss %1 : !job.blob<7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %1 : !job.blob<7xf32>
}
