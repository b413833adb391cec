//===- CudnnAttentionCases.h - Attention in tests of cuDNN ------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_CUDNNATTENTIONCASES_H
#define JOBRT_UNITTESTS_CUDA_CUDNNATTENTIONCASES_H

#include "jobrt/calls.h"

namespace jobrt::test {

inline calls::CudnnAttentionBase
shape(int64_t batch, int64_t heads, int64_t queries, int64_t keys,
      int64_t channels, int64_t valueChannels, bool causal,
      calls::Element type = calls::Element::kBF16) {
  calls::CudnnAttentionBase config;
  config.batch = batch;
  config.heads = heads;
  config.queries = queries;
  config.keys = keys;
  config.channels = channels;
  config.value_channels = valueChannels;
  config.causal = causal;
  config.scale = 0.75;
  config.type = int64_t(type);
  config.workspace = 1 << 20;
  return config;
}

/// The configuration of a function.
template <typename Config> Config of(const calls::CudnnAttentionBase &base) {
  Config config;
  static_cast<calls::CudnnAttentionBase &>(config) = base;
  return config;
}

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_CUDNNATTENTIONCASES_H
