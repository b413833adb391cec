// A collective on a device of kind host, which has no other ranks.

#outputs = #plan.space<outputs>

plan.communicator @world ranks(1)
plan.program @sum kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 64, workspace = 0> {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<4xf32, #outputs>
  plan.fill %y with 0 : memref<4xf32, #outputs>
  plan.collective all_reduce on @world sum inouts(%y : memref<4xf32, #outputs>) loc("gradient"("train.py":7:3))
  plan.return
}
