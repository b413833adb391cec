// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// Every unary op on each of its element types.
// CHECK-LABEL: job.func @unary(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4xf32>, %[[D:[^ ]*]]: !job.blob<4xf64>, %[[I:[^ ]*]]: !job.blob<4xi32>)
job.func @unary(%x: !job.blob<2x4xf32>, %d: !job.blob<4xf64>, %i: !job.blob<4xi32>) kind predict {
  // CHECK-NEXT: job.neg %[[X]] : <2x4xf32>
  %neg_x = job.neg %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.neg %[[D]] : <4xf64>
  %neg_d = job.neg %d : !job.blob<4xf64>
  // CHECK-NEXT: job.abs %[[X]] : <2x4xf32>
  %abs_x = job.abs %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.abs %[[D]] : <4xf64>
  %abs_d = job.abs %d : !job.blob<4xf64>
  // CHECK-NEXT: job.exp %[[X]] : <2x4xf32>
  %exp_x = job.exp %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.exp %[[D]] : <4xf64>
  %exp_d = job.exp %d : !job.blob<4xf64>
  // CHECK-NEXT: job.log %[[X]] : <2x4xf32>
  %log_x = job.log %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.log %[[D]] : <4xf64>
  %log_d = job.log %d : !job.blob<4xf64>
  // CHECK-NEXT: job.sqrt %[[X]] : <2x4xf32>
  %sqrt_x = job.sqrt %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.sqrt %[[D]] : <4xf64>
  %sqrt_d = job.sqrt %d : !job.blob<4xf64>
  // CHECK-NEXT: job.rsqrt %[[X]] : <2x4xf32>
  %rsqrt_x = job.rsqrt %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.rsqrt %[[D]] : <4xf64>
  %rsqrt_d = job.rsqrt %d : !job.blob<4xf64>
  // CHECK-NEXT: job.cos %[[X]] : <2x4xf32>
  %cos_x = job.cos %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.cos %[[D]] : <4xf64>
  %cos_d = job.cos %d : !job.blob<4xf64>
  // CHECK-NEXT: job.sin %[[X]] : <2x4xf32>
  %sin_x = job.sin %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.sin %[[D]] : <4xf64>
  %sin_d = job.sin %d : !job.blob<4xf64>
  // CHECK-NEXT: job.tanh %[[X]] : <2x4xf32>
  %tanh_x = job.tanh %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.tanh %[[D]] : <4xf64>
  %tanh_d = job.tanh %d : !job.blob<4xf64>
  // CHECK-NEXT: job.sigmoid %[[X]] : <2x4xf32>
  %sigmoid_x = job.sigmoid %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.sigmoid %[[D]] : <4xf64>
  %sigmoid_d = job.sigmoid %d : !job.blob<4xf64>
  // CHECK-NEXT: job.relu %[[X]] : <2x4xf32>
  %relu_x = job.relu %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.relu %[[D]] : <4xf64>
  %relu_d = job.relu %d : !job.blob<4xf64>
  // CHECK-NEXT: job.erf_inv %[[X]] : <2x4xf32>
  %erf_inv_x = job.erf_inv %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.erf_inv %[[D]] : <4xf64>
  %erf_inv_d = job.erf_inv %d : !job.blob<4xf64>
  // CHECK-NEXT: job.erf %[[X]] : <2x4xf32>
  %erf_x = job.erf %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.erf %[[D]] : <4xf64>
  %erf_d = job.erf %d : !job.blob<4xf64>
  // CHECK-NEXT: job.gelu %[[X]] : <2x4xf32>
  %gelu_x = job.gelu %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.gelu %[[D]] : <4xf64>
  %gelu_d = job.gelu %d : !job.blob<4xf64>
  // CHECK-NEXT: job.gelu %[[X]] : <2x4xf32>
  %gelu_exact = job.gelu %x approximate none : !job.blob<2x4xf32>
  // CHECK-NEXT: job.gelu %[[X]] approximate tanh : <2x4xf32>
  %gelu_tanh = job.gelu %x approximate tanh : !job.blob<2x4xf32>
  // CHECK-NEXT: job.gelu_grad %[[X]], %[[X]] : <2x4xf32>
  %gelu_grad_x = job.gelu_grad %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.gelu_grad %[[D]], %[[D]] approximate tanh : <4xf64>
  %gelu_grad_d = job.gelu_grad %d, %d approximate tanh : !job.blob<4xf64>
  // CHECK-NEXT: job.expm1 %[[X]] : <2x4xf32>
  %expm1_x = job.expm1 %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.expm1 %[[D]] : <4xf64>
  %expm1_d = job.expm1 %d : !job.blob<4xf64>
  // CHECK-NEXT: job.log1p %[[X]] : <2x4xf32>
  %log1p_x = job.log1p %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.log1p %[[D]] : <4xf64>
  %log1p_d = job.log1p %d : !job.blob<4xf64>
  // CHECK-NEXT: job.floor %[[X]] : <2x4xf32>
  %floor_x = job.floor %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.floor %[[D]] : <4xf64>
  %floor_d = job.floor %d : !job.blob<4xf64>
  // CHECK-NEXT: job.stop_gradient %[[X]] : <2x4xf32>
  %stop_x = job.stop_gradient %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.ceil %[[X]] : <2x4xf32>
  %ceil_x = job.ceil %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.ceil %[[D]] : <4xf64>
  %ceil_d = job.ceil %d : !job.blob<4xf64>
  // CHECK-NEXT: job.round %[[X]] : <2x4xf32>
  %round_x = job.round %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.round %[[D]] : <4xf64>
  %round_d = job.round %d : !job.blob<4xf64>
  // CHECK-NEXT: job.sign %[[X]] : <2x4xf32>
  %sign_x = job.sign %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.sign %[[D]] : <4xf64>
  %sign_d = job.sign %d : !job.blob<4xf64>
  // CHECK-NEXT: job.neg %[[I]] : <4xi32>
  %neg_i = job.neg %i : !job.blob<4xi32>
  // CHECK-NEXT: job.abs %[[I]] : <4xi32>
  %abs_i = job.abs %i : !job.blob<4xi32>
  // CHECK-NEXT: job.sign %[[I]] : <4xi32>
  %sign_i = job.sign %i : !job.blob<4xi32>
  job.return
}

