// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.gather' op expects an axis in [0, 2) but got 2}}
  %0 = job.gather %x, %i {axis = 2 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects an axis in [0, 2) but got -1}}
  %0 = job.gather %x, %i {axis = -1 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.gather' op requires attribute 'axis'}}
  %0 = job.gather %x, %i {batch_dims = 0 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

// Shared dimensions stand before the axis.
job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 0] but got 1}}
  %0 = job.gather %x, %i {axis = 0 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5x6x7xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got 2}}
  %0 = job.gather %x, %i {axis = 3 : i64, batch_dims = 2 : i64} : !job.blob<4x5x6x7xf32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got -1}}
  %0 = job.gather %x, %i {axis = 1 : i64, batch_dims = -1 : i64} : !job.blob<4x5xf32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3x2xi32>) kind predict {
  // expected-error @below {{expects 1 equal dimensions at the front but got '!job.blob<4x5xf32>' and '!job.blob<3x2xi32>'}}
  %0 = job.gather %x, %i {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf32>, !job.blob<3x2xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x1073741824xf32>, %i: !job.blob<1073741824xi32>) kind predict {
  // expected-error @below {{expects at most 2^59 elements but got more}}
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x1073741824xf32>, !job.blob<1073741824xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xf32>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers with a static shape, but got '!job.blob<3xf32>'}}
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xf32>, %i: !job.blob<3xi1>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers with a static shape, but got '!job.blob<3xi1>'}}
  %0 = job.gather %x, %i {axis = 0 : i64} : !job.blob<4x5xf32>, !job.blob<3xi1>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.scatter_add' op expects an axis in [0, 2) but got 2}}
  %0 = job.scatter_add %u, %i {axis = 2 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects an axis in [0, 2) but got -1}}
  %0 = job.scatter_add %u, %i {axis = -1 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{'job.scatter_add' op requires attribute 'extent'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got 2}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64, batch_dims = 2 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 1] but got -1}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64, batch_dims = -1 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

// Shared dimensions stand before the axis.
job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects batch_dims in [0, 0] but got 1}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64, batch_dims = 1 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<4x5xf32>, %i: !job.blob<3x5xi32>) kind predict {
  // expected-error @below {{expects 1 equal dimensions at the front but got '!job.blob<4x5xf32>' and '!job.blob<3x5xi32>'}}
  %0 = job.scatter_add %u, %i {axis = 1 : i64, extent = 9 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf32>, !job.blob<3x5xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{expects the indices' dimensions from dimension 0 of the updates on but got '!job.blob<3x5xf32>' and '!job.blob<4xi32>'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects the indices' dimensions from dimension 1 of the updates on but got '!job.blob<3x5xf32>' and '!job.blob<3xi32>'}}
  %0 = job.scatter_add %u, %i {axis = 1 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects a positive extent but got 0}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 0 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects a positive extent but got -2}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = -2 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x1073741824xf32>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{expects at most 2^59 elements but got more}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 1073741824 : i64} : !job.blob<3x1073741824xf32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xi1>, %i: !job.blob<3xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<3x5xi1>'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<3x5xi1>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<3x5xf32>, %i: !job.blob<3xf32>) kind predict {
  // expected-error @below {{operand #1 must be blob of integers with a static shape, but got '!job.blob<3xf32>'}}
  %0 = job.scatter_add %u, %i {axis = 0 : i64, extent = 9 : i64} : !job.blob<3x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  // expected-error @below {{attribute 'dtype' failed to satisfy constraint: type attribute of 32-bit signless integer or 64-bit signless integer}}
  %0, %1 = job.argwhere %x as i8 : !job.blob<3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2147483649xi8>) kind predict {
  // expected-error @below {{expects extents of at most 2^31 for indices of 'i32' but got '!job.blob<2147483649xi8>'}}
  %0, %1 = job.argwhere %x as i32 : !job.blob<2147483649xi8>
  job.return
}

// -----

job.func @f(%x: !job.blob<1024x562949953421312xi8>) kind predict {
  // expected-error @below {{expects at most 2^59 elements but got more}}
  %0, %1 = job.argwhere %x as i64 : !job.blob<1024x562949953421312xi8>
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // expected-error @below {{operand #0 must be blob with a static shape, but got '!job.blob<?<=12>x2xi32>'}}
  %2, %3 = job.argwhere %0 as i32 : !job.blob<?<=12>x2xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  // expected-error @below {{result #0 must be blob of i32 or i64 with a bounded dimension, but got '!job.blob<12x2xi32>'}}
  %0, %1 = "job.argwhere"(%x) {dtype = i32} : (!job.blob<3x4xf32>) -> (!job.blob<12x2xi32>, !job.blob<1xi64>)
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  // expected-error @below {{result #1 must be !job.blob<1xi64>, but got '!job.blob<?<=1>xi64>'}}
  %0, %1 = "job.argwhere"(%x) {dtype = i32} : (!job.blob<3x4xf32>) -> (!job.blob<?<=12>x2xi32>, !job.blob<?<=1>xi64>)
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  // expected-error @+2 {{'job.argwhere' op inferred type(s) '!job.blob<?<=12>x2xi32>', '!job.blob<1xi64>' are incompatible with return type(s) of operation '!job.blob<?<=11>x2xi32>', '!job.blob<1xi64>'}}
  // expected-error @below {{'job.argwhere' op failed to infer returned types}}
  %0, %1 = "job.argwhere"(%x) {dtype = i32} : (!job.blob<3x4xf32>) -> (!job.blob<?<=11>x2xi32>, !job.blob<1xi64>)
  job.return
}

