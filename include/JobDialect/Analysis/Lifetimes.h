//===- Lifetimes.h - When buffers of the arena are alive --------*- C++ -*-===//
//
// A buffer of the arena is alive from the first command that touches it or a
// view of it to the last one. Commands are counted from 0, as they run, those
// of a repeat once. What a repeat touches of a buffer from outside may be
// needed in its next iteration: such a buffer is alive during all of its
// commands.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_LIFETIMES_H
#define JOBDIALECT_ANALYSIS_LIFETIMES_H

#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// A buffer is alive from one of these commands to the other, both included.
struct Lifetime {
  int64_t first, last;
};

/// Valid until a command of the program is added, moved or removed.
class Lifetimes {
public:
  explicit Lifetimes(ProgramOp program);

  /// The lifetime of a buffer; nothing when no command touches it.
  std::optional<Lifetime> lookup(AllocOp buffer) const;

private:
  llvm::DenseMap<Operation *, Lifetime> lifetimes;
};

} // namespace mlir::plan

#endif // JOBDIALECT_ANALYSIS_LIFETIMES_H
