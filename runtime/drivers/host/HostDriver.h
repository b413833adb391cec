//===- HostDriver.h - The processor as a device -----------------*- C++ -*-===//
//
// The device is the thread that submits, with workers of the shared pool: a
// step has been computed and completed when submit() returns.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_HOSTDRIVER_H
#define JOBRT_DRIVERS_HOST_HOSTDRIVER_H

#include "drivers/host/LibraryCall.h"
#include "lib/executor/Driver.h"
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
  Expected<std::unique_ptr<CodeObject>>
  load(std::shared_ptr<const Artifact> artifact,
       const DeviceShare &share) override;
  void copy(std::span<const Copy> copies, Completion &completion) override;

private:
  std::shared_ptr<WorkerPool> pool;
  const int numThreads;
};

/// The code of an artifact that is loaded into this process.
struct HostCode {
  /// The kernels of all commands, by their numbers.
  std::map<int64_t, jobrt_kernel_fn> kernels;
  /// Commands do not write there, as the artifact's loader has checked.
  std::byte *constants = nullptr;
};

/// Finds the kernels of the entries and checks the library functions and the
/// features of the processor.
Expected<HostCode> loadHostCode(const Artifact &artifact,
                                const DeviceShare &share);

/// Makes the library call of a command. The error names entry and command.
Expected<std::unique_ptr<LibraryCall>>
createLibraryCall(const EntryInfo &entry, const Command &command);

/// For tests: steps with several queues choose among their ready commands at
/// random from now on; 0 ends that. When no step runs.
void randomizeQueues(uint64_t seed);

/// A program that runs the commands of a queue one after the other, and their
/// chunks and those of other queues on at most `threads` threads of `pool`. The
/// code and the pool outlive it.
Expected<std::unique_ptr<Program>>
createHostProgram(const EntryInfo &entry, const HostCode &code,
                  const SessionMemory &memory, WorkerPool &pool, int threads);

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_HOSTDRIVER_H
