//===- InPlace.h - Which kernels may overwrite their inputs -----*- C++ -*-===//
//
// A result may alias an input if the kernel reads each element of the input for
// the last time when it writes the element of the result at the same index.
// This is a property of one kernel. In addition, no later op may read the
// input: this is checked here for variables, which outlive the job; for blobs
// it is up to the caller.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_INPLACE_H
#define JOBDIALECT_ANALYSIS_INPLACE_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// The op with custom loops in a kernel, or null.
LoopKernelOpInterface getLoopKernel(KernelOp kernel);

/// Which results of a kernel may alias which inputs. Looks at the whole body
/// once, for callers that ask for many pairs.
class KernelOverwrites {
public:
  explicit KernelOverwrites(KernelOp kernel);

  /// True if result `result` may alias input `input`: the types are equal, the
  /// input is read element by element, and the result is not a reduction. At
  /// most one result may alias an input.
  bool canOverwrite(unsigned input, unsigned result) const;

private:
  enum class Kind {
    kNone,    ///< no result may alias an input
    kOneOp,   ///< the only op decides
    kPasses,  ///< some ops go over rows several times
    kElements ///< elements are read and written one by one
  };

  KernelOp kernel;
  Kind kind;
};

/// As KernelOverwrites::canOverwrite(), for one pair.
bool canOverwrite(KernelOp kernel, unsigned input, unsigned result);

/// Whether blobs of a type can have NaN and infinite elements.
bool canBeNonFinite(BlobType type);

/// An assignment and the reason why its value cannot be computed directly in
/// the memory of the variable. The reason is empty if it can: no op after the
/// definition of the new value reads the old one.
struct VariableUpdate {
  AssignOp assign;
  StringRef obstacle;

  bool isInPlace() const { return obstacle.empty(); }
};

/// The assignments of a job, in order. No two in-place assignments have the
/// same value. With `checkNumerics`, a variable takes no value that fails a
/// check for NaN and infinity.
SmallVector<VariableUpdate> findVariableUpdates(FuncOp func,
                                                bool checkNumerics);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_INPLACE_H