// Every binary op.
// CHECK-LABEL: job.func @binary(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4xf32>, %[[Y:[^ ]*]]: !job.blob<2x4xf32>, %[[I:[^ ]*]]: !job.blob<4xi8>)
job.func @binary(%x: !job.blob<2x4xf32>, %y: !job.blob<2x4xf32>, %i: !job.blob<4xi8>) kind predict {
  // CHECK-NEXT: job.add %[[X]], %[[Y]] : <2x4xf32>
  %add = job.add %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.sub %[[X]], %[[Y]] : <2x4xf32>
  %sub = job.sub %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.mul %[[X]], %[[Y]] : <2x4xf32>
  %mul = job.mul %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.div %[[X]], %[[Y]] : <2x4xf32>
  %div = job.div %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.maximum %[[X]], %[[Y]] : <2x4xf32>
  %maximum = job.maximum %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.minimum %[[X]], %[[Y]] : <2x4xf32>
  %minimum = job.minimum %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.pow %[[X]], %[[Y]] : <2x4xf32>
  %pow = job.pow %x, %y : !job.blob<2x4xf32>
  // CHECK-NEXT: job.add %[[I]], %[[I]] : <4xi8>
  %add_i = job.add %i, %i : !job.blob<4xi8>
  // CHECK-NEXT: job.sub %[[I]], %[[I]] : <4xi8>
  %sub_i = job.sub %i, %i : !job.blob<4xi8>
  // CHECK-NEXT: job.mul %[[I]], %[[I]] : <4xi8>
  %mul_i = job.mul %i, %i : !job.blob<4xi8>
  // CHECK-NEXT: job.maximum %[[I]], %[[I]] : <4xi8>
  %maximum_i = job.maximum %i, %i : !job.blob<4xi8>
  // CHECK-NEXT: job.minimum %[[I]], %[[I]] : <4xi8>
  %minimum_i = job.minimum %i, %i : !job.blob<4xi8>
  job.return
}

