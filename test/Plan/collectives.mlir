// RUN: job-opt %s --plan-verify | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s --check-prefix=PACKED
// RUN: job-opt %s --job-report-time=largest=12 -o /dev/null | FileCheck %s --check-prefix=TIME
// RUN: job-opt %s --job-print-graph="dot entry=all" -o /dev/null | FileCheck %s --check-prefix=DOT

#arena = #plan.space<arena>

plan.device @gpu0 kind(cuda) queues(2)
// CHECK: plan.communicator @world ranks(4)
plan.communicator @world ranks(4)

// CHECK-LABEL: plan.program @all
// TIME-LABEL: time of 'all' (predict), 10 commands
// TIME: network
// TIME: network     all_reduce sum
// TIME-DAG: broadcast from rank 3
// TIME-DAG: send to rank 1
// TIME-DAG: recv from rank 0
// DOT: all_reduce sum
plan.program @all kind predict {
  %x = plan.alloc : memref<1024x1024xf32, #arena>
  %y = plan.alloc : memref<1024x1024xf32, #arena>
  %part = plan.alloc : memref<256x1024xf32, #arena>
  plan.fill %x with 0 : memref<1024x1024xf32, #arena>
  plan.fill %part with 0 : memref<256x1024xf32, #arena>
  // CHECK: plan.collective all_reduce on @world sum ins(%{{.*}} : memref<1024x1024xf32, #arena>) outs(%{{.*}} : memref<1024x1024xf32, #arena>)
  plan.collective all_reduce on @world sum ins(%x : memref<1024x1024xf32, #arena>) outs(%y : memref<1024x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective all_reduce on @world avg inouts(%{{.*}} : memref<1024x1024xf32, #arena>)
  plan.collective all_reduce on @world avg inouts(%x : memref<1024x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective reduce_scatter on @world max ins(%{{.*}}) outs(%{{.*}} : memref<256x1024xf32, #arena>)
  plan.collective reduce_scatter on @world max ins(%x : memref<1024x1024xf32, #arena>) outs(%part : memref<256x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective reduce_scatter on @world prod inouts
  plan.collective reduce_scatter on @world prod inouts(%x : memref<1024x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective all_gather on @world ins
  plan.collective all_gather on @world ins(%part : memref<256x1024xf32, #arena>) outs(%y : memref<1024x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective broadcast on @world root(3) inouts
  plan.collective broadcast on @world root(3) inouts(%y : memref<1024x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective send on @world peer(1) ins
  plan.collective send on @world peer(1) ins(%y : memref<1024x1024xf32, #arena>)
  // CHECK-NEXT: plan.collective recv on @world peer(0) joined outs
  plan.collective recv on @world peer(0) joined outs(%x : memref<1024x1024xf32, #arena>)
  plan.return
}

// Buffers of a group are live during all of it: %b does not take the place of
// %a, as it would after it.
// PACKED-LABEL: plan.program @group
// PACKED-SAME: arena = 128 above 128
plan.program @group kind predict {
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.collective send on @world peer(1) ins(%a : memref<16xf32, #arena>)
  plan.collective recv on @world peer(1) joined outs(%b : memref<16xf32, #arena>)
  plan.return
}

// PACKED-LABEL: plan.program @one_after_the_other
// PACKED-SAME: arena = 64 above 64
plan.program @one_after_the_other kind predict {
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.collective send on @world peer(1) ins(%a : memref<16xf32, #arena>)
  plan.collective recv on @world peer(1) outs(%b : memref<16xf32, #arena>)
  plan.return
}

// Collectives on two queues are in order by an event.
// CHECK-LABEL: plan.program @queues
plan.program @queues kind predict {
  %a = plan.alloc : memref<16xi32, #arena>
  %b = plan.alloc : memref<16xi32, #arena>
  plan.fill %a with 0 : memref<16xi32, #arena>
  plan.collective all_reduce on @world min inouts(%a : memref<16xi32, #arena>)
  %done = plan.record
  plan.wait %done queue(1)
  plan.fill %b with 0 queue(1) : memref<16xi32, #arena>
  // CHECK: plan.collective all_reduce on @world sum queue(1) inouts
  plan.collective all_reduce on @world sum queue(1) inouts(%b : memref<16xi32, #arena>)
  plan.return
}
