//===- Repetition.h - Where a result is computed again ----------*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_REPETITION_H
#define JOBDIALECT_SUPPORT_REPETITION_H

namespace mlir::job {

/// In which kernels an op may be computed again, if that costs less than
/// writing its result to memory once.
enum class Repetition {
  Never,
  /// In each kernel that uses the result, if one operand is in memory and the
  /// result then need not be in memory.
  FromMemory,
  /// In each kernel that uses the result.
  AtUse
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_REPETITION_H
