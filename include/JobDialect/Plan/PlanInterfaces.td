//===- PlanInterfaces.td - The interface of commands -------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANINTERFACES_TD
#define JOBDIALECT_PLAN_PLANINTERFACES_TD

include "mlir/IR/Interfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PlanCommandOpInterface
    : OpInterface<"PlanCommandOpInterface", [MemoryEffectsOpInterface]> {
  let cppNamespace = "::mlir::plan";
  let description = [{
    An op that the runtime executes. Passes, reports and the artifact treat
    commands through this interface, so that a new one needs no change in them.
    Buffers that a command reads and writes are the operands with memory effects.
  }];
  let methods = [
    InterfaceMethod<"The queue that it runs on.", "uint64_t", "getQueue">,
    InterfaceMethod<"Moves it to another queue.", "void", "setQueue",
    (ins "uint64_t":$queue), [{ $_op.setQueue(queue); }]>,
    InterfaceMethod<"The operands that it reads.",
    "::llvm::SmallVector<::mlir::OpOperand *>", "getReadOperands", (ins), "",
    [{
      return getOperandsWithEffect<::mlir::MemoryEffects::Read>($_op);
    }]>,
    InterfaceMethod<"The operands that it writes; a workspace is written.",
    "::llvm::SmallVector<::mlir::OpOperand *>", "getWrittenOperands", (ins), "",
    [{
      return getOperandsWithEffect<::mlir::MemoryEffects::Write>($_op);
    }]>,
    InterfaceMethod<"The name of its kernel, function or op, for reports.",
    "std::string", "getTitle",
    (ins), "", [{ return $_op->getName().stripDialect().str(); }]>,
    InterfaceMethod<[{
      Floating-point and integer operations of one execution.
    }], "int64_t", "getOperationCount", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
      The number of chunks that may run in parallel; std::nullopt before it is
      chosen.
    }], "std::optional<int64_t>", "getChunkCount", (ins), "", [{ return 1; }]>,
    InterfaceMethod<[{
      Whether buffers may begin at any byte in an iteration of a `plan.repeat`,
      rather than at multiples of 64.
    }], "bool", "acceptsUnalignedRows", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Whether buffers may be on other devices than that of its queue, if one of
      them is there.
    }], "bool", "copiesBetweenDevices", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Whether it runs in one launch with the command before it on its queue, in
      any order or at once.
    }], "bool", "isInLaunchBefore", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      Bytes that one execution sends to other ranks or receives, whichever is
      more.
    }], "int64_t", "getNetworkBytes", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{
      Adds the members of the command to its object in the manifest
      (docs/artifact.md), without those that all commands have. Emits an error
      if the command cannot be written.
    }], "::llvm::LogicalResult", "serialize",
    (ins "::mlir::plan::CommandSerializer &":$serializer,
         "::llvm::json::Object &":$members)>
  ];
}

#endif // JOBDIALECT_PLAN_PLANINTERFACES_TD
