//===- Lifetimes.h - Lifetimes of buffers of the arena ----------*- C++ -*-===//
//
// A buffer of the arena is live from the first to the last command that uses it
// or a view of it. Commands are numbered from 0 in program order, those of a
// repeat once. A buffer that is defined outside of a repeat and used inside may
// be used again in the next iteration, so it is live during all commands of the
// repeat. The dispatches of a launch may run at once, so a buffer that one of
// them uses is live during all of them.
//
// With several queues the order of the numbers is only one in which commands
// may run. Two buffers are never live at once if all uses of one happen before
// all uses of the other. Then their ranges of numbers do not overlap either, so
// the buffers that are live at a command in program order still have to be
// disjoint.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_LIFETIMES_H
#define JOBDIALECT_ANALYSIS_LIFETIMES_H

#include "JobDialect/Analysis/CommandOrder.h"

namespace mlir::plan {

/// The first and last command, in program order, during which a buffer is live,
/// inclusive, and its uses.
struct Lifetime {
  int64_t first, last;
  QueueUses uses;
};

/// Valid until a command of the program is added, moved or removed.
class Lifetimes {
public:
  explicit Lifetimes(ProgramOp program);

  /// The lifetime of a buffer; null if no command uses it.
  const Lifetime *lookup(AllocOp buffer) const;

  const CommandOrder &getOrder() const { return order; }

  /// Whether two buffers may be live at once.
  bool conflict(const Lifetime &a, const Lifetime &b) const {
    return !a.uses.areBefore(b.uses, order) && !b.uses.areBefore(a.uses, order);
  }

private:
  CommandOrder order;
  llvm::DenseMap<Operation *, Lifetime> lifetimes;
};

} // namespace mlir::plan

#endif // JOBDIALECT_ANALYSIS_LIFETIMES_H
