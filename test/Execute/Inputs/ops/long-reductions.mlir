// Reductions that run in two stages, and transposes in tiles: a prediction job
// each, of inputs that are drawn.

job.func @mean(%x: !job.blob<300x700xf32>) -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %0 = job.exp %x : !job.blob<300x700xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0, 1>} : !job.blob<300x700xf32>
  %2 = job.mul %1, %1 : !job.blob<1xf32>
  job.return %2 : !job.blob<1xf32>
}

// A prime number of rows.
job.func @columns(%x: !job.blob<10007x10xf32>, %y: !job.blob<10xf32>)
    -> (!job.blob<10xf32> {job.name = "sums"}, !job.blob<10xf32> {job.name = "maxima"}) kind predict {
  %0 = job.broadcast_in_dim %y {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<10007x10xf32>
  %1 = job.sub %x, %0 : !job.blob<10007x10xf32>
  %2 = job.reduce_sum %1 {axes = array<i64: 0>} : !job.blob<10007x10xf32>
  %3 = job.reduce_max %1 {axes = array<i64: 0>} : !job.blob<10007x10xf32>
  %4 = job.add %2, %y : !job.blob<10xf32>
  job.return %4, %3 : !job.blob<10xf32>, !job.blob<10xf32>
}

job.func @middle(%x: !job.blob<3x9001x4xf32>) -> (!job.blob<3x4xf32> {job.name = "y"}) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<3x9001x4xf32>
  job.return %0 : !job.blob<3x4xf32>
}

job.func @place() -> (!job.blob<1xi64> {job.name = "y"}) kind predict {
  %0 = job.iota {axis = 0 : i64} : !job.blob<500009xi64>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<500009xi64>
  job.return %1 : !job.blob<1xi64>
}

job.func @transposed(%x: !job.blob<130x75xf32>) -> (!job.blob<75x130xf32> {job.name = "y"}) kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<130x75xf32>
  job.return %0 : !job.blob<75x130xf32>
}

job.func @transposed_in_tiles(%x: !job.blob<601x300xf32>) -> (!job.blob<300x601xf32> {job.name = "y"}) kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<601x300xf32>
  %1 = job.neg %0 : !job.blob<300x601xf32>
  job.return %1 : !job.blob<300x601xf32>
}
