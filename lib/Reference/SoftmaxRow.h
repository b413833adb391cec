//===- SoftmaxRow.h - The exponentials of a row -----------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_REFERENCE_SOFTMAXROW_H
#define JOBDIALECT_LIB_REFERENCE_SOFTMAXROW_H

#include "JobDialect/Reference/ReferenceTensor.h"

#include <cmath>
#include <limits>

namespace mlir::job {

/// A row along the last dimension after the row's maximum was subtracted, which
/// keeps the exponentials finite.
struct SoftmaxRow {
  SoftmaxRow(const ReferenceTensor &tensor, int64_t row)
      : length(tensor.getShape().back()),
        values(ArrayRef(tensor.getFloats()).slice(row * length, length)) {
    for (double value : values)
      maximum = value > maximum ? value : maximum;
    for (double value : values)
      sum += std::exp(value - maximum);
  }

  double getSoftmax(int64_t i) const {
    return std::exp(values[i] - maximum) / sum;
  }
  double getLogSoftmax(int64_t i) const {
    return values[i] - maximum - std::log(sum);
  }

  int64_t length;
  ArrayRef<double> values;
  double maximum = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_REFERENCE_SOFTMAXROW_H
