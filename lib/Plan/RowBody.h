//===- RowBody.h - Commands as bodies that go row by row --------*- C++ -*-===//
//
// A command that computes row by row as the body of a kernel, and one body that
// computes several of them: for plan-fuse-rows.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_PLAN_ROWBODY_H
#define JOBDIALECT_LIB_PLAN_ROWBODY_H

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::plan {

/// A command, and the body of a kernel that computes it row by row.
struct RowMember {
  ~RowMember() {
    if (sums && sums.use_empty())
      sums.erase();
  }

  Operation *command;
  /// For each argument of the body the buffer that it reads, or null, and the
  /// one that it writes, or null: operands of the command.
  SmallVector<Value> sources, targets;
  /// A buffer of the arena that only the new kernel has: the sums of a product
  /// before they are rounded.
  AllocOp sums;
  /// The body of a product, which is in no executable.
  OwningOpRef<func::FuncOp> product;
  std::optional<KernelNest> productNest;
  /// The body of any command.
  func::FuncOp body;
  const KernelNest *nest;
  /// Results of the only pass, by number, that are sums over the rows of
  /// another result, and that one: they stay behind.
  SmallVector<std::pair<unsigned, unsigned>> columnSums;
};

/// The rows of a call that is a small product, which a kernel may compute as
/// well; none for other calls.
std::optional<int64_t> getRowsOfSmallProduct(CallOp call);

/// A kernel's body that computes a small product. With `sums`, the type of its
/// sums, these are a further result.
OwningOpRef<func::FuncOp> buildProduct(CallOp call, Type sums);

/// The results of a kernel's only pass that are sums over the rows of another
/// of its results, with that one; none if some are other reductions.
std::optional<SmallVector<std::pair<unsigned, unsigned>>>
findColumnSums(const KernelNest &nest);

/// How a group uses a buffer.
struct BufferUse {
  bool isFirstRead = false, isWritten = false;
};

/// Builds the body of the kernel that computes the rows of some members.
class RowBodyBuilder {
public:
  RowBodyBuilder(ArrayRef<const RowMember *> members, int64_t rows)
      : members(members), rows(rows) {}

  /// Builds the body at the end of a block. Fails if some command does not
  /// compute row by row what it computes from buffers that others write.
  FailureOr<func::FuncOp> build(OpBuilder &b, Location loc);

  /// The operands of the kernel, in the order of its arguments.
  SmallVector<Value> ins, inouts, outs;

private:
  void classify();
  LogicalResult buildPass(const RowMember &member, const KernelPass &pass);
  FailureOr<AffineMap> getMap(const RowMember &member, const KernelPass &pass,
                              const KernelAccess &access, Value buffer);
  Value getWhole(Value tensor);
  /// Whether the rows of the member are a part of its first dimension, and of
  /// how many elements each is then.
  static int64_t getRowSize(const RowMember &member, int64_t rows) {
    int64_t extent = member.nest->extents[0];
    return member.nest->getRank() == 1 && extent != rows ? extent / rows : 1;
  }

  ArrayRef<const RowMember *> members;
  const int64_t rows;
  llvm::MapVector<Value, BufferUse> uses;
  OpBuilder *b = nullptr;
  /// The argument that a buffer is, and what is in it now.
  DenseMap<Value, Value> arguments, current;
  /// Of values of the member's body to those of the new one.
  IRMapping mapping;
  /// The arguments that passes of the member have written.
  llvm::SmallBitVector changed;
};

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_ROWBODY_H
