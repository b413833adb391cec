//===- ItemLoop.h - Bodies that are a loop over items -----------*- C++ -*-===//
//
// The other form of a plan.executable's body, for computations that the rules
// of KernelNest.h exclude (places that depend on data, windows): a function of
// memrefs with one scf.parallel over independent items. Inside, scf.for is
// sequential, and an scf.parallel may run on the lanes or threads that share an
// item. Each target cuts the items into its chunks or blocks.
//
// Operations on scalars are those of ScalarOps.h. Views are collapse_shape,
// expand_shape, subview, and reinterpret_cast with constants, inside of its
// source. The indices of loads and stores are trusted.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CODEGEN_ITEMLOOP_H
#define JOBDIALECT_CODEGEN_ITEMLOOP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::plan {

struct ItemLoop {
  scf::ParallelOp loop;
  int64_t items;
  /// The approximate number of operations of one item: the attribute
  /// `plan.operations` of the loop, else 1.
  int64_t operations;
  /// The arguments whose elements are read, and those that are written.
  llvm::SmallBitVector read, written;
  /// Whether there is a plan.check; the last argument is the status then.
  bool hasChecks = false;

  /// The approximate number of operations of the kernel.
  int64_t getWork() const;

  /// Whether a body has this form: its arguments are memrefs.
  static bool isFormOf(func::FuncOp body);

  /// Analyses a body. Fails with an error at the operation that breaks a rule:
  /// before the loop there are operations without side effects only, and the
  /// loop is the last operation, with one induction variable that counts from
  /// 0 in steps of 1 to a constant.
  static FailureOr<ItemLoop> get(func::FuncOp body);
};

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_ITEMLOOP_H