// -----

job.func @f(%x: !job.blob<12x2xi32>, %n: !job.blob<1xi64>) kind predict {
  // expected-error @below {{operand #0 must be blob with a bounded dimension, but got '!job.blob<12x2xi32>'}}
  %0 = job.pad_to_static %x, %n {value = 0 : i64} : !job.blob<12x2xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // expected-error @below {{expects a value of type 'i32' but got 2147483648}}
  %2 = job.pad_to_static %0, %1 {value = 2147483648 : i64} : !job.blob<?<=12>x2xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %n: !job.blob<1xi64>) kind predict {
  %0 = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<4xf32>
  // expected-error @below {{expects a value of type 'f32' but got 1}}
  %1 = job.pad_to_static %0, %n {value = 1 : i64} : !job.blob<?<=4>xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xui8>, %n: !job.blob<1xi64>) kind predict {
  %0 = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<4xui8>
  %1 = job.pad_to_static %0, %n {value = 255 : i64} : !job.blob<?<=4>xui8>
  // expected-error @below {{expects a value of type 'ui8' but got -1}}
  %2 = job.pad_to_static %0, %n {value = -1 : i64} : !job.blob<?<=4>xui8>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi32>, %n: !job.blob<1xi64>) kind predict {
  %0 = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<4xi32>
  // expected-error @below {{expects a value of type 'i32' but got 2.000000e+00 : f64}}
  %1 = job.pad_to_static %0, %n {value = 2.0 : f64} : !job.blob<?<=4>xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf16>, %n: !job.blob<1xi64>) kind predict {
  %0 = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<4xf16>
  %1 = job.pad_to_static %0, %n {value = 0xFFF0000000000000 : f64} : !job.blob<?<=4>xf16>
  // expected-error @below {{expects a value of type 'f16' but got 6.552000e+04 : f64}}
  %2 = job.pad_to_static %0, %n {value = 65520.0 : f64} : !job.blob<?<=4>xf16>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>, %n: !job.blob<1xi64>) kind predict {
  // expected-error @below {{'job.slice_to_dynamic' op expects a dim in [0, 2) but got 2}}
  %0 = job.slice_to_dynamic %x, %n {dim = 2 : i64} : !job.blob<4x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>, %n: !job.blob<1xi64>) kind predict {
  // expected-error @below {{'job.slice_to_dynamic' op expects a dim in [0, 2) but got -1}}
  %0 = job.slice_to_dynamic %x, %n {dim = -1 : i64} : !job.blob<4x3xf32>
  job.return
}

// -----

job.func @f(%table: !job.blob<4x3xi64>, %ids: !job.blob<5xi64>) kind predict {
  // expected-error @below {{'job.find_new_ids' op expects a table of pairs, as in 100x2xi64, but got '!job.blob<4x3xi64>'}}
  %0 = job.find_new_ids %table, %ids : !job.blob<4x3xi64>, !job.blob<5xi64>
  job.return
}

// -----

job.func @f(%table: !job.blob<4x2xi64>, %ids: !job.blob<5xi32>) kind predict {
  // expected-error @below {{'job.find_new_ids' op expects ids of 'i64' but got '!job.blob<5xi32>'}}
  %0 = job.find_new_ids %table, %ids : !job.blob<4x2xi64>, !job.blob<5xi32>
  job.return
}

// -----

job.func @f(%table: !job.blob<4x2xi8>, %ids: !job.blob<5xi8>) kind predict {
  // expected-error @below {{operand #0 must be blob of i32 or i64 with a static shape, but got '!job.blob<4x2xi8>'}}
  %0 = job.find_new_ids %table, %ids : !job.blob<4x2xi8>, !job.blob<5xi8>
  job.return
}

// -----

job.func @f(%table: !job.blob<4x2xi64>, %size: !job.blob<1xi32>, %ids: !job.blob<5xi64>) kind predict {
  %0 = job.find_new_ids %table, %ids : !job.blob<4x2xi64>, !job.blob<5xi64>
  // expected-error @below {{'job.lookup_ordinals' op expects a size of type '!job.blob<1xi64>' but got '!job.blob<1xi32>'}}
  %1 = job.lookup_ordinals %table, %size, %ids, %0 : !job.blob<4x2xi64>, !job.blob<1xi32>, !job.blob<5xi64>, !job.blob<16x3xi64>
  job.return
}

// -----

