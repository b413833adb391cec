//===- HostDriver.h - The processor as a device -----------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_HOST_HOSTDRIVER_H
#define JOBRT_DRIVERS_HOST_HOSTDRIVER_H

#include "lib/executor/Driver.h"
#include "lib/executor/LibraryCall.h"
#include "lib/executor/WorkerPool.h"

namespace jobrt {

class HostDriver : public Driver {
public:
  /// Its steps use `threads` threads, their own included, of a pool that it
  /// shares with others.
  HostDriver(std::shared_ptr<WorkerPool> pool, int threads)
      : pool(std::move(pool)), numThreads(threads) {}

  const char *name() const override { return "host"; }
  int threads() const override { return numThreads; }
  bool computes() const override { return true; }
  Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) override;
  Status upload(std::byte *to, const void *from, int64_t bytes) override;
  Status download(void *to, const std::byte *from, int64_t bytes) override;
  Expected<std::unique_ptr<Program>>
  prepare(const EntryInfo &entry, const SpaceAddresses &spaces) override;

private:
  std::shared_ptr<WorkerPool> pool;
  const int numThreads;
};

/// Host memory, for every driver whose commands can address it.
Expected<std::unique_ptr<DriverMemory>>
allocateHostMemory(int64_t bytes, std::string_view purpose);

/// Makes the library call of a command. The error names entry and command.
Expected<std::unique_ptr<LibraryCall>>
createLibraryCall(const EntryInfo &entry, const Command &command);

/// A program that runs its commands one after the other, their chunks on at
/// most `threads` threads of `pool`, which outlives it.
Expected<std::unique_ptr<Program>>
createHostProgram(const EntryInfo &entry, const SpaceAddresses &spaces,
                  WorkerPool &pool, int threads);

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_HOSTDRIVER_H
