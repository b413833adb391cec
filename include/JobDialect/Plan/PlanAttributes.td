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

class Plan_CallConfigAttr<string name, string function, string config>
    : Plan_Attr<name, function, [Plan_CallConfigAttrInterface]> {
  let parameters = (ins config:$config);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser,
                                       ::mlir::Type) {
      return parseCallConfig<$cppClass, }] # config # [{>(parser);
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      printCallConfig(printer, getConfig());
    }
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        }] # config # [{ config) {
      return verifyCallConfig(emitError, config);
    }
  }];
}

def Plan_MatMulAttr
    : Plan_CallConfigAttr<"MatMul", "onednn.matmul", "::jobrt::calls::MatMul"> {
  let summary = "a call of onednn.matmul";
  let description = [{
    Products out[m,n] = op(a)[m,k] op(b)[k,n], one for each of `batch` pairs.
    The batch is split into `batch_parts` parts, and the rows and columns of each
    product into `row_parts` and `column_parts`, of whole blocks of 16. Every
    combination of a part of each is a chunk; there are at most 64.

    Elements are of `type`, `f32` or `bf16`, and sums in f32, which are rounded
    once. Products of `bf16` need a processor with AVX512-BF16, which takes
    denormal numbers for zeros, and `slice` bytes of workspace for each chunk.

    Parameters that are not written have the value 1, the type is `f32`, and
    transposes and the slice are 0.

    Example:

    ```mlir
    #plan.onednn.matmul<m = 100, n = 512, k = 784, transpose_b = 1, column_parts = 8>
    ```
  }];
}

class Plan_Conv2dAttr<string name, string function, string config>
    : Plan_CallConfigAttr<name, function, config>;

def Plan_Conv2dForwardAttr
    : Plan_Conv2dAttr<"Conv2dForward", "onednn.conv2d",
                      "::jobrt::calls::Conv2dForward"> {
  let summary = "a call of onednn.conv2d";
  let description = [{
    A convolution of `n` images of `c` channels and `h` x `w` pixels with a filter
    of `oc` x `c / groups` x `kh` x `kw`, to `oc` channels of `oh` x `ow` pixels.
    The batch is split into `batch_parts`, and the channels of the result, in
    whole blocks of 16, into `channel_parts`, which is 1 with several groups.
    A chunk works on `tile` images at a time, and has `slice` bytes of workspace.
    An algorithm of the library that fits into a slice is selected at load.
    Elements are of `type`, `f32` or `bf16`, as those of `#plan.onednn.matmul`.

    Strides, dilations, groups, parts and the tile that are not written are 1,
    paddings 0, the type `f32`, and the slice 64.

    Example:

    ```mlir
    #plan.onednn.conv2d<n = 100, c = 1, h = 28, w = 28, oc = 32, kh = 5, kw = 5, oh = 28, ow = 28, pad_top = 2, pad_left = 2, pad_bottom = 2, pad_right = 2, batch_parts = 8, tile = 4, slice = 4096>
    ```
  }];
}

def Plan_Conv2dDataGradAttr
    : Plan_Conv2dAttr<"Conv2dDataGrad", "onednn.conv2d_data_grad",
                      "::jobrt::calls::Conv2dDataGrad"> {
  let summary = "a call of onednn.conv2d_data_grad";
  let description = [{
    The gradient of a convolution with respect to its input, with the parameters
    of `#plan.onednn.conv2d`. `channel_parts` are parts of `c`.

    Example:

    ```mlir
    #plan.onednn.conv2d_data_grad<n = 1, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, channel_parts = 2, slice = 65536>
    ```
  }];
}

def Plan_Conv2dFilterGradAttr
    : Plan_Conv2dAttr<"Conv2dFilterGrad", "onednn.conv2d_filter_grad",
                      "::jobrt::calls::Conv2dFilterGrad"> {
  let summary = "a call of onednn.conv2d_filter_grad";
  let description = [{
    The gradient of a convolution with respect to its filter, with the parameters
    of `#plan.onednn.conv2d`. The sum of each part of the batch is stored in its
    slice; the sums are added in the order of the parts, so `batch_parts` fixes
    the order of the terms.

    Example:

    ```mlir
    #plan.onednn.conv2d_filter_grad<n = 8, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, batch_parts = 2, tile = 4, slice = 65536>
    ```
  }];
}

