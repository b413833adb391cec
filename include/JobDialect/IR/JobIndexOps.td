//===- JobIndexOps.td - Gather, scatter, argwhere ----------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBINDEXOPS_TD
#define JOBDIALECT_IR_JOBINDEXOPS_TD

include "JobDialect/IR/JobStructureOps.td"
include "JobDialect/Interfaces/BoundedResultOpInterface.td"

def Job_GatherOp : Job_Op<"gather", [
    InfersNarrowTypes, Pure, Job_InferTypes,
    DeclareOpInterfaceMethods<MovedElementsOpInterface, ["isMoved"]>]> {
  let summary = "gathers slices by index";
  let description = [{
    `result[b, o, j, i] = operand[b, o, indices[b, j], i]`: `b` are the first
    `batch_dims` dimensions, which operand and indices share, `o` the other
    dimensions of the operand before `axis`, `j` the other dimensions of the
    indices, `i` the dimensions of the operand after `axis`. An index outside of
    the dimension gives NaN for floats and 0 for other element types.

    Example:

    ```mlir
    %rows = job.gather %table, %indices {axis = 0 : i64} : !job.blob<1000x64xf32>, !job.blob<8x32xi32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_IntBlob:$indices, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand `,` $indices attr-dict `:` type($operand) `,` type($indices)";
}

def Job_ScatterAddOp : Job_Op<"scatter_add", [Pure, Job_InferTypes]> {
  let summary = "adds slices by index";
  let description = [{
    Starts with a blob of zeros, with extent `extent` in dimension `axis`, and
    adds each slice of `updates` at its index. This is the gradient of
    `job.gather`, with the same meaning of dimensions. Slices with equal indices
    are added in the row-major order of the indices, so results are bit-identical
    in every run. An index outside of the dimension adds nothing.
    `job-decompose` replaces the op by `job.group_indices` and `job.sum_groups`.

    Example:

    ```mlir
    %table = job.scatter_add %rows, %indices {axis = 0 : i64, extent = 1000 : i64} : !job.blob<8x32x64xf32>, !job.blob<8x32xi32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$updates, Job_IntBlob:$indices,
                       I64Attr:$axis, I64Attr:$extent,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$updates `,` $indices attr-dict `:` type($updates) `,` type($indices)";
}

def Job_GroupIndicesOp : Job_Op<"group_indices", [Pure, Job_InferTypes]> {
  let summary = "sorts the places of indices by index";
  let description = [{
    Of each row of the last dimension of `indices`, the last numbers of the row of
    `groups` are the places, from 0 on, of the indices in [0, extent): sorted by
    index, and places of equal indices in their order; the rest is -1. The first
    `extent` numbers say how many of the places have an index of at most 0, 1, 2
    and so on. They have the element type i32, or i64 if a row has more than
    2^31 - 1 indices.

    Example:

    ```mlir
    %groups = job.group_indices %indices {extent = 1000 : i64} : !job.blob<8x32xi32>
    ```

    `%groups` has the type `!job.blob<8x1032xi32>`.
  }];
  let arguments = (ins Job_IntBlob:$indices,
                       ConfinedAttr<I64Attr, [IntPositive]>:$extent);
  let results = (outs Job_IntBlob:$groups);
  let assemblyFormat = "$indices attr-dict `:` type($indices)";
}

def Job_SumGroupsOp : Job_Op<"sum_groups", [Pure, Job_InferTypes]> {
  let summary = "adds slices by group";
  let description = [{
    `job.scatter_add` with the groups of its indices (`job.group_indices`), so
    that each slice of the result is one sum. The dimensions before the last one
    of `groups` are the batch dimensions, and dimension `axis` of the updates is
    that of the places. A place that is none of the updates adds nothing, and ends
    are clamped to the number of places.

    Example:

    ```mlir
    %groups = job.group_indices %indices {extent = 1000 : i64} : !job.blob<32xi32>
    %table = job.sum_groups %rows, %groups {axis = 0 : i64} : !job.blob<32x64xf32>, !job.blob<1032xi32>
    ```

    `%table` has the type `!job.blob<1000x64xf32>`.
  }];
  let arguments = (ins Job_NumberBlob:$updates, Job_IntBlob:$groups,
                       I64Attr:$axis);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$updates `,` $groups attr-dict `:` type($updates) `,` type($groups)";
}

def Job_ArgSortOp : Job_Op<"argsort", [Pure, Job_InferTypes]> {
  let summary = "the indices that sort each row";
  let description = [{
    Of each row of the last dimension, the indices of its elements in ascending
    order of the elements, or `descending`. Equal elements (0 and -0 are equal)
    stay in the order of their indices, and NaN comes last in both directions.
    There is no gradient: values are sorted by a `job.gather` with the indices.
    `job-decompose` replaces the op by `job.merge_runs`.

    Example:

    ```mlir
    %indices = job.argsort %0 : !job.blob<4x100xf32>
    %best = job.argsort %0 descending : !job.blob<4x100xf32>
    ```

    `%indices` and `%best` have the type `!job.blob<4x100xi32>`.
  }];
  let arguments = (ins Job_NumberBlob:$operand, UnitAttr:$descending);
  let results = (outs Job_IntBlob:$result);
  let assemblyFormat = "$operand (`descending` $descending^)? attr-dict `:` type($operand)";
}

def Job_MergeRunsOp : Job_Op<"merge_runs", [Pure, Job_InferTypes]> {
  let summary = "merges eight sorted runs of indices into one";
  let description = [{
    One step of `job.argsort`. Each row of `order` has a permutation of the indices
    of a row of `operand`, of which each run of `run` places is sorted; in the
    result each run of `8 * run` places is. The last runs of a row may be shorter.
    Elements that are equal stay in the order of `order`. The result of rows that are
    no such permutations is undefined.

    Example:

    ```mlir
    %order = job.iota {axis = 1 : i64} : !job.blob<4x100xi32>
    %1 = job.merge_runs %0, %order {run = 1 : i64} : !job.blob<4x100xf32>, !job.blob<4x100xi32>
    %2 = job.merge_runs %0, %1 {run = 8 : i64} : !job.blob<4x100xf32>, !job.blob<4x100xi32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$operand, Job_IntBlob:$order,
                       ConfinedAttr<I64Attr, [IntPositive]>:$run,
                       UnitAttr:$descending);
  let results = (outs Job_IntBlob:$result);
  let assemblyFormat = [{
    $operand `,` $order (`descending` $descending^)? attr-dict
    `:` type($operand) `,` type($order)
  }];
}

def Job_ArgwhereOp : Job_Op<"argwhere", [
    Pure, Job_InferTypes,
    DeclareOpInterfaceMethods<BoundedResultOpInterface>]> {
  let summary = "the indices of the elements that are not zero";
  let description = [{
    Row `i` of `indices` is the index, one number per dimension of `operand`, of
    its `i`-th element in row-major order that is not zero (NaN is not zero).
    `count` is how many there are. `dtype` is the element type of the indices.
    There is no gradient. `job-decompose` replaces the op by
    `job.count_nonzero` and `job.argwhere_blocks`.

    Example:

    ```mlir
    %indices, %count = job.argwhere %mask as i32 : !job.blob<3x4xi1>
    ```

    `%indices` has the type `!job.blob<?<=12>x2xi32>`.
  }];
  let arguments = (ins Job_Blob:$operand,
                       TypeAttrOf<AnyTypeOf<[I32, I64]>>:$dtype);
  let results = (outs Job_BoundedIntBlob:$indices, Job_ScalarI64Blob:$count);
  let assemblyFormat = "$operand `as` $dtype attr-dict `:` type($operand)";
}

def Job_CountNonzeroOp : Job_Op<"count_nonzero", [Pure, Job_InferTypes]> {
  let summary = "counts the elements of each block that are not zero";
  let description = [{
    Blocks are runs of `block_size` elements in row-major order; the last one may
    be shorter.

    Example:

    ```mlir
    %counts = job.count_nonzero %mask {block_size = 4096 : i64} : !job.blob<100x100xi1>
    ```

    `%counts` has the type `!job.blob<3xi64>`.
  }];
  let arguments = (ins Job_Blob:$operand,
                       ConfinedAttr<I64Attr, [IntPositive]>:$block_size);
  let results = (outs Job_IntBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_ArgwhereBlocksOp : Job_Op<"argwhere_blocks", [
    Pure, Job_InferTypes,
    DeclareOpInterfaceMethods<BoundedResultOpInterface>]> {
  let summary = "the indices of the elements that are not zero, by blocks";
  let description = [{
    `job.argwhere` with given numbers of the elements of each block that are not
    zero (`job.count_nonzero`). These counts determine the rows of `indices` of
    each block, so blocks are independent. A block fills as many rows as its count;
    a wrong count omits elements or gives rows of zeros. A count is clamped to the
    range from 0 to the number of elements of the block.

    Example:

    ```mlir
    %counts = job.count_nonzero %mask {block_size = 4096 : i64} : !job.blob<100x100xi1>
    %indices, %count = job.argwhere_blocks %mask, %counts as i32 {block_size = 4096 : i64} : !job.blob<100x100xi1>, !job.blob<3xi64>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_IntBlob:$counts,
                       TypeAttrOf<AnyTypeOf<[I32, I64]>>:$dtype,
                       ConfinedAttr<I64Attr, [IntPositive]>:$block_size);
  let results = (outs Job_BoundedIntBlob:$indices, Job_ScalarI64Blob:$count);
  let assemblyFormat = "$operand `,` $counts `as` $dtype attr-dict `:` type($operand) `,` type($counts)";
}

def Job_PadToStaticOp : Job_Op<"pad_to_static", [
    Pure, Job_InferTypes,
    DeclareOpInterfaceMethods<MovedElementsOpInterface, ["isMoved"]>]> {
  let summary = "gives a bounded blob the static shape of its bound";
  let description = [{
    The elements from the count on, in the bounded dimension, are filled with
    `value`, a number of the element type: of type i64 for integers, else f64.
    `count` must be the count of `operand`, which `job-verify` checks.

    Example:

    ```mlir
    %indices, %count = job.argwhere %mask as i32 : !job.blob<3x4xi1>
    %static = job.pad_to_static %indices, %count {value = -1 : i64} : !job.blob<?<=12>x2xi32>
    ```

    `%static` has the type `!job.blob<12x2xi32>`.
  }];
  let arguments = (ins Job_BoundedBlob:$operand, Job_ScalarI64Blob:$count,
                       AnyAttrOf<[I64Attr, F64Attr]>:$value);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand `,` $count attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Job_SliceToDynamicOp : Job_Op<"slice_to_dynamic", [
    Pure, Job_InferTypes, DeclareOpInterfaceMethods<BoundedResultOpInterface>,
    DeclareOpInterfaceMethods<MovedElementsOpInterface, ["isMoved"]>]> {
  let summary = "the first elements of a dimension, as many as a count says";
  let description = [{
    The result has the first `count` elements of dimension `dim`, which is
    bounded; `count` is its count. A step whose result leaves the job with a count
    that is not in the range from 0 to the bound ends with an error. There is no
    gradient.

    Example:

    ```mlir
    %rows = job.slice_to_dynamic %x, %count {dim = 1 : i64} : !job.blob<2x12xf32>
    ```

    `%rows` has the type `!job.blob<2x?<=12>xf32>`.
  }];
  let arguments = (ins Job_Blob:$operand, Job_ScalarI64Blob:$count,
                       I64Attr:$dim);
  let results = (outs Job_BoundedBlob:$result);
  let assemblyFormat = "$operand `,` $count attr-dict `:` type($operand)";
}

def Job_FindNewIdsOp : Job_Op<"find_new_ids", [Pure, Job_InferTypes]> {
  let summary = "the ids that a table of ordinals lacks, with their slots";
  let description = [{
    `table` is a hash table with open addressing: in slot `s`, `table[s, 0]` is an
    id, or 0 where the slot is free, and `table[s, 1]` its ordinal. The slots of an
    id are tried from the remainder of the id, as an unsigned number of 64 bits,
    and the number of slots on, up to the last slot and then from the first one
    on.

    The result is a hash table of the slots that new ids get. Ids are taken in
    row-major order; one that is not in the table gets the first free slot among
    those that are tried. In place `p` of the result, `[p, 0]` is a slot plus 1, or
    0 where the place is free, `[p, 1]` the position of its id among the ids, and
    `[p, 2]` the number of new ids up to this one. It has as many places as the
    power of two that is not less than twice the number of ids, and places are
    tried in the same way. The id 0, and an id for which no slot is free, are not
    in it.

    Example:

    ```mlir
    %inserted = job.find_new_ids %table, %ids : !job.blob<1000x2xi64>, !job.blob<8xi64>
    ```

    `%inserted` has the type `!job.blob<16x3xi64>`.
  }];
  let arguments = (ins Job_OrdinalBlob:$table, Job_OrdinalBlob:$ids);
  let results = (outs Job_IntBlob:$result);
  let assemblyFormat = "$table `,` $ids attr-dict `:` type($table) `,` type($ids)";
}

class Job_InsertedIdsOp<string mnemonic>
    : Job_Op<mnemonic, [Pure, Job_InferTypes]> {
  let arguments = (ins Job_OrdinalBlob:$table, Job_OrdinalBlob:$size,
                       Job_OrdinalBlob:$ids, Job_IntBlob:$inserted);
  let results = (outs Job_OrdinalBlob:$result);
  let assemblyFormat = [{
    $table `,` $size `,` $ids `,` $inserted attr-dict
    `:` type($table) `,` type($size) `,` type($ids) `,` type($inserted)
  }];
}

def Job_LookupOrdinalsOp : Job_InsertedIdsOp<"lookup_ordinals"> {
  let summary = "the ordinals of ids";
  let description = [{
    The ordinal of each id: that in the table, or, of an id that is `inserted`
    (`job.find_new_ids`), `size` plus its number among the new ids. The ordinal of
    the id 0, and of an id that is in neither, is 0.

    Example:

    ```mlir
    %inserted = job.find_new_ids %table, %ids : !job.blob<1000x2xi64>, !job.blob<8xi64>
    %ordinals = job.lookup_ordinals %table, %size, %ids, %inserted : !job.blob<1000x2xi64>, !job.blob<1xi64>, !job.blob<8xi64>, !job.blob<16x3xi64>
    ```
  }];
}

def Job_InsertOrdinalsOp : Job_InsertedIdsOp<"insert_ordinals"> {
  let summary = "inserts ids into a table of ordinals";
  let description = [{
    The table in which the ids that are `inserted` (`job.find_new_ids`) have the
    slots that they get there, with the ordinals of `job.lookup_ordinals`. Slots
    that are not free stay.

    Example:

    ```mlir
    %inserted = job.find_new_ids %table, %ids : !job.blob<1000x2xi64>, !job.blob<8xi64>
    %new_table = job.insert_ordinals %table, %size, %ids, %inserted : !job.blob<1000x2xi64>, !job.blob<1xi64>, !job.blob<8xi64>, !job.blob<16x3xi64>
    ```
  }];
}

#endif // JOBDIALECT_IR_JOBINDEXOPS_TD
