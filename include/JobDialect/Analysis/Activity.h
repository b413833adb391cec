//===- Activity.h - Which values gradients flow through ---------*- C++ -*-===//
//
// A value *varies* if it depends on a variable that the job trains, and is
// *active* if, in addition, a loss depends on it. Only dependences through
// floats count, since a comparison or a conversion to an integer has no
// derivative, and none through job.stop_gradient.
// Dependences through variables do not count: a read after an assignment yields
// the value of the variable, not the assigned value.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_ACTIVITY_H
#define JOBDIALECT_ANALYSIS_ACTIVITY_H

#include "JobDialect/IR/JobOps.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::job {

/// Valid as long as the queried values and the ops that they depend on do not
/// change; values that are added later count as inactive.
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

/// The variables that a training job trains: the trainable ones that a
/// job.minimize of it updates. A job without job.minimize trains all.
class TrainedVariables {
public:
  explicit TrainedVariables(FuncOp func);

  bool contains(VariableOp variable) const;
  /// Whether it reads one of them.
  bool contains(ReadOp read) const;

private:
  /// Whether a job.minimize has no list of variables.
  bool hasOthers = false;
  llvm::DenseSet<StringAttr> listed;
};

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_ACTIVITY_H
