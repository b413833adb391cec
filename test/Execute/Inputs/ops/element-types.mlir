// Table of ops: element types that no op computes with. Tables run with f16 and bf16
// in place of f32, too, but norm-large-mean; on a GPU some with one of these or none.

job.variable @bytes : !job.blob<4x37xui8> init #job.random_uniform_init<min = 0.0, max = 255.0> {trainable = false}
job.variable @"more-bytes" : !job.blob<4x37xui8> init #job.random_uniform_init<min = 0.0, max = 255.0> {trainable = false}
job.variable @rows : !job.blob<5xui8> init #job.random_uniform_init<min = 0.0, max = 199.0> {trainable = false}
job.variable @table : !job.blob<200x3xf16> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @halves : !job.blob<4x37xf16> init #job.random_uniform_init<min = -300.0, max = 300.0> {trainable = false}
job.variable @brains : !job.blob<4x37xbf16> init #job.random_uniform_init<min = -300.0, max = 300.0> {trainable = false}
job.variable @weight : !job.blob<20x17xbf16> init #job.random_uniform_init<min = -1.0, max = 1.0>

// K = 0
job.func @ui8_arithmetic() -> (!job.blob<4x37xui8> {job.name = "add"}, !job.blob<4x37xui8> {job.name = "sub"}, !job.blob<4x37xui8> {job.name = "mul"}, !job.blob<4x37xui8> {job.name = "neg"}, !job.blob<4x37xui8> {job.name = "abs"}, !job.blob<4x37xui8> {job.name = "sign"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %y = job.read @"more-bytes" : !job.blob<4x37xui8>
  %add = job.add %x, %y : !job.blob<4x37xui8>
  %sub = job.sub %x, %y : !job.blob<4x37xui8>
  %mul = job.mul %x, %y : !job.blob<4x37xui8>
  %neg = job.neg %x : !job.blob<4x37xui8>
  %abs = job.abs %x : !job.blob<4x37xui8>
  %sign = job.sign %x : !job.blob<4x37xui8>
  job.return %add, %sub, %mul, %neg, %abs, %sign : !job.blob<4x37xui8>, !job.blob<4x37xui8>, !job.blob<4x37xui8>, !job.blob<4x37xui8>, !job.blob<4x37xui8>, !job.blob<4x37xui8>
}

// K = 0
job.func @ui8_order() -> (!job.blob<4x37xui8> {job.name = "max"}, !job.blob<4x37xui8> {job.name = "min"}, !job.blob<4x37xi1> {job.name = "lt"}, !job.blob<4x37xui8> {job.name = "chosen"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %y = job.read @"more-bytes" : !job.blob<4x37xui8>
  %max = job.maximum %x, %y : !job.blob<4x37xui8>
  %min = job.minimum %x, %y : !job.blob<4x37xui8>
  %lt = job.compare lt %x, %y : !job.blob<4x37xui8>
  %chosen = job.select %lt, %x, %y : !job.blob<4x37xi1>, !job.blob<4x37xui8>
  job.return %max, %min, %lt, %chosen : !job.blob<4x37xui8>, !job.blob<4x37xui8>, !job.blob<4x37xi1>, !job.blob<4x37xui8>
}

// K = 0
job.func @ui8_reductions() -> (!job.blob<4xui8> {job.name = "sum"}, !job.blob<37xui8> {job.name = "max"}, !job.blob<4xui8> {job.name = "min"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %sum = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<4x37xui8>
  %max = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x37xui8>
  %min = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<4x37xui8>
  job.return %sum, %max, %min : !job.blob<4xui8>, !job.blob<37xui8>, !job.blob<4xui8>
}

// K = 0
job.func @ui8_moves() -> (!job.blob<37x4xui8> {job.name = "transposed"}, !job.blob<6x40xui8> {job.name = "padded"}, !job.blob<8x37xui8> {job.name = "joined"}, !job.blob<2x13xui8> {job.name = "slice"}, !job.blob<4x37xui8> {job.name = "iota"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %y = job.read @"more-bytes" : !job.blob<4x37xui8>
  %transposed = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<4x37xui8>
  %padded = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 1, 3>, interior = array<i64: 0, 0>, value = 200.0 : f64} : !job.blob<4x37xui8>
  %joined = job.concat %x, %y {axis = 0 : i64} : !job.blob<4x37xui8>, !job.blob<4x37xui8>
  %slice = job.slice %x {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 13>, strides = array<i64: 2, 3>} : !job.blob<4x37xui8>
  %iota = job.iota {axis = 1 : i64} : !job.blob<4x37xui8>
  job.return %transposed, %padded, %joined, %slice, %iota : !job.blob<37x4xui8>, !job.blob<6x40xui8>, !job.blob<8x37xui8>, !job.blob<2x13xui8>, !job.blob<4x37xui8>
}

// Indices above 127.
// K = 0
job.func @ui8_indices() -> (!job.blob<5x3xf16> {job.name = "gathered"}, !job.blob<5xui8> {job.name = "of_bytes"}, !job.blob<200x3xf16> {job.name = "scattered"}) kind predict {
  %rows = job.read @rows : !job.blob<5xui8>
  %table = job.read @table : !job.blob<200x3xf16>
  %gathered = job.gather %table, %rows {axis = 0 : i64} : !job.blob<200x3xf16>, !job.blob<5xui8>
  %iota = job.iota {axis = 0 : i64} : !job.blob<200xui8>
  %of_bytes = job.gather %iota, %rows {axis = 0 : i64} : !job.blob<200xui8>, !job.blob<5xui8>
  %scattered = job.scatter_add %gathered, %rows {axis = 0 : i64, extent = 200 : i64} : !job.blob<5x3xf16>, !job.blob<5xui8>
  job.return %gathered, %of_bytes, %scattered : !job.blob<5x3xf16>, !job.blob<5xui8>, !job.blob<200x3xf16>
}

job.func @train_ui8_indices() -> (!job.blob<5x3xf16> {job.name = "loss"}) kind train {
  %rows = job.read @rows : !job.blob<5xui8>
  %table = job.read @table : !job.blob<200x3xf16>
  %gathered = job.gather %table, %rows {axis = 0 : i64} : !job.blob<200x3xf16>, !job.blob<5xui8>
  %loss = job.mul %gathered, %gathered : !job.blob<5x3xf16>
  job.loss %loss : !job.blob<5x3xf16>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %loss : !job.blob<5x3xf16>
}

// K = 0
job.func @casts_from_ui8() -> (!job.blob<4x37xf16> {job.name = "f16"}, !job.blob<4x37xbf16> {job.name = "bf16"}, !job.blob<4x37xf32> {job.name = "f32"}, !job.blob<4x37xf64> {job.name = "f64"}, !job.blob<4x37xi1> {job.name = "i1"}, !job.blob<4x37xi8> {job.name = "i8"}, !job.blob<4x37xi64> {job.name = "i64"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %0 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xf16>
  %1 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xbf16>
  %2 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xf32>
  %3 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xf64>
  %4 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xi1>
  %5 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xi8>
  %6 = job.cast %x : !job.blob<4x37xui8> to !job.blob<4x37xi64>
  job.return %0, %1, %2, %3, %4, %5, %6 : !job.blob<4x37xf16>, !job.blob<4x37xbf16>, !job.blob<4x37xf32>, !job.blob<4x37xf64>, !job.blob<4x37xi1>, !job.blob<4x37xi8>, !job.blob<4x37xi64>
}

// K = 0
job.func @casts_to_ui8() -> (!job.blob<4x37xui8> {job.name = "f16"}, !job.blob<4x37xui8> {job.name = "bf16"}, !job.blob<4x37xui8> {job.name = "i64"}) kind predict {
  %x = job.read @halves : !job.blob<4x37xf16>
  %y = job.read @brains : !job.blob<4x37xbf16>
  %z = job.cast %x : !job.blob<4x37xf16> to !job.blob<4x37xi64>
  %0 = job.cast %x : !job.blob<4x37xf16> to !job.blob<4x37xui8>
  %1 = job.cast %y : !job.blob<4x37xbf16> to !job.blob<4x37xui8>
  %2 = job.cast %z : !job.blob<4x37xi64> to !job.blob<4x37xui8>
  job.return %0, %1, %2 : !job.blob<4x37xui8>, !job.blob<4x37xui8>, !job.blob<4x37xui8>
}

// K = 0
job.func @casts_between_floats() -> (!job.blob<4x37xbf16> {job.name = "bf16"}, !job.blob<4x37xf16> {job.name = "f16"}, !job.blob<4x37xf64> {job.name = "f64"}, !job.blob<4x37xbf16> {job.name = "back"}) kind predict {
  %x = job.read @halves : !job.blob<4x37xf16>
  %y = job.read @brains : !job.blob<4x37xbf16>
  %0 = job.cast %x : !job.blob<4x37xf16> to !job.blob<4x37xbf16>
  %1 = job.cast %y : !job.blob<4x37xbf16> to !job.blob<4x37xf16>
  %2 = job.cast %y : !job.blob<4x37xbf16> to !job.blob<4x37xf64>
  %3 = job.cast %2 : !job.blob<4x37xf64> to !job.blob<4x37xbf16>
  job.return %0, %1, %2, %3 : !job.blob<4x37xbf16>, !job.blob<4x37xf16>, !job.blob<4x37xf64>, !job.blob<4x37xbf16>
}

// A sum over micro-steps that bf16 does not hold on the way: 1 + ... + 1 would
// end at 256.
// K = 0
job.func @sum_of_micro_steps() -> (!job.blob<1xbf16> {job.name = "sum"}) kind predict {
  %one = job.constant dense<1.0> : tensor<300xbf16>
  %part = job.unpack %one {count = 300 : i64} : !job.blob<300xbf16>
  %sum = job.acc %part {count = 300 : i64} : !job.blob<1xbf16>
  job.return %sum : !job.blob<1xbf16>
}

// In place, with one element behind the vectors of a row.
job.func @train_in_place() -> (!job.blob<20x17xbf16> {job.name = "loss"}) kind train {
  %w = job.read @weight : !job.blob<20x17xbf16>
  %row = job.constant dense<[0.5, 1.0, 1.5, 2.0, 0.5, 1.0, 1.5, 2.0, 0.5, 1.0, 1.5, 2.0, 0.5, 1.0, 1.5, 2.0, 0.75]> : tensor<17xbf16>
  %rows = job.broadcast_in_dim %row {dims = array<i64: 1>} : !job.blob<17xbf16> to !job.blob<20x17xbf16>
  %loss = job.mul %w, %rows : !job.blob<20x17xbf16>
  job.loss %loss : !job.blob<20x17xbf16>
  job.minimize #job.sgd schedule #job.constant_schedule<10.0>
  job.return %loss : !job.blob<20x17xbf16>
}

// K = 0
job.func @argwhere_types() -> (!job.blob<?<=148>x2xi32> {job.name = "of_bytes"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<?<=148>x2xi64> {job.name = "of_halves"}, !job.blob<1xi64> {job.name = "m"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %y = job.read @"more-bytes" : !job.blob<4x37xui8>
  %more = job.compare gt %x, %y : !job.blob<4x37xui8>
  %zero = job.constant dense<0> : tensor<4x37xui8>
  %bytes = job.select %more, %x, %zero : !job.blob<4x37xi1>, !job.blob<4x37xui8>
  %of_bytes, %n = job.argwhere %bytes as i32 : !job.blob<4x37xui8>
  %h = job.read @halves : !job.blob<4x37xf16>
  %none = job.constant dense<0.0> : tensor<4x37xf16>
  %halves = job.maximum %h, %none : !job.blob<4x37xf16>
  %of_halves, %m = job.argwhere %halves as i64 : !job.blob<4x37xf16>
  job.return %of_bytes, %n, %of_halves, %m : !job.blob<?<=148>x2xi32>, !job.blob<1xi64>, !job.blob<?<=148>x2xi64>, !job.blob<1xi64>
}

// K = 0
job.func @dynamic_types() -> (!job.blob<4x?<=37>xui8> {job.name = "of_bytes"}, !job.blob<?<=4>x37xf16> {job.name = "of_halves"}, !job.blob<4x?<=37>xi1> {job.name = "of_flags"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<4x37xui8> {job.name = "bytes"}, !job.blob<4x37xf16> {job.name = "halves"}, !job.blob<4x37xi1> {job.name = "flags"}) kind predict {
  %x = job.read @bytes : !job.blob<4x37xui8>
  %y = job.read @"more-bytes" : !job.blob<4x37xui8>
  %more = job.compare gt %x, %y : !job.blob<4x37xui8>
  %h = job.read @halves : !job.blob<4x37xf16>
  %n = job.constant dense<3> : tensor<1xi64>
  %of_bytes = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<4x37xui8>
  %of_halves = job.slice_to_dynamic %h, %n {dim = 0 : i64} : !job.blob<4x37xf16>
  %of_flags = job.slice_to_dynamic %more, %n {dim = 1 : i64} : !job.blob<4x37xi1>
  %bytes = job.pad_to_static %of_bytes, %n {value = 255 : i64} : !job.blob<4x?<=37>xui8>
  %halves = job.pad_to_static %of_halves, %n {value = 0.5 : f64} : !job.blob<?<=4>x37xf16>
  %flags = job.pad_to_static %of_flags, %n {value = 1 : i64} : !job.blob<4x?<=37>xi1>
  job.return %of_bytes, %of_halves, %of_flags, %n, %bytes, %halves, %flags : !job.blob<4x?<=37>xui8>, !job.blob<?<=4>x37xf16>, !job.blob<4x?<=37>xi1>, !job.blob<1xi64>, !job.blob<4x37xui8>, !job.blob<4x37xf16>, !job.blob<4x37xi1>
}
