//===- Windows.h - Windows of convolutions and poolings ---------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_IR_WINDOWS_H
#define JOBDIALECT_LIB_IR_WINDOWS_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// A window that slides over the height and width of images.
struct Window {
  std::array<int64_t, 2> size;
  ArrayRef<int64_t> strides, padding;
  std::array<int64_t, 2> dilations = {1, 1};

  /// Checks the attributes' lengths and ranges, then computes the (height,
  /// width) of the output for an input of that shape.
  FailureOr<std::array<int64_t, 2>>
  getOutputSize(function_ref<InFlightDiagnostic()> emitError,
                ImageLayout layout, ArrayRef<int64_t> inputShape) const;
};

/// Fails unless the attribute has `size` values, all in [`minimum`, `maximum`],
/// which is small enough that sums with an extent do not overflow.
LogicalResult verifyWindowAttr(function_ref<InFlightDiagnostic()> emitError,
                               StringRef name, ArrayRef<int64_t> values,
                               size_t size, int64_t minimum,
                               int64_t maximum = INT32_MAX);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_IR_WINDOWS_H
