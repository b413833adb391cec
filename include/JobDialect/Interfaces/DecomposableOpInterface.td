//===- DecomposableOpInterface.td - Ops made of others -----*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with a gradient of its own that is computed by other ops: kept whole
    for autodiff and for readers, decomposed by `job-decompose` before kernels
    are formed. The models stand in lib/Transforms/Decompose, one file a family.
  }];
  let methods = [
    InterfaceMethod<"Builds the ops that compute the results, and returns these.",
    "::llvm::SmallVector<::mlir::Value>", "decompose",
    (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
