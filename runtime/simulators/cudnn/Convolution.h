//===- Convolution.h - Convolutions of the stand-in for cuDNN ---*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDNN_CONVOLUTION_H
#define JOBRT_SIMULATORS_CUDNN_CONVOLUTION_H

#include "simulators/cudnn/State.h"

#include <optional>

namespace jobsim::cudnn {

/// A convolution or a gradient, and what is computed with its result.
struct Problem {
  enum Kind { kForward, kDataGrad, kFilterGrad } kind = kForward;
  Tensor input, filter, output;
  std::vector<int64_t> prePaddings, postPaddings, dilations, strides;
  float alpha = 1, beta = 0;
  /// One number for each channel of the output.
  std::optional<Tensor> bias;
  /// The output is 0 where it would be negative, and where it would be NaN
  /// unless that is propagated.
  bool hasRelu = false, propagatesNaN = false;

  const Tensor &result() const {
    return kind == kForward ? output : kind == kDataGrad ? input : filter;
  }
  int64_t groups() const { return input.dims[1] / filter.dims[1]; }
  /// Products of the convolution, with those of the padding.
  int64_t numProducts() const {
    return output.count() * filter.count() / filter.dims[0];
  }
};

/// `arrays` are the input, the filter, the output and the bias, if there is
/// one.
void convolve(const Problem &problem, const Numerics &numerics,
              const std::vector<void *> &arrays);

/// Computes the sums of the result with oneDNN; arrays are of f32, dense, in
/// the order n, c, h, w. Whether it could: loops compute everything.
bool convolveWithLibrary(const Problem &problem, float *input, float *filter,
                         float *output);

} // namespace jobsim::cudnn

#endif // JOBRT_SIMULATORS_CUDNN_CONVOLUTION_H
