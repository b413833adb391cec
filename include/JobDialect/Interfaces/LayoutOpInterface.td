//===- LayoutOpInterface.td - Permuted dimensions ----------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_LAYOUTOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_LAYOUTOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op that can be computed from blobs with permuted dimensions, with results
    that are permuted alike. `job-assign-layouts` gives a whole region of such ops
    one layout, so that only blobs at its border are copied. Dimension `i` of a
    permuted blob is dimension `permutation[i]` of the blob.

    The defaults are those of an op without attributes that name dimensions: all
    blobs of the permutation's rank are permuted.
  }];
  let methods = [
    InterfaceMethod<"Whether the op is computed from the permuted operand.",
    "bool", "isOperandPermuted",
    (ins "::mlir::OpOperand &":$operand,
         "::llvm::ArrayRef<int64_t>":$permutation), "",
    [{ return ::mlir::job::hasRankOf(operand.get().getType(), permutation); }]>,
    InterfaceMethod<"Whether the op gives the permuted result.",
    "bool", "isResultPermuted",
    (ins "::mlir::OpResult":$result,
         "::llvm::ArrayRef<int64_t>":$permutation), "",
    [{ return ::mlir::job::hasRankOf(result.getType(), permutation); }]>,
    InterfaceMethod<[{
      Builds ops that compute the results, permuted or not, from `operands`, which
      are permuted or not, and returns the results. Only called if a result or an
      operand is permuted.
    }], "::llvm::SmallVector<::mlir::Value>", "buildPermuted",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
         "::llvm::ArrayRef<int64_t>":$permutation), "",
    [{ return ::mlir::job::clonePermuted($_op, builder, operands, permutation); }]>
  ];
}

#endif // JOBDIALECT_INTERFACES_LAYOUTOPINTERFACE_TD
