//===- Windows.cpp - Windows of convolutions and poolings -----------------===//

#include "Windows.h"

#include "JobDialect/IR/ImageLayout.h"

using namespace mlir;
using namespace mlir::job;

LogicalResult
job::verifyWindowAttr(function_ref<InFlightDiagnostic()> emitError,
                      StringRef name, ArrayRef<int64_t> values, size_t size,
                      int64_t minimum, int64_t maximum) {
  if (values.size() != size)
    return emitError() << "expects " << name << " of " << size
                       << " values but got " << values.size();
  for (int64_t value : values)
    if (value < minimum || value > maximum)
      return emitError() << "expects " << name << " in [" << minimum << ", "
                         << maximum << "] but got " << value;
  return success();
}

FailureOr<std::array<int64_t, 2>>
Window::getOutputSize(function_ref<InFlightDiagnostic()> emitError,
                      ImageLayout layout, ArrayRef<int64_t> inputShape) const {
  if (failed(verifyWindowAttr(emitError, "strides", strides, 2, 1)) ||
      failed(verifyWindowAttr(emitError, "padding", padding, 4, 0)))
    return failure();
  int64_t firstDim = getImageDims(layout, {0, 1, 2, 3}).h;
  std::array<int64_t, 2> output;
  for (int i = 0; i < 2; ++i) {
    int64_t padded = inputShape[firstDim + i] + padding[i] + padding[i + 2];
    // A filter may have up to 2^59 elements in one dimension.
    int64_t extent;
    if (__builtin_mul_overflow(size[i] - 1, dilations[i], &extent))
      extent = INT64_MAX - 1;
    if (padded < ++extent)
      return emitError() << "expects a window of at most " << padded
                         << " (input and padding) but got " << extent
                         << " in dimension " << firstDim + i;
    output[i] = (padded - extent) / strides[i] + 1;
  }
  return output;
}
