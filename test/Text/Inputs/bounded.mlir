// A bounded result, its count, and one that is padded; of more blocks than one,
// in a training job that returns them.

job.variable @table : !job.blob<40x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @find(%x: !job.blob<100x60xf32> {job.name = "x"}) -> (!job.blob<?<=6000>x2xi32> {job.name = "at"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %limit = job.constant dense<0.4> : tensor<100x60xf32>
  %mask = job.compare gt %x, %limit : !job.blob<100x60xf32>
  %at, %n = job.argwhere %mask as i32 : !job.blob<100x60xi1>
  job.return %at, %n : !job.blob<?<=6000>x2xi32>, !job.blob<1xi64>
}

job.func @train(%x: !job.blob<8xf32> {job.name = "x"}) -> (!job.blob<8xf32> {job.name = "loss"}, !job.blob<?<=8>x1xi64> {job.name = "rows"}, !job.blob<1xi64> {job.name = "n"}) kind train {
  %table = job.read @table : !job.blob<40x3xf32>
  %relu = job.relu %x : !job.blob<8xf32>
  %rows, %n = job.argwhere %relu as i64 : !job.blob<8xf32>
  %padded = job.pad_to_static %rows, %n {value = 39 : i64} : !job.blob<?<=8>x1xi64>
  %indices = job.reshape %padded : !job.blob<8x1xi64> to !job.blob<8xi64>
  %gathered = job.gather %table, %indices {axis = 0 : i64} : !job.blob<40x3xf32>, !job.blob<8xi64>
  %square = job.mul %gathered, %gathered : !job.blob<8x3xf32>
  %loss = job.reduce_sum %square {axes = array<i64: 1>} : !job.blob<8x3xf32>
  job.loss %loss : !job.blob<8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %loss, %rows, %n : !job.blob<8xf32>, !job.blob<?<=8>x1xi64>, !job.blob<1xi64>
}

job.func @columns(%x: !job.blob<3x20x2xf32> {job.name = "x"}) -> (!job.blob<3x?<=20>x2xf32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %limit = job.constant dense<0.4> : tensor<3x20x2xf32>
  %mask = job.compare gt %x, %limit : !job.blob<3x20x2xf32>
  %at, %all = job.argwhere %mask as i32 : !job.blob<3x20x2xi1>
  %most = job.constant dense<20> : tensor<1xi64>
  %n = job.minimum %all, %most : !job.blob<1xi64>
  %y = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<3x20x2xf32>
  job.return %y, %n : !job.blob<3x?<=20>x2xf32>, !job.blob<1xi64>
}
