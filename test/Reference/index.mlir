// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+1 {{y = [[[3, 0.5, -4], [2.5, -3.5, -2.5]], [[-3.5, -1.5, -0.5], [-3.5, -1.5, -0.5]]]}}
job.func @gather_rows() -> (!job.blob<2x2x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[2.5, -3.5, -2.5], [-2.0, -2.5, 2.5], [3.0, 0.5, -4.0], [-3.5, -1.5, -0.5]]> : tensor<4x3xf32>
  %i = job.constant dense<[[2, 0], [3, 3]]> : tensor<2x2xi32>
  %y = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x3xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x2x3xf32>
}

// expected-remark@+1 {{y = [[-3, 1, 0], [-3.5, 1.5, 2]]}}
job.func @gather_last() -> (!job.blob<2x3xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0, 0.0, -2.0, -3.0], [1.5, 2.0, -4.0, -3.5]]> : tensor<2x4xf64>
  %i = job.constant dense<[3, 0, 1]> : tensor<3xi64>
  %y = job.gather %x, %i {axis = 1 : i64} : !job.blob<2x4xf64>, !job.blob<3xi64>
  job.return %y : !job.blob<2x3xf64>
}

// expected-remark@+1 {{y = [[[-0.5, -0.5], [3.5, 0]], [[2, 4], [-3, 2]]]}}
job.func @gather_middle() -> (!job.blob<2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.5, -1.0], [3.5, 0.0], [-0.5, -0.5]], [[1.5, 0.5], [-3.0, 2.0], [2.0, 4.0]]]> : tensor<2x3x2xf32>
  %i = job.constant dense<[2, 1]> : tensor<2xi8>
  %y = job.gather %x, %i {axis = 1 : i64} : !job.blob<2x3x2xf32>, !job.blob<2xi8>
  job.return %y : !job.blob<2x2x2xf32>
}

// expected-remark@+1 {{y = [[[1.5, 1.5], [2.5, -2]], [[3.5, -4], [3.5, -4]]]}}
job.func @gather_batch() -> (!job.blob<2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[2.5, -2.0], [-1.5, 1.5], [1.5, 1.5]], [[3.0, -2.0], [3.5, -4.0], [-3.5, 4.0]]]> : tensor<2x3x2xf32>
  %i = job.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %y = job.gather %x, %i {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<2x3x2xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x2x2xf32>
}

// expected-remark@+1 {{y = [[[-3, 4], [3.5, -1.5]], [[0.5, 0.5], [-2.5, -2.5]]]}}
job.func @gather_batch_later_axis() -> (!job.blob<2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[4.0, -1.5, -3.0], [-1.5, -4.0, 3.5]], [[1.5, 0.5, -2.0], [0.0, -2.5, 2.5]]]> : tensor<2x2x3xf32>
  %i = job.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %y = job.gather %x, %i {axis = 2 : i64, batch_dims = 1 : i64} : !job.blob<2x2x3xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x2x2xf32>
}

// expected-remark@+1 {{y = [[-2, 2], [-3.5, 0]]}}
job.func @gather_one_a_row() -> (!job.blob<2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[0.0, -4.0, -2.0], [2.0, 0.0, -1.0]], [[-2.0, -3.5, 1.0], [1.5, 0.0, 3.5]]]> : tensor<2x2x3xf32>
  %i = job.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %y = job.gather %x, %i {axis = 2 : i64, batch_dims = 2 : i64} : !job.blob<2x2x3xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x2xf32>
}

// An index outside of the dimension gives NaN, 0 where there is none.
// expected-remark@+1 {{y = [[nan, nan], [-2, -1.5], [nan, nan], [nan, nan]]}}
job.func @gather_outside() -> (!job.blob<4x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[3.5, -2.5], [1.0, 1.0], [-2.0, -1.5]]> : tensor<3x2xf32>
  %i = job.constant dense<[-1, 2, 3, -128]> : tensor<4xi8>
  %y = job.gather %x, %i {axis = 0 : i64} : !job.blob<3x2xf32>, !job.blob<4xi8>
  job.return %y : !job.blob<4x2xf32>
}

