//===- DecomposableOpInterface.td - Op decompositions ------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with a gradient of its own that is computed by other ops: one op for
    autodiff and in readable text. `job-decompose` replaces it before kernels
    are formed, or, where `isKernel()`, it is a kernel, whose body is that of the
    other ops. The models are in lib/Transforms/Decompose, one file per family.
  }];
  let methods = [
    InterfaceMethod<"Builds ops that compute the results, and returns the results.",
    "::llvm::SmallVector<::mlir::Value>", "decompose",
    (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
      Whether the op is not replaced and is one kernel: its rows are small enough
      to stay in a cache from one pass over them to the next.
    }], "bool", "isKernel", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
      For a kernel: whether result number `result` may be written into the memory
      of operand number `operand`, which has the same type. No pass after the
      first one that writes the result reads the operand.
    }], "bool", "canOverwrite",
    (ins "unsigned":$operand, "unsigned":$result), "",
    [{ return false; }]>
  ];
}

#endif // JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
