//===- Fusion.h - Which ops run as one kernel -------------------*- C++ -*-===//
//
// A pure function from a graph of ops to groups of ops, independent of IR;
// job-form-kernels calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_FUSION_H
#define JOBDIALECT_SUPPORT_FUSION_H

#include "JobDialect/Support/Duplication.h"
#include "JobDialect/Support/Targets.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::job {

/// How an op can be part of a kernel.
enum class FusionRole {
  /// The op is in no kernel: a library call, an access to a variable.
  Outside,
  /// The op is a kernel by itself.
  Alone,
  /// The op computes one element from the elements at the same index.
  Scalar,
  /// The op reduces its operand over some axes.
  Reduction,
  /// The op is a constant, or changes only which elements are accessed. Each
  /// kernel that uses it has a copy.
  Access
};

/// An op. Ops are numbered from 0 in a valid order.
struct FusionOp {
  struct Operand {
    /// The op that defines it; none for an argument of the block.
    std::optional<unsigned> producer;
    /// A number of the blob: operands with equal ones are the same blob.
    unsigned blob = 0;
    /// Whether it is the memory of a variable, which may have a new value by
    /// the time that a later kernel runs.
    bool isVariable = false;
  };

  FusionRole role = FusionRole::Outside;
  Duplication duplication = Duplication::Never;
  /// The iteration space, as a number: the shape of the result, or of the
  /// operand of a reduction.
  unsigned domain = 0;
  /// For a kernel by itself: whether it goes over the rows of `domain` as
  /// reductions and scalar ops do, so that it may also compute an operand or
  /// convert a result, and has what follows of a reduction.
  bool goesOverRows = false;
  /// A kernel that is given, as a number: the op is in one kernel with the
  /// others of this number and with no more.
  std::optional<unsigned> fixedKernel;
  /// For a reduction: the axes that it reduces, as a number. For an access that
  /// broadcasts its operand along some axes, in order: these axes.
  /// Without axes of extent 1.
  std::optional<unsigned> axes;
  /// For a reduction: `axes` with axes of extent 1, as a number.
  unsigned allAxes = 0;
  /// With `axes`: the shape of the result of the reduction or the operand of
  /// the access, as a number. Each element of this shape belongs to one row.
  unsigned rows = 0;
  /// For a reduction: the number of rows, and the bytes of one row of the
  /// operand, if they follow one another in memory; 0 otherwise.
  int64_t numRows = 0, rowBytes = 0;
  /// The bytes of the result, for an op with one result.
  int64_t bytes = 0;
  /// For an access: whether a kernel computes it when it is needed in memory.
  bool isWorthKernel = false;
  /// Whether the result is written over an operand. The op is then in no kernel
  /// that reads its rows again, which could read the operand later.
  bool overwrites = false;

  llvm::SmallVector<Operand, 2> operands;
  /// Ops that must run before this one, in addition to the producers of its
  /// operands; none of them is duplicated.
  llvm::SmallVector<unsigned, 0> after;

  bool isFusible() const {
    return role == FusionRole::Scalar || role == FusionRole::Reduction;
  }
  /// For a reduction: whether a kernel may read its operand again when the
  /// result is known.
  bool allowsFollowers(const TargetCosts &costs) const;
};

/// The last op ends the block: all others run before it.
struct FusionProblem {
  std::vector<FusionOp> ops;
  /// Of the target that the kernels are for.
  TargetCosts costs = kCPUCosts;
};

/// Ops that run together.
struct FusionGroup {
  /// In ascending order.
  llvm::SmallVector<unsigned, 4> ops;
  /// Whether the ops are one kernel; otherwise there is one op, which stays as
  /// it is.
  bool isKernel = false;
};

struct FusionPlan {
  /// In an order that respects all dependences and, where these leave a choice,
  /// follows the order of the ops. An op that is computed more than once is in
  /// several groups.
  std::vector<FusionGroup> groups;
  /// For each op the group whose result is read by the groups that use the op
  /// without having it among their own; none if there are no such groups.
  std::vector<std::optional<unsigned>> groupOf;
};

/// Groups the ops. With `fuse` false, each op is a group. Depends on the
/// problem only. The effort is nearly proportional to the size of the graph;
/// with `steps`, adds to it the number of visits of ops and dependences.
FusionPlan planFusion(const FusionProblem &problem, bool fuse,
                      size_t *steps = nullptr);

/// The reason why two groups are not merged.
struct FusionObstacle {
  enum Kind {
    None,
    /// One of them is not a kernel of scalar ops and reductions.
    Role,
    /// The ops of one of them are given.
    Fixed,
    Domain,
    ReducedAxes,
    /// One needs the result of a reduction of the other, and each row would be
    /// read twice from memory, or there are too few rows.
    NeedsReduction,
    /// One of them overwrites an operand that the kernel would read again after
    /// a reduction.
    Overwrites,
    /// A path leads from one of them through `through` to the other.
    Path
  };
  Kind kind = None;
  /// An op of another group, or an access.
  unsigned through = 0;
};

/// The reason why two groups of a finished plan are not merged. Takes time
/// proportional to the size of the graph.
FusionObstacle findFusionObstacle(const FusionProblem &problem,
                                  const FusionPlan &plan, unsigned groupA,
                                  unsigned groupB);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_FUSION_H
