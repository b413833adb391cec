//===- NullDriver.cpp - A device that does nothing ------------------------===//
//
// Checks and completes every step but computes nothing: variables keep what
// was written to them, outputs are zero. For tests of what surrounds a driver
// and for measuring the cost of a call; a new driver starts as a copy.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/HostDriver.h"

#include <cstring>

using namespace jobrt;

namespace {
class NullProgram : public Program {
public:
  explicit NullProgram(int64_t outputBytes) : outputBytes(outputBytes) {}

  Status run(const StepBuffers &buffers) override {
    // A slot is used again and may hold another entry's outputs.
    std::memset(buffers.output, 0, outputBytes);
    return {};
  }

private:
  int64_t outputBytes;
};

class NullDriver : public Driver {
public:
  const char *name() const override { return "null"; }
  int threads() const override { return 1; }
  bool computes() const override { return false; }

  Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) override {
    return allocateHostMemory(bytes, purpose);
  }

  Status upload(std::byte *to, const void *from, int64_t bytes) override {
    if (bytes > 0)
      std::memcpy(to, from, bytes);
    return {};
  }

  Status download(void *to, const std::byte *from, int64_t bytes) override {
    if (bytes > 0)
      std::memcpy(to, from, bytes);
    return {};
  }

  Expected<std::unique_ptr<Program>> prepare(const EntryInfo &entry,
                                             const SpaceAddresses &) override {
    for (const Command &command : entry.commands)
      if (command.kind == Command::Kind::kCall)
        if (Status status = createLibraryCall(entry, command).status();
            !status.ok())
          return status;
    return std::unique_ptr<Program>(
        std::make_unique<NullProgram>(entry.outputBytes));
  }
};
} // namespace

Expected<std::unique_ptr<Driver>>
jobrt::createNullDriver(const SessionOptions &) {
  return std::unique_ptr<Driver>(std::make_unique<NullDriver>());
}