// expected-remark@+1 {{y = [[0, 0], [6, 2], [0, 0], [0, 0]]}}
job.func @gather_outside_integers() -> (!job.blob<4x2xi32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[4, 6], [3, 6], [6, 2]]> : tensor<3x2xi32>
  %i = job.constant dense<[-1, 2, 3, 1099511627776]> : tensor<4xi64>
  %y = job.gather %x, %i {axis = 0 : i64} : !job.blob<3x2xi32>, !job.blob<4xi64>
  job.return %y : !job.blob<4x2xi32>
}

// expected-remark@+1 {{y = [[3, 1.5], [0, 0], [-5, 4.5], [0, 0]]}}
job.func @scatter_add_rows() -> (!job.blob<4x2xf32> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[-1.0, 3.0], [3.0, 1.5], [-4.0, 1.5]]> : tensor<3x2xf32>
  %i = job.constant dense<[2, 0, 2]> : tensor<3xi32>
  %y = job.scatter_add %u, %i {axis = 0 : i64, extent = 4 : i64} : !job.blob<3x2xf32>, !job.blob<3xi32>
  job.return %y : !job.blob<4x2xf32>
}

// expected-remark@+1 {{y = [[2.5, 1], [4, 1.5]]}}
job.func @scatter_add_last() -> (!job.blob<2x2xf64> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[-2.5, 2.5, 3.5], [-0.5, 4.0, 2.0]]> : tensor<2x3xf64>
  %i = job.constant dense<[1, 0, 1]> : tensor<3xi64>
  %y = job.scatter_add %u, %i {axis = 1 : i64, extent = 2 : i64} : !job.blob<2x3xf64>, !job.blob<3xi64>
  job.return %y : !job.blob<2x2xf64>
}

// expected-remark@+1 {{y = [[[0, 0], [0, 0], [-2.5, -0.5]], [[0, 0], [0, 0], [2.5, 2]]]}}
job.func @scatter_add_middle() -> (!job.blob<2x3x2xf32> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[[-1.5, 3.0], [-1.0, -3.5]], [[1.0, 3.0], [1.5, -1.0]]]> : tensor<2x2x2xf32>
  %i = job.constant dense<[2, 2]> : tensor<2xi8>
  %y = job.scatter_add %u, %i {axis = 1 : i64, extent = 3 : i64} : !job.blob<2x2x2xf32>, !job.blob<2xi8>
  job.return %y : !job.blob<2x3x2xf32>
}

// expected-remark@+1 {{y = [[-1, -3.5], [3.5, 0]]}}
job.func @scatter_add_rank2_indices() -> (!job.blob<2x2xf32> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[[3.5, 0.0], [-1.0, -3.0]], [[-2.5, 1.5], [2.5, -2.0]]]> : tensor<2x2x2xf32>
  %i = job.constant dense<[[1, 0], [0, 0]]> : tensor<2x2xi32>
  %y = job.scatter_add %u, %i {axis = 0 : i64, extent = 2 : i64} : !job.blob<2x2x2xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x2xf32>
}

// expected-remark@+1 {{y = [[[-3, -2], [0, 0], [1, 3]], [[0, 0], [-1, -0.5], [0, 0]]]}}
job.func @scatter_add_batch() -> (!job.blob<2x3x2xf32> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[[1.0, 3.0], [-3.0, -2.0]], [[0.0, 0.5], [-1.0, -1.0]]]> : tensor<2x2x2xf32>
  %i = job.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %y = job.scatter_add %u, %i {axis = 1 : i64, batch_dims = 1 : i64, extent = 3 : i64} : !job.blob<2x2x2xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x3x2xf32>
}

// expected-remark@+1 {{y = [[[0, 0, -3], [1, 0, 0]], [[0, 3.5, 0], [0, -2.5, 0]]]}}
job.func @scatter_add_one_a_row() -> (!job.blob<2x2x3xf32> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[-3.0, 1.0], [3.5, -2.5]]> : tensor<2x2xf32>
  %i = job.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %y = job.scatter_add %u, %i {axis = 2 : i64, batch_dims = 2 : i64, extent = 3 : i64} : !job.blob<2x2xf32>, !job.blob<2x2xi32>
  job.return %y : !job.blob<2x2x3xf32>
}

