//===- JobTypes.td - Types of the job dialect --------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBTYPES_TD
#define JOBDIALECT_IR_JOBTYPES_TD

include "JobDialect/IR/JobBase.td"

class Job_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Job_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Job_BlobType : Job_Type<"Blob", "blob", [
    DeclareTypeInterfaceMethods<ShapedTypeInterface,
                                ["cloneWith", "hasRank", "getShape"]>]> {
  let summary = "a logical array: shape and element type";
  let description = [{
    A dense array of at least one dimension; every extent is positive and
    static. Scalars have the shape `1`. Element types are `f32`, `f64`, `i1`
    (the result of comparisons), `i8`, `ui8`, `i32`, `i64`, and `f16` and `bf16`.
    Ops on `f16` and `bf16` compute in `f32` and round their result; those on
    `ui8` compute in `i32` and wrap (`job-widen-types`).

    Example:

    ```mlir
    !job.blob<100x784xf32>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType);
    }]>
  ];
  let extraClassDeclaration = [{
    /// True for valid element types of blobs.
    static bool isValidElementType(::mlir::Type type);
    /// The builtin tensor type of the same shape and element type.
    ::mlir::RankedTensorType getTensorType() const;
    /// The dense row-major memref type of the same shape and element type.
    ::mlir::MemRefType getMemRefType() const;
    /// Bytes of the array in memory (an i1 takes one byte).
    int64_t getBytes() const;
    /// The type with this shape and another element type.
    BlobType withElementType(::mlir::Type type) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Constraints on operands and results.
class Job_BlobOf<Pred element, string summary>
    : Type<And<[CPred<"::llvm::isa<::mlir::job::BlobType>($_self)">,
                SubstLeaves<"$_self",
                  "::llvm::cast<::mlir::job::BlobType>($_self).getElementType()",
                  element>]>,
           summary, "::mlir::job::BlobType">;

def Job_Blob : Type<CPred<"::llvm::isa<::mlir::job::BlobType>($_self)">,
                    "blob", "::mlir::job::BlobType">;
def Job_FloatBlob : Job_BlobOf<CPred<"::llvm::isa<::mlir::FloatType>($_self)">,
                               "blob of floats">;
def Job_NumberBlob : Job_BlobOf<CPred<"!$_self.isInteger(1)">,
                                "blob of numbers">;
def Job_BoolBlob : Job_BlobOf<CPred<"$_self.isInteger(1)">, "blob of i1">;
def Job_IntBlob : Job_BlobOf<
    CPred<"$_self.isInteger(8) || $_self.isInteger(32) || $_self.isInteger(64)">,
    "blob of integers">;
def Job_ScalarI64Blob : Type<And<[
    CPred<"::llvm::isa<::mlir::job::BlobType>($_self)">,
    CPred<"::llvm::cast<::mlir::job::BlobType>($_self).getElementType().isInteger(64)">,
    CPred<"::llvm::cast<::mlir::job::BlobType>($_self).getShape() == ::llvm::ArrayRef<int64_t>{1}">]>,
    "!job.blob<1xi64>", "::mlir::job::BlobType">,
    BuildableType<"::mlir::job::BlobType::get({1}, $_builder.getIntegerType(64))">;

#endif // JOBDIALECT_IR_JOBTYPES_TD
