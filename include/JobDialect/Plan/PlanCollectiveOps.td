//===- PlanCollectiveOps.td - What several ranks do together -*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANCOLLECTIVEOPS_TD
#define JOBDIALECT_PLAN_PLANCOLLECTIVEOPS_TD

include "JobDialect/Plan/PlanCommandOps.td"

/// The number of ranks, by the limit of the runtime.
def Plan_Ranks : ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<65536>]>;

def Plan_CommunicatorOp : Plan_Op<"communicator", [Symbol]> {
  let summary = "the ranks that run the programs of a module together";
  let description = [{
    A rank is a session of the runtime on a device of its own. All ranks run the
    same programs in the same order. A module has at most one communicator.

    Example:

    ```mlir
    plan.communicator @world ranks(4)
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Plan_Ranks:$ranks);
  let assemblyFormat = "$sym_name `ranks` `(` $ranks `)` attr-dict";
}

def Plan_CollectiveOp : Plan_CommandOp<"collective", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>],
    ["getTitle", "getOperationCount", "isInLaunchBefore", "getNetworkBytes"]> {
  let summary = "exchanges buffers with other ranks";
  let description = [{
    Runs when the other ranks of the communicator have come to it, and is complete
    when this rank has what it gets:

    | collective | `ins` | `outs` |
    |---|---|---|
    | `all_reduce` | n elements | the `reduction` of those of all ranks |
    | `reduce_scatter` | a part of n elements for each rank | the `reduction` of the rank's part |
    | `all_gather` | n elements | those of all ranks, in their order |
    | `broadcast` | n elements | those of rank `root` |
    | `send` to rank `peer` | n elements | |
    | `recv` from rank `peer` | | n elements |

    One buffer in `inouts` is both: of `reduce_scatter` and `all_gather` it is the
    larger one, and the rank's part of it is the other one. Other parts are
    undefined after a `reduce_scatter` in place. A `send` needs a `recv` of as many
    elements of the same type on the other rank, in the same order as other sends
    from this rank to that one. Elements are f16, bf16, f32, f64, i8, ui8, i32 or
    i64; only floats have the reduction `avg`.

    A collective that is `joined` runs in one group with the collective before it
    on its queue, in any order or at once: ranks that send to each other must not
    wait for one another. None of a group may write what another one reads or
    writes. The collectives of a program are ordered, be it by events, since ranks
    that run them in different orders wait for ever (`plan-verify`).

    Example:

    ```mlir
    plan.collective all_reduce on @world sum inouts(%x : memref<8xf32, #arena>)
    plan.collective reduce_scatter on @world max ins(%x : memref<8xf32, #arena>) outs(%y : memref<2xf32, #arena>)
    plan.collective broadcast on @world root(0) inouts(%y : memref<2xf32, #arena>)
    plan.collective send on @world peer(1) ins(%y : memref<2xf32, #arena>)
    plan.collective recv on @world peer(1) joined outs(%z : memref<2xf32, #arena>)
    ```
  }];
  let arguments = (ins
    Plan_CollectiveKind:$kind, FlatSymbolRefAttr:$communicator,
    OptionalAttr<Plan_Reduction>:$reduction,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$root,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$peer,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$inouts,
    Variadic<Plan_Buffer>:$outs, UnitAttr:$joined, Plan_Queue:$queue);
  let assemblyFormat = [{
    $kind `on` $communicator ($reduction^)?
    (`root` `(` $root^ `)`)? (`peer` `(` $peer^ `)`)? (`joined` $joined^)?
    (`queue` `(` $queue^ `)`)?
    (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`inouts` `(` $inouts^ `:` type($inouts) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The buffer that it sends, or sends a part of, and the one that it gets.
    /// Null if there is none.
    ::mlir::Value getSent();
    ::mlir::Value getReceived();
  }];
  let hasVerifier = 1;
}

#endif // JOBDIALECT_PLAN_PLANCOLLECTIVEOPS_TD
