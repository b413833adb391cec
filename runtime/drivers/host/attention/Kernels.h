//===- Kernels.h - Attention of one head ------------------------*- C++ -*-===//
//
// The arithmetic of attention, compiled once for each set of vector
// instructions; the processor's best one is taken at run time. Results depend
// on it, on the problem and on the range of queries, and on nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_ATTENTION_KERNELS_H
#define JOBRT_DRIVERS_HOST_ATTENTION_KERNELS_H

#include <stdint.h>

namespace jobrt::attention {

/// What all heads share. Strides, in elements, lead from one position to the
/// next; channels are neighbours.
struct Problem {
  int64_t queries, keys, channels, valueChannels;
  int64_t channelStride, valueStride;
  bool causal;
  float scale;
};

/// Queries [begin, end) of one head. Pointers are to the head's first position.
struct ForwardHead {
  const float *query, *key, *value;
  float *result, *logsumexp;
  int64_t begin, end;
  /// slice() floats of the configuration (calls.h), 64-byte aligned.
  float *scratch;
};

struct GradHead {
  const float *grad, *query, *key, *value, *result, *logsumexp;
  /// Rows [begin, end) are written.
  float *queryGrad;
  /// All rows are written, with the sums over queries [begin, end).
  float *keyGrad, *valueGrad;
  int64_t keyGradStride, valueGradStride;
  int64_t begin, end;
  float *scratch;
};

struct Kernels {
  const char *instructions;
  void (*forward)(const Problem &problem, const ForwardHead &head);
  void (*grad)(const Problem &problem, const GradHead &head);
  /// e^x, within 2 units in the last place; 0 below -87.3, where the exact
  /// value is less than the smallest normal number. For tests.
  void (*exp)(const float *x, float *result, int64_t count);
};

/// Those that this processor can run, the best one first.
struct KernelList {
  const Kernels *kernels[3];
  int count;
};
const KernelList &supportedKernels();

} // namespace jobrt::attention

#endif // JOBRT_DRIVERS_HOST_ATTENTION_KERNELS_H
