//===- ReferenceOpInterface.td - What an op means ----------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_REFERENCEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_REFERENCEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    The meaning of an op by plain loops in double precision, independent of
    every lowering. The models stand in lib/Reference, one file a family.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes the results. `operands` are in the order of the op's operands;
      `results` come allocated with the results' types and zero filled.
    }], "::llvm::LogicalResult", "evaluate",
    (ins "::llvm::ArrayRef<const ::mlir::job::ReferenceTensor *>":$operands,
         "::llvm::MutableArrayRef<::mlir::job::ReferenceTensor>":$results)>
  ];
}

#endif // JOBDIALECT_INTERFACES_REFERENCEOPINTERFACE_TD
