//===- JobBase.td - The job dialect and its base classes ---*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBBASE_TD
#define JOBDIALECT_IR_JOBBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Job_Dialect : Dialect {
  let name = "job";
  let cppNamespace = "::mlir::job";
  let summary = "Job functions: training and prediction steps on blobs";
  let description = [{
    A *job function* is one training or prediction step as a straight line of
    ops on *blobs*, logical arrays of static shape, or of one whose first
    dimension is bounded. *Variables* are defined at
    module level and shared by all jobs of the module; only `job.read` and
    `job.assign` access them. A training job marks its losses with `job.loss`;
    its `job.minimize` has the optimizer. Passes expand both into gradients and
    updates.

    A user-visible name is a `NameLoc` around the location in the user's program;
    the location of a gradient op is fused with the text "gradient of".

    An op of a job runs on the devices of the job, unless it has an attribute
    `job.placement` of its own. `job-insert-transfers` adds the copies of blobs
    that ops on several devices need.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    // Called by initialize(); each is defined beside its classes.
    void registerTypes();
    void registerAttributes();
  }];
}

class Job_Op<string mnemonic, list<Trait> traits = []>
    : Op<Job_Dialect, mnemonic, traits>;

/// What `job-precision` does with an op (JobDialect/IR/PrecisionTraits.h). An op
/// with neither trait is one of the deny list.
class Job_PrecisionTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::mlir::job";
}
def AllowsNarrowTypes : Job_PrecisionTrait<"AllowsNarrowTypes">;
def InfersNarrowTypes : Job_PrecisionTrait<"InfersNarrowTypes">;

/// The op infers its result types from an adaptor. Unlike MLIR's trait for this,
/// it also works while the op is parsed, when attributes are in a dictionary and
/// not yet properties (lib/IR/Inference.h).
def Job_InferTypes : TraitList<[
  DeclareOpInterfaceMethods<InferTypeOpInterface>,
  NativeOpTrait<"InferTypeOpAdaptor", /*traits=*/[],
    /*extraOpDeclaration=*/[{
      static ::llvm::LogicalResult
      inferReturnTypes(::mlir::MLIRContext *context,
                       std::optional<::mlir::Location> location,
                       Adaptor adaptor,
                       ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes);
    }],
    /*extraOpDefinition=*/[{
      ::llvm::LogicalResult $cppClass::inferReturnTypes(
          ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
          ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
          ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
          ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
        return ::mlir::job::inferFromAdaptor<$cppClass>(
            context, location, operands, attributes, properties, regions,
            inferredReturnTypes);
      }
    }]>
]>;

#endif // JOBDIALECT_IR_JOBBASE_TD
