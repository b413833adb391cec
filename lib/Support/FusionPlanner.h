//===- FusionPlanner.h - Groups of ops as they grow -------------*- C++ -*-===//
//
// The state of planFusion(), whose steps are in files by their subject:
//
//   Fusion.cpp          the order of the steps, and the finished plan
//   FusionGraph.cpp     nodes and units, and what is known of paths
//   FusionJoin.cpp      whether two units may join, and the unit that they make
//   FusionSiblings.cpp  kernels that join although neither needs the other
//   FusionRows.cpp      ops that go over rows, and what joins them
//   FusionCopies.cpp    ops that move or are copied to their users
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_SUPPORT_FUSIONPLANNER_H
#define JOBDIALECT_LIB_SUPPORT_FUSIONPLANNER_H

#include "JobDialect/Support/Fusion.h"

#include "OrderedList.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::job {

/// Computes the plan of one problem.
class FusionPlanner {
public:
  FusionPlanner(const FusionProblem &problem, bool fuse)
      : problem(problem), fuse(fuse) {}

  FusionPlan run();

  /// Number of visits of ops and dependences.
  size_t getNumSteps() const { return numSteps; }

private:
  static constexpr unsigned kNone = ~0u;

  /// An op, or one of its copies. Nodes are numbered in program order, except
  /// for copies that are made when all have joined. A node that has been
  /// replaced by copies is in no unit.
  struct Node {
    unsigned op;
    /// One an operand of the op: the node that defines it, or kNone.
    llvm::SmallVector<unsigned, 2> operands;
    /// Nodes that must run before this one.
    llvm::SmallVector<unsigned, 2> waits;
    /// Nodes that have this one among their operands, each once.
    llvm::SmallVector<unsigned, 2> users;
    /// Nodes that wait for this one.
    llvm::SmallVector<unsigned, 2> followers;
    unsigned unit = kNone;
  };

  /// Nodes that run as one: a kernel, or a single op that stays as it is.
  struct Unit {
    llvm::SmallVector<unsigned, 2> nodes;
    bool isKernel = false;
    /// Whether it is a kernel of scalar ops and reductions that others join.
    bool fuses = false;
    /// Whether it is a kernel of an op that goes over rows and takes others,
    /// and of these.
    bool goesOverRows = false;
    /// The number of a kernel whose ops are given.
    std::optional<unsigned> fixedKernel;
    unsigned domain = 0;
    /// Axes that the reductions of the unit reduce, all the same, what is left
    /// of the domain, and whether other members may need a reduction.
    std::optional<unsigned> reducedAxes;
    unsigned allReducedAxes = 0;
    unsigned rows = 0;
    bool allowsFollowers = false;
    unsigned numReductions = 0;
    /// Whether one of the nodes overwrites an operand.
    bool overwrites = false;
    /// The last op of the chain from which a path leads to the unit, and the
    /// first to which a path leads from it.
    unsigned lastBefore = 0, firstAfter = kNone;
  };

  const FusionOp &getOp(unsigned node) const {
    return problem.ops[nodes[node].op];
  }
  bool isAccess(unsigned node) const {
    return node != kNone && getOp(node).role == FusionRole::Access;
  }
  /// Whether the node is a member of a kernel that has copies of accesses.
  bool joinsKernel(unsigned node) const {
    const Unit &unit = units[nodes[node].unit];
    return (unit.fuses || unit.goesOverRows || unit.fixedKernel) &&
           getOp(node).isFusible();
  }

  /// Whether the node is an op that goes over rows and takes others into its
  /// kernel: where starting one takes long.
  bool takesOthers(unsigned node) const {
    return getOp(node).goesOverRows && problem.costs.launchBytes > 0;
  }

  // FusionGraph.cpp
  void findAccessed();
  bool isMask(unsigned op) const;
  unsigned addNode(unsigned op);
  void waitFor(unsigned node, unsigned other);
  void setOperands(unsigned node, llvm::ArrayRef<unsigned> operands);
  auto getUsers(unsigned node) const {
    return llvm::make_filter_range(nodes[node].users, [this](unsigned user) {
      return nodes[user].unit != kNone;
    });
  }
  void replaceOperand(unsigned user, unsigned operand, unsigned replacement);
  void buildNodes();
  void buildUnits();
  void findChain();
  void leave(unsigned node);
  void enter(unsigned node, unsigned unit);

  // FusionJoin.cpp
  bool findPath(unsigned first, unsigned second);
  bool usesReduction(unsigned a, unsigned b);
  bool goOverRowsAgain(unsigned a, unsigned b);
  bool isInside(unsigned access, unsigned user, unsigned source) const;
  bool isBesideRows(unsigned unit, unsigned kernel) const;
  bool canJoin(unsigned a, unsigned b);
  bool hasNoPath(unsigned a, unsigned b);
  void join(unsigned a, unsigned b);

  void joinFixedKernels();

  // FusionSiblings.cpp
  const llvm::DenseSet<unsigned> &getReadBlobs(unsigned unit);
  bool areSiblings(unsigned a, unsigned b);
  void joinSiblings();
  void joinSmallKernels();

  // FusionRows.cpp
  bool needsDirectly(unsigned a, unsigned b) const;
  bool canJoinRows(unsigned a, unsigned b);
  void joinRows();

  // FusionCopies.cpp
  bool readsVariable(unsigned access) const;
  /// Ops that move to the kernel of their only user, and one that is copied
  /// there, since others need it as well.
  struct MovedPart {
    llvm::SmallVector<unsigned> nodes;
    std::optional<unsigned> copied;
  };
  MovedPart findPartForUser(unsigned node, unsigned user) const;
  unsigned copyTo(unsigned node, unsigned unit);
  void moveToOnlyUsers();
  bool isCheapFromMemory(unsigned node) const;
  bool takesCopy(unsigned user, unsigned node) const;
  void moveToProducers();
  void copyToUsers();
  void shareMasks();
  void formAccessKernels();

  // Fusion.cpp
  void joinOperandUnits(unsigned node);
  FusionPlan buildPlan();

  const FusionProblem &problem;
  bool fuse;
  std::vector<Node> nodes;
  std::vector<Unit> units;
  /// For each op whether an access reads its result.
  std::vector<bool> isAccessed;
  /// For each op its node; kNone for a mask that only kernels use.
  std::vector<unsigned> nodeOf;
  OrderedList order;
  /// For each unit, as of when it had this many nodes: the blobs that it reads.
  std::vector<std::pair<size_t, llvm::DenseSet<unsigned>>> readBlobs;

  /// One of the two ends that a path is searched from.
  struct Side {
    void start(unsigned unit);
    /// The unit whose edges are followed: the end, then those found.
    unsigned getUnit() const { return numDone ? units[numDone - 1] : end; }
    bool isComplete() const { return numDone > units.size(); }

    unsigned end = 0;
    /// The units found, and how many of these and the end are done.
    llvm::SmallVector<unsigned> units;
    unsigned numDone = 0;
    /// The next edge of the unit that is not done.
    unsigned node = 0, edge = 0;
    /// For each unit the number of the last search that has found it.
    std::vector<unsigned> metIn;
  };
  bool followEdge(Side &side, const Side &other);

  /// The last search: what follows the first unit, and what the second waits
  /// for.
  Side fromFirst, fromSecond;
  unsigned numSearches = 0;
  size_t numSteps = 0;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_SUPPORT_FUSIONPLANNER_H
