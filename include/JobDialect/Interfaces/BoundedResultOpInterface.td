//===- BoundedResultOpInterface.td - Bounded results -------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_BOUNDEDRESULTOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_BOUNDEDRESULTOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def BoundedResultOpInterface : OpInterface<"BoundedResultOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op that computes a bounded blob together with its count. `job-verify` uses
    the interface to refuse text that pairs a bounded blob with another count.
  }];
  let methods = [
    InterfaceMethod<"The result that is the count of a bounded result.",
    "::mlir::OpResult", "getCountOf", (ins "::mlir::OpResult":$bounded)>
  ];
}

#endif // JOBDIALECT_INTERFACES_BOUNDEDRESULTOPINTERFACE_TD
