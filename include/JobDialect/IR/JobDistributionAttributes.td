//===- JobDistributionAttributes.td - Devices of blobs -----*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBDISTRIBUTIONATTRIBUTES_TD
#define JOBDIALECT_IR_JOBDISTRIBUTIONATTRIBUTES_TD

include "JobDialect/IR/JobAttributes.td"

def Job_DeviceKind : I32Enum<"DeviceKind", "a kind of device", [
    I32EnumCase<"CPU", 0, "cpu">, I32EnumCase<"GPU", 1, "gpu">]> {
  let cppNamespace = "::mlir::job";
}

def Job_PlacementAttr : Job_Attr<"Placement", "placement"> {
  let summary = "the devices that hold a blob or run a job";
  let description = [{
    A kind of device, and the devices as `machine:first-last` or
    `machine:device`, separated by commas. The same set of devices is the same
    attribute: ranges are sorted by machine and device, and adjacent ones are
    joined.

    Constraints:

    - P1: the first device of a range is not above its last.
    - P2: no device occurs twice.

    The placement of a job also applies to its arguments and results that have
    none of their own. `job-verify-placement` refuses devices that this build
    does not run.

    Example:

    ```mlir
    #job.placement<gpu, "0:0-3,1:0-3">
    ```
  }];
  let parameters = (ins EnumParameter<Job_DeviceKind>:$device,
                        ArrayRefParameter<"::mlir::job::DeviceRange",
                                          "sorted ranges of devices">:$ranges);
  let builders = [
    AttrBuilder<(ins "::mlir::job::DeviceKind":$device,
                     "::llvm::ArrayRef<::mlir::job::DeviceRange>":$ranges), [{
      return $_get($_ctxt, device, normalizeDeviceRanges(ranges));
    }]>
  ];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "`<` $device `,` custom<DeviceRanges>($ranges) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The number of devices on each machine, in the order of the machines.
    ::llvm::SmallVector<int64_t> getDeviceCounts() const;
  }];
}

def Job_ShardingAttr : Job_Attr<"Sharding", "sharding"> {
  let summary = "how a blob is distributed over the devices of its placement";
  let description = [{
    One entry for each axis of the device mesh: `S(d)`, each device has a part
    of dimension `d` (of `n` elements on `p` devices, the first `n mod p` parts
    have one element more); `B`, each device has the whole blob; `P`, each device
    has a term, and the blob is their sum. With one axis, the mesh is the list of
    all devices; with two, it is machines by devices of a machine.

    Constraints:

    - S1: there are one or two axes.
    - S2: the dimension of a split is at least 0 and below the rank of the blob.
    - S3: a partial sum is a blob of numbers, and not a variable.

    If the placement is known:

    - S4: with two axes, all machines have equally many devices.
    - S5: a dimension has at least as many elements as parts.

    Example:

    ```mlir
    #job.sharding<[S(0), B]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::job::AxisSharding",
                                          "one entry for each mesh axis">:$axes);
  let assemblyFormat = "`<` `[` $axes `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Checks the constraints that depend on the blob and, unless it is null, on
    /// its placement.
    ::llvm::LogicalResult
    verifyBlob(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
               ::mlir::job::BlobType type,
               ::mlir::job::PlacementAttr placement) const;
  }];
}

def Job_ShardAttr : Job_Attr<"Shard", "shard"> {
  let summary = "which part of a distributed blob a blob is";
  let description = [{
    The offsets of the first element of the part, and the shape of the whole
    blob.

    Constraints:

    - D1: there are as many offsets as dimensions.
    - D2: each offset is at least 0 and below the extent.
    - D3: the part ends within the whole blob.

    Example:

    ```mlir
    #job.shard<[100, 0] of [400, 512]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$offsets,
                        ArrayRefParameter<"int64_t">:$shape);
  let assemblyFormat = "`<` `[` $offsets `]` `of` ` ` `[` $shape `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Checks the constraints that depend on the part.
    ::llvm::LogicalResult
    verifyBlob(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
               ::mlir::job::BlobType part) const;

    /// The row-major index in the whole blob of an element of a part of this
    /// shape.
    int64_t getWholeIndex(::llvm::ArrayRef<int64_t> partShape,
                          int64_t index) const;
  }];
}

#endif // JOBDIALECT_IR_JOBDISTRIBUTIONATTRIBUTES_TD
