//===- DifferentiableOpInterface.td - Gradients of ops -----*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    The vector-Jacobian product of an op. The models are in
    lib/Transforms/Autodiff, one file per family.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradients of the operands from those of the results.
      `resultGradients[i]` is null if no loss depends on result `i`. `needed[j]`
      is true if the gradient of operand `j` is needed. `operandGradients` has one
      null value per operand; a needed gradient is stored there, with the type of
      the operand, or stays null if the gradient is zero. Gradients that are not
      needed are not built.
    }], "::llvm::LogicalResult", "buildGradient",
    (ins "::mlir::OpBuilder &":$builder,
         "::llvm::ArrayRef<::mlir::Value>":$resultGradients,
         "::llvm::ArrayRef<bool>":$needed,
         "::llvm::MutableArrayRef<::mlir::Value>":$operandGradients)>
  ];
}

#endif // JOBDIALECT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
