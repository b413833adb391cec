//===- KernelNest.h - The loops of a kernel's body --------------*- C++ -*-===//
//
// The loops and memory accesses of the body of a plan.executable, for the code
// generators of all targets. A body is a list of linalg.generic operations on
// static tensors, called passes here since each iterates over the data once:
//
// - The domain is the iteration space of the pass with the most loops. Every
//   other pass iterates over some of its dimensions.
// - A dimension that is parallel in every pass is an item dimension: items are
//   independent of each other and can be distributed over chunks, lanes or
//   blocks. The others are inner dimensions, of one item.
// - Passes that reduce one dimension of rows, where others reduce dimensions
//   behind it, are sums of columns. The rows are items still: the dimension
//   counts as an item dimension, the last one, and all rows that share the
//   indices before it are one part. The results of these passes have inner
//   dimensions. They are complete when all rows of the part are, so no pass
//   reads them.
// - A result of a pass that has item dimensions only is a value of the item,
//   which later passes of the same item take from registers. A result with
//   inner dimensions is in memory: it is returned, or it uses the memory of a
//   returned result until that one is computed.
// - A pass that reduces some inner dimensions may keep others, which other
//   passes reduce: the sums of a small matrix product, whose row a softmax
//   reads. Its results have the dimensions that it keeps.
// - Operands are arguments, looking through tensor.extract_slice,
//   tensor.collapse_shape and tensor.expand_shape, or results of earlier passes
//   without such operations. Indexing maps have dimensions, each at most once,
//   and zeros.
// - Passes write arguments that are returned, directly or through
//   tensor.collapse_shape and tensor.expand_shape, and all passes that write
//   the same argument write the same element at each point. A result in memory
//   is read before the next pass writes its argument.
// - The block argument of a result that is not reduced is used only where the
//   result starts from a linalg.fill.
// - The reductions of a pass start from a linalg.fill and combine with one
//   operation.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CODEGEN_KERNELNEST_H
#define JOBDIALECT_CODEGEN_KERNELNEST_H

#include "JobDialect/Support/Targets.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::plan {

/// Elements of an argument at the points of the domain: the element at
/// `offset + sum of strides[d] * d`, in row-major order.
struct KernelAccess {
  unsigned argument;
  int64_t offset;
  /// One for each dimension of the domain.
  SmallVector<int64_t> strides;

  bool operator==(const KernelAccess &other) const {
    return argument == other.argument && offset == other.offset &&
           strides == other.strides;
  }
};

/// An operand of a pass.
struct KernelInput {
  /// The block argument of the pass that stands for one element.
  BlockArgument element;
  /// The result of an earlier pass, if the operand is a value of the item; null
  /// for an operand in memory.
  Value item;
  KernelAccess access;
};

/// A reduction of a pass.
struct KernelReduction {
  /// The block argument that stands for the accumulator.
  BlockArgument accumulator;
  /// The operation that combines the accumulator with one more term.
  Operation *combiner;
  /// The initial value of the accumulator.
  TypedAttr initial;

  /// Whether the result depends on the order of the terms.
  bool isRounded() const;
  /// Builds the accumulator of that value combined with one more term.
  Value combine(OpBuilder &b, Value accumulated, Value term) const;
};

/// A result of a pass.
struct KernelOutput {
  OpResult result;
  /// The value that the pass yields for it.
  Value yielded;
  std::optional<KernelReduction> reduction;
  /// Without a reduction, if the pass uses the value from linalg.fill: the
  /// block argument that stands for it, and the value.
  BlockArgument filled;
  TypedAttr initial;
  /// The elements that are written; none for values of the item that are not
  /// returned.
  std::optional<KernelAccess> destination;
};

/// One linalg.generic.
struct KernelPass {
  linalg::GenericOp op;
  /// The dimension of the domain of each loop.
  SmallVector<unsigned> dims;
  SmallVector<KernelInput> inputs;
  SmallVector<KernelOutput> outputs;
  /// Of a pass with reductions: the inner dimensions that it does not reduce.
  SmallVector<unsigned> kept;
  /// Whether it is a sum of columns: it reduces the dimension of rows.
  bool isColumnSum = false;

  bool hasDim(unsigned dim) const { return llvm::is_contained(dims, dim); }
};

/// A body.
struct KernelNest {
  /// The extents of the domain.
  SmallVector<int64_t> extents;
  /// The item dimensions.
  llvm::SmallBitVector isItem;
  /// The dimension that sums of columns reduce, if there are such passes.
  std::optional<unsigned> rowDim;
  std::vector<KernelPass> passes;
  /// Element types and numbers of elements of the buffers.
  SmallVector<RankedTensorType> arguments;
  /// The arguments after the buffers, which every pass may use.
  SmallVector<BlockArgument> scalars;
  /// How many of the buffers are returned: the last ones, but for the status.
  unsigned numWritten = 0;
  /// Whether some pass has a plan.check; the last buffer is the status then.
  bool hasChecks = false;

  unsigned getRank() const { return extents.size(); }
  /// Whether an argument may be read and written: each item reads only elements
  /// of its own, and none after it has begun to write them.
  bool isUpdatedInPlace(unsigned argument) const;
  /// Whether some pass with reductions keeps inner dimensions.
  bool keepsInnerDims() const;
  /// Whether some pass reads the value that an argument had before the kernel.
  bool isRead(unsigned argument) const;
  /// The approximate number of operations of the kernel.
  int64_t getWork() const;

  /// Analyses a body. Fails with an error at the operation that breaks a rule.
  static FailureOr<KernelNest> get(func::FuncOp body);
};

/// The best number of chunks for some work, in operations, on a machine with
/// many cores.
int64_t getWantedChunks(int64_t work, const job::TargetCosts &costs);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_KERNELNEST_H
