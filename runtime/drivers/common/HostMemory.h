//===- HostMemory.h - Device memory that the host can address ---*- C++ -*-===//
//
// For drivers whose commands compute in the memory of the host.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_COMMON_HOSTMEMORY_H
#define JOBRT_DRIVERS_COMMON_HOSTMEMORY_H

#include "lib/executor/Driver.h"
#include "lib/memory/Region.h"

namespace jobrt {

class HostMemory final : public DriverMemory {
public:
  static Expected<std::unique_ptr<DriverMemory>>
  create(MemoryKind kind, int64_t bytes, std::string_view purpose);

  /// Where commands find memory that create() has made, of either kind.
  static std::byte *addressOf(const DriverMemory &memory) {
    return static_cast<const HostMemory &>(memory).region.data();
  }

private:
  HostMemory(MemoryKind kind, Region region)
      : DriverMemory(region.bytes(),
                     kind == MemoryKind::kStaging ? region.data() : nullptr),
        region(std::move(region)) {}

  Region region;
};

/// Copies at once, on this thread.
void copyHostMemory(std::span<const Copy> copies);

} // namespace jobrt

#endif // JOBRT_DRIVERS_COMMON_HOSTMEMORY_H
