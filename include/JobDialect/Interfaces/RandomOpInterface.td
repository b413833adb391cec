//===- RandomOpInterface.td - Random numbers ---------------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_RANDOMOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_RANDOMOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def RandomOpInterface : OpInterface<"RandomOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op whose random numbers are determined by a seed, an id, the step and the
    index of the element. The ops of a job differ in seed or id, so that no two
    use the same numbers.
  }];
  let methods = [
    InterfaceMethod<"The seed: an `i64` attribute or a scalar blob.",
      "::mlir::OpFoldResult", "getSeedOrBlob">,
    InterfaceMethod<"The id.", "uint64_t", "getId">
  ];
}

#endif // JOBDIALECT_INTERFACES_RANDOMOPINTERFACE_TD
