//===- StatusWord.h - The result of a check ---------------------*- C++ -*-===//

#ifndef JOBDIALECT_CODEGEN_STATUSWORD_H
#define JOBDIALECT_CODEGEN_STATUSWORD_H

#include "mlir/IR/Builders.h"

namespace mlir::plan {

/// Builds the status word of a check of `value`, an f32 or f64 or a vector of
/// them: an i32, or a vector of them, which is at least JOBRT_CHECK_FAILED
/// where the value is a NaN or infinite (docs/artifact.md), and less where it
/// is not. The largest word is that of the check with the lowest number.
Value buildStatusWord(OpBuilder &builder, Location loc, Value value,
                      int64_t number, int64_t count);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_STATUSWORD_H
