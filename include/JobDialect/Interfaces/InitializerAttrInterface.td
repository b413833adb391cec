//===- InitializerAttrInterface.td - Initializers ----------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_INITIALIZERATTRINTERFACE_TD
#define JOBDIALECT_INTERFACES_INITIALIZERATTRINTERFACE_TD

include "mlir/IR/Interfaces.td"

def InitializerAttrInterface : AttrInterface<"InitializerAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    Computes the initial value of a variable. The models are in
    lib/Transforms/Initializer.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the ops that compute the initial value of a variable of type `type`
      and returns it. Returns null after emitting an error at `loc` if the type
      cannot represent the value. `seed` is the seed of the run or of the
      variable, a `!job.blob<1xi64>`; random numbers with another seed or another
      `id` are independent.
    }], "::mlir::Value", "buildInitialValue",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
         "::mlir::job::BlobType":$type, "::mlir::Value":$seed, "int64_t":$id)>
  ];
}

#endif // JOBDIALECT_INTERFACES_INITIALIZERATTRINTERFACE_TD
