//===- Random.h - Random choices of the simulated CUDA ----------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_RANDOM_H
#define JOBRT_SIMULATORS_CUDA_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace jobsim {

/// SplitMix64: small, fast, and the same on every machine, which the
/// distributions of the standard library are not.
class Random {
public:
  explicit Random(uint64_t seed = 0) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// In [0, bound), bound > 0.
  uint32_t below(uint32_t bound) {
    return uint32_t(((next() >> 32) * bound) >> 32);
  }

  /// 0 to count - 1 in a random order.
  void permute(std::vector<uint32_t> &order, uint32_t count) {
    order.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t j = below(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  }

private:
  uint64_t state;
};

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_RANDOM_H
