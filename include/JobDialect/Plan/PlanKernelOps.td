//===- PlanKernelOps.td - Kernels --------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANKERNELOPS_TD
#define JOBDIALECT_PLAN_PLANKERNELOPS_TD

include "JobDialect/Plan/PlanStructureOps.td"

def Plan_ExecutableOp : Plan_Op<"executable", [
    Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator,
    NoRegionArguments]> {
  let summary = "a kernel: its computation, and its code for each target";
  let description = [{
    Holds at most one `func.func @body`, the computation as structured operations
    on tensors, the same for every target, one `plan.variant` per target, and the
    functions with the code of the variants. The
    body takes a tensor for each buffer of a `plan.dispatch` of the executable,
    then its scalars, and returns one tensor for each buffer in `inouts` and
    `outs`, in that order; with checks, the last tensor is the status, which is
    not returned (`plan.check`). A kernel that has no body has its variants from
    the start, and is trusted.

    A body is a list of `linalg.generic` operations over one domain; see
    `KernelNest` in include/JobDialect/Codegen/KernelNest.h for the rules, which
    `plan-verify-memory` checks, and include/JobDialect/Codegen/ScalarOps.h for
    the operations on scalars that it may have. A computation that these cannot
    express, such as a scatter-add, is a function of memrefs with an
    `scf.parallel` over independent items (`ItemLoop` in
    include/JobDialect/Codegen/ItemLoop.h). The indices of its loads and stores
    are trusted.

    Example:

    ```mlir
    plan.executable @sqrt {
      func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
        %0 = linalg.generic {
            indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]}
            ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
        ^bb0(%a: f32, %b: f32):
          %1 = math.sqrt %a : f32
          linalg.yield %1 : f32
        } -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 4]>)
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $region";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The computation, or null.
    ::mlir::func::FuncOp getBody();
    /// The code for a target, or null.
    VariantOp getVariant(::llvm::StringRef target);
    auto getVariants() { return getRegion().getOps<VariantOp>(); }
  }];
}

def Plan_VariantOp : Plan_Op<"variant", [
    Symbol, HasParent<"::mlir::plan::ExecutableOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the code of a kernel for one target";
  let description = [{
    Its name is that of the target, `cpu` or `cuda`. `schedule`, an attribute of
    the target with `ScheduleAttrInterface`, is chosen before there is code.
    `chunks` is how many times the function is called for one dispatch, with chunk
    numbers from 0 on, concurrently or in any order. `function` is the code: a
    `func.func` of the executable that takes the buffers of the dispatch as memrefs
    (an `i1` is a byte), its scalars, and the chunk as an index; after
    `job-lower-kernels`, a function of the LLVM dialect in the module, and after
    `job-lower-cuda-kernels`, a kernel in a `gpu.module`, whose blocks are the
    chunks.

    Example:

    ```mlir
    plan.executable @nothing {
      plan.variant @cpu chunks(2) function(@cpu_code)
      func.func @cpu_code(%x: memref<4xf32>, %chunk: index) {
        return
      }
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<Plan_ScheduleAttrInterface>:$schedule,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$chunks,
    OptionalAttr<SymbolRefAttr>:$function);
  let assemblyFormat = [{
    $sym_name (`schedule` `(` $schedule^ `)`)? (`chunks` `(` $chunks^ `)`)?
    (`function` `(` $function^ `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The function with the code, or null: before it is made, and after it was
    /// lowered.
    ::mlir::func::FuncOp getCode();
  }];
}

def Plan_CheckOp : Plan_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "reports a NaN or an infinity";
  let description = [{
    In the body of an executable, in a `linalg.generic` or in the loop over items
    of a body on memrefs: when the value, or an element of it, is a NaN or
    infinite, the chunk records this in its element of the status, with the
    number of the check.
    The lowest number is kept, so that the first op in program order is reported.
    `of` is the number of checks of the kernel.

    Example:

    ```mlir
    plan.check %x number 0 of 2 : f32
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[F32, F64, FixedVectorOfRankAndType<[1], [F32, F64]>]>:$value,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$number,
    ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let assemblyFormat = "$value `number` $number `of` $count attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // JOBDIALECT_PLAN_PLANKERNELOPS_TD
