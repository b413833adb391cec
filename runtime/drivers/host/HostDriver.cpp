//===- HostDriver.cpp - The processor as a device -------------------------===//

#include "drivers/host/HostDriver.h"
#include "drivers/common/HostMemory.h"
#include "lib/base/Cores.h"

using namespace jobrt;

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

namespace {
class HostCodeObject : public CodeObject {
public:
  HostCodeObject(std::shared_ptr<const Artifact> artifact, HostCode code,
                 WorkerPool &pool, int threads)
      : artifact(std::move(artifact)), code(std::move(code)), pool(pool),
        numThreads(threads) {}

  Expected<std::unique_ptr<Program>>
  prepare(const EntryInfo &entry, const SessionMemory &memory) override {
    return createHostProgram(entry, code, memory, pool, numThreads);
  }

private:
  /// Keeps the code.
  std::shared_ptr<const Artifact> artifact;
  const HostCode code;
  WorkerPool &pool;
  const int numThreads;
};
} // namespace

Expected<std::unique_ptr<DriverMemory>>
HostDriver::allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) {
  return HostMemory::create(kind, bytes, purpose);
}

Expected<std::unique_ptr<CodeObject>>
HostDriver::load(std::shared_ptr<const Artifact> artifact,
                 const DeviceShare &share) {
  Expected<HostCode> code = loadHostCode(*artifact, share);
  if (!code.ok())
    return code.status();
  return std::unique_ptr<CodeObject>(std::make_unique<HostCodeObject>(
      std::move(artifact), std::move(*code), *pool, numThreads));
}

void HostDriver::copy(std::span<const Copy> copies, Completion &completion) {
  copyHostMemory(copies);
  completion.complete({});
}
