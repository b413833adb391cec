//===- Lifetimes.h - Lifetimes of buffers of the arena ----------*- C++ -*-===//
//
// A buffer of the arena is live from the first to the last command that uses it
// or a view of it. Commands are numbered from 0 in program order, those of a
// repeat once. A buffer that is defined outside of a repeat and used inside may
// be used again in the next iteration, so it is live during all commands of the
// repeat.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_LIFETIMES_H
#define JOBDIALECT_ANALYSIS_LIFETIMES_H

#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// The first and last command during which a buffer is live, inclusive.
struct Lifetime {
  int64_t first, last;
};

/// Valid until a command of the program is added, moved or removed.
class Lifetimes {
public:
  explicit Lifetimes(ProgramOp program);

  /// The lifetime of a buffer; std::nullopt if no command uses it.
  std::optional<Lifetime> lookup(AllocOp buffer) const;

private:
  llvm::DenseMap<Operation *, Lifetime> lifetimes;
};

} // namespace mlir::plan

#endif // JOBDIALECT_ANALYSIS_LIFETIMES_H
