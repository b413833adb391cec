//===- NumericsChecks.h - NaN and infinity in kernels -----------*- C++ -*-===//
//
// A checked kernel has one more buffer, of an i32 for each chunk: the largest
// word of all elements and ops (jobrt/abi.h), which says what the first op was
// that made a NaN or an infinity.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::job {

/// Whether an op of a kernel's code can have a result that is not finite while
/// all operands are. Those that move, compare or choose cannot; an op that we
/// do not know can.
bool canMakeNonFinite(Operation *op);

/// The type of the buffer of status words.
MemRefType getStatusType(MLIRContext *context, int64_t chunks);

/// The word of `chunk` in the buffer `status`, as a memref without dimensions,
/// set to 0.
Value buildStatusWord(OpBuilder &builder, Location loc, Value status,
                      Value chunk);

/// `word` (null: none yet) or, if that is larger, the word of check number
/// `index` of `count` with the result `value`, an f32 or f64.
Value buildCheck(OpBuilder &builder, Location loc, Value word, Value value,
                 int64_t index, int64_t count);

/// A loop nest that checks all elements of `buffer` and raises `word`, the
/// result of buildStatusWord.
void buildBufferCheck(OpBuilder &builder, Location loc, Value buffer,
                      Value word, int64_t index, int64_t count);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_NUMERICSCHECKS_H