// CHECK-LABEL: job.func @logical(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xi1>, %[[Y:[^ ]*]]: !job.blob<4xi1>)
job.func @logical(%x: !job.blob<4xi1>, %y: !job.blob<4xi1>) kind predict {
  // CHECK-NEXT: job.logical_not %[[X]] : <4xi1>
  %not = job.logical_not %x : !job.blob<4xi1>
  // CHECK-NEXT: job.logical_and %[[X]], %[[Y]] : <4xi1>
  %and = job.logical_and %x, %y : !job.blob<4xi1>
  // CHECK-NEXT: job.logical_or %[[X]], %[[Y]] : <4xi1>
  %or = job.logical_or %x, %y : !job.blob<4xi1>
  job.return
}

// Every comparison; the result is of i1.
// CHECK-LABEL: job.func @compare(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4xf32>, %[[I:[^ ]*]]: !job.blob<4xi64>)
job.func @compare(%x: !job.blob<2x4xf32>, %i: !job.blob<4xi64>)
    -> (!job.blob<2x4xi1>, !job.blob<4xi1>) kind predict {
  // CHECK-NEXT: job.compare eq %[[X]], %[[X]] : <2x4xf32>
  %eq = job.compare eq %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.compare ne %[[X]], %[[X]] : <2x4xf32>
  %ne = job.compare ne %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.compare lt %[[X]], %[[X]] : <2x4xf32>
  %lt = job.compare lt %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.compare le %[[X]], %[[X]] : <2x4xf32>
  %le = job.compare le %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.compare gt %[[X]], %[[X]] : <2x4xf32>
  %gt = job.compare gt %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.compare ge %[[X]], %[[X]] : <2x4xf32>
  %ge = job.compare ge %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.compare lt %[[I]], %[[I]] {job.note = 1 : i64} : <4xi64>
  %lt_i = job.compare lt %i, %i {job.note = 1} : !job.blob<4xi64>
  job.return %ge, %lt_i : !job.blob<2x4xi1>, !job.blob<4xi1>
}

// CHECK-LABEL: job.func @select(
// CHECK-SAME:    %[[C:[^ ]*]]: !job.blob<4xi1>, %[[X:[^ ]*]]: !job.blob<4xf32>, %[[Y:[^ ]*]]: !job.blob<4xf32>)
job.func @select(%c: !job.blob<4xi1>, %x: !job.blob<4xf32>, %y: !job.blob<4xf32>) kind predict {
  // CHECK-NEXT: job.select %[[C]], %[[X]], %[[Y]] : <4xi1>, <4xf32>
  %0 = job.select %c, %x, %y : !job.blob<4xi1>, !job.blob<4xf32>
  // CHECK-NEXT: job.select %[[C]], %[[C]], %[[C]] : <4xi1>, <4xi1>
  %1 = job.select %c, %c, %c : !job.blob<4xi1>, !job.blob<4xi1>
  job.return
}

// CHECK-LABEL: job.func @cast(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
job.func @cast(%x: !job.blob<4xf32>) kind predict {
  // CHECK-NEXT: job.cast %[[X]] : <4xf32> to <4xf64>
  %f64 = job.cast %x : !job.blob<4xf32> to !job.blob<4xf64>
  // CHECK-NEXT: job.cast %[[X]] : <4xf32> to <4xi1>
  %i1 = job.cast %x : !job.blob<4xf32> to !job.blob<4xi1>
  // CHECK-NEXT: job.cast %[[X]] : <4xf32> to <4xi8>
  %i8 = job.cast %x : !job.blob<4xf32> to !job.blob<4xi8>
  // CHECK-NEXT: job.cast %[[X]] : <4xf32> to <4xi32>
  %i32 = job.cast %x : !job.blob<4xf32> to !job.blob<4xi32>
  // CHECK-NEXT: job.cast %[[X]] : <4xf32> to <4xi64>
  %i64 = job.cast %x : !job.blob<4xf32> to !job.blob<4xi64>
  // CHECK-NEXT: job.cast %[[X]] : <4xf32> to <4xf32>
  %f32 = job.cast %x : !job.blob<4xf32> to !job.blob<4xf32>
  job.return
}