def Plan_AttentionAttr
    : Plan_CallConfigAttr<"Attention", "host.attention",
                          "::jobrt::calls::Attention"> {
  let summary = "a call of host.attention";
  let description = [{
    Attention of `queries` to `keys` positions, which with `causal` are those up
    to the query's own. Blobs are (batch, position, head, channel). The heads of
    all images are split into `head_parts`; if that is each of them, the queries of a
    head are split into `query_parts`, of whole blocks of 48.

    `batch`, `heads`, the parts and `scale` are 1 if not written, `causal` is 0.

    Example:

    ```mlir
    #plan.host.attention<batch = 2, heads = 4, queries = 128, keys = 128, channels = 64, value_channels = 64, causal = 1, scale = 1.250000e-01, head_parts = 8>
    ```
  }];
}

def Plan_AttentionGradAttr
    : Plan_CallConfigAttr<"AttentionGrad", "host.attention_grad",
                          "::jobrt::calls::AttentionGrad"> {
  let summary = "a call of host.attention_grad";
  let description = [{
    The gradients of attention, with the parameters of `#plan.host.attention`.
    With `query_parts`, the gradients of keys and values are sums over the
    parts, in their order.

    Example:

    ```mlir
    #plan.host.attention_grad<heads = 2, queries = 128, keys = 128, channels = 64, value_channels = 64, head_parts = 2, query_parts = 3>
    ```
  }];
}

