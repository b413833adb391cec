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

// Two kernels that read the same rows are one, which has the same parts with
// checks.
job.func @siblings(%x: !job.blob<2048x48xf32>, %dy: !job.blob<2048x48xf32>,
                   %mean: !job.blob<2048xf32>, %rstd: !job.blob<2048xf32>)
    -> (!job.blob<48xf32> {job.name = "products"}, !job.blob<48xf32> {job.name = "sums"}) kind predict {
  %0 = job.broadcast_in_dim %mean {dims = array<i64: 0>} : !job.blob<2048xf32> to !job.blob<2048x48xf32>
  %1 = job.sub %x, %0 : !job.blob<2048x48xf32>
  %2 = job.broadcast_in_dim %rstd {dims = array<i64: 0>} : !job.blob<2048xf32> to !job.blob<2048x48xf32>
  %3 = job.mul %1, %2 : !job.blob<2048x48xf32>
  %4 = job.mul %dy, %3 : !job.blob<2048x48xf32>
  %5 = job.reduce_sum %4 {axes = array<i64: 0>} : !job.blob<2048x48xf32>
  %6 = job.reduce_sum %dy {axes = array<i64: 0>} : !job.blob<2048x48xf32>
  job.return %5, %6 : !job.blob<48xf32>, !job.blob<48xf32>
}

// The first stage writes what the kernel computes for each element, here over
// the product, which no later op reads.
// K = 2048
job.func @elements(%x: !job.blob<2048x48xf32>, %w: !job.blob<48x48xf32>)
    -> (!job.blob<2048x48xf32> {job.name = "slopes"}, !job.blob<48xf32> {job.name = "sums"}) kind predict {
  %0 = job.matmul %x, %w : !job.blob<2048x48xf32>, !job.blob<48x48xf32>
  %1 = job.mul %0, %x : !job.blob<2048x48xf32>
  %2 = job.reduce_sum %1 {axes = array<i64: 0>} : !job.blob<2048x48xf32>
  job.return %1, %2 : !job.blob<2048x48xf32>, !job.blob<48xf32>
}

// Of images: the channels in the middle, two dimensions reduced.
job.func @elements_of_images(%x: !job.blob<4x3x40x50xf32>, %dy: !job.blob<4x3x40x50xf32>)
    -> (!job.blob<4x3x40x50xf32> {job.name = "products"}, !job.blob<3xf32> {job.name = "sums"}) kind predict {
  %0 = job.mul %x, %dy : !job.blob<4x3x40x50xf32>
  %1 = job.mul %0, %0 : !job.blob<4x3x40x50xf32>
  %2 = job.exp %1 : !job.blob<4x3x40x50xf32>
  %3 = job.reduce_sum %2 {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x40x50xf32>
  job.return %2, %3 : !job.blob<4x3x40x50xf32>, !job.blob<3xf32>
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
