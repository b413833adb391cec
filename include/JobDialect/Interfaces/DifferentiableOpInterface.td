//===- DifferentiableOpInterface.td - Gradients of ops -----*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    The vector-Jacobian product of an op. The models stand in
    lib/Transforms/Autodiff, one file a family.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradients of the operands from those of the results.
      `resultGradients[i]` is null when no loss depends on result `i`.
      `needed[j]` tells whether the gradient of operand `j` is wanted;
      `operandGradients` has one null value for each operand and is filled for
      the wanted ones, with a value of the operand's type, or left null where
      the gradient is zero. Nothing is built for unwanted ones.
    }], "::llvm::LogicalResult", "buildGradient",
    (ins "::mlir::OpBuilder &":$builder,
         "::llvm::ArrayRef<::mlir::Value>":$resultGradients,
         "::llvm::ArrayRef<bool>":$needed,
         "::llvm::MutableArrayRef<::mlir::Value>":$operandGradients)>
  ];
}

#endif // JOBDIALECT_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
