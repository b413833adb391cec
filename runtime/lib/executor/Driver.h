//===- Driver.h - The interface of a device ---------------------*- C++ -*-===//
//
// A driver owns everything that depends on a device: its memory spaces, the
// code objects and constants that it makes of an artifact, and its library
// calls. The layers above (sessions, futures, checkpoints) are the same for
// all drivers. They refer to device memory by object and offset and never
// interpret an address in it.
//
// Work is asynchronous. A driver takes a step or a list of copies together with
// a Completion, returns without waiting for the device, and calls the
// completion once when the work has ended. A driver whose device is the calling
// thread (host) does the work and calls the completion before it returns.
//
// A session has a driver of its own for each device of its artifact, and uses
// it as follows:
//
//  - submit() and copy() are called by one thread at a time, which need not
//    always be the same, in the order of the user's calls. The result
//    is that of executing the work in this order: each step and each copy
//    reads what earlier ones have written, even if they have not been completed
//    yet.
//    Completions may be called in any order and on any thread.
//  - allocate() may be called by any thread, also while work is in flight.
//  - load() and prepare() are called while the session is made.
//  - The driver is destroyed after all completions have been called, when
//    programs, code objects and buffers of steps have been destroyed.
//
// A driver throws nothing; errors are status values. It must pass the
// conformance suite (runtime/cts). The null driver is the template for a new
// one.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_DRIVER_H
#define JOBRT_LIB_EXECUTOR_DRIVER_H

#include "jobrt/artifact.h"
#include "jobrt/session.h"
#include "lib/base/AllocationSource.h"

#include <span>

namespace jobrt {

/// Receives the end of a step or of copies. Implemented by the layers above the
/// driver, which own it and keep it until it has been called.
class Completion {
public:
  /// Called once by the driver, with the error if the work failed, inside
  /// submit() or copy() or later on any thread. The driver holds no lock in the
  /// call and uses nothing that belongs to the work afterwards: buffers, trace
  /// record, meter and the completion itself may be reused at once. Does not
  /// block on other work, runs no code of the user, and does not throw.
  virtual void complete(Status status) = 0;

protected:
  ~Completion() = default;
};

enum class MemoryKind : uint8_t {
  /// Where commands compute. Only the driver can reach it.
  kDevice,
  /// Inputs and outputs of steps: the host and commands can reach it.
  kStaging,
};

/// A block of a driver's memory. It is freed with the object, on any thread,
/// possibly after its driver. A driver gets its own objects back and casts them
/// to its own class.
class DriverMemory {
public:
  virtual ~DriverMemory();
  DriverMemory(const DriverMemory &) = delete;
  DriverMemory &operator=(const DriverMemory &) = delete;

  /// The requested size.
  int64_t bytes() const { return size; }
  /// Where the host reads and writes kStaging memory, aligned to
  /// JOBRT_ALIGNMENT; null for kDevice memory.
  std::byte *hostAddress() const { return address; }

protected:
  DriverMemory(int64_t bytes, std::byte *hostAddress)
      : size(bytes), address(hostAddress) {}

private:
  const int64_t size;
  std::byte *const address;
};

/// A copy between kDevice memory and the host. The range is inside the memory.
struct Copy {
  enum class Direction : uint8_t { kToDevice, kToHost };
  Direction direction;
  DriverMemory *memory;
  int64_t offset, bytes;
  /// Read by kToDevice; may be null if there are no bytes.
  void *host;
};

struct StepRecord;
class HostFunctions;

/// What one step has for itself, valid until it is completed.
struct StepBuffers {
  /// kStaging memory for Space::kInput and Space::kOutput, at least as large as
  /// the entry says. In a session of several devices it is that of one of their
  /// drivers: others use its host address only.
  DriverMemory *input, *output;
  /// Takes the heap allocations that the driver makes for the step, on all
  /// threads.
  AllocationMeter *meter;
  /// For kHostCall: those that the entry calls are registered.
  const HostFunctions *functions = nullptr;
  /// Null unless the step is traced: where the driver records when the step and
  /// its commands ran (lib/trace/TraceRecorder.h).
  StepRecord *trace = nullptr;
};

/// An entry that is ready to run with the memory of one session.
class Program {
public:
  Program() = default;
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  virtual ~Program();

