//===- ScheduleGraph.h - The graph of a schedule ----------------*- C++ -*-===//
//
// What the files of findOrder() share:
//
//   Schedule.cpp       the graph, live bytes, depth first, the choice of orders
//   ScheduleBeam.cpp   list scheduling as a beam search
//   ScheduleMoves.cpp  moves of single ops of an order
//
// Rematerialize.cpp uses the graph.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_SUPPORT_SCHEDULEGRAPH_H
#define JOBDIALECT_LIB_SUPPORT_SCHEDULEGRAPH_H

#include "JobDialect/Support/Schedule.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mlir::job {

using Order = llvm::SmallVector<unsigned>;

/// The graph with what both directions of a search need.
class ScheduleGraph {
public:
  explicit ScheduleGraph(const ScheduleProblem &problem);

  const ScheduleProblem &problem;
  /// Direct dependences, each once.
  std::vector<llvm::SmallVector<unsigned>> predecessors, successors;
  /// For each op the distinct blobs that it reads, without those that take no
  /// bytes; for each blob the ops that read it, and their number.
  std::vector<llvm::SmallVector<unsigned>> reads, readers;
  std::vector<unsigned> numReaders;
  /// Live bytes before the first op: those of blobs that are read but that no
  /// op makes.
  int64_t initialBytes = 0;
};

/// What `op` adds to the live bytes while it runs and when it is done.
/// `isLast(blob)` says whether it is the last to read a blob.
template <typename IsLast>
std::pair<int64_t, int64_t> getChange(const ScheduleGraph &graph, unsigned op,
                                      IsLast isLast) {
  const ScheduleProblem &problem = graph.problem;
  int64_t made = 0, freed = 0;
  for (unsigned blob : problem.ops[op].makes) {
    made += problem.bytes[blob];
    if (graph.numReaders[blob] == 0)
      freed += problem.bytes[blob];
  }
  for (unsigned blob : graph.reads[op])
    if (isLast(blob))
      freed += problem.bytes[blob];
  int64_t shared = 0;
  llvm::SmallVector<unsigned, 4> takers, taken;
  for (auto [blob, source] : problem.ops[op].overwrites)
    if (problem.bytes[source] != 0 && problem.bytes[blob] != 0 &&
        isLast(source) && !llvm::is_contained(takers, blob) &&
        !llvm::is_contained(taken, source)) {
      takers.push_back(blob);
      taken.push_back(source);
      shared += std::min(problem.bytes[blob], problem.bytes[source]);
    }
  return {made - shared, made - freed};
}

/// The order that a beam search of this width finds, from the first op on or
/// from the last one backwards. Adds to `steps`.
Order searchBeam(const ScheduleGraph &graph, bool forwards, size_t width,
                 size_t &steps);

/// Moves single ops across the peak while that helps.
Order improveOrder(const ScheduleGraph &graph, Order given, size_t &steps);

/// Moves ops back to where they stand in the order that was given, as far as
/// the peak stays as it is. With `joinGroups`, ops of the group of the op
/// before come first.
Order restoreOrder(const ScheduleGraph &graph, Order found, bool joinGroups,
                   size_t &steps);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_SUPPORT_SCHEDULEGRAPH_H
