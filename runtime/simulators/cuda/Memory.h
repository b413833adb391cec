//===- Memory.h - Allocations of the simulated CUDA -------------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_MEMORY_H
#define JOBRT_SIMULATORS_CUDA_MEMORY_H

#include "simulators/cuda/Shadow.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace jobsim {

struct ContextState;

/// Device memory or pinned host memory. Its address is one of the host.
struct Allocation {
  uintptr_t base;
  size_t bytes;
  bool pinned;
  /// Pinned memory that every context may use.
  bool portable;
  bool freed = false;
  /// Null once freed.
  std::shared_ptr<ContextState> context;
  int device;
  /// With the guard pages around it.
  void *mapping;
  size_t mappingBytes;
  /// Of the launch that runs.
  Shadow shadow;

  bool contains(uintptr_t address, size_t size) const {
    return address >= base && address - base <= bytes &&
           size <= bytes - (address - base);
  }
};

/// All allocations. Addresses of freed ones are not used again for long, and
/// are inaccessible: a use after the free is found.
class Memory {
public:
  /// Null: the host has no memory left. The bytes are 0xff, NaN in every type
  /// of float, up to a limit.
  Allocation *allocate(size_t bytes, bool pinned, bool portable,
                       std::shared_ptr<ContextState> context, int device);
  void free(Allocation &allocation);
  /// The allocation, perhaps a freed one, with `address` in it or in the guards
  /// around it; null if there is none.
  Allocation *find(uintptr_t address) const;
  /// The allocation that begins at `address`; null if there is none.
  Allocation *findBase(uintptr_t address) const;
  /// "allocation of 400 bytes + 400", "no allocation".
  std::string describe(uintptr_t address) const;

  /// By their bases.
  std::map<uintptr_t, std::unique_ptr<Allocation>> allocations;

private:
  std::deque<uintptr_t> freed;
  size_t freedBytes = 0;
};

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_MEMORY_H
