//===- Driver.h - What a device has to offer --------------------*- C++ -*-===//
//
// A driver owns memory and executes the plan of an entry. Order, futures,
// credits and callbacks are the session's business and the same for all
// drivers; the conformance suite in runtime/cts says what a driver must do.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_DRIVER_H
#define JOBRT_LIB_EXECUTOR_DRIVER_H

#include "jobrt/artifact.h"
#include "jobrt/session.h"
#include "lib/base/AllocationSource.h"

#include <array>

namespace jobrt {

/// Memory that frees itself, on any thread, and may outlive its driver.
class DriverMemory {
public:
  virtual ~DriverMemory();
  DriverMemory(const DriverMemory &) = delete;
  DriverMemory &operator=(const DriverMemory &) = delete;

  /// Aligned to JOBRT_ALIGNMENT.
  std::byte *data() const { return address; }
  /// As asked for.
  int64_t bytes() const { return size; }

protected:
  DriverMemory(std::byte *address, int64_t size)
      : address(address), size(size) {}

private:
  std::byte *address;
  int64_t size;
};

enum class MemoryKind : uint8_t {
  /// Where commands compute.
  kDevice,
  /// Where the host puts inputs and finds outputs: can be addressed by both.
  kStaging,
};

/// Start of the memory behind each Space, null for those that each step has
/// its own of.
using SpaceAddresses = std::array<std::byte *, kNumSpaces>;

struct StepRecord;

/// What one step has for itself.
struct StepBuffers {
  std::byte *input;
  std::byte *output;
  AllocationMeter *meter;
  /// Where to write when the commands ran (lib/trace/TraceRecorder.h); null
  /// when nobody asked.
  StepRecord *trace = nullptr;
};

/// An entry made ready to run with the memory of one session.
class Program {
public:
  Program() = default;
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  virtual ~Program();

  /// Runs one step to its end. Called from one thread at a time, but not
  /// always the same. Programs of one driver never run at the same time.
  virtual Status run(const StepBuffers &buffers) = 0;
};

class Driver {
public:
  Driver() = default;
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;
  virtual ~Driver();

  virtual const char *name() const = 0;
  /// Threads that compute, the submitting one included.
  virtual int threads() const = 0;
  /// False for a driver that completes steps without computing them.
  virtual bool computes() const = 0;

  /// Zero-filled memory. `purpose` names it in the error
  /// (kResourceExhausted).
  virtual Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) = 0;

  /// Copies between the host and kDevice memory. Blocks; never while a program
  /// runs.
  virtual Status upload(std::byte *to, const void *from, int64_t bytes) = 0;
  virtual Status download(void *to, const std::byte *from, int64_t bytes) = 0;

  /// Checks an entry's commands and makes it ready to run. The program lives
  /// no longer than the driver and the entry.
  virtual Expected<std::unique_ptr<Program>>
  prepare(const EntryInfo &entry, const SpaceAddresses &spaces) = 0;
};

/// Names of the drivers in this build.
std::vector<std::string> driverNames();

/// The driver `options.driver`, kInvalidArgument when there is none.
Expected<std::unique_ptr<Driver>> createDriver(const SessionOptions &options);

/// The drivers of this build, each in its folder.
Expected<std::unique_ptr<Driver>>
createHostDriver(const SessionOptions &options);
Expected<std::unique_ptr<Driver>>
createNullDriver(const SessionOptions &options);

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_DRIVER_H
