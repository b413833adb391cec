// There are 64 queues at most.
// RUN: job-opt %s --plan-assign-queues=queues=two -o %t
// RUN: job-opt %s -o %t.same
// RUN: diff %t %t.same

#arena = #plan.space<arena>
#cpu0_arena = #plan.space<@cpu0, arena>

plan.device @gpu0 kind(cuda) queues(1)
plan.device @cpu0 kind(host) queues(63)

plan.program @train kind train {
  %x = plan.alloc : memref<16xf32, #arena>
  %y = plan.alloc : memref<16xf32, #arena>
  plan.fill %x with 1 : memref<16xf32, #arena>
  plan.fill %y with 1 : memref<16xf32, #arena>
  plan.return
}
plan.program @host kind train {
  %x = plan.alloc : memref<16xf32, #cpu0_arena>
  plan.fill %x with 1 queue(63) : memref<16xf32, #cpu0_arena>
  plan.return
}
