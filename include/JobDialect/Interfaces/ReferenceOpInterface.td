//===- ReferenceOpInterface.td - Semantics of ops ----------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_REFERENCEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_REFERENCEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    The semantics of an op as plain loops in double precision, independent of
    every lowering. The models are in lib/Reference, one file per family.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes the results. `operands` are in the order of the op's operands;
      `results` are allocated with the results' types and zero-filled.
    }], "::llvm::LogicalResult", "evaluate",
    (ins "::llvm::ArrayRef<const ::mlir::job::ReferenceTensor *>":$operands,
         "::llvm::MutableArrayRef<::mlir::job::ReferenceTensor>":$results)>
  ];
}

#endif // JOBDIALECT_INTERFACES_REFERENCEOPINTERFACE_TD
