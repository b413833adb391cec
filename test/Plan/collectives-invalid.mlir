// RUN: job-opt %s --split-input-file --verify-diagnostics --plan-verify

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @reduction_missing kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a reduction for all_reduce but got none}}
  plan.collective all_reduce on @world inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @reduction_extra kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects no reduction for all_gather but got one}}
  plan.collective all_gather on @world sum inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @root_missing kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a root for broadcast but got none}}
  plan.collective broadcast on @world inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @peer_missing kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a peer for send but got none}}
  plan.collective send on @world ins(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @peer_extra kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects no peer for all_reduce but got one}}
  plan.collective all_reduce on @world sum peer(1) inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @buffers kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects one buffer in ins and one in outs, or one in inouts for all_reduce but got 1 in ins, 0 in inouts and 0 in outs}}
  plan.collective all_reduce on @world sum ins(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @send_buffers kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects one buffer in ins for send but got 0 in ins, 1 in inouts and 0 in outs}}
  plan.collective send on @world peer(1) inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @recv_buffers kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects one buffer in outs for recv but got 1 in ins, 0 in inouts and 0 in outs}}
  plan.collective recv on @world peer(1) ins(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @element_type kind predict {
  %x = plan.alloc : memref<8xi1, #arena>
  // expected-error@+1 {{'plan.collective' op expects numbers but got i1}}
  plan.collective all_gather on @world inouts(%x : memref<8xi1, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @element_types kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  %y = plan.alloc : memref<8xi32, #arena>
  // expected-error@+1 {{'plan.collective' op expects buffers of one element type but got 'f32' and 'i32'}}
  plan.collective all_reduce on @world sum ins(%x : memref<8xf32, #arena>) outs(%y : memref<8xi32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @average kind predict {
  %x = plan.alloc : memref<8xi32, #arena>
  // expected-error@+1 {{'plan.collective' op expects floats for an average but got 'i32'}}
  plan.collective all_reduce on @world avg inouts(%x : memref<8xi32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @communicator_missing kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a plan.communicator but got @all, which is none}}
  plan.collective all_reduce on @all sum inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @root_range kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a rank below 4, those of @world, but got 4}}
  plan.collective broadcast on @world root(4) inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @parts kind predict {
  %x = plan.alloc : memref<6xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a multiple of 4 elements, one part for each rank, but got 6}}
  plan.collective reduce_scatter on @world sum inouts(%x : memref<6xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @scatter_counts kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  %y = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects 2 elements for a buffer of 8 and 4 parts but got 4}}
  plan.collective reduce_scatter on @world sum ins(%x : memref<8xf32, #arena>) outs(%y : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @gather_counts kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  %y = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects 2 elements for a buffer of 8 and 4 parts but got 4}}
  plan.collective all_gather on @world ins(%x : memref<4xf32, #arena>) outs(%y : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @reduce_counts kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  %y = plan.alloc : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects 8 elements for a buffer of 8 and 1 parts but got 4}}
  plan.collective all_reduce on @world sum ins(%x : memref<4xf32, #arena>) outs(%y : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @joined_alone kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  plan.fill %x with 0 : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.collective' op expects a collective that is joined to come after a collective on its queue but got none there}}
  plan.collective all_reduce on @world sum joined inouts(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.communicator @world ranks(4)
plan.program @joined_conflict kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  // expected-note@+1 {{the other one is here}}
  plan.collective send on @world peer(1) ins(%x : memref<8xf32, #arena>)
  // expected-error@+1 {{'plan.collective' op expects the collectives of a group to be independent but one writes what another one accesses}}
  plan.collective recv on @world peer(1) joined outs(%x : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.device @gpu0 kind(cuda) queues(2)
plan.communicator @world ranks(4)
plan.program @order kind predict {
  %x = plan.alloc : memref<8xf32, #arena>
  %y = plan.alloc : memref<8xf32, #arena>
  // expected-note@+1 {{command 0 is here}}
  plan.collective all_reduce on @world sum inouts(%x : memref<8xf32, #arena>)
  // expected-error@+1 {{'plan.collective' op expects to be ordered after command 0, which is a collective as well, but got queue 1 that does not wait for queue 0}}
  plan.collective all_reduce on @world sum queue(1) inouts(%y : memref<8xf32, #arena>)
  plan.return
}

// -----

// expected-note@+1 {{the first is here}}
plan.communicator @world ranks(4)
// expected-error@+1 {{'plan.communicator' op expects to be the only communicator but got a second one}}
plan.communicator @row ranks(2)

// -----

// expected-error@+1 {{'plan.communicator' op attribute 'ranks' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive whose maximum value is 65536}}
plan.communicator @world ranks(0)
