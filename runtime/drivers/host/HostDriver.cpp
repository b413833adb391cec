//===- HostDriver.cpp - The processor as a device -------------------------===//

#include "drivers/host/HostDriver.h"
#include "lib/base/Cores.h"
#include "lib/memory/Region.h"

#include <cstring>

using namespace jobrt;

namespace {
class HostMemory : public DriverMemory {
public:
  explicit HostMemory(Region region)
      : DriverMemory(region.data(), region.bytes()), region(std::move(region)) {
  }

private:
  Region region;
};
} // namespace

Expected<std::unique_ptr<Driver>>
jobrt::createHostDriver(const SessionOptions &options) {
  if (options.threads < 0 || options.threads > WorkerPool::kMaxThreads)
    return Status(StatusCode::kInvalidArgument,
                  "expects a number of threads from 0 to " +
                      std::to_string(WorkerPool::kMaxThreads) + " but got " +
                      std::to_string(options.threads));
  int threads = options.threads > 0 ? options.threads : availableCores();
  Expected<std::shared_ptr<WorkerPool>> pool =
      WorkerPool::shared(threads, prepareLibraryThread);
  if (!pool.ok())
    return pool.status();
  return std::unique_ptr<Driver>(
      std::make_unique<HostDriver>(std::move(*pool), threads));
}

Expected<std::unique_ptr<DriverMemory>>
jobrt::allocateHostMemory(int64_t bytes, std::string_view purpose) {
  Expected<Region> region = Region::create(bytes, purpose);
  if (!region.ok())
    return region.status();
  return std::unique_ptr<DriverMemory>(
      std::make_unique<HostMemory>(std::move(*region)));
}

Expected<std::unique_ptr<DriverMemory>>
HostDriver::allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) {
  return allocateHostMemory(bytes, purpose);
}

Status HostDriver::upload(std::byte *to, const void *from, int64_t bytes) {
  if (bytes > 0)
    std::memcpy(to, from, bytes);
  return {};
}

Status HostDriver::download(void *to, const std::byte *from, int64_t bytes) {
  if (bytes > 0)
    std::memcpy(to, from, bytes);
  return {};
}

Expected<std::unique_ptr<Program>>
HostDriver::prepare(const EntryInfo &entry, const SpaceAddresses &spaces) {
  return createHostProgram(entry, spaces, *pool, numThreads);
}
