//===- Duplication.h - Copies of an op in its users' kernels ----*- C++ -*-===//

#ifndef JOBDIALECT_SUPPORT_DUPLICATION_H
#define JOBDIALECT_SUPPORT_DUPLICATION_H

namespace mlir::job {

/// Whether kernels that use the result of an op may have copies of it, because
/// computing it again costs less than writing the result to memory once.
enum class Duplication {
  Never,
  /// Each kernel that uses the result has one, if one operand is in memory and
  /// the result then need not be in memory.
  FromMemory,
  /// Each kernel that uses the result has one, unless a strided read uses the
  /// result as well.
  AtUse
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_DUPLICATION_H