// An index outside of the dimension adds nothing.
// expected-remark@+1 {{y = [[0, 0], [0, 0], [-4, 2]]}}
job.func @scatter_add_outside() -> (!job.blob<3x2xf32> {job.name = "y"}) kind predict {
  %u = job.constant dense<[[2.5, -2.5], [-4.0, 2.0], [-2.5, 2.0], [-1.5, 0.5]]> : tensor<4x2xf32>
  %i = job.constant dense<[-1, 2, 3, -128]> : tensor<4xi8>
  %y = job.scatter_add %u, %i {axis = 0 : i64, extent = 3 : i64} : !job.blob<4x2xf32>, !job.blob<4xi8>
  job.return %y : !job.blob<3x2xf32>
}

// Integers wrap.
// expected-remark@+1 {{y = [-100, -56]}}
job.func @scatter_add_integers() -> (!job.blob<2xi8> {job.name = "y"}) kind predict {
  %u = job.constant dense<[100, 100, -100]> : tensor<3xi8>
  %i = job.constant dense<[1, 1, 0]> : tensor<3xi32>
  %y = job.scatter_add %u, %i {axis = 0 : i64, extent = 2 : i64} : !job.blob<3xi8>, !job.blob<3xi32>
  job.return %y : !job.blob<2xi8>
}

// In row-major order; NaN is not zero, minus zero is. The rest are zeros.
// expected-remark@+2 {{y = [[0, 1], [1, 0], [1, 2], [0, 0], [0, 0], [0, 0]]}}
// expected-remark@+1 {{n = [3]}}
job.func @argwhere() -> (!job.blob<?<=6>x2xi32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.constant dense<[[0.0, 0x7FC00000, -0.0], [-1.0, 0.0, 1.0e-30]]> : tensor<2x3xf32>
  %y, %n = job.argwhere %x as i32 : !job.blob<2x3xf32>
  job.return %y, %n : !job.blob<?<=6>x2xi32>, !job.blob<1xi64>
}

// expected-remark@+3 {{y = [[0], [3], [0], [0]]}}
// expected-remark@+2 {{n = [2]}}
// expected-remark@+1 {{padded = [[0], [3], [-7], [-7]]}}
job.func @pad_to_static() -> (!job.blob<?<=4>x1xi64> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<4x1xi64> {job.name = "padded"}) kind predict {
  %x = job.constant dense<[true, false, false, true]> : tensor<4xi1>
  %y, %n = job.argwhere %x as i64 : !job.blob<4xi1>
  %padded = job.pad_to_static %y, %n {value = -7 : i64} : !job.blob<?<=4>x1xi64>
  job.return %y, %n, %padded : !job.blob<?<=4>x1xi64>, !job.blob<1xi64>, !job.blob<4x1xi64>
}

// Blocks of 3, 3 and 1 element.
// expected-remark@+1 {{n = [2, 0, 1]}}
job.func @count_nonzero() -> (!job.blob<3xi64> {job.name = "n"}) kind predict {
  %x = job.constant dense<[5, 0, -1, 0, 0, 0, 7]> : tensor<7xi8>
  %n = job.count_nonzero %x {block_size = 3 : i64} : !job.blob<7xi8>
  job.return %n : !job.blob<3xi64>
}

// expected-remark@+2 {{y = [[0], [2], [6], [0], [0], [0], [0]]}}
// expected-remark@+1 {{n = [3]}}
job.func @argwhere_blocks() -> (!job.blob<?<=7>x1xi32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.constant dense<[5, 0, -1, 0, 0, 0, 7]> : tensor<7xi8>
  %counts = job.constant dense<[2, 0, 1]> : tensor<3xi64>
  %y, %n = job.argwhere_blocks %x, %counts as i32 {block_size = 3 : i64} : !job.blob<7xi8>, !job.blob<3xi64>
  job.return %y, %n : !job.blob<?<=7>x1xi32>, !job.blob<1xi64>
}