def Plan_CublasLtMatMulAttr
    : Plan_CallConfigAttr<"CublasLtMatMul", "cublaslt.matmul",
                          "::jobrt::calls::CublasLtMatMul"> {
  let summary = "a call of cublaslt.matmul";
  let description = [{
    Products out[m,n] = op(a)[m,k] op(b)[k,n] on a GPU, one for each of `batch`
    pairs, of elements of `type`: `f32`, `f16` or `bf16`. Sums are in f32. With
    `tf32`, the library may round factors in f32 to TF32. It selects an algorithm
    at load that needs at most `workspace` bytes and gives the same bits in every
    step.

    An `epilogue` is computed with the product before it is rounded. Arrays that
    it reads are operands after the factors, those that it writes are results
    after the product.

    | epilogue | result | reads | writes |
    |---|---|---|---|
    | `bias` | product + bias, the same for each row | bias (`n`) | |
    | `bias_relu` | 0 where product + bias is negative | bias (`n`) | |
    | `relu` | 0 where the product is negative | | |
    | `bias_relu_mask` | that of `bias_relu` | bias (`n`) | mask |
    | `relu_grad` | 0 where the mask is | mask | |
    | `relu_grad_bias_grad` | the same | mask | sums of its columns (`n`) |
    | `bias_gelu` | gelu of product + bias | bias (`n`) | |
    | `bias_gelu_input` | the same | bias (`n`) | product + bias |
    | `gelu_grad` | product times the gelu's derivative | input of the gelu | |
    | `gelu_grad_bias_grad` | the same | input of the gelu | sums of its columns (`n`) |
    | `bias_grad_a` | product | | sums of a over `k` (`m`) |
    | `bias_grad_b` | product | | sums of b over `k` (`n`) |

    A mask has a bit for each element of the result, in bytes of `i8`, and rows of
    whole groups of 128 bits. The gelu is the approximation with a hyperbolic
    tangent; its input has rows of a multiple of 8 elements. The library sums a
    factor that is stored as `k` rows only: `bias_grad_a` needs `transpose_a`,
    and `bias_grad_b` excludes `transpose_b`. Gradients need a `k` of at least 2.

    Parameters that are not written are 1 (`batch`), `f32` (`type`), `none`
    (`epilogue`) and 0.

    Example:

    ```mlir
    #plan.cublaslt.matmul<m = 100, n = 512, k = 784, transpose_b = 1, epilogue = bias_relu, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnConv2dAttr
    : Plan_CallConfigAttr<"CudnnConv2d", "cudnn.conv2d",
                          "::jobrt::calls::CudnnConv2dForward"> {
  let summary = "a call of cudnn.conv2d";
  let description = [{
    A convolution on a GPU of `n` images of `c` channels and `h` x `w` pixels with
    a filter of `oc` x `c / groups` x `kh` x `kw`, to `oc` channels of `oh` x `ow`
    pixels, of elements of `type`: `f32`, `f16` or `bf16`. Sums are in f32. With
    the `layout` `nchw`, arrays are stored in the order (n, c, h, w), the filter as
    (oc, c / groups, kh, kw); with `nhwc` as (n, h, w, c) and
    (oc, kh, kw, c / groups). With `tf32`, the library may round factors in f32 to
    TF32. It selects an engine at load that needs at most `workspace` bytes and
    gives the same bits in every step.

    An `epilogue` is computed with the convolution before it is rounded: `bias`
    adds a number for each of the `oc` channels, an operand after the filter;
    `bias_relu` then stores 0 where the sum is negative.

    Strides, dilations and groups that are not written are 1, the type is `f32`,
    the layout `nchw`, the epilogue `none`, and all others are 0.

    Example:

    ```mlir
    #plan.cudnn.conv2d<n = 32, c = 64, h = 56, w = 56, oc = 64, kh = 3, kw = 3, oh = 56, ow = 56, pad_top = 1, pad_left = 1, pad_bottom = 1, pad_right = 1, type = bf16, layout = nhwc, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnConv2dDataGradAttr
    : Plan_CallConfigAttr<"CudnnConv2dDataGrad", "cudnn.conv2d_data_grad",
                          "::jobrt::calls::CudnnConv2dDataGrad"> {
  let summary = "a call of cudnn.conv2d_data_grad";
  let description = [{
    The gradient of a convolution with respect to its input, with the parameters
    of `#plan.cudnn.conv2d`.

    Example:

    ```mlir
    #plan.cudnn.conv2d_data_grad<n = 1, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnConv2dFilterGradAttr
    : Plan_CallConfigAttr<"CudnnConv2dFilterGrad", "cudnn.conv2d_filter_grad",
                          "::jobrt::calls::CudnnConv2dFilterGrad"> {
  let summary = "a call of cudnn.conv2d_filter_grad";
  let description = [{
    The gradient of a convolution with respect to its filter, with the parameters
    of `#plan.cudnn.conv2d`.

    Example:

    ```mlir
    #plan.cudnn.conv2d_filter_grad<n = 8, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, tf32 = 1, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnAvgPool2dAttr
    : Plan_CallConfigAttr<"CudnnAvgPool2d", "cudnn.avg_pool2d",
                          "::jobrt::calls::CudnnAvgPool2d"> {
  let summary = "a call of cudnn.avg_pool2d";
  let description = [{
    Means of windows of `kh` x `kw` pixels, on a GPU, of `n` images of `c` channels
    and `h` x `w` pixels; there are `oh` x `ow` windows. What is padding does not
    count. Arrays are of `type` and `layout`, as those of `#plan.cudnn.conv2d`;
    sums are in f32. The library selects an engine at load.

    Strides that are not written are 1, the type is `f32`, the layout `nchw`, and
    paddings are 0.

    Example:

    ```mlir
    #plan.cudnn.avg_pool2d<n = 32, c = 64, h = 28, w = 28, kh = 2, kw = 2, oh = 14, ow = 14, stride_h = 2, stride_w = 2>
    ```
  }];
}

def Plan_CudnnAvgPool2dGradAttr
    : Plan_CallConfigAttr<"CudnnAvgPool2dGrad", "cudnn.avg_pool2d_grad",
                          "::jobrt::calls::CudnnAvgPool2dGrad"> {
  let summary = "a call of cudnn.avg_pool2d_grad";
  let description = [{
    The gradient of a mean pooling with respect to its input, with the parameters
    of `#plan.cudnn.avg_pool2d`.

    Example:

    ```mlir
    #plan.cudnn.avg_pool2d_grad<n = 8, c = 16, h = 9, w = 9, kh = 3, kw = 3, oh = 5, ow = 5, stride_h = 2, stride_w = 2, pad_top = 1, pad_left = 1, pad_bottom = 1, pad_right = 1, type = bf16>
    ```
  }];
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
