// Steps of training whose last layer is a small matrix product: one kernel
// computes it with the dropout before it, the loss, the gradient of its operand
// and the mask of the relu. Rows of one warp and of several, sums of which a
// thread has all at once and not, of odd sizes, with either factor's layout,
// in types whose sums are rounded, and of one column.

#gpu = #job.placement<gpu, "0:0">
job.variable @lenet_w0 : !job.blob<512x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @lenet_b0 : !job.blob<512xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @lenet_w1 : !job.blob<10x512xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @lenet_b1 : !job.blob<10xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @lenet(%x: !job.blob<20x24xf32> {job.name = "x"}, %labels: !job.blob<20xi32> {job.name = "labels"}) -> (!job.blob<20xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @lenet_w0 : !job.blob<512x24xf32>
  %b0 = job.read @lenet_b0 : !job.blob<512xf32>
  %w1 = job.read @lenet_w1 : !job.blob<10x512xf32>
  %b1 = job.read @lenet_b1 : !job.blob<10xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<20x24xf32>, !job.blob<512x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<20x512xf32>
  %2 = job.add %0, %1 : !job.blob<20x512xf32>
  %3 = job.relu %2 : !job.blob<20x512xf32>
  %step = job.step
  %4 = job.dropout %3, %step {id = 7 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<20x512xf32>
  %5 = job.matmul %4, %w1 {transpose_rhs = true} : !job.blob<20x512xf32>, !job.blob<10x512xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<20x10xf32>
  %7 = job.add %5, %6 : !job.blob<20x10xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<20x10xf32>, !job.blob<20xi32>
  job.loss %8 : !job.blob<20xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<20xf32>
}

job.variable @odd_w0 : !job.blob<33x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @odd_b0 : !job.blob<33xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @odd_w1 : !job.blob<5x33xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @odd_b1 : !job.blob<5xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @odd(%x: !job.blob<7x24xf32> {job.name = "x"}, %labels: !job.blob<7xi32> {job.name = "labels"}) -> (!job.blob<7xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @odd_w0 : !job.blob<33x24xf32>
  %b0 = job.read @odd_b0 : !job.blob<33xf32>
  %w1 = job.read @odd_w1 : !job.blob<5x33xf32>
  %b1 = job.read @odd_b1 : !job.blob<5xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<7x24xf32>, !job.blob<33x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<33xf32> to !job.blob<7x33xf32>
  %2 = job.add %0, %1 : !job.blob<7x33xf32>
  %3 = job.relu %2 : !job.blob<7x33xf32>
  %step = job.step
  %4 = job.dropout %3, %step {id = 7 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<7x33xf32>
  %5 = job.matmul %4, %w1 {transpose_rhs = true} : !job.blob<7x33xf32>, !job.blob<5x33xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<5xf32> to !job.blob<7x5xf32>
  %7 = job.add %5, %6 : !job.blob<7x5xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<7x5xf32>, !job.blob<7xi32>
  job.loss %8 : !job.blob<7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<7xf32>
}

job.variable @plain_w0 : !job.blob<64x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @plain_b0 : !job.blob<64xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @plain_w1 : !job.blob<10x64xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @plain_b1 : !job.blob<10xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @plain(%x: !job.blob<33x24xf32> {job.name = "x"}, %labels: !job.blob<33xi32> {job.name = "labels"}) -> (!job.blob<33xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @plain_w0 : !job.blob<64x24xf32>
  %b0 = job.read @plain_b0 : !job.blob<64xf32>
  %w1 = job.read @plain_w1 : !job.blob<10x64xf32>
  %b1 = job.read @plain_b1 : !job.blob<10xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<33x24xf32>, !job.blob<64x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<64xf32> to !job.blob<33x64xf32>
  %2 = job.add %0, %1 : !job.blob<33x64xf32>
  %3 = job.relu %2 : !job.blob<33x64xf32>
  %5 = job.matmul %3, %w1 {transpose_rhs = true} : !job.blob<33x64xf32>, !job.blob<10x64xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<33x10xf32>
  %7 = job.add %5, %6 : !job.blob<33x10xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<33x10xf32>, !job.blob<33xi32>
  job.loss %8 : !job.blob<33xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<33xf32>
}

job.variable @wide_w0 : !job.blob<16x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @wide_b0 : !job.blob<16xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @wide_w1 : !job.blob<100x16xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @wide_b1 : !job.blob<100xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @wide(%x: !job.blob<16x24xf32> {job.name = "x"}, %labels: !job.blob<16xi32> {job.name = "labels"}) -> (!job.blob<16xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @wide_w0 : !job.blob<16x24xf32>
  %b0 = job.read @wide_b0 : !job.blob<16xf32>
  %w1 = job.read @wide_w1 : !job.blob<100x16xf32>
  %b1 = job.read @wide_b1 : !job.blob<100xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<16x24xf32>, !job.blob<16x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<16x16xf32>
  %2 = job.add %0, %1 : !job.blob<16x16xf32>
  %3 = job.relu %2 : !job.blob<16x16xf32>
  %5 = job.matmul %3, %w1 {transpose_rhs = true} : !job.blob<16x16xf32>, !job.blob<100x16xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<100xf32> to !job.blob<16x100xf32>
  %7 = job.add %5, %6 : !job.blob<16x100xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<16x100xf32>, !job.blob<16xi32>
  job.loss %8 : !job.blob<16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<16xf32>
}

job.variable @untransposed_w0 : !job.blob<60x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @untransposed_b0 : !job.blob<60xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @untransposed_w1 : !job.blob<60x7xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @untransposed_b1 : !job.blob<7xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @untransposed(%x: !job.blob<12x24xf32> {job.name = "x"}, %labels: !job.blob<12xi32> {job.name = "labels"}) -> (!job.blob<12xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @untransposed_w0 : !job.blob<60x24xf32>
  %b0 = job.read @untransposed_b0 : !job.blob<60xf32>
  %w1 = job.read @untransposed_w1 : !job.blob<60x7xf32>
  %b1 = job.read @untransposed_b1 : !job.blob<7xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<12x24xf32>, !job.blob<60x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<60xf32> to !job.blob<12x60xf32>
  %2 = job.add %0, %1 : !job.blob<12x60xf32>
  %3 = job.relu %2 : !job.blob<12x60xf32>
  %step = job.step
  %4 = job.dropout %3, %step {id = 7 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<12x60xf32>
  %5 = job.matmul %4, %w1 : !job.blob<12x60xf32>, !job.blob<60x7xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<12x7xf32>
  %7 = job.add %5, %6 : !job.blob<12x7xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<12x7xf32>, !job.blob<12xi32>
  job.loss %8 : !job.blob<12xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<12xf32>
}

job.variable @single_w0 : !job.blob<48x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @single_b0 : !job.blob<48xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @single_w1 : !job.blob<3x48xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @single_b1 : !job.blob<3xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @single(%x: !job.blob<1x24xf32> {job.name = "x"}, %labels: !job.blob<1xi32> {job.name = "labels"}) -> (!job.blob<1xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @single_w0 : !job.blob<48x24xf32>
  %b0 = job.read @single_b0 : !job.blob<48xf32>
  %w1 = job.read @single_w1 : !job.blob<3x48xf32>
  %b1 = job.read @single_b1 : !job.blob<3xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<1x24xf32>, !job.blob<48x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<48xf32> to !job.blob<1x48xf32>
  %2 = job.add %0, %1 : !job.blob<1x48xf32>
  %3 = job.relu %2 : !job.blob<1x48xf32>
  %step = job.step
  %4 = job.dropout %3, %step {id = 7 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<1x48xf32>
  %5 = job.matmul %4, %w1 {transpose_rhs = true} : !job.blob<1x48xf32>, !job.blob<3x48xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<3xf32> to !job.blob<1x3xf32>
  %7 = job.add %5, %6 : !job.blob<1x3xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<1x3xf32>, !job.blob<1xi32>
  job.loss %8 : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<1xf32>
}

job.variable @no_bias_w0 : !job.blob<20x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @no_bias_b0 : !job.blob<20xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @no_bias_w1 : !job.blob<20x20xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @no_bias_b1 : !job.blob<20xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @no_bias(%x: !job.blob<40x24xf32> {job.name = "x"}, %labels: !job.blob<40xi32> {job.name = "labels"}) -> (!job.blob<40xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w0 = job.read @no_bias_w0 : !job.blob<20x24xf32>
  %b0 = job.read @no_bias_b0 : !job.blob<20xf32>
  %w1 = job.read @no_bias_w1 : !job.blob<20x20xf32>
  %b1 = job.read @no_bias_b1 : !job.blob<20xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<40x24xf32>, !job.blob<20x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<20xf32> to !job.blob<40x20xf32>
  %2 = job.add %0, %1 : !job.blob<40x20xf32>
  %3 = job.relu %2 : !job.blob<40x20xf32>
  %step = job.step
  %4 = job.dropout %3, %step {id = 7 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<40x20xf32>
  %5 = job.matmul %4, %w1 {transpose_rhs = true} : !job.blob<40x20xf32>, !job.blob<20x20xf32>
  %8 = job.sparse_softmax_cross_entropy %5, %labels : !job.blob<40x20xf32>, !job.blob<40xi32>
  job.loss %8 : !job.blob<40xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<40xf32>
}

job.variable @narrow_w0 : !job.blob<64x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @narrow_b0 : !job.blob<64xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @narrow_w1 : !job.blob<10x64xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @narrow_b1 : !job.blob<10xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @narrow(%x: !job.blob<33x24xf32> {job.name = "x"}, %labels: !job.blob<33xi32> {job.name = "labels"}) -> (!job.blob<33xf32> {job.name = "loss"}) kind train attributes {placement = #gpu, precision = bf16} {
  %w0 = job.read @narrow_w0 : !job.blob<64x24xf32>
  %b0 = job.read @narrow_b0 : !job.blob<64xf32>
  %w1 = job.read @narrow_w1 : !job.blob<10x64xf32>
  %b1 = job.read @narrow_b1 : !job.blob<10xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<33x24xf32>, !job.blob<64x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<64xf32> to !job.blob<33x64xf32>
  %2 = job.add %0, %1 : !job.blob<33x64xf32>
  %3 = job.relu %2 : !job.blob<33x64xf32>
  %5 = job.matmul %3, %w1 {transpose_rhs = true} : !job.blob<33x64xf32>, !job.blob<10x64xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<33x10xf32>
  %7 = job.add %5, %6 : !job.blob<33x10xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<33x10xf32>, !job.blob<33xi32>
  job.loss %8 : !job.blob<33xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<33xf32>
}

job.variable @half_w0 : !job.blob<256x24xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @half_b0 : !job.blob<256xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @half_w1 : !job.blob<10x256xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @half_b1 : !job.blob<10xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @half(%x: !job.blob<20x24xf32> {job.name = "x"}, %labels: !job.blob<20xi32> {job.name = "labels"}) -> (!job.blob<20xf32> {job.name = "loss"}) kind train attributes {placement = #gpu, precision = f16} {
  %w0 = job.read @half_w0 : !job.blob<256x24xf32>
  %b0 = job.read @half_b0 : !job.blob<256xf32>
  %w1 = job.read @half_w1 : !job.blob<10x256xf32>
  %b1 = job.read @half_b1 : !job.blob<10xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<20x24xf32>, !job.blob<256x24xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<256xf32> to !job.blob<20x256xf32>
  %2 = job.add %0, %1 : !job.blob<20x256xf32>
  %3 = job.relu %2 : !job.blob<20x256xf32>
  %step = job.step
  %4 = job.dropout %3, %step {id = 7 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<20x256xf32>
  %5 = job.matmul %4, %w1 {transpose_rhs = true} : !job.blob<20x256xf32>, !job.blob<10x256xf32>
  %6 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<20x10xf32>
  %7 = job.add %5, %6 : !job.blob<20x10xf32>
  %8 = job.sparse_softmax_cross_entropy %7, %labels : !job.blob<20x10xf32>, !job.blob<20xi32>
  job.loss %8 : !job.blob<20xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8 : !job.blob<20xf32>
}

job.variable @one_w : !job.blob<1x16xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @one(%x: !job.blob<8x16xf32> {job.name = "x"}) -> (!job.blob<8x1xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w = job.read @one_w : !job.blob<1x16xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<8x16xf32>, !job.blob<1x16xf32>
  %1 = job.tanh %0 : !job.blob<8x1xf32>
  job.loss %1 : !job.blob<8x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %1 : !job.blob<8x1xf32>
}
