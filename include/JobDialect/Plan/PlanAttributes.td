//===- PlanAttributes.td - Attributes of the plan dialect --*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANATTRIBUTES_TD
#define JOBDIALECT_PLAN_PLANATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::mlir::plan";
  let summary = "What the runtime will do, command by command";
  let description = [{
    A `plan.program` is the list of commands of one job, in order. Its values are
    buffers: dense memrefs in the spaces of docs/artifact.md. Buffers of the
    arena get their offsets from `plan-pack-memory`; the bank of variables, the
    constants and the staging slots are laid out by `plan-assign-offsets`.
  }];
  let dependentDialects = ["::mlir::job::JobDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Plan_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Plan_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Plan_CPUScheduleAttr : Plan_Attr<"CPUSchedule", "cpu_schedule"> {
  let summary = "how the loops of a kernel run on a CPU";
  let description = [{
    Dimensions are those of the kernel's domain: the loops of the operation in
    its body that has the most of them, outermost first.

    - `distribute`: the dimension that is cut into chunks, and how many of its
      iterations one chunk has; the last chunk may have fewer. Absent, the kernel
      is one chunk. It must be parallel in every operation of the body.
    - `tile`: a dimension that is walked in tiles of so many iterations, with the
      loops of all other parallel dimensions inside of the loop over its tiles and
      around the one through a tile. An operand whose contiguous dimension it is
      (a transpose) then is read a cache line at a time. It must be parallel in
      every operation of the body, and not the vectorized one.
    - `vectorize`: the dimension that vectors lie along, and their lanes. Absent,
      the kernel computes scalars.
    - `interleave`: how many vectors one iteration of the vectorized loop works
      on; with reductions, each has its own accumulator.
    - `accumulate`: the most terms that one accumulator of a sum or product of
      floats takes before it is added to the accumulator one level up.

    The last three parameters fix the order of the terms of every sum. A schedule in the text
    is obeyed; `plan-select-schedules` chooses one where there is none.

    Example:

    ```mlir
    #plan.cpu_schedule<distribute = [0, 4], vectorize = [1, 16], interleave = 4, accumulate = 128>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t", "dimension and iterations a chunk">:$distribute,
    OptionalArrayRefParameter<"int64_t", "dimension and iterations a tile">:$tile,
    OptionalArrayRefParameter<"int64_t", "dimension and lanes">:$vectorize,
    DefaultValuedParameter<"int64_t", "1", "vectors an iteration">:$interleave,
    DefaultValuedParameter<"int64_t", "::mlir::plan::kDefaultAccumulate", "terms an accumulator">:$accumulate);
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

/// The kinds of devices, by the names of the runtime's drivers.
def Plan_DeviceKind : I32EnumAttr<"DeviceKind", "kind of a device", [
    I32EnumAttrCase<"Host", 0, "host">, I32EnumAttrCase<"CUDA", 1, "cuda">]> {
  let cppNamespace = "::mlir::plan";
}

#endif // JOBDIALECT_PLAN_PLANATTRIBUTES_TD
