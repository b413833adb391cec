//===- BoundedResultOpInterface.td - Bounded results -------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_BOUNDEDRESULTOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_BOUNDEDRESULTOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def BoundedResultOpInterface : OpInterface<"BoundedResultOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with a bounded result, whose count is another result or an operand.
    `job-verify` uses the interface to refuse text that pairs a bounded blob with
    another count.
  }];
  let methods = [
    InterfaceMethod<"The value that is the count of a bounded result.",
    "::mlir::Value", "getCountOf", (ins "::mlir::OpResult":$bounded)>
  ];
}

#endif // JOBDIALECT_INTERFACES_BOUNDEDRESULTOPINTERFACE_TD
