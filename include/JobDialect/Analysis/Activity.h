//===- Activity.h - Which values gradients flow through ---------*- C++ -*-===//
//
// A value *varies* when it depends on a trainable variable, and is *active*
// when a loss depends on it as well. Dependence runs through floats only: a
// comparison or a number rounded to an integer has no derivative. It does not
// run through variables either: what a job assigns to a variable and reads
// again counts as that variable's value.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_ACTIVITY_H
#define JOBDIALECT_ANALYSIS_ACTIVITY_H

#include "JobDialect/IR/JobOps.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::job {

/// Valid until the job changes, as far as the values asked about are concerned:
/// ops that are added later are unknown to it and count as inactive.
class Activity {
public:
  explicit Activity(FuncOp func);

  bool varies(Value value) const { return varying.contains(value); }
  bool isActive(Value value) const {
    return varying.contains(value) && useful.contains(value);
  }

private:
  llvm::DenseSet<Value> varying;
  llvm::DenseSet<Value> useful;
};

/// True when gradients with respect to the variable of `read` are wanted.
bool readsTrainableVariable(ReadOp read);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_ACTIVITY_H
