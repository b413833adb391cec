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
    static. Scalars have the shape `1`.

    One dimension may be *bounded*: the first one of `!job.blob<?<=100>x2xi32>` is
    0 to 100, and known when the step runs. Such a blob has a *count*, a
    `!job.blob<1xi64>` that the op with the bounded result computes beside it or
    takes. In memory, and for all C++ functions, a bounded blob has the extent of
    its bound; its elements from the count on in that dimension are 0. The caller
    of a job gets an array of the true extents. Ops refuse bounded operands unless
    they are documented to accept them; `job.pad_to_static` converts one to a blob
    with a static shape, and `job.slice_to_dynamic` one with a static shape to a
    bounded one.

    Element types are `f32`, `f64`, `i1`
    (the result of comparisons), `i8`, `ui8`, `i32`, `i64`, and `f16` and `bf16`.
    Ops on `f16` and `bf16` compute in `f32` and round their result; those on
    `ui8` compute in `i32` and wrap (`job-widen-types`).

    Example:

    ```mlir
    !job.blob<100x784xf32>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "int64_t":$boundedDim);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType, kStatic);
    }]>,
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType,
                                        "int64_t":$boundedDim), [{
      return $_get(elementType.getContext(), shape, elementType, boundedDim);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The bounded dimension of a blob that has none.
    static constexpr int64_t kStatic = -1;
    /// Whether dimension getBoundedDim() is bounded. Its extent is the bound.
    bool isBounded() const { return getBoundedDim() != kStatic; }
    /// Whether the elements are floats: only such a blob has a gradient.
    bool isFloat() const {
      return ::llvm::isa<::mlir::FloatType>(getElementType());
    }
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

// Constraints on operands and results. All but Job_AnyBlob, Job_BoundedBlob and
// Job_BoundedIntBlob refuse bounded blobs.
def Job_AnyBlob : Type<CPred<"::llvm::isa<::mlir::job::BlobType>($_self)">,
                       "blob", "::mlir::job::BlobType">;
def Job_BoundedBlob : Type<
    And<[Job_AnyBlob.predicate,
         CPred<"::llvm::cast<::mlir::job::BlobType>($_self).isBounded()">]>,
    "blob with a bounded dimension", "::mlir::job::BlobType">;
def Job_BoundedIntBlob : Type<
    And<[Job_BoundedBlob.predicate,
         CPred<"::llvm::cast<::mlir::job::BlobType>($_self).getElementType().isInteger(32) || "
               "::llvm::cast<::mlir::job::BlobType>($_self).getElementType().isInteger(64)">]>,
    "blob of i32 or i64 with a bounded dimension", "::mlir::job::BlobType">;
def Job_Blob : Type<
    And<[Job_AnyBlob.predicate,
         CPred<"!::llvm::cast<::mlir::job::BlobType>($_self).isBounded()">]>,
    "blob with a static shape", "::mlir::job::BlobType">;

class Job_BlobOf<Pred element, string summary>
    : Type<And<[Job_Blob.predicate,
                SubstLeaves<"$_self",
                  "::llvm::cast<::mlir::job::BlobType>($_self).getElementType()",
                  element>]>,
           summary # " with a static shape", "::mlir::job::BlobType">;

def Job_FloatBlob : Job_BlobOf<CPred<"::llvm::isa<::mlir::FloatType>($_self)">,
                               "blob of floats">;
def Job_NumberBlob : Job_BlobOf<CPred<"!$_self.isInteger(1)">,
                                "blob of numbers">;
def Job_BoolBlob : Job_BlobOf<CPred<"$_self.isInteger(1)">, "blob of i1">;
def Job_ByteBlob : Job_BlobOf<CPred<"$_self.isInteger(8)">, "blob of i8">;
def Job_IntBlob : Job_BlobOf<
    CPred<"$_self.isInteger(8) || $_self.isInteger(32) || $_self.isInteger(64)">,
    "blob of integers">;
def Job_OrdinalBlob : Job_BlobOf<
    CPred<"$_self.isInteger(32) || $_self.isInteger(64)">, "blob of i32 or i64">;
class Job_ScalarBlob<Pred element, string summary, string build>
    : Type<And<[
        Job_Blob.predicate,
        SubstLeaves<"$_self",
          "::llvm::cast<::mlir::job::BlobType>($_self).getElementType()", element>,
        CPred<"::llvm::cast<::mlir::job::BlobType>($_self).getShape() == ::llvm::ArrayRef<int64_t>{1}">]>,
        summary, "::mlir::job::BlobType">,
      BuildableType<"::mlir::job::BlobType::get({1}, " # build # ")">;
def Job_ScalarI64Blob : Job_ScalarBlob<CPred<"$_self.isInteger(64)">,
    "!job.blob<1xi64>", "$_builder.getIntegerType(64)">;
def Job_ScalarF32Blob : Job_ScalarBlob<CPred<"$_self.isF32()">,
    "!job.blob<1xf32>", "$_builder.getF32Type()">;

#endif // JOBDIALECT_IR_JOBTYPES_TD
