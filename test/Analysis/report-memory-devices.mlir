// Of a program on several devices, the memory on each, and a picture of each
// arena.

// RUN: job-opt %s --job-report-memory=html=%t.html -o /dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=HTML --input-file %t.html

#gpu0_arena = #plan.space<@gpu0, arena>
#gpu0_constants = #plan.space<@gpu0, constants>

module attributes {plan.sizes = #plan.sizes<variables = 64, @gpu0 variables = 128, constants = 64>} {
  plan.device @cpu0 kind(host) queues(1)
  plan.device @gpu0 kind(cuda) queues(1)
  plan.constant @c dense<1.0> : tensor<16xf32> {offset = 0 : i64}

  // CHECK: memory of 'p' (predict), 4 commands, bytes:
  // CHECK-NEXT: arena 192
  // CHECK-NEXT: lower bound 192
  // CHECK: bank 192
  // CHECK: workspace 256
  // The GPU alone uses constants.
  // CHECK-NEXT: constants 64
  // CHECK-NEXT: total 704
  // CHECK-NEXT: on cpu0 128 arena 64, bank 64, staging 0, workspace 0, constants 0
  // CHECK-NEXT: on gpu0 576 arena 128, bank 128, staging 0, workspace 256, constants 64
  // HTML: >cpu0</text><g><title>arena of cpu0: 64 bytes</title><rect class="b arena" x="84.00" y="0.00" width="120.00"
  // HTML-NEXT: <g><title>bank of variables of cpu0: 64 bytes</title><rect class="b variables" x="204.00" y="0.00" width="120.00"
  // HTML-NEXT: >gpu0</text><g><title>arena of gpu0: 128 bytes</title><rect class="b arena" x="84.00" y="34.00" width="240.00"
  // HTML-SAME: >arena, 128 B</text>
  // HTML-NEXT: <g><title>bank of variables of gpu0: 128 bytes
  // HTML-NEXT: <g><title>workspace of gpu0: 256 bytes
  // HTML-NEXT: <g><title>constants of gpu0: 64 bytes</title><rect class="b constants" x="1044.00" y="34.00" width="120.00"
  // HTML: Arena of cpu0, 64 bytes
  // HTML: <svg
  // HTML: 16xf32, 64 bytes at offset 0
  // HTML: Arena of gpu0, 128 bytes
  // HTML: <svg
  // HTML: 32xf32, 128 bytes at offset 0
  plan.program @p kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0, @gpu0 arena = 128 above 128, @gpu0 workspace = 256> {
    %c = plan.get_constant @c : memref<16xf32, #gpu0_constants>
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #plan.space<arena>>
    %b = plan.alloc {offset = 0 : i64} : memref<32xf32, #gpu0_arena>
    %d = plan.alloc {offset = 0 : i64} : memref<16xf32, #gpu0_arena>
    plan.fill %b with 0 queue(1) : memref<32xf32, #gpu0_arena>
    plan.copy %c to %a queue(1) : memref<16xf32, #gpu0_constants> to memref<16xf32, #plan.space<arena>>
    plan.copy %a to %d : memref<16xf32, #plan.space<arena>> to memref<16xf32, #gpu0_arena>
    plan.fill %d with 0 queue(1) : memref<16xf32, #gpu0_arena>
    plan.return
  }
}
