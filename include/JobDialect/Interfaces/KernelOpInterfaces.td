//===- KernelOpInterfaces.td - How an op is computed -------*- tablegen -*-===//
//
// The models are in lib/Conversion/JobToPlan, one file per family.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_INTERFACES_KERNELOPINTERFACES_TD
#define JOBDIALECT_INTERFACES_KERNELOPINTERFACES_TD

include "mlir/IR/Interfaces.td"

def ScalarKernelOpInterface : OpInterface<"ScalarKernelOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    One element of the result from the elements of the operands at the same
    index. Such ops are fused with their neighbours into one loop nest.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds one element of the (single) result. `operands` are scalars of the
      builtin element types. `indices` builds the element's place in the result.
      An operand of shape `1` is given to every element, whatever the result's
      shape.
    }], "::mlir::Value", "buildScalar",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
         "const ::mlir::job::ElementIndices &":$indices)>,
    InterfaceMethod<[{
      Whether kernels that use the result may have copies of the op, because
      computing it again costs less than writing the result to memory once.
    }], "::mlir::job::Duplication", "getDuplication", (ins), "",
    [{ return ::mlir::job::Duplication::Never; }]>
  ];
}

def ReductionKernelOpInterface : OpInterface<"ReductionKernelOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    A reduction of its (single) operand over some dimensions. Such ops are fused
    with the scalar ops that compute the operand.
  }];
  let methods = [
    InterfaceMethod<"The operand's dimensions that are reduced, in order.",
                    "::llvm::ArrayRef<int64_t>", "getReducedAxes">,
    InterfaceMethod<"The initial value of an accumulator, of the element type.",
                    "::mlir::TypedAttr", "getIdentity">,
    InterfaceMethod<[{
      Builds the combination of the accumulator with one more element. The
      compiler chooses the order of the elements, which is fixed.
    }], "::mlir::Value", "buildCombine",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$accumulator,
         "::mlir::Value":$element)>
  ];
}

def LoopKernelOpInterface : OpInterface<"LoopKernelOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with loops of its own, cut into items that are independent of each
    other (planes of a pooling, rectangles of a scatter-add). What an element of
    a result is computed from, and in which order, is the same for every target.
    How many elements an item has follows from the costs of the target
    (include/JobDialect/Support/Targets.h): a core of a CPU computes a long item
    in vectors, and a thread of a GPU a short one, next to that of its neighbour.
    Sequential loops are `scf.for`, and those whose iterations are independent
    may be `scf.parallel`.
  }];
  let methods = [
    InterfaceMethod<"The number of independent items.", "int64_t",
                    "getNumItems", (ins "const ::mlir::job::TargetCosts &":$costs)>,
    InterfaceMethod<"A rough number of operations for one item.", "int64_t",
                    "getItemCost", (ins "const ::mlir::job::TargetCosts &":$costs)>,
    InterfaceMethod<[{
      Builds the loops that compute item `item`, an index. `operands` and
      `results` are dense memrefs that do not overlap.
    }], "void", "buildItem",
    (ins "::mlir::OpBuilder &":$builder,
         "const ::mlir::job::TargetCosts &":$costs, "::mlir::Value":$item,
         "::mlir::ValueRange":$operands, "::mlir::ValueRange":$results)>
  ];
}

def LibraryCallOpInterface : OpInterface<"LibraryCallOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op that a function of a library can compute;
    `job-select-implementations` chooses whether it does. An op that the compiler
    can also compute with loops implements `LoopKernelOpInterface` too.
  }];
  let methods = [
    InterfaceMethod<[{
      Floating-point operations of the call, for reports and for the choice of
      an implementation.
    }], "int64_t", "getCallFlops">,
    InterfaceMethod<[{
      The function of a library for `target`, one of those in
      include/JobDialect/Support/Targets.h, and its parameters: a
      `plan::CallConfigAttrInterface`, with the work split into at most
      `maxChunks` chunks (1 to 64) by shapes. Null if no function computes the
      op there, for example for its element type.
    }], "::mlir::Attribute", "getCallConfig",
    (ins "::llvm::StringRef":$target, "int64_t":$maxChunks)>
  ];
}

#endif // JOBDIALECT_INTERFACES_KERNELOPINTERFACES_TD
