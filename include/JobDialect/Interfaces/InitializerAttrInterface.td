//===- InitializerAttrInterface.td - Initializers ----------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_INITIALIZERATTRINTERFACE_TD
#define JOBDIALECT_INTERFACES_INITIALIZERATTRINTERFACE_TD

include "mlir/IR/Interfaces.td"

def InitializerAttrInterface : AttrInterface<"InitializerAttrInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    How a variable gets its first value. The models stand in
    lib/Transforms/Initializer.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the ops that compute the first value of a variable of type `type`
      and returns it; null after an error, emitted at `loc`, when the type
      cannot hold it. `seed` is the run's seed, a `!job.blob<1xi64>`; `id`, 64
      bits that only this variable has, tells its random numbers from those of
      all others.
    }], "::mlir::Value", "buildInitialValue",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
         "::mlir::job::BlobType":$type, "::mlir::Value":$seed, "int64_t":$id)>
  ];
}

#endif // JOBDIALECT_INTERFACES_INITIALIZERATTRINTERFACE_TD
