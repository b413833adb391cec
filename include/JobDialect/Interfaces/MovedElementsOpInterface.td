//===- MovedElementsOpInterface.td - Moving elements -------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_MOVEDELEMENTSOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_MOVEDELEMENTSOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def MovedElementsOpInterface : OpInterface<"MovedElementsOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op whose (single) result consists of unchanged elements of its operands,
    or of a fixed value. It has a kernel for every element type, also for
    types that are for storage only.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether the elements of an operand are only moved. The op computes with
      those of the others, such as indices.
    }], "bool", "isMoved", (ins "::mlir::OpOperand &":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return true;">
  ];
}

#endif // JOBDIALECT_INTERFACES_MOVEDELEMENTSOPINTERFACE_TD