  /// Starts one step. Does not allocate from the second step on, unless the
  /// step fails. An error names job, command and the user's line, and says
  /// whether variables may have been changed.
  virtual void submit(const StepBuffers &buffers, Completion &completion) = 0;

  /// Adds what libraries have selected for its calls. None without libraries
  /// that do.
  virtual void report(std::vector<CallReport> &calls) const {}
};

/// kDevice memory of a session, shared by its programs, which never run at the
/// same time.
struct SessionMemory {
  DriverMemory *arena, *bank, *workspace;
};

/// What an artifact has for one device: the entries whose commands are on it,
/// and parts of those that are on several devices (lib/executor/StepParts.h).
/// They live as long as what is prepared of them.
struct DeviceShare {
  std::vector<const EntryInfo *> entries;
  std::vector<const VariableInfo *> variables;
  /// Of the variables on the device, and of all constants if it needs them.
  int64_t bankBytes = 0, constantsBytes = 0;
};

/// An artifact loaded by a driver: its kernels, constants and library
/// functions, ready for this device.
class CodeObject {
public:
  CodeObject() = default;
  CodeObject(const CodeObject &) = delete;
  CodeObject &operator=(const CodeObject &) = delete;
  virtual ~CodeObject();

  /// Checks the commands of one of the entries and makes it ready to run.
  /// The program lives no longer than the code object and the memory. Errors
  /// name job and command.
  virtual Expected<std::unique_ptr<Program>>
  prepare(const EntryInfo &entry, const SessionMemory &memory) = 0;

  /// Memory of the device for inputs and outputs of steps, beside the staging
  /// memory of the session.
  virtual int64_t stagingBytes() const { return 0; }
};

class Driver {
public:
  Driver() = default;
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;
  /// Returns when no thread of the driver is inside a completion.
  virtual ~Driver();

  virtual const char *name() const = 0;
  /// Threads of the host that compute, the submitting one included.
  virtual int threads() const = 0;
  /// The target of the code that it runs, as CodeBlob::target; empty for code
  /// of the host.
  virtual std::string codeTarget() const { return ""; }
  /// False for a driver that completes steps without computing them.
  virtual bool computes() const = 0;

  /// Zero-filled memory. `purpose` names it in the error
  /// (kResourceExhausted). May block.
  virtual Expected<std::unique_ptr<DriverMemory>>
  allocate(MemoryKind kind, int64_t bytes, std::string_view purpose) = 0;

  /// Loads the code of an artifact, which the result keeps alive, for the
  /// entries of `share`, which will be prepared. May block. Errors:
  /// kUnimplemented (the artifact needs a processor feature or library function
  /// that is missing here), kDataLoss (it lacks a kernel).
  virtual Expected<std::unique_ptr<CodeObject>>
  load(std::shared_ptr<const Artifact> artifact, const DeviceShare &share) = 0;

  /// Starts copies, which are in order with the steps. The list and the host
  /// memory stay until the completion is called.
  virtual void copy(std::span<const Copy> copies, Completion &completion) = 0;
};

struct DriverEntry {
  const char *name;
  /// Gets `options.driver` as it is: the name, or with several devices the
  /// name, a colon and an index.
  Expected<std::unique_ptr<Driver>> (*create)(const SessionOptions &);
  /// Of a driver with an index: its devices, see listDevices().
  Expected<std::vector<DeviceInfo>> (*list)(const SessionOptions &) = nullptr;
  /// Of a driver with collectives, see createCommunicatorId().
  Expected<CommunicatorId> (*createId)(const SessionOptions &) = nullptr;
};

/// Adds a driver to those of this build, for tests. `entry.name` lives as long
/// as the process. Before any session.
void addDriver(const DriverEntry &entry);

/// The driver `options.driver`, kInvalidArgument if there is none. The options
/// have a driver.
Expected<std::unique_ptr<Driver>> createDriver(const SessionOptions &options);

/// The drivers of this build, each in its folder.
Expected<std::unique_ptr<Driver>>
createHostDriver(const SessionOptions &options);
Expected<std::unique_ptr<Driver>>
createCudaDriver(const SessionOptions &options);
Expected<std::vector<DeviceInfo>>
listCudaDevices(const SessionOptions &options);
Expected<CommunicatorId> createCudaId(const SessionOptions &options);
Expected<std::unique_ptr<Driver>>
createNullDriver(const SessionOptions &options);

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_DRIVER_H
