//===- HostMemory.cpp - Device memory that the host can address -----------===//

#include "drivers/common/HostMemory.h"

#include <cassert>
#include <cstring>

using namespace jobrt;

Expected<std::unique_ptr<DriverMemory>>
HostMemory::create(MemoryKind kind, int64_t bytes, std::string_view purpose) {
  Expected<Region> region = Region::create(bytes, purpose);
  if (!region.ok())
    return region.status();
  return std::unique_ptr<DriverMemory>(
      new HostMemory(kind, std::move(*region)));
}

void jobrt::copyHostMemory(std::span<const Copy> copies) {
  for (const Copy &copy : copies) {
    assert(copy.offset >= 0 && copy.bytes >= 0 &&
           copy.offset + copy.bytes <= copy.memory->bytes());
    // A null pointer is no argument of memcpy, not even for 0 bytes.
    if (copy.bytes == 0)
      continue;
    std::byte *device = HostMemory::addressOf(*copy.memory) + copy.offset;
    if (copy.direction == Copy::Direction::kToDevice)
      std::memcpy(device, copy.host, copy.bytes);
    else
      std::memcpy(copy.host, device, copy.bytes);
  }
}
