// RUN: job-opt %s --pass-pipeline='builtin.module(job-place{device=gpu},job.func(job-select-implementations,job-fold-head-slices))' | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline=device=gpu | FileCheck %s --check-prefix=PLAN
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place,job.func(job-select-implementations,job-fold-head-slices))' | FileCheck %s --check-prefix=CPU

// On a CPU nothing changes.
// CPU-LABEL: job.func @packed(
// CPU-COUNT-3: job.slice
// CPU-NOT: heads_before
// CPU: job.concat
// CPU: job.return

// Queries, keys and values are slices of one blob, and the gradients are
// concatenated again: no kernel copies them.
// CHECK-LABEL: job.func @packed(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x9x8xbf16>, %[[G:[^ ]*]]: !job.blob<2x4x3x8xbf16>)
// CHECK-NOT: job.slice
// CHECK: %[[Y:.*]], %[[L:.*]] = job.attention %[[X]], %[[X]], %[[X]] {heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>, plan.implementation = #plan.cudnn.attention<batch = 2, heads = 3, queries = 4, keys = 4, channels = 8, value_channels = 8, scale = 5.000000e-01, type = bf16, workspace = 1048576, query_after = 6, key_before = 3, key_after = 3, value_before = 6>
// CHECK: %[[DX:.*]] = job.attention_grad %[[G]], %[[X]], %[[X]], %[[X]], %[[Y]], %[[L]] {heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>, join_key_value = true, join_query_key = true, plan.implementation = #plan.cudnn.attention_grad<batch = 2, heads = 3, queries = 4, keys = 4, channels = 8, value_channels = 8, scale = 5.000000e-01, type = bf16, workspace = {{[0-9]+}}, query_after = 6, key_before = 3, key_after = 3, value_before = 6, join_query_key = 1, join_key_value = 1>
// CHECK-NOT: job.concat
// CHECK: job.return %[[DX]]
// PLAN-LABEL: plan.program @packed kind
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.attention<{{.*}}> ins(%[[X:[^ ,]*]], %[[X]], %[[X]] : memref<2x4x9x8xbf16, #inputs>
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.attention_grad<{{.*}}> ins(%{{[^ ,]*}}, %[[X]], %[[X]], %[[X]],
// PLAN-SAME: outs(%{{[^ ,]*}} : memref<2x4x9x8xbf16, #outputs>)
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @packed(%x: !job.blob<2x4x9x8xbf16>, %g: !job.blob<2x4x3x8xbf16>) -> (!job.blob<2x4x9x8xbf16>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dk, %dv {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x4x9x8xbf16>
}

// The blob may have other dimensions, and the slices any order in it.
// CHECK-LABEL: job.func @reshaped(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<8x72xbf16>, %
// CHECK-NOT: job.slice
// CHECK: %[[R:.*]] = job.reshape %[[X]] : <8x72xbf16> to <2x4x9x8xbf16>
// CHECK-NEXT: job.attention %[[R]], %[[R]], %[[R]] {heads_after = array<i64: 0, 6, 3>, heads_before = array<i64: 6, 0, 3>,
// CHECK: %[[DX:.*]] = job.attention_grad
// CHECK-SAME: join_key_value = true, join_query_key = true
// CHECK: %[[DR:.*]] = job.reshape %[[DX]] : <2x4x9x8xbf16> to <8x72xbf16>
// CHECK-NOT: job.concat
// CHECK: job.return %[[DR]]
// PLAN-LABEL: plan.program @reshaped kind
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @reshaped(%x: !job.blob<8x72xbf16>, %g: !job.blob<2x4x3x8xbf16>) -> (!job.blob<8x72xbf16>) kind predict {
  %qr = job.slice %x {offsets = array<i64: 0, 48>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x72xbf16>
  %q = job.reshape %qr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %kr = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x72xbf16>
  %k = job.reshape %kr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %vr = job.slice %x {offsets = array<i64: 0, 24>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x72xbf16>
  %v = job.reshape %vr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dqr = job.reshape %dq : !job.blob<2x4x3x8xbf16> to !job.blob<8x24xbf16>
  %dkr = job.reshape %dk : !job.blob<2x4x3x8xbf16> to !job.blob<8x24xbf16>
  %dvr = job.reshape %dv : !job.blob<2x4x3x8xbf16> to !job.blob<8x24xbf16>
  %dx = job.concat %dqr, %dkr, %dvr {axis = 1 : i64} : !job.blob<8x24xbf16>, !job.blob<8x24xbf16>, !job.blob<8x24xbf16>
  job.return %dx : !job.blob<8x72xbf16>
}

// CHECK-LABEL: job.func @five_dimensions(
// CHECK: %[[R:.*]] = job.reshape %{{.*}} : <2x4x3x3x8xbf16> to <2x4x9x8xbf16>
// CHECK-NEXT: job.attention %[[R]], %[[R]], %[[R]] {heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>,
// PLAN-LABEL: plan.program @five_dimensions kind
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @five_dimensions(%x: !job.blob<2x4x3x3x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %qr = job.slice %x {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 2, 4, 1, 3, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x4x3x3x8xbf16>
  %q = job.reshape %qr : !job.blob<2x4x1x3x8xbf16> to !job.blob<2x4x3x8xbf16>
  %kr = job.slice %x {offsets = array<i64: 0, 0, 1, 0, 0>, sizes = array<i64: 2, 4, 1, 3, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x4x3x3x8xbf16>
  %k = job.reshape %kr : !job.blob<2x4x1x3x8xbf16> to !job.blob<2x4x3x8xbf16>
  %vr = job.slice %x {offsets = array<i64: 0, 0, 2, 0, 0>, sizes = array<i64: 2, 4, 1, 3, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x4x3x3x8xbf16>
  %v = job.reshape %vr : !job.blob<2x4x1x3x8xbf16> to !job.blob<2x4x3x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}

// Queries of their own, and keys and values of another blob.
// CHECK-LABEL: job.func @cross(
// CHECK-SAME:    %[[Q:[^ ]*]]: !job.blob<2x4x3x8xbf16>, %[[KV:[^ ]*]]: !job.blob<2x5x6x8xbf16>, %
// CHECK: job.attention %[[Q]], %[[KV]], %[[KV]] {heads_after = array<i64: 0, 3, 0>, heads_before = array<i64: 0, 0, 3>,
// CHECK: %[[GRADS:.*]]:2 = job.attention_grad
// CHECK-SAME: heads_after = array<i64: 0, 3, 0>, heads_before = array<i64: 0, 0, 3>, join_key_value = true, plan.implementation
// CHECK: job.return %[[GRADS]]#0, %[[GRADS]]#1 : !job.blob<2x4x3x8xbf16>, !job.blob<2x5x6x8xbf16>
// PLAN-LABEL: plan.program @cross kind
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @cross(%q: !job.blob<2x4x3x8xbf16>, %x: !job.blob<2x5x6x8xbf16>, %g: !job.blob<2x4x3x8xbf16>) -> (!job.blob<2x4x3x8xbf16>, !job.blob<2x5x6x8xbf16>) kind predict {
  %k = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 5, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x5x6x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 5, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x5x6x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x8xbf16>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dk, %dv {axis = 2 : i64} : !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x8xbf16>
  job.return %dq, %dx : !job.blob<2x4x3x8xbf16>, !job.blob<2x5x6x8xbf16>
}

// One slice may be keys and values, with other numbers of channels than queries
// and values have in a blob of both.
// CHECK-LABEL: job.func @shared(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x6x8xbf16>)
// CHECK-NEXT: job.attention %[[X]], %[[X]], %[[X]] {heads_after = array<i64: 3, 0, 0>, heads_before = array<i64: 0, 3, 3>,
job.func @shared(%x: !job.blob<2x4x6x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x6x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x6x8xbf16>
  %y, %l = job.attention %q, %k, %k {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}
// CHECK-LABEL: job.func @wider_values(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<8x96xbf16>)
// CHECK-DAG: %[[QK:.*]] = job.reshape %[[X]] : <8x96xbf16> to <2x4x12x8xbf16>
// CHECK-DAG: %[[V:.*]] = job.reshape %[[X]] : <8x96xbf16> to <2x4x6x16xbf16>
// CHECK: job.attention %[[QK]], %[[QK]], %[[V]] {heads_after = array<i64: 9, 6, 0>, heads_before = array<i64: 0, 3, 3>,
job.func @wider_values(%x: !job.blob<8x96xbf16>) -> (!job.blob<2x4x3x16xbf16>) kind predict {
  %qr = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x96xbf16>
  %q = job.reshape %qr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %kr = job.slice %x {offsets = array<i64: 0, 24>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x96xbf16>
  %k = job.reshape %kr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %vr = job.slice %x {offsets = array<i64: 0, 48>, sizes = array<i64: 8, 48>, strides = array<i64: 1, 1>} : !job.blob<8x96xbf16>
  %v = job.reshape %vr : !job.blob<8x48xbf16> to !job.blob<2x4x3x16xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x16xbf16>
  job.return %y : !job.blob<2x4x3x16xbf16>
}

// The split of an implementation in the text remains.
// CHECK-LABEL: job.func @by_hand(
// CHECK: job.attention_grad
// CHECK-SAME: type = bf16, workspace = 64, query_after = 6, key_before = 3, key_after = 3, value_before = 6, batch_parts = 2>
job.func @by_hand(%x: !job.blob<2x4x9x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x3x8xbf16>) kind predict attributes {placement = #job.placement<gpu, "0:0">} {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64, plan.implementation = #plan.cudnn.attention_grad<batch = 2, heads = 3, queries = 4, keys = 4, channels = 8, value_channels = 8, scale = 0.5, type = bf16, workspace = 64, batch_parts = 2>} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  job.return %dk : !job.blob<2x4x3x8xbf16>
}

// What is copied: a slice that another op reads, too, as its result or as the
// gradient of the result; then those beside it are smaller than the blob.
// CHECK-LABEL: job.func @another_user(
// CHECK-COUNT-3: job.slice
// CHECK-NOT: heads_before
job.func @another_user(%x: !job.blob<2x4x9x8xbf16>) -> (!job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y, %k : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
}
// CHECK-LABEL: job.func @read_as_gradient(
// CHECK-COUNT-3: job.slice
// CHECK-NOT: heads_before
job.func @read_as_gradient(%x: !job.blob<2x4x9x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  %dq, %dk, %dv = job.attention_grad %q, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  job.return %dv : !job.blob<2x4x3x8xbf16>
}

// Slices of a blob of which another part is not attention's.
// CHECK-LABEL: job.func @larger_blob(
// CHECK-COUNT-3: job.slice
// CHECK-NOT: heads_before
job.func @larger_blob(%x: !job.blob<2x4x12x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x12x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x12x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x12x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}

// Heads that are not neighbours: the three arrays of each head are.
// CHECK-LABEL: job.func @interleaved(
// CHECK-COUNT-3: job.slice
// CHECK-NOT: heads_before
job.func @interleaved(%x: !job.blob<2x4x3x3x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %qr = job.slice %x {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 1, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x4x3x3x8xbf16>
  %q = job.reshape %qr : !job.blob<2x4x3x1x8xbf16> to !job.blob<2x4x3x8xbf16>
  %kr = job.slice %x {offsets = array<i64: 0, 0, 0, 1, 0>, sizes = array<i64: 2, 4, 3, 1, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x4x3x3x8xbf16>
  %k = job.reshape %kr : !job.blob<2x4x3x1x8xbf16> to !job.blob<2x4x3x8xbf16>
  %vr = job.slice %x {offsets = array<i64: 0, 0, 0, 2, 0>, sizes = array<i64: 2, 4, 3, 1, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x4x3x3x8xbf16>
  %v = job.reshape %vr : !job.blob<2x4x3x1x8xbf16> to !job.blob<2x4x3x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}
// CHECK-LABEL: job.func @every_other_head(
// CHECK-COUNT-2: job.slice
// CHECK-NOT: heads_before
job.func @every_other_head(%x: !job.blob<2x4x6x8xbf16>, %v: !job.blob<2x4x3x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 2, 1>} : !job.blob<2x4x6x8xbf16>
  %k = job.slice %x {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 2, 1>} : !job.blob<2x4x6x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}

// Parts of heads, whose addresses may not be aligned.
// CHECK-LABEL: job.func @not_aligned(
// CHECK-COUNT-2: job.slice
// CHECK-NOT: heads_before
job.func @not_aligned(%x: !job.blob<8x52xbf16>, %v: !job.blob<2x4x3x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %qr = job.slice %x {offsets = array<i64: 0, 4>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x52xbf16>
  %q = job.reshape %qr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %kr = job.slice %x {offsets = array<i64: 0, 28>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>} : !job.blob<8x52xbf16>
  %k = job.reshape %kr : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}

// Slices of batches or positions.
// CHECK-LABEL: job.func @positions(
// CHECK-COUNT-2: job.slice
// CHECK-NOT: heads_before
job.func @positions(%q: !job.blob<2x4x3x8xbf16>, %x: !job.blob<2x8x3x8xbf16>) -> (!job.blob<2x4x3x8xbf16>) kind predict {
  %k = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x8x3x8xbf16>
  %v = job.slice %x {offsets = array<i64: 0, 4, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x8x3x8xbf16>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %y : !job.blob<2x4x3x8xbf16>
}

// Attention that kernels compute, which read slices as all kernels do.
// CHECK-LABEL: job.func @kernels(
// CHECK-COUNT-3: job.slice
// CHECK-NOT: heads_before
job.func @kernels(%x: !job.blob<2x4x9x8xf32>) -> (!job.blob<2x4x3x8xf32>) kind predict {
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xf32>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xf32>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 4, 3, 8>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x4x9x8xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x4x3x8xf32>, !job.blob<2x4x3x8xf32>, !job.blob<2x4x3x8xf32>
  job.return %y : !job.blob<2x4x3x8xf32>
}

// Gradients of queries and keys, without that of the values.
// CHECK-LABEL: job.func @two_of_three(
// CHECK: %[[GRADS:.*]]:2 = job.attention_grad
// CHECK-SAME: {join_query_key = true,
// CHECK-NOT: job.concat
// CHECK: job.return %[[GRADS]]#0, %[[GRADS]]#1
job.func @two_of_three(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x6x8xbf16>, !job.blob<2x4x3x8xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dk {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx, %dv : !job.blob<2x4x6x8xbf16>, !job.blob<2x4x3x8xbf16>
}

// Concatenations that stay: in another order, with other blobs, of gradients that
// are not neighbours, along another dimension, and of gradients that are used.
// CHECK-LABEL: job.func @other_order(
// CHECK: job.concat
job.func @other_order(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x9x8xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dk, %dq, %dv {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x4x9x8xbf16>
}
// CHECK-LABEL: job.func @other_blob(
// CHECK: job.concat
job.func @other_blob(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x12x8xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dk, %dv, %q {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x4x12x8xbf16>
}
// CHECK-LABEL: job.func @two_ends(
// CHECK: job.concat
job.func @two_ends(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x6x8xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dv {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x4x6x8xbf16>
}
// CHECK-LABEL: job.func @along_channels(
// CHECK: job.concat
job.func @along_channels(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x3x24xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dk, %dv {axis = 3 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x4x3x24xbf16>
}
// CHECK-LABEL: job.func @used_gradient(
// CHECK: job.concat
job.func @used_gradient(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x9x8xbf16>, !job.blob<2x4x3x8xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dk, %dv {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx, %dk : !job.blob<2x4x9x8xbf16>, !job.blob<2x4x3x8xbf16>
}
// CHECK-LABEL: job.func @twice(
// CHECK: job.concat
job.func @twice(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %g: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x4x3x8xbf16>, %l: !job.blob<2x3x4xf32>) -> (!job.blob<2x4x6x8xbf16>) kind predict {
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dx = job.concat %dq, %dq {axis = 2 : i64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x4x6x8xbf16>
}
// CHECK-LABEL: job.func @other_positions(
// CHECK: job.concat
job.func @other_positions(%q: !job.blob<2x2x3x8xbf16>, %k: !job.blob<2x4x3x8xbf16>, %v: !job.blob<2x4x3x8xbf16>, %y: !job.blob<2x2x3x8xbf16>, %l: !job.blob<2x3x2xf32>) -> !job.blob<2x6x3x8xbf16> kind predict {
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<2x2x3x8xbf16>, !job.blob<2x2x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x2xf32>
  %dx = job.concat %dq, %dk {axis = 1 : i64} : !job.blob<2x2x3x8xbf16>, !job.blob<2x4x3x8xbf16>
  job.return %dx : !job.blob<2x6x3x8xbf16>
}

// The reshapes are on the device of the op.
// CHECK-LABEL: job.func @placed(
// CHECK: job.reshape %{{.*}} {job.placement = #placement} : <8x72xbf16> to <2x4x9x8xbf16>
// CHECK: job.attention_grad
// CHECK: job.reshape %{{.*}} {job.placement = #placement} : <2x4x9x8xbf16> to <8x72xbf16>
job.func @placed(%h: !job.blob<8x72xbf16>, %hy: !job.blob<2x4x3x8xbf16>, %hl: !job.blob<2x3x4xf32>) -> !job.blob<8x72xbf16> kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %x = job.transfer %h to <gpu, "0:0"> : !job.blob<8x72xbf16>
  %y = job.transfer %hy to <gpu, "0:0"> : !job.blob<2x4x3x8xbf16>
  %l = job.transfer %hl to <gpu, "0:0"> : !job.blob<2x3x4xf32>
  %qr = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>, job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x72xbf16>
  %q = job.reshape %qr {job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %kr = job.slice %x {offsets = array<i64: 0, 24>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>, job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x72xbf16>
  %k = job.reshape %kr {job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %vr = job.slice %x {offsets = array<i64: 0, 48>, sizes = array<i64: 8, 24>, strides = array<i64: 1, 1>, job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x72xbf16>
  %v = job.reshape %vr {job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x24xbf16> to !job.blob<2x4x3x8xbf16>
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {scale = 0.5 : f64, job.placement = #job.placement<gpu, "0:0">} : !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x3x4xf32>
  %dqr = job.reshape %dq {job.placement = #job.placement<gpu, "0:0">} : !job.blob<2x4x3x8xbf16> to !job.blob<8x24xbf16>
  %dkr = job.reshape %dk {job.placement = #job.placement<gpu, "0:0">} : !job.blob<2x4x3x8xbf16> to !job.blob<8x24xbf16>
  %dvr = job.reshape %dv {job.placement = #job.placement<gpu, "0:0">} : !job.blob<2x4x3x8xbf16> to !job.blob<8x24xbf16>
  %d = job.concat %dqr, %dkr, %dvr {axis = 1 : i64, job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x24xbf16>, !job.blob<8x24xbf16>, !job.blob<8x24xbf16>
  %dx = job.transfer %d to <cpu, "0:0"> : !job.blob<8x72xbf16>
  job.return %dx : !job.blob<8x72xbf16>
}
