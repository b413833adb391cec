//===- NullDriver.cpp - A device that does nothing ------------------------===//
//
// Completes every step without computing it: variables keep what was written to
// them, outputs are zero. It has no code and does not check what kernels and
// library calls need. For tests of the layers above a driver and for measuring
// the cost of a call. A new driver starts as a copy of this file, which has
// each part of the interface in its simplest form.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/HostMemory.h"
#include "lib/trace/TraceRecorder.h"

#include <cstring>

using namespace jobrt;

namespace {
class NullProgram : public Program {
public:
  explicit NullProgram(int64_t outputBytes) : outputBytes(outputBytes) {}

  void submit(const StepBuffers &buffers, Completion &completion) override {
    if (buffers.trace)
      buffers.trace->run.begin = traceClock();
    // A slot is used again and may hold another entry's outputs.
    std::memset(buffers.output->hostAddress(), 0, outputBytes);
    if (buffers.trace)
      buffers.trace->run.end = traceClock();
    completion.complete({});
  }

private:
  int64_t outputBytes;
};

class NullCode : public CodeObject {
public:
  explicit NullCode(std::shared_ptr<const Artifact> artifact)
      : artifact(std::move(artifact)) {}

  Expected<std::unique_ptr<Program>> prepare(const EntryInfo &entry,
                                             const SessionMemory &) override {
    return std::unique_ptr<Program>(
        std::make_unique<NullProgram>(entry.outputBytes));
  }

private:
  std::shared_ptr<const Artifact> artifact;
};

class NullDriver : public Driver {
public:
  const char *name() const override { return "null"; }
  int threads() const override { return 1; }
  bool computes() const override { return false; }

  Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) override {
    return HostMemory::create(kind, bytes, purpose);
  }

  Expected<std::unique_ptr<CodeObject>>
  load(std::shared_ptr<const Artifact> artifact, const DeviceShare &) override {
    return std::unique_ptr<CodeObject>(
        std::make_unique<NullCode>(std::move(artifact)));
  }

  void copy(std::span<const Copy> copies, Completion &completion) override {
    copyHostMemory(copies);
    completion.complete({});
  }
};
} // namespace

Expected<std::unique_ptr<Driver>>
jobrt::createNullDriver(const SessionOptions &) {
  return std::unique_ptr<Driver>(std::make_unique<NullDriver>());
}
