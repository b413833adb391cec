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
    ops on *blobs*, logical arrays of static shape. *Variables* live at module
    level and are shared by all jobs of the module; `job.read` and `job.assign`
    are the only ops that touch them. A training job marks its losses with
    `job.loss` and says with `job.minimize` how they are to be made smaller;
    passes turn both into gradients and updates that are plain ops.

    Names that a user sees are `NameLoc`s around the lines of the user's
    program; the location of a gradient op is fused with the text
    "gradient of".
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    // Called by initialize(); each stands where its classes are defined.
    void registerTypes();
    void registerAttributes();
  }];
}

class Job_Op<string mnemonic, list<Trait> traits = []>
    : Op<Job_Dialect, mnemonic, traits>;

/// The op computes its result types from an adaptor. Other than MLIR's trait of
/// that kind, this one sees attributes while the op is parsed, when they are in
/// a dictionary and not yet properties (lib/IR/Inference.h).
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
