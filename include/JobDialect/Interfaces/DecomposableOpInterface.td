//===- DecomposableOpInterface.td - Op decompositions ------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with its own gradient and without a kernel: `job-decompose` replaces it
    by other ops after autodiff and before kernels are formed. The models are in
    lib/Transforms/Decompose, one file per family.
  }];
  let methods = [
    InterfaceMethod<"Builds ops that compute the results, and returns the results.",
    "::llvm::SmallVector<::mlir::Value>", "decompose",
    (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // JOBDIALECT_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
