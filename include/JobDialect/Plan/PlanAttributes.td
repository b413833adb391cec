//===- PlanAttributes.td - Attributes of the plan dialect --*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANATTRIBUTES_TD
#define JOBDIALECT_PLAN_PLANATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Interfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::mlir::plan";
  let summary = "Programs: the commands that the runtime executes";
  let description = [{
    A `plan.program` is the list of commands of one job, in order. Its values are
    buffers: dense memrefs whose memory space is a `#plan.space`. Buffers of the
    arena get their offsets from `plan-pack-memory`; all other spaces are laid
    out by `plan-assign-offsets`. A `#plan.sizes` has the bytes of each space:
    on a program those of its own spaces, and as the attribute `plan.sizes` of
    the module those of variables and constants, which all programs share.
  }];
  let dependentDialects = ["::mlir::job::JobDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

class Plan_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Plan_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Plan_ScheduleAttrInterface : AttrInterface<"ScheduleAttrInterface"> {
  let cppNamespace = "::mlir::plan";
  let summary = "schedule of a kernel";
  let description = [{
    How the code of one target runs the body of a kernel. There is one attribute
    per target, whose model the target's code generator attaches
    (lib/Codegen/<Target>). Passes that are the same for every target use
    schedules through this interface only.
  }];
  let methods = [
    InterfaceMethod<"The name of the target.", "::llvm::StringRef",
                    "getTarget">,
    InterfaceMethod<[{
      The dimensions that are cut into chunks. Chunks are numbered in row-major
      order of them. None where chunks are not parts of dimensions, as blocks of
      threads are.
    }], "::llvm::ArrayRef<::mlir::plan::DistributedDim>", "getDistribution">,
    InterfaceMethod<[{
      The number of chunks of a kernel: of blocks, on a device that has them.
    }], "int64_t", "getNumKernelChunks",
    (ins "const ::mlir::plan::KernelNest &":$nest)>,
    InterfaceMethod<"The same for a body that is a loop over items.", "int64_t",
                    "getNumItemLoopChunks",
                    (ins "const ::mlir::plan::ItemLoop &":$loop)>,
    InterfaceMethod<[{
      Checks that the schedule fits a body with passes over data. Errors are at
      `op`.
    }], "::llvm::LogicalResult", "verifyKernel",
    (ins "::mlir::Operation *":$op, "const ::mlir::plan::KernelNest &":$nest)>,
    InterfaceMethod<"The same for a body that is a loop over items.",
                    "::llvm::LogicalResult", "verifyItemLoop",
                    (ins "::mlir::Operation *":$op,
                         "const ::mlir::plan::ItemLoop &":$loop)>,
    InterfaceMethod<[{
      The schedule that the target chooses for a kernel, regardless of this one.
    }], "::mlir::plan::ScheduleAttrInterface", "getDefault",
    (ins "const ::mlir::plan::KernelNest &":$nest)>,
    InterfaceMethod<[{
      The same schedule with a different distribution to chunks. Sums keep the
      order of their terms.
    }], "::mlir::plan::ScheduleAttrInterface", "withDistribution",
    (ins "const ::mlir::plan::KernelNest &":$nest,
         "::llvm::ArrayRef<::mlir::plan::DistributedDim>":$distribution)>
  ];
}

def Plan_CPUScheduleAttr : Plan_Attr<"CPUSchedule", "cpu_schedule"> {
  let summary = "how the loops of a kernel run on a CPU";
  let description = [{
    Dimensions are those of the kernel's domain: the loops of the operation in
    its body that has the most of them, outermost first.

    - `distribute`: dimensions that are cut, and the iterations of each per
      chunk; the last chunk along a dimension may have fewer. Chunks are
      numbered in row-major order of the dimensions as they are written. Absent,
      the kernel is one chunk. They must be parallel in every operation of the
      body.
    - `tile`: a dimension that is split into tiles, and the iterations of a tile.
      The loops of all other parallel dimensions are inside of the loop over the
      tiles and around the loop through a tile, so that an operand that is
      contiguous along this dimension (a transpose) is read a cache line at a
      time. It must be parallel in every operation of the body, and not the
      vectorized one.
    - `vectorize`: the dimension that is vectorized, and the lanes of a vector.
      Absent, the kernel computes scalars.
    - `interleave`: the number of vectors per iteration of the vectorized loop;
      with reductions, each has its own accumulator.
    - `accumulate`: the maximum number of terms that one accumulator of a sum or
      product of floats takes before it is added to the accumulator one level up.

    The last three parameters fix the order of the terms of every sum. A schedule in the text
    is obeyed; `plan-select-schedules` chooses one where there is none.

    Example:

    ```mlir
    #plan.cpu_schedule<distribute = [0, 64] x [1, 128], vectorize = [1, 16], interleave = 4, accumulate = 128>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"::mlir::plan::DistributedDim", "dimensions and iterations per chunk">:$distribute,
    OptionalArrayRefParameter<"int64_t", "dimension and iterations per tile">:$tile,
    OptionalArrayRefParameter<"int64_t", "dimension and lanes">:$vectorize,
    DefaultValuedParameter<"int64_t", "1", "vectors per iteration">:$interleave,
    DefaultValuedParameter<"int64_t", "::mlir::plan::kDefaultAccumulate", "terms per accumulator">:$accumulate);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Plan_CUDAScheduleAttr : Plan_Attr<"CUDASchedule", "cuda_schedule"> {
  let summary = "how threads of a GPU run a kernel";
  let description = [{
    - `blocks`: the blocks of threads; they loop over items where there are more.
    - `threads`: the threads of a block.
    - `lanes`: how many threads compute one item together, a power of two that
      divides `threads`. An item is a point of the dimensions that are parallel in
      every operation of the body, or a vector of them.
    - `vectorize`: the dimension along which a thread takes several elements at
      once, and how many. Absent, it takes one.
    - `accumulate`: the maximum number of terms that one accumulator of a sum or
      product of floats takes before it is added to the accumulator one level up.
    - `transpose`: for a kernel without reductions, the dimension along which
      operands are contiguous that are not along the last one. A block computes
      tiles of 32 by 32 points of both, and brings those operands through shared
      memory, so that all accesses of a warp are to neighbours.

    `lanes`, `vectorize` and `accumulate` fix the order of the terms of every sum. A
    schedule in the text is obeyed; `plan-select-schedules` chooses one where there
    is none.

    Example:

    ```mlir
    #plan.cuda_schedule<blocks = 64, threads = 256, lanes = 32, vectorize = [1, 4], accumulate = 128>
    ```
  }];
  let parameters = (ins
    "int64_t":$blocks, "int64_t":$threads,
    DefaultValuedParameter<"int64_t", "1", "threads per item">:$lanes,
    OptionalArrayRefParameter<"int64_t", "dimension and elements">:$vectorize,
    DefaultValuedParameter<"int64_t", "::mlir::plan::kDefaultAccumulate", "terms per accumulator">:$accumulate,
    OptionalParameter<"std::optional<int64_t>", "dimension">:$transpose);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Plan_EventType : TypeDef<Plan_Dialect, "Event"> {
  let summary = "a point of a queue that others can wait for";
  let mnemonic = "event";
  let description = [{
    The result of `plan.record`.

    Example:

    ```mlir
    !plan.event
    ```
  }];
}

def Plan_SimulatedCUDAAttr : Plan_Attr<"SimulatedCUDA", "simulated_cuda"> {
  let summary = "the simulated CUDA as the target of a gpu.module";
  let description = [{
    Stands beside `#nvvm.target`s in the targets of a `gpu.module`. Where
    `gpu-module-to-binary` makes a cubin for each of those, it makes a shared
    library for the host for this one, with code for the processor `cpu` and
    LLVM's `features` ("native" is the processor of this machine). Preconditions
    are those of `job-simulate-cuda-kernels`.

    Example:

    ```mlir
    #plan.simulated_cuda<cpu = "x86-64">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"processor", "\"native\"">:$cpu,
    StringRefParameter<"features", "\"\"">:$features);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

def Plan_PTXAttr : Plan_Attr<"PTX", "ptx"> {
  let summary = "PTX for a compute capability as the target of a gpu.module";
  let description = [{
    Stands beside `#nvvm.target`s in the targets of a `gpu.module`. Where
    `gpu-module-to-binary` makes a cubin for each of those, it makes the text of
    PTX for this one, which ends with a NUL. CUDA's driver compiles it for its
    GPU, of this compute capability or of a later one, when it is loaded.

    Example:

    ```mlir
    #plan.ptx<chip = "sm_90", features = "+ptx81">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"the GPU with the compute capability">:$chip,
    StringRefParameter<"features of LLVM", "\"\"">:$features);
  let assemblyFormat = "`<` struct(params) `>`";
}

/// The kinds of devices, by the names of the runtime's drivers.
def Plan_DeviceKind : I32EnumAttr<"DeviceKind", "kind of a device", [
    I32EnumAttrCase<"Host", 0, "host">, I32EnumAttrCase<"CUDA", 1, "cuda">]> {
  let cppNamespace = "::mlir::plan";
}

/// What several ranks do together, by the names in the artifact.
def Plan_CollectiveKind : I32EnumAttr<"CollectiveKind", "collective", [
    I32EnumAttrCase<"AllReduce", 0, "all_reduce">,
    I32EnumAttrCase<"ReduceScatter", 1, "reduce_scatter">,
    I32EnumAttrCase<"AllGather", 2, "all_gather">,
    I32EnumAttrCase<"Broadcast", 3, "broadcast">,
    I32EnumAttrCase<"Send", 4, "send">,
    I32EnumAttrCase<"Recv", 5, "recv">]> {
  let cppNamespace = "::mlir::plan";
}
def Plan_Reduction : I32EnumAttr<"Reduction", "reduction", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Avg", 4, "avg">]> {
  let cppNamespace = "::mlir::plan";
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

/// What the memory of a device is used for.
def Plan_SpaceRole : I32EnumAttr<"SpaceRole", "role of a memory space", [
    I32EnumAttrCase<"Arena", 0, "arena">,
    I32EnumAttrCase<"Variables", 1, "variables">,
    I32EnumAttrCase<"Constants", 2, "constants">,
    I32EnumAttrCase<"Inputs", 3, "inputs">,
    I32EnumAttrCase<"Outputs", 4, "outputs">,
    I32EnumAttrCase<"Workspace", 5, "workspace">]> {
  let cppNamespace = "::mlir::plan";
  let genSpecializedAttr = 0;
}

def Plan_SpaceAttr : Plan_Attr<"Space", "space"> {
  let summary = "a memory space of a device";
  let description = [{
    The memory space of every buffer. The roles are

    - `arena`: buffers of one program, which share memory where they are not live
      at once;
    - `variables`: the bank, which outlives programs;
    - `constants`: read-only data of the artifact;
    - `inputs` and `outputs`: the two staging slots of one call;
    - `workspace`: scratch memory of library calls.

    A space without a device is on the first device of the module; a space must
    not name that device. In text, a space has an alias: `#arena`, or
    `#gpu0_arena`.

    Example:

    ```mlir
    #plan.space<arena>
    ```
  }];
  let parameters = (ins
    "::mlir::FlatSymbolRefAttr":$device,
    EnumParameter<Plan_SpaceRole>:$role);
  let builders = [AttrBuilder<(ins "::mlir::plan::SpaceRole":$role), [{
    return $_get($_ctxt, ::mlir::FlatSymbolRefAttr(), role);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// "arena" or "@gpu0 arena".
    std::string str() const;
  }];
}

def Plan_SizesAttr : Plan_Attr<"Sizes", "sizes"> {
  let summary = "how many bytes each memory space has";
  let description = [{
    For an arena, also the lower bound: the largest sum of live bytes at any
    command.

    Example:

    ```mlir
    #plan.sizes<arena = 8192 above 8000, inputs = 64, outputs = 64, workspace = 0>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::plan::SpaceSize">:$spaces);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The size of a space, if it is recorded.
    std::optional<::mlir::plan::SpaceSize> lookup(
        ::mlir::plan::SpaceAttr space) const;
    std::optional<::mlir::plan::SpaceSize> lookup(
        ::mlir::plan::SpaceRole role) const;
  }];
}

//===----------------------------------------------------------------------===//
// Library calls
//===----------------------------------------------------------------------===//

def Plan_CallConfigAttrInterface : AttrInterface<"CallConfigAttrInterface"> {
  let cppNamespace = "::mlir::plan";
  let description = [{
    The configuration of a library function: what it computes, and how its work
    is split into chunks. There is one attribute per function, whose parameters,
    and the rules for them, are those of a struct in
    runtime/include/jobrt/calls.h.
  }];
  let methods = [
    InterfaceMethod<"The name of the function in an artifact.",
                    "::llvm::StringRef", "getCallee", (ins), [{}],
                    [{ return $_attr.getConfig().kCallee; }]>,
    InterfaceMethod<"The target that has the function.", "::llvm::StringRef",
                    "getTarget", (ins), [{}],
                    [{ return $_attr.getConfig().kTarget; }]>,
    InterfaceMethod<"Number of parts that may run at once.", "int64_t",
                    "getNumChunks", (ins), [{}],
                    [{ return $_attr.getConfig().chunks(); }]>,
    InterfaceMethod<"Bytes of scratch memory; 0 for none.", "int64_t",
                    "getWorkspaceBytes", (ins), [{}],
                    [{ return $_attr.getConfig().workspaceBytes(); }]>,
    InterfaceMethod<"The arrays that the function reads and writes.",
                    "::std::vector<::jobrt::calls::Buffer>", "getBuffers",
                    (ins), [{}],
                    [{ return $_attr.getConfig().buffers(); }]>,
    InterfaceMethod<[{
      The block of the result that each chunk computes; std::nullopt if there is
      none, or it is not complete before all chunks are.
    }], "::std::optional<::jobrt::calls::ResultBlocks>", "getResultBlocks",
    (ins), [{}], [{ return $_attr.getConfig().resultBlocks(); }]>,
    InterfaceMethod<[{
      All parameters by key, `i64` and `f64`, in the order of the text.
    }], "::llvm::SmallVector<::mlir::NamedAttribute>", "getParameters", (ins),
    [{}], [{
      return ::mlir::plan::detail::getParameters($_attr.getContext(),
                                                 $_attr.getConfig());
    }]>,
    InterfaceMethod<[{
      The configuration that computes the same, with its work not split: two
      configurations of one op differ in their splits only.
    }], "::mlir::Attribute", "getUnsplit", (ins), [{}], [{
      return ::std::decay_t<decltype($_attr)>::get(
          $_attr.getContext(), ::jobrt::calls::withoutSplit($_attr.getConfig()));
    }]>,
    InterfaceMethod<[{
      The feature that the processor needs for the call, beside those of
      generated code; empty for none.
    }], "::llvm::StringRef", "getRequiredFeature", (ins), [{}],
    [{ return ::jobrt::calls::requiredFeature($_attr.getConfig()); }]>,
    InterfaceMethod<[{
      Bytes that the call is known to write to its workspace and to read from it.
    }], "int64_t", "getWorkspaceTraffic", (ins), [{}],
    [{ return ::jobrt::calls::workspaceTraffic($_attr.getConfig()); }]>,
    InterfaceMethod<"Whether factors in f32 may be rounded to TF32.", "bool",
                    "usesTF32", (ins), [{}],
                    [{ return ::jobrt::calls::usesTF32($_attr.getConfig()); }]>,
    InterfaceMethod<[{
      The configuration whose factors may be rounded to TF32. The same one if the
      function cannot round factors, or has none in f32.
    }], "::mlir::Attribute", "getWithTF32", (ins), [{}], [{
      return ::std::decay_t<decltype($_attr)>::get(
          $_attr.getContext(), ::jobrt::calls::withTF32($_attr.getConfig()));
    }]>,
    InterfaceMethod<[{
      Neighbouring elements of the first result that have the same element of a
      bias.
    }], "int64_t", "getBiasRun", (ins), [{}],
    [{ return ::jobrt::calls::biasRun($_attr.getConfig()); }]>,
    InterfaceMethod<[{
      The same configuration with an array that is added to the result, the
      operand after those that it has. With `isF32`, both are in f32, where the
      result was narrow. Null if the function cannot add one.
    }], "::mlir::Attribute", "getWithAddend", (ins "bool":$isF32), [{}], [{
      if (auto config = ::jobrt::calls::withAddend($_attr.getConfig(), isF32))
        return ::std::decay_t<decltype($_attr)>::get($_attr.getContext(),
                                                     *config);
      return ::mlir::Attribute();
    }]>,
    InterfaceMethod<[{
      The same configuration with an epilogue: a bias is the last operand, the
      gradient of a bias the last result. Null if the function has none of this
      kind with these parameters, or the configuration has one.
    }], "::mlir::Attribute", "getWithEpilogue",
    (ins "::jobrt::calls::Epilogue":$epilogue), [{}], [{
      if (auto config =
              ::jobrt::calls::withEpilogue($_attr.getConfig(), epilogue))
        return ::std::decay_t<decltype($_attr)>::get($_attr.getContext(),
                                                     *config);
      return ::mlir::Attribute();
    }]>
  ];
}

def Plan_GeneratedKernelAttr
    : Plan_Attr<"GeneratedKernel", "generated_kernel"> {
  let summary = "an op is computed by a kernel of the compiler";
  let description = [{
    As the `plan.implementation` of an op that a library function could compute:
    it becomes a kernel, whose schedule `plan-select-schedules` chooses.

    Example:

    ```mlir
    #plan.generated_kernel
    ```
  }];
}

#endif // JOBDIALECT_PLAN_PLANATTRIBUTES_TD