// Counts that are wrong: one element is left out, two rows are zeros, and the
// others count as 3 and 0.
// expected-remark@+2 {{y = [[0], [0], [0], [0], [0], [0], [0]]}}
// expected-remark@+1 {{n = [4]}}
job.func @argwhere_wrong_counts() -> (!job.blob<?<=7>x1xi32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.constant dense<[5, 0, -1, 0, 0, 0, 7]> : tensor<7xi8>
  %counts = job.constant dense<[1, 1000, -1000]> : tensor<3xi64>
  %y, %n = job.argwhere_blocks %x, %counts as i32 {block_size = 3 : i64} : !job.blob<7xi8>, !job.blob<3xi64>
  job.return %y, %n : !job.blob<?<=7>x1xi32>, !job.blob<1xi64>
}

// Of the indices 3 is too large and -1 too small.
// expected-remark@+2 {{groups = [[1, 1, 3, 4, 0, 2, -1, -1]]}}
// expected-remark@+1 {{y = [[[40, 50], [0, 0], [10, 31]]]}}
job.func @groups() -> (!job.blob<1x8xi32> {job.name = "groups"}, !job.blob<1x3x2xf32> {job.name = "y"}) kind predict {
  %i = job.constant dense<[[2, 3, 2, -1, 0]]> : tensor<1x5xi32>
  %u = job.constant dense<[[[3.0, 30.0], [9.0, 9.0], [7.0, 1.0], [9.0, 9.0], [40.0, 50.0]]]> : tensor<1x5x2xf32>
  %g = job.group_indices %i {extent = 3 : i64} : !job.blob<1x5xi32>
  %y = job.sum_groups %u, %g {axis = 1 : i64} : !job.blob<1x5x2xf32>, !job.blob<1x8xi32>
  job.return %g, %y : !job.blob<1x8xi32>, !job.blob<1x3x2xf32>
}

// Ends and places that are none.
// expected-remark@+1 {{y = [1, 2, 0, 3]}}
job.func @wrong_groups() -> (!job.blob<4xi32> {job.name = "y"}) kind predict {
  %g = job.constant dense<[2, 100, -5, 3, 0, -1, 1]> : tensor<7xi32>
  %u = job.constant dense<[1, 2, 4]> : tensor<3xi32>
  %y = job.sum_groups %u, %g {axis = 0 : i64} : !job.blob<3xi32>, !job.blob<7xi32>
  job.return %y : !job.blob<4xi32>
}