job.func @f(%table: !job.blob<4x2xi64>, %size: !job.blob<1xi64>, %ids: !job.blob<9xi64>, %inserted: !job.blob<16x3xi64>) kind predict {
  // expected-error @below {{'job.insert_ordinals' op expects inserted ids of type '!job.blob<32x3xi64>' but got '!job.blob<16x3xi64>'}}
  %1 = job.insert_ordinals %table, %size, %ids, %inserted : !job.blob<4x2xi64>, !job.blob<1xi64>, !job.blob<9xi64>, !job.blob<16x3xi64>
  job.return
}

// -----

// An op that does not say that it accepts a bounded blob refuses it.
job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<?<=12>x2xi32>'}}
  %2 = job.add %0, %0 : !job.blob<?<=12>x2xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // expected-error @below {{operand #0 must be blob with a static shape, but got '!job.blob<?<=12>x2xi32>'}}
  %2 = job.reshape %0 : !job.blob<?<=12>x2xi32> to !job.blob<24xi32>
  job.return
}

// -----

// expected-error @below {{expects argument 0 to have a static shape but got '!job.blob<?<=12>x2xi32>'}}
job.func @f(%x: !job.blob<?<=12>x2xi32>) kind predict {
  job.return
}

// -----

// expected-error @below {{expects a variable to have a static shape but got '!job.blob<?<=12>x2xi32>'}}
job.variable @v : !job.blob<?<=12>x2xi32> init #job.constant_init<0.0> {trainable = false}

// -----

job.func @f(%x: !job.blob<12xi1>) kind predict {
  // expected-error @below {{attribute 'block_size' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = job.count_nonzero %x {block_size = 0 : i64} : !job.blob<12xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<12xi1>, %n: !job.blob<2xi64>) kind predict {
  // expected-error @below {{expects counts of type '!job.blob<3xi64>' but got '!job.blob<2xi64>'}}
  %0, %1 = job.argwhere_blocks %x, %n as i32 {block_size = 5 : i64} : !job.blob<12xi1>, !job.blob<2xi64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2000xi1>, %c: !job.blob<2000xi64>) -> !job.blob<2000xi64> kind predict {
  // expected-error@below {{'job.argwhere_blocks' op expects at most 1024 blocks but got 2000}}
  %i, %n = job.argwhere_blocks %x, %c as i32 {block_size = 1 : i64} : !job.blob<2000xi1>, !job.blob<2000xi64>
  job.return %c : !job.blob<2000xi64>
}

// -----

job.func @f(%i: !job.blob<12xi32>) kind predict {
  // expected-error @below {{attribute 'extent' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = job.group_indices %i {extent = 0 : i64} : !job.blob<12xi32>
  job.return
}

// -----

job.func @f(%i: !job.blob<12xi32>) kind predict {
  // expected-error @below {{'job.group_indices' op expects fewer than 2^63 numbers in a row but got 12 indices and an extent of 9223372036854775807}}
  %0 = job.group_indices %i {extent = 9223372036854775807 : i64} : !job.blob<12xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<2x3xf32>, %g: !job.blob<2x7xi32>) kind predict {
  // expected-error @below {{'job.sum_groups' op expects an axis in [1, 2) but got 0}}
  %0 = job.sum_groups %u, %g {axis = 0 : i64} : !job.blob<2x3xf32>, !job.blob<2x7xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<2x3xf32>, %g: !job.blob<2x3xi32>) kind predict {
  // expected-error @below {{'job.sum_groups' op expects groups of dimension 1 of the updates but got '!job.blob<2x3xi32>' and '!job.blob<2x3xf32>'}}
  %0 = job.sum_groups %u, %g {axis = 1 : i64} : !job.blob<2x3xf32>, !job.blob<2x3xi32>
  job.return
}

// -----

job.func @f(%u: !job.blob<2x3xf32>, %g: !job.blob<4x7xi32>) kind predict {
  // expected-error @below {{'job.sum_groups' op expects groups of dimension 1 of the updates but got '!job.blob<4x7xi32>' and '!job.blob<2x3xf32>'}}
  %0 = job.sum_groups %u, %g {axis = 1 : i64} : !job.blob<2x3xf32>, !job.blob<4x7xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.argsort %x : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x2147483648xi8>) kind predict {
  // expected-error @below {{'job.argsort' op expects rows of at most 2^31 - 1 elements but got '!job.blob<2x2147483648xi8>'}}
  %0 = job.argsort %x : !job.blob<2x2147483648xi8>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %i: !job.blob<4xi64>) kind predict {
  // expected-error @below {{'job.merge_runs' op expects an order of type '!job.blob<4xi32>' but got '!job.blob<4xi64>'}}
  %0 = job.merge_runs %x, %i {run = 1 : i64} : !job.blob<4xf32>, !job.blob<4xi64>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>, %i: !job.blob<4xi32>) kind predict {
  // expected-error @below {{'job.merge_runs' op attribute 'run' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = job.merge_runs %x, %i {run = 0 : i64} : !job.blob<4xf32>, !job.blob<4xi32>
  job.return
}
