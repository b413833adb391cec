//===- PoolSpan.h - The windows of a pooling --------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLSPAN_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLSPAN_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>

namespace mlir::job {

/// The windows in one of the two dimensions.
struct PoolSpan {
  int64_t input, output, size, stride, before;

  /// How many blocks after its own one a window covers cells of.
  int64_t getReach() const { return (size - 1) / stride; }
  /// The blocks that have all cells; each output has one.
  int64_t getNumBlocks() const {
    return llvm::divideCeil(input + before, stride);
  }

  /// Outputs whose windows lie inside of the input.
  int64_t getInnerBegin() const {
    return std::min(output, (before + stride - 1) / stride);
  }
  int64_t getInnerEnd() const {
    if (input + before < size)
      return getInnerBegin();
    return std::clamp((input + before - size) / stride + 1, getInnerBegin(),
                      output);
  }
  bool isInside() const {
    return getInnerBegin() == 0 && getInnerEnd() == output;
  }
  /// Whether no two windows share a cell.
  bool isDisjoint() const { return stride >= size; }
  /// Whether every cell of the input is in exactly one window.
  bool isPartition() const {
    return isInside() && before == 0 && stride == size &&
           output * stride == input;
  }
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLSPAN_H
