//===- Repetition.h - Where a result is computed again ----------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_REPETITION_H
#define JOBDIALECT_SUPPORT_REPETITION_H

namespace mlir::job {

/// Where an op may be computed more than once, which costs less than writing
/// its result to memory once.
enum class Repetition {
  Never,
  /// In each kernel that uses the result, if the op has one operand that is in
  /// memory, and the result need not be in memory then.
  FromMemory,
  /// In each kernel that uses the result.
  AtUse
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_REPETITION_H