// Equal elements, of which 0 and -0 are two, stay in order, and NaN is last.
// expected-remark@+2 {{up = [[3, 5, 0, 2, 4, 6, 1], [6, 5, 4, 3, 2, 1, 0]]}}
// expected-remark@+1 {{down = [[6, 0, 2, 4, 5, 3, 1], [0, 1, 2, 3, 4, 5, 6]]}}
job.func @argsort_f32() -> (!job.blob<2x7xi32> {job.name = "up"}, !job.blob<2x7xi32> {job.name = "down"}) kind predict {
  %x = job.constant dense<[[0.0, 0x7FC00000, -0.0, 0xFF800000, 0.0, -1.0, 0x7F800000], [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]> : tensor<2x7xf32>
  %up = job.argsort %x : !job.blob<2x7xf32>
  %down = job.argsort %x descending : !job.blob<2x7xf32>
  job.return %up, %down : !job.blob<2x7xi32>, !job.blob<2x7xi32>
}

// expected-remark@+2 {{up = [3, 1, 0, 2, 4]}}
// expected-remark@+1 {{down = [4, 0, 2, 1, 3]}}
job.func @argsort_i64() -> (!job.blob<5xi32> {job.name = "up"}, !job.blob<5xi32> {job.name = "down"}) kind predict {
  %x = job.constant dense<[3, -2, 3, -9223372036854775808, 9223372036854775807]> : tensor<5xi64>
  %up = job.argsort %x : !job.blob<5xi64>
  %down = job.argsort %x descending : !job.blob<5xi64>
  job.return %up, %down : !job.blob<5xi32>, !job.blob<5xi32>
}

// The first run of eight is of one element each, the second of eight and two.
// expected-remark@+2 {{once = [7, 6, 5, 4, 3, 2, 1, 0, 9, 8]}}
// expected-remark@+1 {{twice = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]}}
job.func @merge_runs() -> (!job.blob<10xi32> {job.name = "once"}, !job.blob<10xi32> {job.name = "twice"}) kind predict {
  %x = job.constant dense<[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<10xi8>
  %order = job.iota {axis = 0 : i64} : !job.blob<10xi32>
  %once = job.merge_runs %x, %order {run = 1 : i64} : !job.blob<10xi8>, !job.blob<10xi32>
  %twice = job.merge_runs %x, %once {run = 8 : i64} : !job.blob<10xi8>, !job.blob<10xi32>
  job.return %once, %twice : !job.blob<10xi32>, !job.blob<10xi32>
}

// Elements from the count on are zeros, or what they are padded with.
// expected-remark@+3 {{y = [[1, 2, 0, 0], [5, 6, 0, 0]]}}
// expected-remark@+2 {{n = [2]}}
// expected-remark@+1 {{padded = [[1, 2, 0.5, 0.5], [5, 6, 0.5, 0.5]]}}
job.func @slice_to_dynamic() -> (!job.blob<2x?<=4>xf32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<2x4xf32> {job.name = "padded"}) kind predict {
  %x = job.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %n = job.constant dense<2> : tensor<1xi64>
  %y = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<2x4xf32>
  %padded = job.pad_to_static %y, %n {value = 0.5 : f64} : !job.blob<2x?<=4>xf32>
  job.return %y, %n, %padded : !job.blob<2x?<=4>xf32>, !job.blob<1xi64>, !job.blob<2x4xf32>
}

// The id 12 is in slot 2 of 5. 7 finds it occupied and gets slot 3, -1 slot 0 (2^64
// - 1 is a multiple of 5), and 3 slot 4, once. The id 0 has no ordinal, and 4
// gets the last free slot, 1; there is none left for 9.
// expected-remark@+2 {{y = [1, 2, 3, 2, 0, 4, 5, 0]}}
// expected-remark@+1 {{table = [[-1, 3], [4, 5], [12, 1], [7, 2], [3, 4]]}}
job.func @ordinals() -> (!job.blob<8xi64> {job.name = "y"}, !job.blob<5x2xi64> {job.name = "table"}) kind predict {
  %table = job.constant dense<[[0, 0], [0, 0], [12, 1], [0, 0], [0, 0]]> : tensor<5x2xi64>
  %size = job.constant dense<1> : tensor<1xi64>
  %ids = job.constant dense<[12, 7, -1, 7, 0, 3, 4, 9]> : tensor<8xi64>
  %new = job.find_new_ids %table, %ids : !job.blob<5x2xi64>, !job.blob<8xi64>
  %y = job.lookup_ordinals %table, %size, %ids, %new : !job.blob<5x2xi64>, !job.blob<1xi64>, !job.blob<8xi64>, !job.blob<16x3xi64>
  %inserted = job.insert_ordinals %table, %size, %ids, %new : !job.blob<5x2xi64>, !job.blob<1xi64>, !job.blob<8xi64>, !job.blob<16x3xi64>
  job.return %y, %inserted : !job.blob<8xi64>, !job.blob<5x2xi64>
}

// Slot plus 1, position, number; in the place that is the slot's remainder.
// expected-remark@+1 {{new = [[0, 0, 0], [2, 0, 1], [3, 2, 2], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]}}
job.func @find_new_ids() -> (!job.blob<8x3xi64> {job.name = "new"}) kind predict {
  %table = job.constant dense<0> : tensor<100x2xi32>
  %ids = job.constant dense<[1, 1, 101]> : tensor<3xi32>
  %new = job.find_new_ids %table, %ids : !job.blob<100x2xi32>, !job.blob<3xi32>
  job.return %new : !job.blob<8x3xi64>
}
